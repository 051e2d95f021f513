{{/* What several templates say alike. */}}
{{- define "skytally.name" -}}
{{ .Release.Name }}-skytally
{{- end }}

{{- define "skytally.selector" -}}
app.kubernetes.io/name: skytally
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "skytally.labels" -}}
{{ include "skytally.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "skytally.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "skytally.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "skytally.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* 0 and false are settings, too. A number of a values file is a float here, which would become 2e+07. */}}
{{- define "skytally.env" -}}
{{- range $name, $value := .Values.settings }}
{{- if kindIs "float64" $value }}
{{- if eq $value (floor $value) }}
{{- $value = int64 $value }}
{{- end }}
{{- end }}
{{- if not (or (kindIs "invalid" $value) (eq (toString $value) "")) }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
{{- end }}

{{- define "skytally.volumes" -}}
- name: data
  emptyDir:
    sizeLimit: {{ .Values.temporarySize }}
- name: tmp
  emptyDir:
    sizeLimit: {{ .Values.temporarySize }}
{{- end }}

{{- define "skytally.volumeMounts" -}}
- name: data
  mountPath: /data
- name: tmp
  mountPath: /tmp
{{- end }}
