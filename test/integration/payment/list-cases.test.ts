import { randomUUID } from "node:crypto";
import { createConnection } from "mongoose";
import type { CaseFilter, CasePosition } from "../../../services/payment/store/case-filter";
import { type Case, type CaseStore, makeCaseStore } from "../../../services/payment/store/case-store";
import { makeParticipantKeys } from "../../../services/payment/store/participant-keys";
import { systemIds } from "../../../services/shared/kernel/ids";
import type { Mongo } from "../../../services/shared/storage/mongo";
import { builtAt } from "../../support/payment-builder";
import { startTestStore, type TestStore } from "../../support/testbed";
import { openPayments } from "./open-payments";

const minute = 60_000;
const any: CaseFilter = {
  state: undefined,
  kind: undefined,
  tenant: undefined,
  provider: undefined,
  paymentId: undefined,
};

describe("lists of cases", () => {
  let store: TestStore;
  let mongo: Mongo;
  let cases: CaseStore;
  const all: Case[] = [];

  beforeAll(async () => {
    store = await startTestStore();
    const opened = await openPayments(store);
    mongo = opened.mongo;
    const sealing = { connection: mongo.connection, sealingKeys: [Buffer.alloc(32, 1)], ids: systemIds };
    const people = makeParticipantKeys(sealing);
    cases = makeCaseStore(mongo.connection, opened.keys, mongo.transact, people);
    await Promise.all([cases.init(), people.init()]);
    for (let at = 0; at < 90; at += 1) {
      const isRare = at === 89;
      const line = { at: new Date(builtAt.getTime() + at * minute), author: "platform", text: "seen" };
      const more = { approver: "", command: "", evidence: undefined };
      const facts = { tenant: isRare ? "rare" : "demo", provider: at % 2 === 0 ? "pix" : "bank" };
      const kind = at % 7 === 0 ? "CONTRADICTION" : "UNKNOWN_REFERENCE";
      const paymentIds = [at < 60 ? "common" : randomUUID()];
      const opening = { ...facts, paymentIds, amounts: [], kind, line: { ...line, ...more } } as const;
      all.push(await cases.open(`key-${at}`, opening));
    }
  });
  afterAll(async () => {
    await mongo.stop();
    await store.stop();
  });

  const filters: readonly Partial<CaseFilter>[] = [
    {},
    { state: "OPEN" },
    { state: "CLOSED" },
    { kind: "CONTRADICTION" },
    { tenant: "rare" },
    { tenant: "nobody" },
    { provider: "pix", tenant: "rare" },
    { paymentId: "common", provider: "bank" },
    { paymentId: "common", tenant: "rare" },
    { state: "OPEN", kind: "CONTRADICTION", tenant: "demo", provider: "bank" },
  ];
  const holds = (wanted: Partial<CaseFilter>, one: Case): boolean =>
    (wanted.state === undefined || one.state === wanted.state) &&
    (wanted.kind === undefined || one.kinds.includes(wanted.kind)) &&
    (wanted.tenant === undefined || one.tenant === wanted.tenant) &&
    (wanted.provider === undefined || one.provider === wanted.provider) &&
    (wanted.paymentId === undefined || one.paymentIds.includes(wanted.paymentId));

  it.each(filters)(
    "%j shows each that is meant once, the oldest first, and reads at most 20 for each of a page",
    async (wanted) => {
      const { host, port, name } = mongo.connection;
      const watched = await createConnection(`mongodb://${host}:${port}`, {
        dbName: name,
        useBigInt64: true,
        monitorCommands: true,
        directConnection: true,
      }).asPromise();
      let reads = 0;
      watched.getClient().on("commandStarted", ({ command }) => {
        if (command["find"] !== undefined) reads = Number(command["limit"]);
      });
      const sealing = { connection: watched, sealingKeys: [Buffer.alloc(32, 1)], ids: systemIds };
      const own = makeCaseStore(
        watched,
        { of: async () => Promise.reject(new Error("no key")) },
        mongo.transact,
        makeParticipantKeys(sealing),
      );
      const shown: string[] = [];
      for (let after: CasePosition | undefined; ; ) {
        const { cases: page, next } = await own.list({ ...any, ...wanted }, after, 2);
        expect(page.length).toBeLessThanOrEqual(2);
        expect(reads).toBeGreaterThan(0);
        expect(reads).toBeLessThanOrEqual(2 * 20);
        shown.push(...page.map(({ id }) => id));
        if (next === undefined) break;
        after = next;
      }
      await watched.close();

      expect(shown).toEqual(all.filter((one) => holds(wanted, one)).map(({ id }) => id));
    },
  );
});
