{{/*
What values.schema.json cannot say in a sentence: every mistake in the values, all in one message.
*/}}
{{- define "edgeline.checks" -}}
{{- $mistakes := concat
  (include "edgeline.checks.operator" . | fromYamlArray)
  (include "edgeline.checks.values" . | fromYamlArray)
  (include "edgeline.checks.account" . | fromYamlArray)
  (include "edgeline.checks.rivals" . | fromYamlArray)
-}}
{{- if $mistakes }}
{{- fail (printf "\n\n%s\n" (join "\n" $mistakes)) }}
{{- end }}
{{- end }}

{{- define "edgeline.checks.operator" -}}
{{- $mistakes := list -}}
{{- with .Values -}}
{{- range .namespaces }}
{{- if not (include "edgeline.matches" (list . "label")) }}
{{- $mistakes = append $mistakes (printf "namespaces: %q is no name of a namespace. Write one name an entry, as in [fleet, depot]; for the whole cluster write []." .) }}
{{- end }}
{{- end }}
{{- if ne (len .namespaces) (len (uniq .namespaces)) }}
{{- $mistakes = append $mistakes "namespaces: one of them is there twice. Write each once." }}
{{- end }}
{{- if not .serviceAccount.name }}
{{- $mistakes = append $mistakes "serviceAccount.name is empty. Write the name of a ServiceAccount, also where create is false." }}
{{- else if not (include "edgeline.matches" (list .serviceAccount.name "name")) }}
{{- $mistakes = append $mistakes (printf "serviceAccount.name: %q is no name of a ServiceAccount. Write lowercase letters, digits, hyphens and dots, as in edgeline-operator." .serviceAccount.name) }}
{{- end }}
{{- if eq (int .healthPort) (int .metrics.port) }}
{{- $mistakes = append $mistakes (printf "healthPort and metrics.port are both %d. Choose two ports." (int .healthPort)) }}
{{- end }}
{{- if .statusPage.enabled }}
{{- if has (int .statusPage.port) (list (int .healthPort) (int .metrics.port)) }}
{{- $mistakes = append $mistakes (printf "statusPage.port is %d, as another port is. Choose three ports." (int .statusPage.port)) }}
{{- end }}
{{- if and .namespaces .rbac.create (include "edgeline.statusPageIsOpen" $) }}
{{- $mistakes = append $mistakes "statusPage.address: a page that is reached from outside of the pod needs a ClusterRole, and with namespaces there is none. Leave it at 127.0.0.1, or set rbac.create to false and give the roles of docs/reference/permissions.md." }}
{{- end }}
{{- end }}
{{- if and .statusPage.service.enabled (not (include "edgeline.statusPageIsOpen" $)) }}
{{- $mistakes = append $mistakes "statusPage.service leads to nothing: the page is not served, or only inside of the pod. Set statusPage.enabled to true and statusPage.address to \"\"." }}
{{- end }}
{{- if and .metrics.simRates (eq .metrics.resources "none") }}
{{- $mistakes = append $mistakes "metrics.simRates: rates are series of each resource, and there are none. Set metrics.resources to names, or simRates to false." }}
{{- end }}
{{- if and .metrics.serviceMonitor.enabled (not .metrics.service.enabled) }}
{{- $mistakes = append $mistakes "metrics.serviceMonitor finds nothing without the Service. Set metrics.service.enabled to true, or use metrics.podMonitor." }}
{{- end }}
{{- if and .metrics.serviceMonitor.enabled .metrics.podMonitor.enabled }}
{{- $mistakes = append $mistakes "metrics: with both serviceMonitor and podMonitor everything is counted twice. Choose one." }}
{{- end }}
{{- if and .rbac.namespaceRole (not .namespaces) }}
{{- $mistakes = append $mistakes "rbac.namespaceRole is bound in each of namespaces, and there are none. Name the namespaces, or leave it empty." }}
{{- end }}
{{- $flags := dict "leader-elect" "" "kubeconfig" "" "health-listen" "healthPort" "metrics-listen" "metrics.port" "resource-metrics" "metrics.resources" "sim-rates" "metrics.simRates" "status-listen" "statusPage" "hold" "holdSeconds" "secrets" "secrets.names" "namespaces" "namespaces" "allowed-hosts" "allowedHosts" "sim-poll" "simPollSeconds" "site-poll" "sitePollSeconds" "workers" "workers" "log-level" "logLevel" "log-format" "logFormat" }}
{{- range .extraArgs }}
{{- $flag := trimPrefix "--" . | splitList "=" | first }}
{{- if hasKey $flags $flag }}
{{- $mistakes = append $mistakes (printf "extraArgs: --%s is not for here. %s" $flag (empty (get $flags $flag) | ternary "The chart decides it." (printf "Use the value %s." (get $flags $flag)))) }}
{{- end }}
{{- end }}
{{- end }}
{{- toYaml $mistakes }}
{{- end }}

{{- define "edgeline.checks.account" -}}
{{- $mistakes := list -}}
{{- with .Values.clusterCloudAccount -}}
{{- if .create }}
{{- range $field, $given := dict "name" .name "credentialsSecretRef.name" .credentialsSecretRef.name "secretNamespace" .secretNamespace "caBundleSecretRef.name" .caBundleSecretRef.name }}
{{- if and $given (not (include "edgeline.matches" (list $given (eq $field "secretNamespace" | ternary "label" "name")))) }}
{{- $mistakes = append $mistakes (printf "clusterCloudAccount.%s: %q is no name in Kubernetes. Write lowercase letters, digits and hyphens." $field $given) }}
{{- end }}
{{- end }}
{{- if $.Values.namespaces }}
{{- $mistakes = append $mistakes "clusterCloudAccount: an operator for single namespaces (namespaces) reads no ClusterCloudAccounts. Make a CloudAccount in each of the namespaces instead, or leave namespaces empty." }}
{{- end }}
{{- if not .credentialsSecretRef.name }}
{{- $mistakes = append $mistakes (printf "clusterCloudAccount.credentialsSecretRef.name is empty. Name the Secret in namespace %s with the keys accessToken and accessTokenSecret." (.secretNamespace | default $.Release.Namespace)) }}
{{- end }}
{{- if not (include "edgeline.matches" (list .baseURL "baseURL")) }}
{{- $mistakes = append $mistakes (printf "clusterCloudAccount.baseURL: %q is no address of the service. Write https:// and the host, as in https://api.example.jp." .baseURL) }}
{{- else if $.Values.allowedHosts }}
{{- $host := trimPrefix "https://" .baseURL | trimSuffix "/" | trimSuffix ":443" | lower }}
{{- $allowed := list }}
{{- range $.Values.allowedHosts }}
{{- $allowed = append $allowed (trimSuffix ":443" . | lower) }}
{{- end }}
{{- if not (has $host $allowed) }}
{{- $mistakes = append $mistakes (printf "clusterCloudAccount.baseURL: its host %s is not among allowedHosts. Add it there." $host) }}
{{- end }}
{{- end }}
{{- if and .caBundleSecretRef.name (not .caBundleSecretRef.key) }}
{{- $mistakes = append $mistakes (printf "clusterCloudAccount.caBundleSecretRef.key is empty. Name the key with the certificates in Secret %s." .caBundleSecretRef.name) }}
{{- end }}
{{- with $.Values.secrets.names }}
{{- range list $.Values.clusterCloudAccount.credentialsSecretRef.name $.Values.clusterCloudAccount.caBundleSecretRef.name }}
{{- if and . (not (has . $.Values.secrets.names)) }}
{{- $mistakes = append $mistakes (printf "secrets.names: it lacks %s, which clusterCloudAccount names. Add it there." .) }}
{{- end }}
{{- end }}
{{- end }}
{{- else if or .baseURL .credentialsSecretRef.name }}
{{- $mistakes = append $mistakes "clusterCloudAccount: it is described, but create is false. Set clusterCloudAccount.create to true." }}
{{- end }}
{{- end }}
{{- toYaml $mistakes }}
{{- end }}

{{/*
Another installation's operator that would work on the same resources: the operator itself does nothing in a namespace that
another holds, but who installs it should know at once. Nothing is looked up by `helm template`, and with `namespaces` nothing
outside of them: whoever installs may not be allowed to.
*/}}
{{- define "edgeline.checks.rivals" -}}
{{- $mistakes := list -}}
{{- $name := include "edgeline.name" . -}}
{{- $mine := printf "%s/%s" .Release.Namespace .Release.Name -}}
{{- $identity := printf "%s/edgeline-operator" .Release.Namespace -}}
{{- $here := "" -}}
{{- range (lookup "apps/v1" "Deployment" .Release.Namespace "").items }}
{{- if eq "edgeline" (dig "metadata" "labels" "app.kubernetes.io/name" "" .) }}
{{- $here = include "edgeline.owner" . }}
{{- end }}
{{- end }}
{{- if and $here (ne $here $mine) }}
{{- $mistakes = append $mistakes (printf "Namespace %s has an operator already, of release %s; one of the two would only wait for the other. Upgrade that release, or install into another namespace." .Release.Namespace (base $here)) }}
{{- else if not .Values.namespaces }}
{{- range (lookup "coordination.k8s.io/v1" "Lease" "" "").items }}
{{- $home := .metadata.namespace }}
{{- if and (eq .metadata.name "edgeline-operator") (ne $home $.Release.Namespace) (include "edgeline.runs" $home) }}
{{- $mistakes = append $mistakes (printf "Namespace %s has an operator already, and this one would be for the whole cluster: two would look after the same resources. Upgrade or uninstall that one, or name the namespaces that this one is for." $home) }}
{{- end }}
{{- end }}
{{- else }}
{{- range .Values.namespaces }}
{{- $holder := dig "spec" "holderIdentity" "" (lookup "coordination.k8s.io/v1" "Lease" . "edgeline-holder") }}
{{- if and $holder (ne $holder $identity) (or (not $.Values.crds.enabled) (include "edgeline.runs" (dir $holder))) }}
{{- $mistakes = append $mistakes (printf "namespaces: %s is looked after by %s, another installation of the operator. Uninstall it, or take the namespace from one of the two. If it is gone: kubectl -n %s delete lease edgeline-holder" . $holder .) }}
{{- end }}
{{- end }}
{{- if .Values.crds.enabled }}
{{- $elsewhere := include "edgeline.owner" (lookup "rbac.authorization.k8s.io/v1" "ClusterRoleBinding" "" $name) -}}
{{- if and $elsewhere (ne $elsewhere $mine) (include "edgeline.runs" (dir $elsewhere)) }}
{{- $mistakes = append $mistakes (printf "Release %s in namespace %s looks after the whole cluster already, these namespaces too; two operators must not look after the same resources. Upgrade or uninstall that one." (base $elsewhere) (dir $elsewhere)) }}
{{- end }}
{{- end }}
{{- end }}
{{- toYaml $mistakes }}
{{- end }}

{{/* Says something when there is a Deployment of the operator in that namespace, by whatever it was installed. */}}
{{- define "edgeline.runs" -}}
{{- range (lookup "apps/v1" "Deployment" . "").items -}}
{{- if eq "edgeline" (dig "metadata" "labels" "app.kubernetes.io/name" "" .) -}}
{{- .metadata.name -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* NAMESPACE/RELEASE that an object belongs to; nothing when there is no object, or it was not made by Helm. */}}
{{- define "edgeline.owner" -}}
{{- with dig "metadata" "annotations" dict . -}}
{{- if index . "meta.helm.sh/release-name" -}}
{{ index . "meta.helm.sh/release-namespace" }}/{{ index . "meta.helm.sh/release-name" }}
{{- end -}}
{{- end -}}
{{- end }}
