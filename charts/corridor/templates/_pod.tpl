{{/* Who a pod is: nobody special, whatever it runs. Takes root and name. */}}
{{- define "corridor.identity" -}}
serviceAccountName: {{ include "corridor.fullname" .root }}-{{ .name }}
automountServiceAccountToken: {{ default false .token }}
# Variables that Kubernetes adds for Services could be taken for settings.
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{/* What a container may do beside computing: nothing. */}}
{{- define "corridor.confined" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{/* The image of this release, and how it is pulled. */}}
{{- define "corridor.program" -}}
image: {{ include "corridor.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end -}}

{{/* Variables out of a Secret. Takes secretName and keys: variable → key. */}}
{{- define "corridor.secretEnv" -}}
{{- $secretName := .secretName -}}
env:
  {{- range $variable, $key := .keys }}
  - name: {{ $variable }}
    valueFrom:
      secretKeyRef: { name: {{ $secretName }}, key: {{ $key }} }
  {{- end }}
{{- end -}}

{{/* Pods of one service apart from each other: on nodes and in zones, where there are several. */}}
{{- define "corridor.spread" -}}
topologySpreadConstraints:
  {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "corridor.selector" $ | nindent 8 }}
  {{- end }}
{{- end -}}

{{/* Not empty when a Job of ours makes the certificates of the calls between services. */}}
{{- define "corridor.hasCertificateJob" -}}
{{- if and .Values.rpcTls.enabled (eq .Values.rpcTls.source "job") }}true{{ end -}}
{{- end -}}

{{/* The pod that makes certificates. Its token is the only one of a release: it writes the Secrets. */}}
{{- define "corridor.certificatePod" -}}
{{- $scope := dict "root" . "name" "certificates" -}}
metadata:
  labels:
    {{- include "corridor.labels" $scope | nindent 4 }}
spec:
  {{- include "corridor.identity" (merge (dict "token" true) $scope) | nindent 2 }}
  restartPolicy: OnFailure
  containers:
    - name: certificates
      {{- include "corridor.program" . | nindent 6 }}
      command: [node, dist/cluster/certificates/main.js]
      {{- include "corridor.confined" . | nindent 6 }}
      envFrom:
        - configMapRef: { name: {{ include "corridor.fullname" . }}-certificates }
      resources:
        {{- toYaml .Values.jobResources | nindent 8 }}
{{- end -}}

{{/* A name for a Job that changes with what it does: the object of a Job cannot be changed. Takes root, name and what. */}}
{{- define "corridor.jobMetadata" -}}
name: {{ include "corridor.fullname" .root }}-{{ .name }}-{{ .what | sha256sum | trunc 8 }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "corridor.labels" . | nindent 2 }}
{{- end -}}

{{/* Settings of the Job that makes certificates. */}}
{{- define "corridor.certificateSettings" -}}
CERTIFICATES_NAMESPACE: {{ .Release.Namespace }}
CERTIFICATES_PREFIX: {{ include "corridor.fullname" . }}
CERTIFICATES_SERVICES: {{ (include "corridor.certified" . | fromJson).names | join "," }}
CERTIFICATES_DAYS: {{ .Values.rpcTls.days | quote }}
CERTIFICATES_RENEW_BEFORE_DAYS: {{ .Values.rpcTls.renewBeforeDays | quote }}
{{- end -}}

{{/* What a service finds in its file system beside its program. Takes root, name and service. */}}
{{- define "corridor.mounts" -}}
{{- $isCertified := and .service.isPlatform .root.Values.rpcTls.enabled -}}
{{- if or .service.secretFiles .service.scratch $isCertified -}}
volumeMounts:
  {{- if .service.secretFiles }}
  - { name: secrets, mountPath: /etc/corridor/secrets, readOnly: true }
  {{- end }}
  {{- if $isCertified }}
  - { name: rpc-tls, mountPath: /etc/corridor/rpc-tls, readOnly: true }
  {{- end }}
  {{- range $variable, $place := .service.scratch }}
  - { name: {{ $variable | lower | replace "_" "-" }}, mountPath: {{ $place.path }} }
  {{- end }}
{{- end -}}
{{- end -}}

{{- define "corridor.volumes" -}}
{{- $fullname := printf "%s-%s" (include "corridor.fullname" .root) .name -}}
{{- $isCertified := and .service.isPlatform .root.Values.rpcTls.enabled -}}
{{- if or .service.secretFiles .service.scratch $isCertified -}}
volumes:
  {{- with .service.secretFiles }}
  - name: secrets
    secret:
      secretName: {{ default $fullname $.service.secretName }}
      defaultMode: 288 # 0440
      items:
        {{- range $variable, $key := . }}
        - { key: {{ $key }}, path: {{ $key }} }
        {{- end }}
  {{- end }}
  {{- if $isCertified }}
  - name: rpc-tls
    secret:
      secretName: {{ $fullname }}-rpc-tls
      defaultMode: 288 # 0440
  {{- end }}
  {{- range $variable, $place := .service.scratch }}
  - name: {{ $variable | lower | replace "_" "-" }}
    emptyDir: { sizeLimit: {{ $place.size }} }
  {{- end }}
{{- end -}}
{{- end -}}

{{/* Names of the services that a Job starts once with --prepare, in JSON: those with a store. */}}
{{- define "corridor.prepared" -}}
{{- $names := list -}}
{{- if .Values.indexes.enabled -}}
{{- range $name := (include "corridor.names" . | fromJson).names -}}
{{- $service := include "corridor.service" (dict "root" $ "name" $name) | fromYaml -}}
{{- if hasKey $service.secretEnv "MONGODB_URI" -}}{{- $names = append $names $name -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- dict "names" $names | toJson -}}
{{- end -}}
