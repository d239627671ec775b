{{/*
Values that Kubernetes, the registry or the operator itself would refuse, minutes later and in words of their own. `edgeline.matches`
has the shapes: (list VALUE SHAPE) says something where the value has it.
*/}}
{{- define "edgeline.matches" -}}
{{- $label := "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?" -}}
{{- $port := "(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})" -}}
{{- $host := "([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?\\.?|\\[[0-9A-Fa-f:.]+\\])" -}}
{{- $byte := "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])" -}}
{{- $bits := "/(12[0-8]|1[01][0-9]|[1-9]?[0-9])" -}}
{{- $part := "[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*" -}}
{{- $shapes := dict
  "label" $label
  "name" (printf "%s(\\.%s)*" $label $label)
  "host" (printf "%s(:%s)?" $host $port)
  "baseURL" (printf "https://%s(:%s)?/?" $host $port)
  "address" (printf "(%s)?" $host)
  "cidr" (printf "(%s\\.){3}%s/(3[0-2]|[12]?[0-9])|([0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}%s|([0-9A-Fa-f]{1,4}(:[0-9A-Fa-f]{1,4}){0,6})?::(([0-9A-Fa-f]{1,4}:){0,6}[0-9A-Fa-f]{1,4})?%s" $byte $byte $bits $bits)
  "registry" (printf "%s(:%s)?(/%s)*/?" $host $port $part)
  "repository" (printf "(%s(:%s)?/)?%s(/%s)*" $host $port $part $part)
  "tag" "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}"
  "digest" "sha256:[0-9a-f]{64}"
  "amount" "[0-9]+|[0-9]{1,2}%|100%"
  "duration" "([0-9]+y)?([0-9]+w)?([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?"
-}}
{{- if regexMatch (printf "^(%s)$" (get $shapes (index . 1))) (index . 0 | toString) -}}
yes
{{- end -}}
{{- end }}

{{- define "edgeline.checks.values" -}}
{{- $mistakes := list -}}
{{- with .Values -}}
{{- range $name := list "nameOverride" "fullnameOverride" }}
{{- with get $.Values $name }}
{{- if not (include "edgeline.matches" (list . "label")) }}
{{- $mistakes = append $mistakes (printf "%s: %q can be no part of a name. Write lowercase letters, digits and hyphens, as in fleet-operator." $name .) }}
{{- end }}
{{- end }}
{{- end }}
{{- with .image }}
{{- if not (include "edgeline.matches" (list .repository "repository")) }}
{{- $more := regexFind "(:[^/:@]*)?(@.*)?$" .repository }}
{{- $alone := trimSuffix $more .repository }}
{{- if and $more (include "edgeline.matches" (list $alone "repository")) }}
{{- $mistakes = append $mistakes (printf "image.repository: %q has a version in it. Write %s, and the version into image.%s." .repository $alone (contains "@" $more | ternary "digest" "tag")) }}
{{- else }}
{{- $mistakes = append $mistakes (printf "image.repository: %q is no repository of images. Write it in lowercase and without https://, as in registry.example.jp/edgeline/edgeline." .repository) }}
{{- end }}
{{- end }}
{{- if and .tag (not (include "edgeline.matches" (list .tag "tag"))) }}
{{- $mistakes = append $mistakes (printf "image.tag: %q is no tag. Write the version alone, as in %s; a digest belongs into image.digest." .tag $.Chart.AppVersion) }}
{{- end }}
{{- if and .digest (not (include "edgeline.matches" (list .digest "digest"))) }}
{{- $mistakes = append $mistakes (printf "image.digest: %q is no digest. Write sha256: and 64 hexadecimal digits; a version belongs into image.tag." .digest) }}
{{- end }}
{{- end }}
{{- with .global.imageRegistry }}
{{- if not (include "edgeline.matches" (list . "registry")) }}
{{- $mistakes = append $mistakes (printf "global.imageRegistry: %q is no registry. Write its host, without https://, as in registry.example.jp." .) }}
{{- end }}
{{- end }}
{{- range .allowedHosts }}
{{- if not (include "edgeline.matches" (list . "host")) }}
{{- $mistakes = append $mistakes (printf "allowedHosts: %q is no host. Write the host alone, without https:// and path, as in [api.example.jp], or with a port up to 65535; for any host write []." .) }}
{{- end }}
{{- end }}
{{- range .secrets.names }}
{{- if not (include "edgeline.matches" (list . "name")) }}
{{- $mistakes = append $mistakes (printf "secrets.names: %q is no name of a Secret. Write one name an entry, without a namespace, as in [service-credentials]." .) }}
{{- end }}
{{- end }}
{{- range $name := list "metrics" "statusPage" }}
{{- $address := get (get $.Values $name) "address" }}
{{- if not (include "edgeline.matches" (list $address "address")) }}
{{- $mistakes = append $mistakes (printf "%s.address: %q is no address to listen at. Write it without a port, as in 127.0.0.1, [::1] or \"\" for all; the port is %s.port." $name $address $name) }}
{{- end }}
{{- end }}
{{- range $name := list "serviceMonitor" "podMonitor" }}
{{- $monitor := get $.Values.metrics $name }}
{{- range $field := list "interval" "scrapeTimeout" }}
{{- if and $monitor.enabled (not (include "edgeline.matches" (list (get $monitor $field) "duration"))) }}
{{- $mistakes = append $mistakes (printf "metrics.%s.%s: %q is no time. Write a number and its unit, as in 30s or 1m." $name $field (get $monitor $field)) }}
{{- end }}
{{- end }}
{{- end }}
{{- range $name := list "apiServerCIDRs" "serviceCIDRs" }}
{{- range get $.Values.networkPolicy $name }}
{{- if not (include "edgeline.matches" (list . "cidr")) }}
{{- $mistakes = append $mistakes (printf "networkPolicy.%s: %q is no range of addresses. Write an address and a mask, as in 10.0.0.1/32; a name can't stand there." $name .) }}
{{- end }}
{{- end }}
{{- end }}
{{- range $name := list "maxUnavailable" "minAvailable" }}
{{- $amount := get $.Values.podDisruptionBudget $name }}
{{- if and (ne "" (toString $amount)) (not (include "edgeline.matches" (list $amount "amount"))) }}
{{- $mistakes = append $mistakes (printf "podDisruptionBudget.%s: %q is no number of pods. Write a number, as in 1, or a part, as in 50%%." $name (toString $amount)) }}
{{- end }}
{{- end }}
{{- end }}
{{- toYaml (concat $mistakes (include "edgeline.checks.replacing" . | fromYamlArray)) }}
{{- end }}

{{/* How pods are replaced, and how many a drain leaves: what no node could be drained with, and what the apiserver refuses. */}}
{{- define "edgeline.checks.replacing" -}}
{{- $mistakes := list -}}
{{- with .Values -}}
{{- $type := .strategy.type | default "RollingUpdate" }}
{{- range keys (omit .strategy "type" "rollingUpdate") | sortAlpha }}
{{- $mistakes = append $mistakes (printf "strategy.%s is not known. Write type and rollingUpdate, as in a Deployment." .) }}
{{- end }}
{{- if not (has $type (list "RollingUpdate" "Recreate")) }}
{{- $mistakes = append $mistakes (printf "strategy.type: %q is no strategy. Write RollingUpdate or Recreate." (toString $type)) }}
{{- else if and (eq $type "Recreate") .strategy.rollingUpdate }}
{{- $mistakes = append $mistakes "strategy.rollingUpdate has no meaning with the type Recreate. Remove it, or write type: RollingUpdate." }}
{{- else if and .strategy.rollingUpdate (not (kindIs "map" .strategy.rollingUpdate)) }}
{{- $mistakes = append $mistakes "strategy.rollingUpdate has no members. Write {maxSurge: 1, maxUnavailable: 0}, as in a Deployment." }}
{{- else if .strategy.rollingUpdate }}
{{- $zero := list "0" "0%" }}
{{- if and (has (dig "maxSurge" "25%" .strategy.rollingUpdate | toString) $zero) (has (dig "maxUnavailable" "25%" .strategy.rollingUpdate | toString) $zero) }}
{{- $mistakes = append $mistakes "strategy.rollingUpdate: with maxSurge and maxUnavailable both 0 no pod can be replaced. Write 1 for one of them." }}
{{- end }}
{{- end }}
{{- $replicas := int .replicaCount }}
{{- if and .podDisruptionBudget.enabled (gt $replicas 1) }}
{{- $least := toString .podDisruptionBudget.minAvailable }}
{{- if eq "" $least }}
{{- if has (toString .podDisruptionBudget.maxUnavailable) (list "0" "0%") }}
{{- $mistakes = append $mistakes "podDisruptionBudget.maxUnavailable: with 0 no node with a pod of the operator can be drained. Write 1 or more." }}
{{- end }}
{{- else if include "edgeline.matches" (list $least "amount") }}
{{- /* A part is rounded up, as Kubernetes does. */}}
{{- $pods := int (trimSuffix "%" $least) }}
{{- if hasSuffix "%" $least }}
{{- $pods = div (add (mul $pods $replicas) 99) 100 | int }}
{{- end }}
{{- if ge $pods $replicas }}
{{- $mistakes = append $mistakes (printf "podDisruptionBudget.minAvailable: with %s of %d pods no node with a pod of the operator can be drained. Write %d or less, or use maxUnavailable." $least $replicas (sub $replicas 1)) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- toYaml $mistakes }}
{{- end }}
