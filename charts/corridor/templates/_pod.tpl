{{/* Who a pod is: nobody special, whatever it runs; and where it may run. Takes root, name, and service where there is one. */}}
{{- define "corridor.identity" -}}
serviceAccountName: {{ include "corridor.fullname" .root }}-{{ .name }}
automountServiceAccountToken: {{ default false .token }}
# Variables that Kubernetes adds for Services could be taken for settings.
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- $own := default dict .service }}
{{- with default .root.Values.pods.priorityClassName $own.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with mergeOverwrite (deepCopy .root.Values.pods.nodeSelector) (default dict $own.nodeSelector) }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with concat .root.Values.pods.tolerations (default list $own.tolerations) }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with default .root.Values.pods.affinity $own.affinity }}
affinity:
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

{{/* Variables out of a Secret, and those that the values give as they are. Takes secretName, keys: variable → key, and extra. */}}
{{- define "corridor.secretEnv" -}}
{{- $secretName := .secretName -}}
{{- if or .keys .extra -}}
env:
  {{- range $variable, $key := .keys }}
  - name: {{ $variable }}
    valueFrom:
      secretKeyRef: { name: {{ $secretName }}, key: {{ $key }} }
  {{- end }}
  {{- with .extra }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}
{{- end -}}

{{/* Pods of one service apart from each other: on nodes and in zones, where there are several. */}}
{{- define "corridor.spread" -}}
topologySpreadConstraints:
  {{- with .service.topologySpreadConstraints }}
  {{- toYaml . | nindent 2 }}
  {{- else }}
  {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "corridor.selector" $ | nindent 8 }}
  {{- end }}
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
    {{- include "corridor.podLabels" $scope | nindent 4 }}
  annotations: {{ include "corridor.podAnnotations" $scope }}
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

{{/*
A name for a Job, whose object cannot be changed: another one whenever anything in it is another, and at every upgrade, so that
one that has failed for good is in nobody's way. Takes root, name and what: its whole specification.
*/}}
{{- define "corridor.jobMetadata" -}}
name: {{ include "corridor.fullname" .root }}-{{ .name }}-{{ .what | sha256sum | trunc 8 }}-{{ .root.Release.Revision }}
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
{{- $hasCa := and .service.isPlatform (include "corridor.trustedCa" .root) -}}
{{- if or .service.secretFiles .service.scratch $isCertified $hasCa .service.extraVolumeMounts -}}
volumeMounts:
  {{- if .service.secretFiles }}
  - { name: secrets, mountPath: /etc/corridor/secrets, readOnly: true }
  {{- end }}
  {{- if $isCertified }}
  - { name: rpc-tls, mountPath: /etc/corridor/rpc-tls, readOnly: true }
  {{- end }}
  {{- if $hasCa }}
  - { name: trusted-ca, mountPath: /etc/corridor/trusted-ca, readOnly: true }
  {{- end }}
  {{- range $variable, $place := .service.scratch }}
  - { name: {{ $variable | lower | replace "_" "-" }}, mountPath: {{ $place.path }} }
  {{- end }}
  {{- with .service.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}
{{- end -}}

{{/* Name of the claim of a scratch directory that is kept. Takes root, name and variable. */}}
{{- define "corridor.claim" -}}
{{ include "corridor.fullname" .root }}-{{ .name }}-{{ .variable | lower | replace "_" "-" }}
{{- end -}}

{{- define "corridor.volumes" -}}
{{- $fullname := printf "%s-%s" (include "corridor.fullname" .root) .name -}}
{{- $isCertified := and .service.isPlatform .root.Values.rpcTls.enabled -}}
{{- $hasCa := and .service.isPlatform (include "corridor.trustedCa" .root) -}}
{{- if or .service.secretFiles .service.scratch $isCertified $hasCa .service.extraVolumes -}}
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
  {{- if $hasCa }}
  {{- with .root.Values.trustedCa }}
  - name: trusted-ca
    {{- if .configMap }}
    configMap: { name: {{ .configMap }}, items: [{ key: {{ .key }}, path: ca.crt }] }
    {{- else }}
    secret: { secretName: {{ .secret }}, items: [{ key: {{ .key }}, path: ca.crt }] }
    {{- end }}
  {{- end }}
  {{- end }}
  {{- range $variable, $place := .service.scratch }}
  - name: {{ $variable | lower | replace "_" "-" }}
    {{- if $place.isKept }}
    persistentVolumeClaim: { claimName: {{ include "corridor.claim" (dict "root" $.root "name" $.name "variable" $variable) }} }
    {{- else }}
    emptyDir: { sizeLimit: {{ $place.size }} }
    {{- end }}
  {{- end }}
  {{- with .service.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}
{{- end -}}
