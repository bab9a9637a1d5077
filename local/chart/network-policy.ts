import { type IPv4, type IPv6, parseCIDR } from "ipaddr.js";
import type { INetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { type Manifest, ofKind, selects, type Workload } from "./manifest";
import { componentOf, type PodRule } from "./pod-policy";

/** Components that call out of the cluster: to webhook receivers, providers and their statements, vendors, a source of rates. */
const mayLeave: ReadonlySet<string> = new Set(["webhook", "payment", "wallet", "identity", "fx"]);
/** The only component that calls the API server, which has a private address in most clusters. */
const callsApiServer = (component: string): boolean => component === "certificates";

const metadataRanges = ["169.254.0.0/16", "fe80::/10", "fd00:ec2::/32"];
/** All ranges outside the public internet (IANA special-purpose registries), with those that embed IPv4 in IPv6. */
const privateRanges = [
  ...metadataRanges,
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "::/8",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "2001::/23",
  "2002::/16",
  "fc00::/7",
  "ff00::/8",
];
type Rule = NonNullable<NonNullable<INetworkPolicy["spec"]>["egress"]>[number];
type Peer = NonNullable<Rule["to"]>[number];
type IpBlock = NonNullable<Peer["ipBlock"]>;
type Cidr = [IPv4 | IPv6, number];

const rangeOf = (text: string): Cidr => parseCIDR(text);

/** True if `outer` contains every address of `inner`. */
function isWithin(inner: Cidr, outer: Cidr): boolean {
  const [address, bits] = inner;
  const [network, outerBits] = outer;
  return address.kind() === network.kind() && bits >= outerBits && address.match(network, outerBits);
}

/** True if the block reaches an address of the range. Blocks either nest or are disjoint, so one contains the other. */
function reachesRange({ cidr, except = [] }: IpBlock, range: string): boolean {
  const [block, inner] = [rangeOf(cidr), rangeOf(range)];
  if (isWithin(block, inner)) return true;
  return isWithin(inner, block) && !except.some((hole) => isWithin(inner, rangeOf(hole)));
}

const policiesOf = ({ labels }: Workload, release: readonly Manifest[]): INetworkPolicy[] =>
  ofKind(release, "NetworkPolicy").filter(({ spec }) => selects(spec?.podSelector, labels));

const blocksOf = (workload: Workload, release: readonly Manifest[]): IpBlock[] =>
  policiesOf(workload, release)
    .flatMap(({ spec }) => spec?.egress ?? [])
    .flatMap(({ to }) => to ?? [])
    .flatMap(({ ipBlock }) => (ipBlock === undefined ? [] : [ipBlock]));

const isDenial = ({ spec }: INetworkPolicy): boolean =>
  spec?.policyTypes?.join() === "Ingress,Egress" && !spec.ingress?.length && !spec.egress?.length;

const isNobody = (selector: object | undefined): boolean =>
  selector === undefined || Object.keys(selector).length === 0;

/** True for a peer that selects something: an address block, pods by labels, or namespaces by labels. */
const isNamed = ({ ipBlock, podSelector, namespaceSelector }: Peer): boolean =>
  ipBlock !== undefined || !isNobody(podSelector?.matchLabels) || !isNobody(namespaceSelector?.matchLabels);

/** Rules for the network access of a pod. */
export const networkRules: readonly PodRule[] = [
  {
    name: "is closed both ways but for what is named",
    holds: (workload, release) => policiesOf(workload, release).some(isDenial),
  },
  {
    name: "has one NetworkPolicy of its own",
    holds: (workload, release) => policiesOf(workload, release).filter((policy) => !isDenial(policy)).length === 1,
  },
  {
    name: "names the peers of each network rule",
    holds: (workload, release) =>
      policiesOf(workload, release).every(({ spec }) =>
        [...(spec?.ingress ?? []).map(({ from }) => from), ...(spec?.egress ?? []).map(({ to }) => to)].every(
          (peers) => peers !== undefined && peers.length > 0 && peers.every(isNamed),
        ),
      ),
  },
  {
    name: "names the ports of each way out",
    holds: (workload, release) =>
      policiesOf(workload, release).every(({ spec }) =>
        (spec?.egress ?? []).every(({ ports }) => ports !== undefined && ports.length > 0),
      ),
  },
  {
    name: "leaves the cluster only where that is its task",
    holds: (workload, release) => {
      const component = componentOf(workload.labels);
      return mayLeave.has(component) || callsApiServer(component) || blocksOf(workload, release).length === 0;
    },
  },
  {
    name: "reaches no private range and no metadata service",
    holds: (workload, release) => {
      const forbidden = callsApiServer(componentOf(workload.labels)) ? metadataRanges : privateRanges;
      return blocksOf(workload, release).every((block) => !forbidden.some((range) => reachesRange(block, range)));
    },
  },
];
