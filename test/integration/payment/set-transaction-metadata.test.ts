import { randomUUID } from "node:crypto";
import { insistent, reaches, refusalOf } from "./looks";
import { demo, type PaymentWorld, startPaymentWorld } from "./payment-world";

const agentId = randomUUID();
const keysOf = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_none, index) => [`key-${index}`, "v"]));

describe("what an agent notes on a transaction", () => {
  let world: PaymentWorld;
  /** A payment through the agent's door. */
  const pay = async (door: object = { agentId }): Promise<{ id: string; transactionId: string }> => {
    const body = await world.push();
    const { text } = await world.accept(world.replicas[0], body, door);
    const { paymentId } = JSON.parse(text ?? "{}") as { paymentId: string };
    return { id: String(body["externalPaymentId"]), transactionId: paymentId };
  };
  /** One for all that changes nothing. */
  let common: ReturnType<typeof pay> | undefined;
  const set = (transactionId: string, metadata: Record<string, string>, replica: 0 | 1 = 0, by: object = {}) =>
    world.replicas[replica].setTransactionMetadata({ tenant: demo, agentId, transactionId, metadata, ...by });
  const notesOf = async (transactionId: string, by: object = {}, replica: 0 | 1 = 1) =>
    (await insistent(() => world.replicas[replica].getTransaction({ tenant: demo, agentId, transactionId, ...by })))
      .transaction?.metadata;

  beforeAll(async () => {
    world = await startPaymentWorld();
  }, 120_000);
  afterAll(() => world.stop());

  it("replaces what was there, is the same when it is set again, and is seen at every replica", async () => {
    const { transactionId } = await pay();
    await set(transactionId, { a: "1", b: "2" });
    const first = await set(transactionId, { b: "3" });
    const second = await set(transactionId, { b: "3" }, 1);

    expect(first.transaction?.metadata).toEqual({ b: "3" });
    expect(second.transaction?.metadata).toEqual({ b: "3" });
    expect(await notesOf(transactionId)).toEqual({ b: "3" });
    await set(transactionId, {});
    expect(await notesOf(transactionId)).toEqual({});
  });

  it.each<[string, Record<string, string>, string[]]>([
    ["21 keys", keysOf(21), ["metadata"]],
    ["a key with a dot", { "a.b": "1" }, ["metadata.a.b"]],
    ["a key with a dollar", { $set: "1" }, ["metadata.$set"]],
    ["an empty key", { "": "1" }, ["metadata."]],
    ["a key of 65 letters", { ["k".repeat(65)]: "1" }, [`metadata.${"k".repeat(64)}`]],
    ["a value of 501 characters", { ok: "1", long: "x".repeat(501) }, ["metadata.long"]],
  ])("is refused with %s, and what was there stays", async (_name, metadata, fields) => {
    common ??= pay();
    const { transactionId } = await common;
    await set(transactionId, { kept: "yes" });

    expect(await refusalOf(set(transactionId, metadata))).toMatchObject({ reason: "INVALID_ARGUMENT", fields });
    expect(await notesOf(transactionId)).toEqual({ kept: "yes" });
  });

  it("may have 20 keys of 64 letters and 500 characters", async () => {
    const { transactionId } = await pay();
    const metadata = Object.fromEntries(Object.keys(keysOf(20)).map((key) => [key.padEnd(64, "k"), "x".repeat(500)]));

    await set(transactionId, metadata);

    expect(await notesOf(transactionId)).toEqual(metadata);
  });

  it("is TX_404 on a transaction of nobody, of another tenant and of another agent", async () => {
    const { transactionId } = await pay();
    const calls = [
      () => set(randomUUID(), { a: "1" }),
      () => set(transactionId, { a: "1" }, 0, { tenant: "other" }),
      () => set(transactionId, { a: "1" }, 0, { agentId: randomUUID() }),
    ];

    for (const call of calls) expect(await refusalOf(call())).toMatchObject({ reason: "TRANSACTION_NOT_FOUND" });
    expect(await notesOf(transactionId)).toEqual({});
  });

  it("is each agent's own on what their tenant made by itself", async () => {
    const { transactionId } = await pay({});
    const other = { agentId: randomUUID() };

    await set(transactionId, { mine: "1" });
    await set(transactionId, { theirs: "2" }, 1, other);

    expect(await notesOf(transactionId)).toEqual({ mine: "1" });
    expect(await notesOf(transactionId, other)).toEqual({ theirs: "2" });
  });

  it("is one of two that are set at once at two replicas, and never a mixture", async () => {
    const [one, two] = [
      { first: "1", both: "one" },
      { second: "2", both: "two" },
    ];
    for (let race = 0; race < 5; race += 1) {
      const { transactionId } = await pay();

      await Promise.all([
        insistent(() => set(transactionId, one, 0)),
        insistent(() => set(transactionId, two, 1)),
        insistent(() => set(transactionId, one, 1)),
        insistent(() => set(transactionId, two, 0)),
      ]);

      expect([one, two]).toContainEqual(await notesOf(transactionId));
    }
  });

  it("is not lost while the payment is carried on, and does not stop it", async () => {
    const { id, transactionId } = await pay();
    for (let turn = 0; turn < 10; turn += 1) await insistent(() => set(transactionId, { turn: String(turn) }));

    expect(await reaches(world, id, "Completed")).toBe("Completed");
    expect(await notesOf(transactionId)).toEqual({ turn: "9" });
  });

  it("is UNAVAILABLE while the store is away, and what was there stays", async () => {
    const { transactionId } = await pay();
    await set(transactionId, { kept: "yes" });
    const restore = await world.cutOff(0);

    const refused = await refusalOf(set(transactionId, { lost: "yes" }));
    await restore();

    expect(refused).toMatchObject({ reason: "UNAVAILABLE" });
    expect(await notesOf(transactionId)).toEqual({ kept: "yes" });
  });

  it("is kept sealed", async () => {
    const { transactionId } = await pay();
    await set(transactionId, { note: "Confidential" });

    const notes = await world.mongo.connection.collection("transaction_notes").find({}, { hint: "_id_" }).toArray();

    expect(notes.length).toBeGreaterThan(0);
    expect(JSON.stringify(notes)).not.toContain("Confidential");
  });
});
