import { types } from "node:util";

/** Names of errors that mean that a store does not answer. Names, so that no driver is imported here. */
const outages: ReadonlySet<string> = new Set([
  "MongoNetworkError",
  "MongoNetworkTimeoutError",
  "MongoPoolClearedError",
  "PoolClearedError",
  "PoolClearedOnNetworkError",
  "MongoPoolClosedError",
  "MongoWaitQueueTimeoutError",
  "MongoSystemError",
  "MongoServerSelectionError",
  "MongooseServerSelectionError",
  "DisconnectedError",
  "MongoServerClosedError",
  "MongoTopologyClosedError",
  "MongoClientClosedError",
  "MongoNotConnectedError",
  "MongoStalePrimaryError",
  "MongoExpiredSessionError",
  "MongoOperationTimeoutError",
  "MongoWriteConcernError",
]);

/**
 * Codes with which a server reports a temporary failure: hosts and networks (6, 7, 89, 9001), time (24, 50, 64, 262, 290), a cursor or a
 * transaction that was lost with its primary (43, 112, 175, 251), primaries that step down or are missing (91, 100, 133, 134, 189, 10058,
 * 10107, 11600 to 11602, 13435, 13436), shards that move (63, 150, 234, 13388), load (462), a full disk (14031), and accounts that are
 * being changed (13, 18, 391, 8000).
 */
const serverCodes: ReadonlySet<unknown> = new Set([
  6, 7, 13, 18, 24, 43, 50, 63, 64, 89, 91, 100, 112, 133, 134, 150, 175, 189, 234, 251, 262, 290, 391, 462, 8_000,
  9_001, 10_058, 10_107, 11_600, 11_601, 11_602, 13_388, 13_435, 13_436, 14_031,
]);

/** System codes of connections that failed or ended; drivers pass some of them on unchanged. */
const systemCodes: ReadonlySet<unknown> = new Set(
  `EPIPE ECONNRESET ECONNREFUSED ECONNABORTED ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN
  EADDRNOTAVAIL EMFILE`.split(/\s+/),
);

const labels = [
  "RetryableWriteError",
  "RetryableError",
  "TransientTransactionError",
  "UnknownTransactionCommitResult",
  "SystemOverloadedError",
];

/** Fields in which drivers put the error that they wrap. A bulk write stores it as if the server had answered. */
const wrappers = ["cause", "reason", "errorResponse", "err", "error", "errors", "writeErrors", "writeConcernError"];

const mostLinks = 64;

/** True when a store is away, however deep the driver has wrapped the cause. Any other error is a refusal or a bug. */
export function isOutage(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  const links = [...linksOf(error)];
  const isOfStore = links.some((link) => /^(Mongo|PoolCleared)/.test(nameOf(link)));
  return links.some((link) => {
    const code = read(link, "code");
    return (
      outages.has(nameOf(link)) ||
      (systemCodes.has(code) && types.isNativeError(link)) ||
      (isOfStore && (serverCodes.has(Number(code ?? Number.NaN)) || isMarked(link)))
    );
  });
}

/** Yields an error and all errors that it wraps. */
function* linksOf(error: object): Generator<object> {
  const met = new Set<object>([error]);
  for (const link of met) {
    yield link;
    for (const name of wrappers) {
      const inner = read(link, name);
      const all: readonly unknown[] = Array.isArray(inner) ? inner : [inner];
      for (const one of all) {
        if (typeof one === "object" && one !== null && met.size < mostLinks) met.add(one);
      }
    }
  }
}

function isMarked(link: object): boolean {
  const own = read(link, "errorLabels");
  return Array.isArray(own) && labels.some((label) => own.includes(label));
}

/** Returns the name of an error. */
function nameOf(link: object): string {
  const name = read(link, "name");
  return typeof name === "string" ? name : "";
}

/** Reads a field safely: some driver errors throw when a field is read. */
function read(link: object, name: string): unknown {
  try {
    return Reflect.get(link, name);
  } catch {
    return undefined;
  }
}
