/** What production keeps its money and its events on, and why less is refused. All texts are for operators. */

/** Older servers are no longer mended by MongoDB, and none of our tests runs on one. The lowest of every profile. */
const oldestStore = [7, 0, 0] as const;
/** Before, acknowledged messages were lost when a server was killed or joined again. */
const oldestBus = [2, 12, 3] as const;
/** Two may fail to agree; three go on without one. */
const fewestMembers = 3;

type Version = readonly [number, number, number];

function isOlder(text: string, [major, minor, patch]: Version): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)/
    .exec(text)
    ?.slice(1)
    .map((part) => Number.parseInt(part, 10));
  if (parts === undefined) return true;
  const [itsMajor = 0, itsMinor = 0, itsPatch = 0] = parts;
  return itsMajor * 1e6 + itsMinor * 1e3 + itsPatch < major * 1e6 + minor * 1e3 + patch;
}

type Answer = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What is too weak about a store, by its answers to `hello` and `buildInfo`; empty: nothing. */
export function weaknessesOfStore(hello: Answer, buildInfo: Answer): string[] {
  const version = String(buildInfo["version"]);
  const members = [...listOf(hello["hosts"]), ...listOf(hello["passives"])].length;
  const isReplicaSet = typeof hello["setName"] === "string";
  return [
    ...(listOf(buildInfo["modules"]).includes("corridor-embedded-store") ? ["it is the embedded store"] : []),
    ...(isReplicaSet ? [] : ["it is no replica set"]),
    ...(isReplicaSet && members < fewestMembers ? [`it has ${members} members that hold data, not 3`] : []),
    ...(listOf(hello["arbiters"]).length > 0 ? ["it has an arbiter, so a majority may hold less than it says"] : []),
    ...(isOlder(version, oldestStore) ? [`it is MongoDB ${version}, older than ${oldestStore.join(".")}`] : []),
  ];
}

/** Why no profile starts on a store, by its answer to `buildInfo`; undefined: it is new enough. */
export function refusalOfStore(buildInfo: Answer): string | undefined {
  const version = String(buildInfo["version"]);
  if (!isOlder(version, oldestStore)) return undefined;
  return `the store is MongoDB ${version}, and the lowest version that is supported is ${oldestStore.join(".")}`;
}

export interface BusFacts {
  /** Version of the server. */
  version: string;
  /** The account that we are in; undefined when the server did not say. */
  account: string | undefined;
}

/** What is too weak about a bus; empty: nothing. */
export function weaknessesOfBus({ version, account }: BusFacts): string[] {
  return [
    ...(isOlder(version, oldestBus) ? [`it is NATS ${version}, older than ${oldestBus.join(".")}`] : []),
    ...(account === undefined ? ["it does not say whose account this is"] : []),
    ...(account === "$G" ? ["its account is $G, which is open to everybody who connects"] : []),
  ];
}

/** Why a stream is too weak, or undefined. */
export const weaknessOfStream = (name: string, replicas: number): string | undefined =>
  replicas < fewestMembers ? `stream ${name} has ${replicas} replicas, not 3 (NATS_STREAM_REPLICAS)` : undefined;
