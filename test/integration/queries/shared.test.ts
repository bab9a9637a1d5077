import { makeConsumerPositions } from "../../../services/shared/bus/consumer-positions";
import { makeInbox } from "../../../services/shared/bus/inbox";
import { makeParkedMessages } from "../../../services/shared/bus/parked-messages";
import { makeRelayPositions } from "../../../services/shared/bus/relay-positions";
import { systemIds } from "../../../services/shared/kernel/ids";
import { makeDataKeys } from "../../../services/shared/storage/data-keys";
import { makeIdLookup } from "../../../services/shared/storage/id-lookup";
import { makeKeyHolders } from "../../../services/shared/storage/key-holders";
import { makeKeyRenewals } from "../../../services/shared/storage/key-renewals";
import { renewBatch } from "../../../services/shared/storage/key-use";
import { listLeases, makeLease } from "../../../services/shared/storage/lease";
import { driverDb } from "../../../services/shared/storage/mongo";
import { makeReplays } from "../../../services/shared/storage/replays";
import { makeReplicaRegistry } from "../../../services/shared/storage/replica-registry";
import { callsOf, describeQueries } from "../../support/served-by-index";
import { silent } from "../bus/bus-testbed";

const at = new Date(0);
const renewal = { id: "r", askedAt: at, doneAt: at, rings: [], tallies: [], place: { use: 0, after: "a" } };

describeQueries("storage that several services have", async ({ connection, tx }) => ({
  dataKeys: callsOf(makeDataKeys({ connection, sealingKeys: [Buffer.alloc(32, 1)], ids: systemIds }), {
    init: "inserts",
    of: (of) => of("t"),
    renewal: async (renewal) => [
      await renewBatch(driverDb(connection), renewal("R"), undefined, silent),
      await renewBatch(driverDb(connection), renewal("R"), "t", silent),
    ],
    tenants: (tenants) => tenants(),
  }),
  lookup: callsOf(
    { find: makeIdLookup(connection, [{ collection: "found", kind: 1, parentId: "p", createdAt: "createdAt" }]) },
    { find: (find) => find("all tenants", "i") },
  ),
  inbox: callsOf(makeInbox(connection), {
    init: "inserts",
    take: async (take) => [await take(tx, "S", "a", [{ sequence: 1 }]), await take(tx, "S", "a", [{ sequence: 2 }])],
  }),
  keyHolders: callsOf(makeKeyHolders(connection), {
    init: "inserts",
    note: (note) => note({ holder: "h", rings: [], seenAt: at }),
    since: (since) => since(at),
    forget: (forget) => forget("h"),
  }),
  keyRenewals: callsOf(makeKeyRenewals(connection), {
    init: "inserts",
    find: (find) => find("r"),
    latest: (latest) => latest(),
    ask: "inserts",
    advance: (advance) => advance(renewal, renewal),
  }),
  leases: callsOf({ listLeases }, { listLeases: (list) => list(connection) }),
  lease: callsOf(makeLease({ connection, name: "l", holder: "h" }), {
    hold: (hold) => hold(),
    release: (release) => release(),
  }),
  parked: callsOf(makeParkedMessages(connection), {
    init: "inserts",
    park: (park) => park({ stream: "S", sequence: 1, subject: "s", payload: Buffer.alloc(0), cause: "c" }),
    list: async (list) => [await list(undefined, 1), await list("S/1", 1)],
    find: (find) => find("S/1"),
    remove: (remove) =>
      remove({
        id: "S/1",
        times: 1,
        stream: "S",
        sequence: 1,
        subject: "s",
        payload: Buffer.alloc(0),
        cause: "c",
        parkedAt: at,
      }),
  }),
  replays: callsOf(makeReplays(connection), {
    init: "inserts",
    ask: (ask) => ask({ id: "r", since: at, subject: "s" }),
    askAgain: (askAgain) => askAgain("r"),
    next: (next) => next(),
    advance: (advance) => advance("r", 1),
    done: (done) => done("r"),
    note: (note) => note("S", at),
    committedFrom: (committedFrom) => committedFrom("S", new Date()),
  }),
  consumerPositions: callsOf(makeConsumerPositions(connection, "S/d"), {
    get: (get) => get(),
    move: async (move) => {
      const to = { created: "1", sequence: 1, handledAt: at };
      return [await move(undefined, to, [{ id: "g", since: at }]), await move(to, to, [])];
    },
    close: (close) => close("g"),
  }),
  replicaRegistry: callsOf(makeReplicaRegistry(connection, "presences"), {
    init: "inserts",
    note: (note) => note("p", at),
    countSince: (countSince) => countSince(at),
    forget: (forget) => forget("p"),
  }),
  positions: callsOf(makeRelayPositions(connection), {
    get: (get) => get("S"),
    save: (save) => save("S", { created: "1", lastSequence: 1 }),
    advance: (advance) => advance("S", { created: "1", lastSequence: 1 }),
  }),
}));
