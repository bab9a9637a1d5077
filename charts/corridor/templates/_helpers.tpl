{{/* What the names of all objects begin with. The longest of them, a Job, adds 26 characters; 63 are allowed. */}}
{{- define "corridor.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- $name = default $full .Values.fullnameOverride | trunc 36 | trimSuffix "-" -}}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" $name) -}}
{{- fail (printf "the names of objects would begin with %q: give fullnameOverride a name that begins with a letter" $name) -}}
{{- end -}}
{{- $name -}}
{{- end -}}

{{/* Labels that never change: what selectors are made of. Takes root and name. */}}
{{- define "corridor.selector" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{- define "corridor.labels" -}}
{{ include "corridor.selector" . }}
app.kubernetes.io/part-of: corridor
app.kubernetes.io/version: {{ include "corridor.word" .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ include "corridor.word" (printf "%s-%s" .root.Chart.Name .root.Chart.Version) | quote }}
{{- end -}}

{{/* A version as the value of a label or as a tag, which may hold no plus sign. */}}
{{- define "corridor.word" -}}
{{- . | replace "+" "_" | trunc 63 | trimSuffix "-" | trimSuffix "_" | trimSuffix "." -}}
{{- end -}}

{{/* Labels of pods. No version: a pod is new when what it runs is new, not when the chart is. Takes root, name, service. */}}
{{- define "corridor.podLabels" -}}
{{- $own := dict -}}
{{- with .service -}}{{- $own = .podLabels -}}{{- end -}}
{{- with mergeOverwrite (deepCopy .root.Values.pods.labels) (default dict $own) }}
{{- toYaml . }}
{{ end -}}
{{ include "corridor.selector" . }}
app.kubernetes.io/part-of: corridor
{{- end -}}

{{/* Annotations of pods, in JSON. Takes root, and service where there is one. */}}
{{- define "corridor.podAnnotations" -}}
{{- $own := dict -}}
{{- with .service -}}{{- $own = .podAnnotations -}}{{- end -}}
{{- mergeOverwrite (deepCopy .root.Values.pods.annotations) (default dict $own) | toJson -}}
{{- end -}}

{{/* Name and labels of every object of a service. */}}
{{- define "corridor.metadata" -}}
name: {{ include "corridor.fullname" .root }}-{{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "corridor.labels" . | nindent 2 }}
{{- end -}}

{{/* The values of one service: the defaults under its own. */}}
{{- define "corridor.service" -}}
{{- mergeOverwrite (deepCopy .root.Values.serviceDefaults) (get .root.Values.services .name) | toYaml -}}
{{- end -}}

{{- define "corridor.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}{{ $image.repository }}@{{ $image.digest }}
{{- else -}}{{ $image.repository }}:{{ default (include "corridor.word" .Chart.AppVersion) $image.tag }}
{{- end -}}
{{- end -}}

{{/* Names of the services that run, in JSON. */}}
{{- define "corridor.names" -}}
{{- $names := list -}}
{{- range $name := keys .Values.services | sortAlpha -}}
{{- if (include "corridor.service" (dict "root" $ "name" $name) | fromYaml).enabled -}}{{- $names = append $names $name -}}{{- end -}}
{{- end -}}
{{- dict "names" $names | toJson -}}
{{- end -}}

{{/* Names of the services that run and have a certificate for calls, in JSON. */}}
{{- define "corridor.certified" -}}
{{- $names := list -}}
{{- range $name := (include "corridor.names" . | fromJson).names -}}
{{- if (include "corridor.service" (dict "root" $ "name" $name) | fromYaml).isPlatform -}}{{- $names = append $names $name -}}{{- end -}}
{{- end -}}
{{- dict "names" $names | toJson -}}
{{- end -}}

{{/* Where the gateway is inside the cluster. */}}
{{- define "corridor.gatewayUrl" -}}
https://{{ include "corridor.fullname" . }}-gateway:{{ .Values.services.gateway.port.number }}
{{- end -}}

{{/* Hosts that a service answers to inside the cluster. Takes root and name. */}}
{{- define "corridor.hosts" -}}
{{- $host := printf "%s-%s" (include "corridor.fullname" .root) .name -}}
- {{ $host }}
- {{ $host }}.{{ .root.Release.Namespace }}.svc
{{- end -}}

{{/* Every setting of a service that is no secret. */}}
{{- define "corridor.settings" -}}
{{- $root := .root -}}
{{- $service := .service -}}
{{- $settings := dict -}}
{{- $common := dict -}}
{{- if $service.isPlatform -}}
{{- $settings = dict "PROFILE" $root.Values.profile "LISTEN_HOST" "0.0.0.0" -}}
{{- $_ := set $settings "METRICS_PORT" ($root.Values.metricsPort | toString) -}}
{{- $common = deepCopy $root.Values.env -}}
{{- end -}}
{{- $_ := set $settings $service.port.variable ($service.port.number | toString) -}}
{{- with $service.sidePort -}}{{- $_ := set $settings .variable (.number | toString) -}}{{- end -}}
{{- range $callee := $service.calls -}}
{{- $port := (include "corridor.service" (dict "root" $root "name" $callee) | fromYaml).port.number -}}
{{- $host := printf "%s-%s" (include "corridor.fullname" $root) $callee -}}
{{- $_ := set $settings (printf "%s_TARGET" (upper $callee)) (printf "dns:///%s:%v" $host $port) -}}
{{- end -}}
{{- if and $service.isPlatform $root.Values.rpcTls.enabled -}}
{{- $_ := set $settings "RPC_TLS_CA_FILE" "/etc/corridor/rpc-tls/ca.crt" -}}
{{- $_ := set $settings "RPC_TLS_CERT_FILE" "/etc/corridor/rpc-tls/tls.crt" -}}
{{- $_ := set $settings "RPC_TLS_KEY_FILE" "/etc/corridor/rpc-tls/tls.key" -}}
{{- end -}}
{{- range $variable, $key := $service.secretFiles -}}
{{- $_ := set $settings $variable (printf "/etc/corridor/secrets/%s" $key) -}}
{{- end -}}
{{- range $variable, $place := $service.scratch -}}
{{- $_ := set $settings $variable $place.path -}}
{{- end -}}
{{- if and $service.isPlatform (include "corridor.trustedCa" $root) -}}
{{- $_ := set $settings "NODE_EXTRA_CA_CERTS" "/etc/corridor/trusted-ca/ca.crt" -}}
{{- end -}}
{{- range $variable, $value := mergeOverwrite $common $service.env -}}
{{- $text := tpl $value $root -}}
{{- if $text -}}{{- $_ := set $settings $variable $text -}}{{- end -}}
{{- end -}}
{{- $settings | toYaml -}}
{{- end -}}

{{/* Not empty where processes trust authorities of yours beside the public ones. */}}
{{- define "corridor.trustedCa" -}}
{{- with .Values.trustedCa -}}{{- if or .configMap .secret -}}true{{- end -}}{{- end -}}
{{- end -}}

{{/* The check of a probe: beside the metrics, in the clear; the simulated world answers at its own port. */}}
{{- define "corridor.check" -}}
{{- if .service.isPlatform -}}
httpGet: { path: {{ .path }}, port: metrics }
{{- else -}}
httpGet: { path: /healthz, port: {{ .service.port.name }} }
{{- end -}}
{{- end -}}

{{/* How many pods a HorizontalPodAutoscaler begins with: those that run, within its bounds. Takes root, name, service. */}}
{{- define "corridor.replicas" -}}
{{- $scaling := .service.autoscaling -}}
{{- if not $scaling.enabled -}}{{- .service.replicas -}}
{{- else -}}
{{- if gt (int $scaling.minReplicas) (int $scaling.maxReplicas) -}}
{{- fail (printf "services.%s.autoscaling: minReplicas %v is above maxReplicas %v" .name $scaling.minReplicas $scaling.maxReplicas) -}}
{{- end -}}
{{- $name := printf "%s-%s" (include "corridor.fullname" .root) .name -}}
{{- $running := lookup "apps/v1" "Deployment" .root.Release.Namespace $name -}}
{{- $now := 0 -}}
{{- with $running -}}{{- $now = default 0 .spec.replicas -}}{{- end -}}
{{- min (max $now $scaling.minReplicas) $scaling.maxReplicas -}}
{{- end -}}
{{- end -}}
