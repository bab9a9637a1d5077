/** The store and bus that production requires, and why others are refused. All texts are for operators. */

/** Lowest version in every profile: MongoDB no longer fixes older servers, and none of our tests runs on one. */
const oldestStore = [7, 0, 0] as const;
/** Earlier versions lost acknowledged messages when a server was killed or rejoined. */
const oldestBus = [2, 12, 3] as const;
/** Three members keep a majority when one is lost; two do not. */
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

/** Lists the weaknesses of a store, by its answers to `hello` and `buildInfo`. */
export function weaknessesOfStore(hello: Answer, buildInfo: Answer): string[] {
  const version = String(buildInfo["version"]);
  const members = [...listOf(hello["hosts"]), ...listOf(hello["passives"])].length;
  const isReplicaSet = typeof hello["setName"] === "string";
  return [
    ...(listOf(buildInfo["modules"]).includes("corridor-embedded-store") ? ["it is the embedded store"] : []),
    ...(isReplicaSet ? [] : ["it is not a replica set"]),
    ...(isReplicaSet && members < fewestMembers ? [`it has ${members} members that hold data, not 3`] : []),
    ...(listOf(hello["arbiters"]).length > 0 ? ["it has an arbiter, so a majority may not hold the data"] : []),
    ...(isOlder(version, oldestStore) ? [`it is MongoDB ${version}, older than ${oldestStore.join(".")}`] : []),
  ];
}

/** Why no profile starts on a store, by its answer to `buildInfo`; undefined when it is new enough. */
export function refusalOfStore(buildInfo: Answer): string | undefined {
  const version = String(buildInfo["version"]);
  if (!isOlder(version, oldestStore)) return undefined;
  return `the store is MongoDB ${version}, and the lowest supported version is ${oldestStore.join(".")}`;
}

export interface BusFacts {
  /** Version of the server. */
  version: string;
  /** Our account; undefined when the server did not report it. */
  account: string | undefined;
}

/** Lists the weaknesses of a bus. */
export function weaknessesOfBus({ version, account }: BusFacts): string[] {
  return [
    ...(isOlder(version, oldestBus) ? [`it is NATS ${version}, older than ${oldestBus.join(".")}`] : []),
    ...(account === undefined ? ["it does not report our account"] : []),
    ...(account === "$G" ? ["its account is $G, which is open to every client"] : []),
  ];
}

/** Returns why a stream is too weak; undefined when it is not. */
export const weaknessOfStream = (name: string, replicas: number): string | undefined =>
  replicas < fewestMembers ? `stream ${name} has ${replicas} replicas, not 3 (NATS_STREAM_REPLICAS)` : undefined;
