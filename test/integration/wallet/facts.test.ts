import { randomUUID } from "node:crypto";
import { eventually } from "../bus/bus-testbed";
import { funded, openPaymentFacts, type PaymentFacts } from "./payment-facts";
import { startWalletWorld, tenant, type WalletWorld } from "./wallet-world";

const funding = `tenant/${tenant}/funding`;

describe("the facts of payments", () => {
  let world: WalletWorld;
  let facts: PaymentFacts;
  beforeAll(async () => {
    world = await startWalletWorld();
    await world.startReplica();
    facts = await openPaymentFacts(world);
  });
  afterAll(async () => {
    await facts.stop();
    await world.stop();
  });

  const settled = async (account: string): Promise<bigint> =>
    (await world.wallet.getPromises({ account, currency: "USD" })).settledMinor;
  const posted = (entryId: string): Promise<void> =>
    eventually(() =>
      world.wallet.getEntry({ entryId }).then(
        () => true,
        () => false,
      ),
    );

  it("are posted once each by the id of the entry, in whichever event they come, below a floor too", async () => {
    await world.wallet.setFloor({ account: funding, currency: "USD", floorMinor: 0n });
    const before = await settled(funding);
    const entryId = randomUUID();
    await Promise.all(Array.from({ length: 8 }, () => facts.tell({ entryId, postings: funded(700n) })));
    const last = randomUUID();
    await facts.tell({ entryId: last, postings: funded(1n) });
    await posted(entryId);
    await posted(last);

    expect(await settled(funding)).toBe(before - 701n);
    const { entry } = await world.wallet.getEntry({ entryId });
    expect(entry).toMatchObject({ entryId, kind: "posting", label: "payout", tenant });
    expect(entry?.moves).toEqual([
      { account: funding, currency: "USD", line: "settled", minor: -700n },
      { account: "provider/pix/clearing", currency: "USD", line: "settled", minor: 700n },
    ]);
  });

  it("are parked when they come again with other postings, and the rest of their message is posted", async () => {
    const [entryId, other] = [randomUUID(), randomUUID()];
    await facts.tell({ entryId, postings: funded(5n) });
    await posted(entryId);
    const before = await settled(funding);
    await facts.tell({ entryId, postings: funded(6n) }, { entryId: other, postings: funded(7n) });
    const parked = world.mongo.connection.collection("parked_messages");

    await eventually(async () => (await parked.countDocuments({ cause: /posted before/ }, { hint: "_id_" })) === 1);
    await posted(other);
    expect(await settled(funding)).toBe(before - 7n);
    expect((await world.wallet.getEntry({ entryId })).entry?.moves[1]?.minor).toBe(5n);
  });

  it("are found by payment and by account, page by page, each once", async () => {
    const account = "provider/walk/clearing";
    const ids = Array.from({ length: 7 }, () => randomUUID());
    const paymentId = await facts.tell(...ids.map((entryId) => ({ entryId, postings: funded(3n, account) })));
    await Promise.all(ids.map(posted));
    for (const subject of [{ paymentId }, { account }, { account, currency: "USD" }]) {
      const seen: string[] = [];
      for (let after: string | undefined; ; ) {
        const page = await world.wallet.listEntries({
          ...subject,
          from: undefined,
          until: undefined,
          after,
          limit: 2,
        });
        expect(page.entries.length).toBeLessThanOrEqual(2);
        seen.push(...page.entries.map((entry) => entry.entryId));
        after = page.next;
        if (after === undefined) break;
      }
      expect(seen.toSorted()).toEqual(ids.toSorted());
    }
    const none = { account, currency: "EUR", from: undefined, until: undefined, limit: 0 };
    expect((await world.wallet.listEntries(none)).entries).toEqual([]);
    const later = { account, from: new Date(world.now.getTime() + 1), until: undefined, limit: 0 };
    expect((await world.wallet.listEntries(later)).entries).toEqual([]);
  });

  it.each([
    [{ limit: 0 }, "account"],
    [{ account: "platform/fees", paymentId: "p", limit: 0 }, "account"],
    [{ account: "platform/wages", limit: 0 }, "account"],
    [{ paymentId: "p", limit: 201 }, "limit"],
    [{ paymentId: "p", limit: 1, after: "x" }, "after"],
  ])("refuse to be listed by %j", async (request, field) => {
    const asked = world.wallet.listEntries({ from: undefined, until: undefined, ...request });
    await expect(asked).rejects.toMatchObject({ reason: "INVALID_ARGUMENT", violations: [{ field }] });
  });

  it("are not found under an id that nothing has", async () => {
    await expect(world.wallet.getEntry({ entryId: "none" })).rejects.toMatchObject({ reason: "RECORD_NOT_FOUND" });
  });
});

describe("an operator's correction", () => {
  let world: WalletWorld;
  beforeAll(async () => {
    world = await startWalletWorld();
  });
  afterAll(() => world.stop());

  const correction = (more: object = {}) => ({
    entryId: randomUUID(),
    kind: "write-off",
    reason: "the rail paid twice and is out of business",
    links: ["case-1"],
    postings: [
      { account: "platform/write-offs", currency: "USD", minor: 25n },
      { account: "provider/pix/clearing", currency: "USD", minor: -25n },
    ],
    ...more,
  });

  it("is posted once for all who send it, with its reason and links", async () => {
    const replica = await world.startReplica();
    const request = correction();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? world : replica).wallet.postCorrection(request)),
    );

    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    const { entry } = await world.wallet.getEntry({ entryId: request.entryId });
    expect(entry).toMatchObject({ kind: "correction", label: "write-off", reason: request.reason, links: ["case-1"] });
    expect(answers.map((answer) => answer.entry)).toEqual(answers.map(() => entry));
    const { settledMinor } = await world.wallet.getPromises({ account: "provider/pix/clearing", currency: "USD" });
    expect(settledMinor).toBe(-25n);
  });

  it.each<[string, object, string]>([
    ["another reason", { reason: "other" }, "reason"],
    ["other links", { links: ["case-2"] }, "links"],
    ["another kind", { kind: "correction" }, "kind"],
    [
      "other postings",
      {
        postings: [
          { account: "platform/write-offs", currency: "USD", minor: 26n },
          { account: "provider/pix/clearing", currency: "USD", minor: -26n },
        ],
      },
      "postings",
    ],
  ])("is refused under a used id with %s", async (_case, more, field) => {
    const request = correction();
    await world.wallet.postCorrection(request);
    await expect(world.wallet.postCorrection({ ...request, ...more })).rejects.toMatchObject({
      reason: "IDEMPOTENCY_CONFLICT",
      details: { fields: [field] },
    });
  });

  const toWallet = [
    { account: "tenant/demo/wallets", currency: "USD", minor: 1n },
    { account: "platform/fees", currency: "USD", minor: -1n },
  ];
  const unbalanced = [
    { account: "platform/fx", currency: "USD", minor: 1n },
    { account: "platform/fx", currency: "EUR", minor: -1n },
  ];
  it.each<[string, object, string]>([
    ["an id with a space", { entryId: "a b" }, "entryId"],
    ["no reason", { reason: " " }, "reason"],
    ["no links", { links: [] }, "links"],
    ["an empty link", { links: [""] }, "links"],
    ["a kind in capitals", { kind: "Write" }, "kind"],
    ["postings to wallets", { postings: toWallet }, "postings"],
    ["postings that do not add up in each currency", { postings: unbalanced }, "postings"],
    ["one posting", { postings: unbalanced.slice(1) }, "postings"],
  ])("is refused with %s, and nothing is stored", async (_case, more, field) => {
    const request = correction(more);
    await expect(world.wallet.postCorrection(request)).rejects.toMatchObject({
      reason: "INVALID_ARGUMENT",
      violations: [{ field }],
    });
    await expect(world.wallet.getEntry({ entryId: request.entryId })).rejects.toMatchObject({
      reason: "RECORD_NOT_FOUND",
    });
  });
});
