import { randomUUID } from "node:crypto";
import { CaseKind, CaseState, type CommandCaseRequest } from "../../../proto/gen/corridor/payment/v1/case_service";
import { makeExpireEvidence } from "../../../services/payment/operations/expire-evidence";
import { makeEvidenceStore } from "../../../services/payment/store/evidence-store";
import { bodyOf } from "../../support/hostile-bodies";
import { type HostileWorld, startHostileWorld } from "../../support/hostile-world";
import { sendPayment } from "../../support/payment-door";
import { until } from "../../support/platform-client";
import { eventually } from "../bus/bus-testbed";

const tenant = "demo";
const daySeconds = 86_400;
const tenYears = 3_653 * daySeconds;

interface Told {
  at: Date;
  hash?: string;
  raw?: string;
}
interface Kept {
  _id: string;
  version: number;
  evidenceAt?: Date;
  facts?: (Told & { kind: string; minor: bigint; reference: string; sealed?: string })[];
  attempts?: Told[];
  notes?: Told[];
}

describe("evidence that was kept for long enough", () => {
  let world: HostileWorld;
  beforeAll(async () => {
    world = await startHostileWorld();
  });
  afterAll(() => world.stop());

  const find = async (collection: string, filter: object): Promise<Kept> => {
    const found = await world.mongo.connection.collection<Kept>(collection).findOne(filter);
    if (found === null) throw new Error(`there is no such record in ${collection}`);
    return found;
  };
  const payment = (externalId: string) => find("payments", { tenant, externalId });
  const rawsOf = (items: readonly Told[] = []): number => items.filter(({ raw }) => raw !== undefined).length;
  /** Everything that stays of the reports. */
  const rest = ({ facts = [], attempts = [], notes = [] }: Kept) =>
    [...facts, ...attempts, ...notes].map(
      ({ raw: _raw, sealed: _sealed, ...others }: Told & { sealed?: string }) => others,
    );
  const openCase = async (paymentId: string) => {
    const filter = { state: CaseState.OPEN, kind: CaseKind.UNSPECIFIED, tenant: "", provider: "", paymentId, limit: 9 };
    const [found] = (await world.payment.listCases(filter)).cases;
    return found?.caseId;
  };
  const command = (caseId: string, asked: NonNullable<CommandCaseRequest["command"]>) => {
    const order = { author: "ada", approver: "grace", note: "as it is", evidence: "line 7 of the statement" };
    return world.payment.commandCase({ caseId, commandId: randomUUID(), ...order, command: asked });
  };
  /** A collection of less than was asked for, with its case. */
  const payShort = async (id: string): Promise<string> => {
    const target = { type: "PULL", adapter: "acquirer", step: "capture", way: "plain" } as const;
    const rule = { provider: "acquirer", mark: id, step: "capture", times: 1, effect: { amount: "90.00" } };
    await world.sandbox.call("POST", "/faults", rule);
    await sendPayment(world.payment, { tenant }, bodyOf(target, id));
    const { _id } = await until(
      () => payment(id),
      ({ facts = [] }) => rawsOf(facts) > 1,
    );
    return (
      (await until(
        () => openCase(_id),
        (caseId) => caseId !== undefined,
      )) ?? ""
    );
  };

  it("is removed once by several at once, over batches, beside writers, and by who comes after one that died", async () => {
    const { connection } = world.mongo;
    const payments = connection.collection<Kept>("payments");
    const at = (year: number) => new Date(`${year}-01-01T00:00:00Z`);
    const records = Array.from({ length: 250 }, (_, index) => ({
      _id: `expiry-many-${index}`,
      tenant,
      externalId: `expiry-many-${index}`,
      version: 1,
      evidenceAt: at(2001),
      facts: [2001, 2002, 2030].map((year) => ({ at: at(year), hash: `h${year}`, raw: "sealed" })),
      attempts: [{ at: at(2001), hash: "h", raw: "sealed" }, { at: at(2001) }],
    }));
    const evidence = makeEvidenceStore(connection);
    const now = { now: () => at(2020) };
    const expire = makeExpireEvidence({ evidence, keptMs: tenYears * 1_000, clock: now });
    await payments.insertMany(records as unknown as Kept[]);

    // One that died had done a batch. The service itself does its part, too.
    expect(await evidence.expire(at(2010), 100)).toBeLessThanOrEqual(100);
    // A payment that gets something more to keep meanwhile keeps it.
    const fresh = { at: at(2019), hash: "h2019", raw: "sealed" };
    const more = { $push: { facts: fresh as never }, $inc: { version: 1 }, $min: { evidenceAt: fresh.at } };
    const [, , , { modifiedCount }] = await Promise.all([
      expire(),
      expire(),
      expire(),
      payments.updateMany({ tenant, externalId: { $in: ["expiry-many-0", "expiry-many-249"] } }, more),
    ]);
    await expire();

    expect(modifiedCount).toBe(2);
    const left = await payments
      .find({ tenant, externalId: { $in: records.map(({ externalId }) => externalId) } })
      .toArray();
    const seen = left.map(({ _id, facts = [], attempts = [], evidenceAt }) => {
      const raws = facts.flatMap((fact) => (fact.raw === undefined ? [] : [fact.hash]));
      return [_id, raws.join(), facts.length, attempts.length, rawsOf(attempts), evidenceAt?.getUTCFullYear()];
    });
    const wanted = records.map(({ _id }) =>
      _id.endsWith("many-0") || _id.endsWith("many-249")
        ? [_id, "h2030,h2019", 4, 2, 0, 2019]
        : [_id, "h2030", 3, 2, 0, 2030],
    );
    const byId = ([a]: readonly unknown[], [b]: readonly unknown[]): number => (String(a) < String(b) ? -1 : 1);
    expect(seen.toSorted(byId)).toEqual(wanted.toSorted(byId));
    await payments.deleteMany({ tenant, externalId: { $in: records.map(({ externalId }) => externalId) } });
  });

  it("is removed after ten years from facts and cases, whoever has it, and leaves amount, reference and hash", async () => {
    const id = "expiry-1";
    const caseId = await payShort(id);
    await world.sandbox.advance(tenYears - daySeconds);
    // Its case is closed nearly ten years later: what was said then is kept for as long again.
    await command(caseId, { $case: "close", value: { paymentId: "" } });
    const [before, noted] = [await payment(id), await find("cases", { _id: caseId })];
    expect([rawsOf(before.facts) > 1, rawsOf(noted.notes) > 1, before.evidenceAt]).toEqual([
      true,
      true,
      expect.any(Date),
    ]);

    await world.sandbox.advance(2 * daySeconds);
    await eventually(async () => (await payment(id)).evidenceAt === undefined);
    await eventually(async () => rawsOf((await find("cases", { _id: caseId })).notes) === 1);

    const [after, left] = [await payment(id), await find("cases", { _id: caseId })];
    expect([rawsOf(after.facts), rawsOf(after.attempts)]).toEqual([0, 0]);
    expect([rest(after), rest(left)]).toEqual([rest(before), rest(noted)]);
    expect(
      after.facts?.every(({ hash, minor, reference }) => hash !== undefined && minor !== null && reference !== ""),
    ).toBe(true);
    const { case: shown } = await world.payment.getCase({ caseId });
    expect(shown?.notes.filter(({ evidenceHash }) => evidenceHash !== "").map(({ evidence }) => evidence)).toEqual([
      ...Array.from({ length: rawsOf(noted.notes) - 1 }, () => ""),
      "line 7 of the statement",
    ]);

    await world.sandbox.advance(tenYears);
    await eventually(async () => (await find("cases", { _id: caseId })).evidenceAt === undefined);
    expect(rawsOf((await find("cases", { _id: caseId })).notes)).toBe(0);
  });

  it("stays of money about nobody's payment while its case is open", async () => {
    const reference = "expiry-unknown";
    const { connection } = world.mongo;
    const cases = connection.collection<Kept>("cases");
    const opened = new Date("2000-01-01T00:00:00Z");
    const note = { at: opened, hash: "h", raw: "sealed" };
    const one = { state: "OPEN", kinds: [], notes: [note], facts: [{ id: "f", sealed: "sealed" }], version: 1 };
    await cases.insertOne({ _id: reference, ...one, evidenceAt: opened } as unknown as Kept);

    await eventually(async () => rawsOf((await find("cases", { _id: reference })).notes) === 0);
    const open = await find("cases", { _id: reference });
    expect(open.facts?.[0]?.sealed).toBe("sealed");
    expect(open.evidenceAt?.getTime()).toBeGreaterThan(opened.getTime());

    const closed = { $set: { state: "CLOSED", closedAt: opened, evidenceAt: opened } as object, $inc: { version: 1 } };
    await cases.updateOne({ _id: reference }, closed);
    await eventually(async () => (await find("cases", { _id: reference })).evidenceAt === undefined);
    expect((await find("cases", { _id: reference })).facts?.[0]?.sealed).toBeUndefined();
  });
});
