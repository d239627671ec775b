{{/*
What is empty in the values (`replicaCount:`) has its default, which Helm takes away then. What the chart names nothing in, such as
resources, is taken as it is: there an empty entry removes the default's.
*/}}
{{- define "edgeline.defaults" -}}
{{- $known := .Files.Get "files/defaults.yaml" | fromYaml -}}
{{- include "edgeline.defaults.fill" (list .Values $known.values $known.whole "") -}}
{{- end }}

{{- define "edgeline.defaults.fill" -}}
{{- $values := index . 0 -}}
{{- $whole := index . 2 -}}
{{- $path := index . 3 -}}
{{- range $name, $default := index . 1 -}}
{{- $here := printf "%s%s" $path $name -}}
{{- if kindIs "invalid" (index $values $name) -}}
{{- $_ := set $values $name (deepCopy $default) -}}
{{- else if and (kindIs "map" $default) (not (has $here $whole)) -}}
{{- include "edgeline.defaults.fill" (list (get $values $name) $default $whole (printf "%s." $here)) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/*
Names do not depend on the release: there is one operator for a namespace, as its Lease has one name. So a second release
meets Kubernetes' and Helm's own refusals instead of a rival.
*/}}
{{- define "edgeline.name" -}}
{{- .Values.fullnameOverride | default (printf "%s-operator" (.Values.nameOverride | default "edgeline")) -}}
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
{{- $repository := .Values.image.repository -}}
{{- with .Values.global.imageRegistry -}}
{{- $repository = printf "%s/%s" (trimSuffix "/" .) (regexReplaceAll "^[^/]*[.:][^/]*/" $repository "") -}}
{{- end -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ $repository }}@{{ .digest }}
{{- else -}}
{{ $repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end }}

{{/* The image's own pull secrets and those for all charts, each once, as a list. */}}
{{- define "edgeline.pullSecrets" -}}
{{- $names := list -}}
{{- range concat .Values.image.pullSecrets .Values.global.imagePullSecrets -}}
{{- $names = append $names (ternary . (dict "name" .) (kindIs "map" .)) -}}
{{- end -}}
{{- with uniq $names -}}
{{- toYaml . -}}
{{- end -}}
{{- end }}

{{/* The rules of files/rbac.yaml under this name: (list $ "clusterRules"). */}}
{{- define "edgeline.rules" -}}
{{- $root := index . 0 -}}
{{- $rules := list -}}
{{- range get ($root.Files.Get "files/rbac.yaml" | fromYaml) (index . 1) -}}
{{- if and (has "secrets" .resources) $root.Values.secrets.names -}}
{{- $rules = append $rules (set . "resourceNames" $root.Values.secrets.names) -}}
{{- else -}}
{{- $rules = append $rules . -}}
{{- end -}}
{{- end -}}
{{- toYaml $rules }}
{{- end }}

{{/* Says something where the status page is reached from outside of the pod; the operator decides by the same addresses. */}}
{{- define "edgeline.statusPageIsOpen" -}}
{{- with .Values.statusPage -}}
{{- if and .enabled (not (regexMatch "^(127\\.[0-9.]+|localhost|\\[::1\\])$" .address)) -}}
open
{{- end -}}
{{- end -}}
{{- end }}

{{/* Who the operator is, for a binding. */}}
{{- define "edgeline.subjects" -}}
- kind: ServiceAccount
  name: {{ .Values.serviceAccount.name }}
  namespace: {{ .Release.Namespace }}
{{- end }}

{{/* What else a monitor says of an endpoint. */}}
{{- define "edgeline.scrape" -}}
{{- $endpoint := dict -}}
{{- range list "scrapeTimeout" "relabelings" "metricRelabelings" "honorLabels" -}}
{{- $value := get $ . -}}
{{- if $value -}}
{{- $_ := set $endpoint . $value -}}
{{- end -}}
{{- end -}}
{{- with $endpoint -}}
{{- toYaml . -}}
{{- end -}}
{{- end }}
