{{/* The ClusterCloudAccount's spec, as the values describe it. */}}
{{- define "edgeline.account.spec" -}}
{{- with .Values.clusterCloudAccount -}}
baseURL: {{ .baseURL }}
credentialsSecretRef:
  name: {{ .credentialsSecretRef.name }}
secretNamespace: {{ .secretNamespace | default $.Release.Namespace }}
{{- with .caBundleSecretRef }}
{{- if .name }}
caBundleSecretRef:
  name: {{ .name }}
  key: {{ .key }}
{{- end }}
{{- end }}
{{- with .authentication }}
authentication: {{ . }}
{{- end }}
{{- with .dialect }}
dialect: {{ . }}
{{- end }}
{{- with .limits }}
limits:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .namespaceSelector }}
namespaceSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{/*
The spec of the account in the cluster, where it is not yet among the objects Helm compares with: at an install that finds one, and
until an upgrade after the revision whose hook made it has succeeded (Helm notes that on the Secret of that revision). Nothing
otherwise.

Helm changes a custom resource by what is different from the revision before. One that was not in it becomes part of the
release without being changed, whatever the manifest says, and would stay so.
*/}}
{{- define "edgeline.account.found" -}}
{{- $known := .Capabilities.APIVersions.Has "edgeline.dev/v1alpha1/ClusterCloudAccount" -}}
{{- $live := dict -}}
{{- if $known }}
{{- $live = lookup "edgeline.dev/v1alpha1" "ClusterCloudAccount" "" .Values.clusterCloudAccount.name }}
{{- end }}
{{- if $live }}
{{- $made := dig "metadata" "annotations" "edgeline.dev/made-at-revision" "" $live }}
{{- $secret := lookup "v1" "Secret" .Release.Namespace (printf "sh.helm.release.v1.%s.v%s" .Release.Name $made) }}
{{- $newest := and $secret (ne "superseded" (dig "metadata" "labels" "status" "" $secret)) }}
{{- if or .Release.IsInstall (and $newest (ge $live.metadata.creationTimestamp $secret.metadata.creationTimestamp)) }}
{{- toYaml $live.spec }}
{{- end }}
{{- end }}
{{- end }}
