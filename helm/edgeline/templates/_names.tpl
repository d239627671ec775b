{{/*
Names do not depend on the release: there is one operator for a namespace, as its Lease has one name. So a second release
meets Kubernetes' and Helm's own refusals instead of a rival.
*/}}
{{- define "edgeline.name" -}}
edgeline-operator
{{- end }}

{{- define "edgeline.selector" -}}
app.kubernetes.io/name: edgeline
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: operator
{{- end }}

{{- define "edgeline.labels" -}}
{{- $own := dict
  "app.kubernetes.io/version" .Chart.AppVersion
  "app.kubernetes.io/managed-by" .Release.Service
  "helm.sh/chart" (printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_")
-}}
{{- merge (include "edgeline.selector" . | fromYaml) $own (deepCopy .Values.commonLabels) | toYaml }}
{{- end }}

{{- define "edgeline.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end }}

{{/* The rules of files/rbac.yaml under this name: (list $ "clusterRules"). */}}
{{- define "edgeline.rules" -}}
{{- $root := index . 0 -}}
{{- get ($root.Files.Get "files/rbac.yaml" | fromYaml) (index . 1) | toYaml }}
{{- end }}

{{/* Who the operator is, for a binding. */}}
{{- define "edgeline.subjects" -}}
- kind: ServiceAccount
  name: {{ .Values.serviceAccount.name }}
  namespace: {{ .Release.Namespace }}
{{- end }}
