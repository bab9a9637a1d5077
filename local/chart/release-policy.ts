import type { IService } from "kubernetes-models/v1/Service";
import { type Manifest, ofKind } from "./manifest";

/** One rule about a whole release. Returns the violations. */
export interface ReleaseRule {
  name: string;
  broken(release: readonly Manifest[]): string[];
}

/** Matches text that is or contains a secret: a password in an address, a private key, a 256-bit key. */
const secretText: readonly RegExp[] = [
  /[a-z][a-z+]*:\/\/[^\s/:@]*:[^\s/@]+@/i,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /(?<![0-9a-z:])[0-9a-f]{64}(?![0-9a-z])/i,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\./,
];
/** Settings with a text that only looks like a key: a pod's image, and the checksum of its settings. */
const isDigest = (key: string): boolean => key === "image" || key === "checksum/config";
const secretName = /PASSWORD|SECRET|TOKEN|API_KEY|PRIVATE/;
const fingerprints: ReadonlySet<string> = new Set(["GATEWAY_PROXY_CERTIFICATE"]);

const nameOf = (one: { metadata?: { name?: string } }): string => one.metadata?.name ?? "";

/** True for a setting with the name or text of a secret. Names of files and shares are not secrets. */
const leaks = (key: string, value: string): boolean =>
  !fingerprints.has(key) &&
  (secretText.some((pattern) => pattern.test(value)) || (secretName.test(key) && !/_(FILE|URL|SECONDS)$/.test(key)));

/** Every text of an object with the key it is under. */
function textsIn(value: unknown, key: string): [string, string][] {
  if (typeof value === "string") return [[key, value]];
  if (Array.isArray(value)) return value.flatMap((item: unknown) => textsIn(item, key));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => textsIn(item, name));
}

/** True for the rights that our workloads may have: to write Secrets, and to read and change named ones. */
function isMinimal(rule: { apiGroups?: string[]; resources?: string[]; verbs: string[]; resourceNames?: string[] }) {
  const isAboutSecrets = rule.apiGroups?.join() === "" && rule.resources?.join() === "secrets";
  const isNamed = (rule.resourceNames ?? []).length > 0;
  const verbs = isNamed ? ["get", "update"] : ["create"];
  return isAboutSecrets && rule.verbs.every((verb) => verbs.includes(verb));
}

/** Only the API may have its own load balancer, for its one port: operators and metrics stay inside. */
function isInsideOrPublicApi({ metadata, spec }: IService): boolean {
  const type = spec?.type ?? "ClusterIP";
  const isApi = metadata?.name?.endsWith("-gateway-public") && spec?.ports?.map(({ name }) => name).join() === "https";
  return type === "ClusterIP" || (type === "LoadBalancer" && isApi === true);
}

export const releaseRules: readonly ReleaseRule[] = [
  {
    name: "makes no Secret",
    broken: (release) => ofKind(release, "Secret").map(nameOf),
  },
  {
    name: "writes no secret into its settings",
    broken: (release) =>
      ofKind(release, "ConfigMap").flatMap((map) =>
        Object.entries(map.data ?? {}).flatMap(([key, value]) => (leaks(key, value) ? [`${nameOf(map)} ${key}`] : [])),
      ),
  },
  {
    name: "shows no secret anywhere",
    broken: (release) =>
      release.flatMap((manifest) => {
        const texts = textsIn(manifest, "").filter(([key]) => !isDigest(key) && !fingerprints.has(key));
        const isOpen = texts.some(([, text]) => secretText.some((pattern) => pattern.test(text)));
        return isOpen ? [`${manifest.kind} ${manifest.metadata.name}`] : [];
      }),
  },
  {
    name: "gives the right to named Secrets only",
    broken: (release) =>
      ofKind(release, "Role").flatMap((role) => ((role.rules ?? []).every(isMinimal) ? [] : [nameOf(role)])),
  },
  {
    name: "gives rights to the writer of certificates only",
    broken: (release) => [
      ...release.filter(({ kind }) => kind.startsWith("ClusterRole")).map(({ metadata }) => metadata.name),
      ...ofKind(release, "RoleBinding").flatMap((binding) =>
        (binding.subjects ?? []).every(({ kind, name }) => kind === "ServiceAccount" && name.endsWith("-certificates"))
          ? []
          : [nameOf(binding)],
      ),
    ],
  },
  {
    name: "publishes no port of its nodes",
    broken: (release) =>
      ofKind(release, "Service").flatMap((service) => (isInsideOrPublicApi(service) ? [] : [nameOf(service)])),
  },
];
