import { auditKeysOf } from "../../../services/auth/domain/audit-chain";
import { makeAppendAuditRecords } from "../../../services/auth/operations/append-audit-records";
import { makeCompareAnchors } from "../../../services/auth/operations/compare-anchors";
import { makeForgetAudit } from "../../../services/auth/operations/forget-audit";
import { makeVerifyAudit } from "../../../services/auth/operations/verify-audit";
import { type AuditStore, makeAuditStore } from "../../../services/auth/store/audit-store";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";

const keys = auditKeysOf([Buffer.alloc(32, 1)]);
const dayMs = 86_400_000;
const keepMs = 400 * dayMs;
const oldDay = new Date("2025-01-01T00:00:00Z");
const today = new Date("2026-03-01T00:00:00Z");
/** More than one page of old records. */
const oldCount = 620;
const newCount = 5;
const clock = { now: () => today };

describe("audit records that are older than they are kept", () => {
  let store: TestStore;
  let mongo: Mongo;
  let audit: AuditStore;
  let runs = 0;

  beforeAll(async () => {
    store = await startTestStore();
  });
  afterAll(() => store.stop());
  beforeEach(async () => {
    runs += 1;
    const database = store.database(`audit-${runs}`);
    mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
    audit = makeAuditStore(mongo.connection);
    await audit.init();
    const at = (index: number): Date => (index < oldCount ? oldDay : today);
    await append(Array.from({ length: oldCount + newCount }, (_unused, index) => at(index)));
  });
  afterEach(() => mongo.stop());

  const append = (times: readonly Date[]): Promise<void> => {
    const facts = { actor: "operator:ada", tenant: "demo", action: "GET /audit", object: "" };
    const more = { outcome: "done", requestId: "r", address: "127.0.0.1", count: 1, session: "" };
    return makeAppendAuditRecords({ ...mongo, audit, keys })(times.map((at) => ({ at, ...facts, ...more })));
  };
  const forget = (changed: Partial<AuditStore> = {}): Promise<number> =>
    makeForgetAudit({ audit: { ...audit, ...changed }, keys, clock, keepMs })();
  const verify = (kept?: { sequence: number; hash: string }) =>
    makeVerifyAudit({ audit, keys, compareAnchors: makeCompareAnchors({ audit, keys, anchors: [] }) })(kept);
  const records = () => mongo.connection.collection<{ _id: number; outcome: string }>("audit");
  const sequences = async (): Promise<number[]> => (await audit.page(0, 1_000)).map(({ sequence }) => sequence);

  it("are removed, once, and what is left is whole and goes on", async () => {
    const newest = (await audit.page(oldCount + newCount - 1, 1))[0];

    expect(await forget()).toBe(oldCount);
    expect(await forget()).toBe(0);

    expect(await sequences()).toEqual([621, 622, 623, 624, 625]);
    expect(await verify()).toEqual({
      count: 625,
      head: newest?.hash,
      brokenAt: undefined,
      anchors: { count: 0, faults: [] },
    });
    await append([today]);
    expect(await verify(newest)).toMatchObject({ count: 626, brokenAt: undefined });
    await expect(verify({ sequence: 5, hash: "kept elsewhere" })).rejects.toMatchObject({ reason: "RECORD_NOT_FOUND" });
  });

  it("are removed by two replicas at once as by one", async () => {
    await Promise.all([forget(), forget()]);

    expect(await sequences()).toHaveLength(newCount);
    expect(await verify()).toMatchObject({ count: 625, brokenAt: undefined });
  });

  it("are removed by the next run when the one before ended between its two steps", async () => {
    const crash = new Error("crash");
    const move: AuditStore["forget"] = async ({ sequence, hash, seal }) => {
      const heads = mongo.connection.collection<{ _id: string }>("audit_head");
      await heads.updateOne({ _id: "begin" }, { $set: { sequence, hash, seal } }, { upsert: true });
      throw crash;
    };
    await expect(forget({ forget: move })).rejects.toBe(crash);
    expect(await verify()).toMatchObject({ count: 625, brokenAt: undefined });
    expect(await sequences()).toHaveLength(oldCount + newCount);

    await forget();

    expect(await sequences()).toHaveLength(newCount);
  });

  it("stay from the first that was tampered with, and it is named", async () => {
    await records().updateOne({ _id: 300 }, { $set: { outcome: "nothing" } });

    expect(await forget()).toBe(299);

    expect((await sequences())[0]).toBe(300);
    expect(await verify()).toMatchObject({ brokenAt: 300 });
  });

  it("cannot be made to look forgotten by one who writes the store", async () => {
    const [, , third] = await audit.page(0, 3);
    await audit.forget({ sequence: 3, hash: third?.hash ?? "", seal: "made up" });

    expect(await verify()).toMatchObject({ brokenAt: 1 });
  });

  it.each<[string, () => Promise<unknown>, number]>([
    ["flipped", () => records().updateOne({ _id: 622 }, { $set: { outcome: "Done" } }), 622],
    ["dropped", () => records().deleteOne({ _id: 623 }), 623],
    ["the first one dropped", () => records().deleteOne({ _id: 621 }), 621],
    ["reordered", () => exchange(622, 624), 622],
    ["truncated", () => records().deleteMany({ _id: { $gte: 624 } }), 624],
  ])("leave a log in which one that is %s is named", async (_name, tamper, at) => {
    await forget();

    await tamper();

    expect(await verify()).toMatchObject({ brokenAt: at });
  });

  async function exchange(one: number, other: number): Promise<void> {
    const [first, second] = [await records().findOne({ _id: one }), await records().findOne({ _id: other })];
    await records().deleteMany({ _id: { $in: [one, other] } });
    const { _id: _one, ...firstRest } = first ?? { _id: 0, outcome: "" };
    const { _id: _two, ...secondRest } = second ?? { _id: 0, outcome: "" };
    await records().insertMany([
      { _id: other, ...firstRest },
      { _id: one, ...secondRest },
    ]);
  }
});
