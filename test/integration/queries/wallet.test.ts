import { makeReadStoreTime } from "../../../services/shared/storage/store-clock";
import { platformAccount } from "../../../services/wallet/domain/account";
import { makeAccountStore } from "../../../services/wallet/store/account-store";
import { makeCheckpointStore } from "../../../services/wallet/store/checkpoint-store";
import { makeCommitStore, makeWalletOutbox } from "../../../services/wallet/store/commit-store";
import { makeEntryStore } from "../../../services/wallet/store/entry-store";
import { makeHoldExpiryStore } from "../../../services/wallet/store/hold-expiry-store";
import { makePromiseStore } from "../../../services/wallet/store/promise-store";
import { makeProofStore } from "../../../services/wallet/store/proof-store";
import { makeRowStore } from "../../../services/wallet/store/row-store";
import { makeSearchStore } from "../../../services/wallet/store/search-store";
import { makeStatementStore } from "../../../services/wallet/store/statement-store";
import { makeSuspenseStore } from "../../../services/wallet/store/suspense-store";
import { makeVerificationStore } from "../../../services/wallet/store/verification-store";
import { makeWalletListStore } from "../../../services/wallet/store/wallet-list-store";
import { callsOf, describeQueries } from "../../support/served-by-index";

const at = new Date(0);
const account = (version: number) =>
  ({ ...platformAccount("platform/suspense", "USD", 0), id: "a", version, lastAt: at }) as never;

const block = { id: "b", path: "p", asset: "USD", holder: "h", minor: 1n, released: 0n, takenAt: at } as never;

describeQueries("wallet", async ({ connection, tx }) => {
  const promises = makePromiseStore(connection);
  const rows = makeRowStore(connection);
  // The row that a mark leads to is looked for only when there is a mark.
  const seen = { account: "a", line: "settled", seq: 65, at, hash: "h" } as never;
  return {
    accounts: callsOf(makeAccountStore(connection), {
      init: "inserts",
      find: (find) => find("a"),
      findMany: (findMany) => findMany(["a"]),
      load: (load) => load(tx, ["a"]),
      settledOf: (settledOf) => settledOf(tx, "p", "USD"),
      ofPath: (ofPath) => ofPath("p"),
      save: (save) => save(tx, [{ account: account(2), before: account(1) }]),
      sums: (sums) => sums(tx),
      ofPaths: (ofPaths) => ofPaths("wallet/"),
      all: (all) => all(),
    }),
    search: callsOf(makeSearchStore(connection, { tenants: async () => ["t", "u"] }), {
      find: async (find) => [await find({ tenant: "t" }, "i"), await find("all tenants", "i")],
    }),
    lists: callsOf(makeWalletListStore(connection), {
      init: "inserts",
      list: async (list) => {
        const none = { asset: undefined, status: undefined };
        for (const filter of [none, { ...none, asset: "USD" }, { ...none, status: "FROZEN" as const }])
          for (const after of [undefined, { createdAt: at, id: "a" }]) await list("t", filter, { after, limit: 5 });
      },
    }),
    checkpoints: callsOf(makeCheckpointStore(connection), {
      init: "inserts",
      latest: (latest) => latest(tx),
      sealsOf: (sealsOf) => sealsOf([1]),
      add: "inserts",
      all: (all) => all(),
    }),
    commits: callsOf(
      makeCommitStore(connection, () => Buffer.alloc(0)),
      {
        init: "inserts",
        add: "inserts",
        unsealed: (unsealed) => unsealed(tx, 5),
        markSealed: (markSealed) => markSealed(tx, ["c"]),
      },
    ),
    outbox: callsOf(makeWalletOutbox(connection, "subject"), {
      pending: async (pending) => [await pending(5), await pending(5, { waitingSince: at, id: "c" } as never)],
      markPublished: (markPublished) => markPublished([{ id: "c" } as never]),
      since: (since) => since(at),
    }),
    entries: callsOf(makeEntryStore(connection), {
      init: "inserts",
      find: (find) => find("e"),
      findMany: (findMany) => findMany(["e"]),
      load: (load) => load(tx, ["e"]),
      ofPayment: (ofPayment) => ofPayment("p"),
      listed: async (listed) => {
        const none = { kind: undefined, walletId: undefined, from: undefined, until: undefined };
        for (const filter of [
          none,
          { ...none, kind: "DEBIT" as const, walletId: "w" },
          { ...none, from: at, until: at },
        ])
          for (const after of [undefined, { createdAt: at, id: "a" }]) await listed("t", filter, { after, limit: 5 });
      },
      add: "inserts",
      all: (all) => all(),
    }),
    expiries: callsOf(makeHoldExpiryStore(connection), {
      init: "inserts",
      add: "inserts",
      remove: (remove) => remove(tx, ["h"]),
      timesOf: (timesOf) => timesOf(["h"]),
      due: (due) => due(at, 5),
      nextDue: (nextDue) => nextDue(),
    }),
    promises: callsOf(promises, {
      init: "inserts",
      release: (release) => release(tx, [{ blockId: "b", minor: 1n } as never], 0),
      findBlock: (findBlock) => findBlock(tx, "b"),
      load: async (load) => [await promises.grant(tx, block, []), await load(tx, "p", "USD")],
      grant: (grant) => grant(tx, { ...Object(block), id: "c" }, [block]),
      returnUnused: (call) => call(tx, "b", 1n),
      setFloor: (setFloor) => setFloor(tx, "p", "USD", 1n),
      heldBy: (heldBy) => heldBy(tx, "h"),
    }),
    proofs: callsOf(makeProofStore(connection), {
      init: "inserts",
      has: (has) => has("2026-01-01"),
      add: (add) => add({ day: "2026-01-01", madeAt: at, lines: [], accounts: [], breaks: {} }),
      find: (find) => find("2026-01-01"),
    }),
    statements: callsOf(makeStatementStore(connection), {
      init: "inserts",
      source: (source) => source("p"),
      saveSource: (saveSource) => saveSource(tx, { provider: "p", positions: {}, revision: 2 } as never),
      items: (items) => items(tx, "p", ["a"], ["r"]),
      saveItems: (saveItems) => saveItems(tx, [{ id: "i", isOpen: true, since: at } as never], at),
      overdue: (overdue) => overdue("pix", at, 5),
      openItems: (openItems) => openItems(),
      find: (find) => find(tx, { id: "b" } as never),
      resolve: (resolve) => resolve(tx, "b", "paid back", at),
      findBreak: (findBreak) => findBreak("b"),
      breaks: (breaks) => Promise.all([breaks("unresolved", "", 5), breaks("untold", "", 5)]),
      markTold: (markTold) => markTold("b", "c"),
      countUnresolved: (countUnresolved) => countUnresolved(),
    }),
    // It asks for the time and for no record.
    clock: callsOf({ read: makeReadStoreTime(connection) }, { read: "inserts" }),
    suspense: callsOf(makeSuspenseStore(connection), {
      init: "inserts",
      since: async (since) => [await since("USD", false, at), await since("USD", true, at)],
    }),
    rows: callsOf(rows, {
      init: "inserts",
      mark: "inserts",
      range: (range) => range("a", "settled", 0, 5),
      lastBefore: async (lastBefore) => [await rows.mark(tx, [seen]), await lastBefore("a", "settled", new Date(1))],
      hashes: (hashes) => hashes([{ account: "a", line: "settled", seq: 1 }]),
    }),
    verifications: callsOf(makeVerificationStore(connection), {
      init: "inserts",
      save: (save) => save({ id: "v", startedAt: at, findings: [] } as never),
      find: (find) => find("v"),
      latest: (latest) => latest(5),
    }),
  };
});
