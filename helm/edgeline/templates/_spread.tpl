{{/* Spreading: what the values say, about the operator's own pods unless they say otherwise; else by node. */}}
{{- define "edgeline.spread" -}}
{{- $constraints := .Values.topologySpreadConstraints -}}
{{- if and (not $constraints) (gt (int .Values.replicaCount) 1) -}}
{{- $constraints = list (dict "maxSkew" 1 "topologyKey" "kubernetes.io/hostname" "whenUnsatisfiable" "ScheduleAnyway") -}}
{{- end -}}
{{- with $constraints -}}
topologySpreadConstraints:
{{- range . }}
  {{- $own := dict "labelSelector" (dict "matchLabels" (include "edgeline.selector" $ | fromYaml)) }}
  {{- list (ternary (deepCopy .) (merge (deepCopy .) $own) (hasKey . "labelSelector")) | toYaml | nindent 2 }}
{{- end }}
{{- end -}}
{{- end }}
