{{/* One peer of networkPolicy.peers; a bundled server stands for the peer that it replaces. Takes root and peer. */}}
{{- define "corridor.peer" -}}
{{- $root := .root -}}
{{- $found := get $root.Values.networkPolicy.peers .peer -}}
{{- range $name, $server := $root.Values.bundled -}}
{{- if and $server.enabled (eq $server.peer $.peer) -}}
{{- $labels := include "corridor.selector" (dict "root" $root "name" $name) | fromYaml -}}
{{- $ports := list (dict "port" $server.port "protocol" "TCP") -}}
{{- $found = dict "selectors" (list (dict "podSelector" (dict "matchLabels" $labels))) "ports" $ports -}}
{{- end -}}
{{- end -}}
{{- $found | toYaml -}}
{{- end -}}

{{/* Ways out to peers, in YAML. A rule without selectors would mean everybody: a peer that has none gets no rule. */}}
{{- define "corridor.waysOut" -}}
{{- $rules := list -}}
{{- range $peer := .peers -}}
{{- $entry := include "corridor.peer" (dict "root" $.root "peer" $peer) | fromYaml -}}
{{- if $entry.selectors }}{{ $rules = append $rules (dict "to" $entry.selectors "ports" $entry.ports) }}{{ end -}}
{{- end -}}
{{- range $name, $port := .components -}}
{{- $labels := include "corridor.selector" (dict "root" $.root "name" $name) | fromYaml -}}
{{- $ports := list (dict "port" $port "protocol" "TCP") -}}
{{- $rules = append $rules (dict "to" (list (dict "podSelector" (dict "matchLabels" $labels))) "ports" $ports) -}}
{{- end -}}
{{- $rules | toYaml -}}
{{- end -}}

{{/* One way in, to one port, in YAML. Takes root, port, and peers or components. */}}
{{- define "corridor.waysIn" -}}
{{- $rules := list -}}
{{- $ports := list (dict "port" .port "protocol" "TCP") -}}
{{- range $peer := .peers -}}
{{- $selectors := (include "corridor.peer" (dict "root" $.root "peer" $peer) | fromYaml).selectors -}}
{{- if $selectors }}{{ $rules = append $rules (dict "from" $selectors "ports" $ports) }}{{ end -}}
{{- end -}}
{{- range $name := .components -}}
{{- $labels := include "corridor.selector" (dict "root" $.root "name" $name) | fromYaml -}}
{{- $rules = append $rules (dict "from" (list (dict "podSelector" (dict "matchLabels" $labels))) "ports" $ports) -}}
{{- end -}}
{{- $rules | toYaml -}}
{{- end -}}

{{/* The policy of one component. Takes root, name, ingress and egress: lists of rules. */}}
{{- define "corridor.networkPolicy" -}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "corridor.metadata" . | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "corridor.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress: {{ default list .ingress | toJson }}
  egress: {{ default list .egress | toJson }}
{{- end -}}
