import fc from "fast-check";
import { startTestStore, type TestStore } from "../../support/testbed";
import { type Action, anAction, balanceOf, callOf, carryOut, newModel } from "../../support/wallet-model";
import { makeRunner } from "../../support/wallet-runner";
import { openLedger } from "../../support/wallet-stores";

const runs = fc.readConfigureGlobal().numRuns ?? 100;
/** 40 in `make test`, 1,000 in `make test-long`; without a store, the same model runs twenty times as often as others. */
const sequences = runs > 100 ? runs : 40;

describe("the ledger on a store against its model", () => {
  let store: TestStore;
  let opened = 0;
  beforeAll(async () => {
    store = await startTestStore();
  });
  afterAll(() => store.stop());

  async function runSequence(actions: readonly Action[]): Promise<void> {
    const model = newModel(Date.parse("2026-01-01T00:00:00Z"));
    opened += 1;
    const clock = { now: () => new Date(model.nowMs) };
    const ledger = await openLedger(store.mongoUri, store.database(`model-${opened}`), clock);
    const runner = makeRunner({ ...ledger, clock });
    for (const action of actions) {
      const call = callOf(model, action);
      if (call === undefined) continue;
      const { verdict, openedId } = await runner.run(call);
      expect(verdict).toBe(carryOut(model, call, openedId));
    }
    for (const wallet of model.wallets) {
      const { lines } = (await ledger.accounts.find(wallet.id)) ?? { lines: undefined };
      const { available, held } = balanceOf(model, wallet);
      expect((lines?.settled.minor ?? 0n) - (lines?.debitHolds.minor ?? 0n)).toBe(available);
      expect((lines?.debitHolds.minor ?? 0n) + (lines?.creditHolds.minor ?? 0n)).toBe(held);
      const rows = await ledger.rows.range(wallet.id, "settled", 0, 1_000);
      expect(rows.map(({ row }) => row.minor)).toEqual(wallet.lines);
    }
    expect((await ledger.verify()).findings).toEqual([]);
    const sums = await ledger.mongo.transact((tx) => ledger.accounts.sums(tx));
    const byAsset = new Map<string, bigint>();
    for (const { asset, minor } of sums) byAsset.set(asset, (byAsset.get(asset) ?? 0n) + minor);
    expect([...byAsset.values()].filter((sum) => sum !== 0n)).toEqual([]);
    await ledger.mongo.stop();
  }

  it("does what the model does and keeps every invariant", async () => {
    const sequence = fc.array(anAction, { minLength: 200, maxLength: 200, size: "max" });

    await fc.assert(
      fc.asyncProperty(sequence, (actions) => runSequence([{ kind: "open", tenant: 0, asset: 0 }, ...actions])),
      { seed: 20_261_122, numRuns: sequences, endOnFailure: true },
    );
  }, 3_600_000);
});
