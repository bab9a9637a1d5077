import { createSecretKey } from "node:crypto";
import fc from "fast-check";
import {
  type Action,
  anAction,
  assets,
  balanceOf,
  type Call,
  callOf,
  carryOut,
  decimalText,
  type Model,
  newModel,
} from "../../../test/support/wallet-model";
import { makeRunner } from "../../../test/support/wallet-runner";
import { systemIds } from "../../shared/kernel/ids";
import { makeTenantKey } from "../../shared/storage/data-keys";
import type { Ledger } from "../ports";
import { makeSealedDetails } from "../store/sealed-details";
import type { Account } from "./account";
import { makeBook } from "./book";
import { decide } from "./decide";
import type { Entry, Row } from "./entry";

const markKey = createSecretKey(Buffer.alloc(32, 5));
const key = makeTenantKey(Buffer.alloc(32, 6), systemIds);

/** A ledger that keeps everything in maps: only the domain, without a store. */
function memoryLedger(clock: { now(): Date }) {
  const accounts = new Map<string, Account>();
  const entries = new Map<string, Entry>();
  const rows: Row[] = [];
  let shard = 0;
  const ledger: Ledger = {
    async submit(command) {
      shard = (shard + 1) % 3;
      const content = { accounts: accounts.values(), entries: entries.values(), now: clock.now(), shard, key: markKey };
      const book = makeBook(content);
      try {
        return decide(command, book);
      } finally {
        const changes = book.changes();
        for (const { account } of changes.accounts) accounts.set(account.id, account);
        for (const entry of changes.entries) entries.set(entry.id, entry);
        rows.push(...changes.rows);
      }
    },
  };
  return {
    accounts,
    entries,
    rows,
    runner: makeRunner({
      ledger,
      clock,
      accounts: { find: async (id) => accounts.get(id) },
      entries: { find: async (id) => entries.get(id) },
      sealed: makeSealedDetails({ of: async () => key }),
      expiries: {
        due: async (at) =>
          [...entries.values()].flatMap(({ id, tenant, expiresAt }) =>
            expiresAt !== undefined && expiresAt <= at && !entries.has(`${id}/end`)
              ? [{ transactionId: id, tenant, expiresAt }]
              : [],
          ),
        nextDue: async () => undefined,
      },
    }),
  };
}

type MemoryLedger = ReturnType<typeof memoryLedger>;

/** Sums of the rows of a line, by line. */
function foldRows(rows: readonly Row[]): Map<string, { minor: bigint; seq: number }> {
  const lines = new Map<string, { minor: bigint; seq: number }>();
  for (const { account, line, seq, minor, after } of rows) {
    const before = lines.get(`${account} ${line}`) ?? { minor: 0n, seq: 0 };
    // L3 and L9: numbers without gaps, each row after the one before it.
    if (seq !== before.seq + 1 || after !== before.minor + minor) throw new Error(`row ${account} ${line} ${seq}`);
    lines.set(`${account} ${line}`, { minor: after, seq });
  }
  return lines;
}

function checkInvariants({ accounts, rows }: MemoryLedger, model: Model): void {
  const lines = foldRows(rows);
  const sums = new Map<string, bigint>();
  for (const account of accounts.values()) {
    for (const [name, { minor, seq }] of Object.entries(account.lines)) {
      // L2: a stored balance is the sum of its rows.
      const fold = lines.get(`${account.id} ${name}`) ?? { minor: 0n, seq: 0 };
      must(fold.minor === minor && fold.seq === seq, `${account.id} ${name} is stored as ${minor}, not ${fold.minor}`);
    }
    sums.set(account.asset, (sums.get(account.asset) ?? 0n) + account.lines.settled.minor);
  }
  // L1: money is neither created nor lost.
  must(
    [...sums.values()].every((sum) => sum === 0n),
    "money was made or lost",
  );
  for (const wallet of model.wallets) {
    const { settled, debitHolds, creditHolds } = accounts.get(wallet.id)?.lines ?? fail();
    const { available, held, total } = balanceOf(model, wallet);
    // L4 to L7: the model's own balances, none below zero.
    must(settled.minor - debitHolds.minor === available, `${wallet.id} has not ${available} available`);
    must(debitHolds.minor + creditHolds.minor === held && total === available + held, `${wallet.id} holds not ${held}`);
    must(available >= 0n && debitHolds.minor >= 0n && creditHolds.minor >= 0n, `${wallet.id} is below zero`);
    const statement = rows.filter(({ account, line }) => account === wallet.id && line === "settled");
    const isSame = statement.length === wallet.lines.length;
    must(isSame && statement.every(({ minor }, index) => minor === wallet.lines[index]), `statement of ${wallet.id}`);
  }
}

function must(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(what);
}

const fail = (): never => {
  throw new Error("a wallet of the model is not in the ledger");
};

/** Returns the whole ledger as text, to check that a refusal changes nothing. */
const textOf = ({ accounts, entries, rows }: MemoryLedger): string =>
  JSON.stringify([[...accounts.values()], entries.size, rows.length], (_key, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );

const callName = (call: Call): string =>
  JSON.stringify(call, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));

async function runSequence(actions: readonly Action[]): Promise<void> {
  const model = newModel(Date.parse("2026-01-01T00:00:00Z"));
  const memory = memoryLedger({ now: () => new Date(model.nowMs) });
  const answers = new Map<string, string>();
  for (const action of actions) {
    const call = callOf(model, action);
    if (call === undefined) continue;
    const before = textOf(memory);
    const { verdict, openedId, answer } = await memory.runner.run(call);
    const expected = carryOut(model, call, openedId);
    must(verdict === expected, `${callName(call)}: ${verdict}, not ${expected}`);
    // L5: what is refused or repeated changes nothing. L8: a repeat gets the first answer, byte for byte.
    must(verdict === "done" || textOf(memory) === before, `${callName(call)}: ${verdict}, and something changed`);
    const name = callName(call);
    must(verdict !== "again" || answer === (answers.get(name) ?? answer), `${name}: another answer than the first`);
    if (verdict === "done") answers.set(name, answer);
    checkInvariants(memory, model);
  }
}

/** 2,000 in `make test`, ten times that in `make test-long`. */
const sequences = 20 * (fc.readConfigureGlobal().numRuns ?? 100);

describe("the ledger against its model", () => {
  it("does what the model does, command by command, and keeps every invariant", async () => {
    const opening: Action[] = [
      { kind: "open", tenant: 0, asset: 0 },
      { kind: "open", tenant: 0, asset: 0 },
    ];
    const sequence = fc.array(anAction, { minLength: 200, maxLength: 200, size: "max" });

    await fc.assert(
      fc.asyncProperty(sequence, (actions) => runSequence([...opening, ...actions])),
      // The length of a sequence is fixed, and shrinking it in other ways takes long and shows little.
      { seed: 20_261_121, numRuns: sequences, endOnFailure: true },
    );
  }, 3_600_000);

  it("speaks of amounts as the model does", () => {
    expect(assets.map(({ digits }) => decimalText(1_050n, digits))).toEqual(["10.50", "1050", "0.00001050"]);
  });
});
