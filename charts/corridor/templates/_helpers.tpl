{{- define "corridor.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- default $full .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
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
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
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
{{- else -}}{{ $image.repository }}:{{ default .Chart.AppVersion $image.tag }}
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
{{- range $variable, $value := mergeOverwrite $common $service.env -}}
{{- $text := tpl $value $root -}}
{{- if $text -}}{{- $_ := set $settings $variable $text -}}{{- end -}}
{{- end -}}
{{- $settings | toYaml -}}
{{- end -}}

{{/* The check of a probe; `path` is asked for over HTTPS only. */}}
{{- define "corridor.check" -}}
{{- if eq .service.probe "http" -}}
httpGet: { path: /healthz, port: {{ .service.port.name }} }
{{- else if eq .service.probe "https" -}}
httpGet: { path: {{ .path }}, port: {{ .service.sidePort.name }}, scheme: HTTPS }
{{- else if .root.Values.rpcTls.enabled -}}
tcpSocket: { port: {{ .service.port.name }} }
{{- else -}}
grpc: { port: {{ .service.port.number }} }
{{- end -}}
{{- end -}}
