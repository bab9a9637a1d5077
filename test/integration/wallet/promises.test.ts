import { randomUUID } from "node:crypto";
import { makeTakePromiseBlock } from "../../../services/wallet/operations/take-promise-block";
import { openLedger } from "../../support/wallet-stores";
import { eventually } from "../bus/bus-testbed";
import { funded, openPaymentFacts, type PaymentFacts } from "./payment-facts";
import { type Replica, startWalletWorld, type WalletRpc, type WalletWorld } from "./wallet-world";

type Take = Parameters<WalletRpc["takePromiseBlock"]>[0];

describe("promises", () => {
  let world: WalletWorld;
  let facts: PaymentFacts;
  let other: Replica;
  beforeAll(async () => {
    world = await startWalletWorld();
    other = await world.startReplica();
    facts = await openPaymentFacts(world);
  });
  afterAll(async () => {
    await facts.stop();
    await world.stop();
  });

  const fundingOf = (slug: string): string => `tenant/${slug}/funding`;
  const block = (account: string, wantedMinor: bigint, more: Partial<Take> = {}): Take => ({
    blockId: randomUUID(),
    holder: "payment-1",
    account,
    currency: "USD",
    wantedMinor,
    leastMinor: 1n,
    figure: undefined,
    ...more,
  });
  const promises = (account: string) => world.wallet.getPromises({ account, currency: "USD" });
  /** A tenant's funding account with money in it, and a floor. */
  async function account(money: bigint, floorMinor = 0n): Promise<string> {
    const path = fundingOf(`t-${randomUUID().slice(0, 8)}`);
    await world.wallet.setFloor({ account: path, currency: "USD", floorMinor });
    if (money === 0n) return path;
    await world.wallet.postCorrection({
      entryId: randomUUID(),
      kind: "deposit",
      reason: "the tenant has paid in",
      links: ["deposit"],
      postings: [
        { account: path, currency: "USD", minor: money },
        { account: "platform/suspense", currency: "USD", minor: -money },
      ],
    });
    return path;
  }

  it("are granted as far as the floor, less when less is there, and nothing below the least", async () => {
    const path = await account(100n, -50n);
    expect(await world.wallet.takePromiseBlock(block(path, 120n))).toEqual({
      grantedMinor: 120n,
      availableMinor: 150n,
      releasedMinor: 0n,
      unreturnedBlockIds: [],
    });
    expect(await other.wallet.takePromiseBlock(block(path, 120n))).toMatchObject({ grantedMinor: 30n });
    const refused = block(path, 120n);
    const { unreturnedBlockIds, ...answer } = await world.wallet.takePromiseBlock(refused);
    expect(answer).toMatchObject({ grantedMinor: 0n, availableMinor: 0n });
    // Who is refused learns of what may come back.
    expect(unreturnedBlockIds).toHaveLength(2);
    expect(await promises(path)).toMatchObject({ promisedMinor: 150n, availableMinor: 0n, floorMinor: -50n });

    await world.wallet.setFloor({ account: path, currency: "USD", floorMinor: -90n });
    expect(await world.wallet.takePromiseBlock({ ...refused, leastMinor: 41n })).toMatchObject({ grantedMinor: 0n });
    expect(await world.wallet.takePromiseBlock(refused)).toMatchObject({ grantedMinor: 40n });
  });

  it("are never more than there is, whoever asks at once, and a block that is taken again is the same", async () => {
    const path = await account(1_000n);
    const asked = Array.from({ length: 40 }, () => block(path, 70n, { leastMinor: 1n }));
    const answers = await Promise.all(
      asked.flatMap((one, index) => [
        (index % 2 === 0 ? world : other).wallet.takePromiseBlock(one),
        (index % 3 === 0 ? world : other).wallet.takePromiseBlock(block(path, 30n)),
      ]),
    );

    expect(answers.reduce((sum, { grantedMinor }) => sum + grantedMinor, 0n)).toBe(1_000n);
    const granted = asked.flatMap((_one, index) => ((answers[index * 2]?.grantedMinor ?? 0n) > 0n ? [index] : []));
    expect(granted.length).toBeGreaterThan(0);
    for (const index of granted) {
      const [one, first] = [asked[index], answers[index * 2]];
      if (one !== undefined) expect(await other.wallet.takePromiseBlock(one)).toEqual(first);
    }
    expect(await promises(path)).toMatchObject({ promisedMinor: 1_000n, availableMinor: 0n });
  });

  it("are the same after a crash between the grant and its answer", async () => {
    const path = await account(100n);
    const database = world.environment["MONGODB_DATABASE"] ?? "";
    const ledger = await openLedger(world.testbed.mongoUri, database, { now: () => world.now });
    const dying = makeTakePromiseBlock({
      ...ledger,
      clock: { now: () => world.now },
      unsetFloor: 0n,
      requireClock: async () => {},
      async transact(work) {
        await ledger.mongo.transact(work);
        throw new Error("killed");
      },
    });
    const request = block(path, 80n);
    const { blockId: id, holder, currency: asset, wantedMinor: wanted, leastMinor: least } = request;
    await expect(dying({ id, holder, path, asset, wanted, least, figure: undefined })).rejects.toThrow("killed");
    await ledger.mongo.stop();

    expect(await promises(path)).toMatchObject({ promisedMinor: 80n });
    expect(await world.wallet.takePromiseBlock(request)).toMatchObject({ grantedMinor: 80n, availableMinor: 100n });
    expect(await promises(path)).toMatchObject({ promisedMinor: 80n });
  });

  it("end with the fact that says so, once per event, in the write of its postings", async () => {
    const path = await account(100n);
    const one = block(path, 100n);
    await world.wallet.takePromiseBlock(one);
    const release = (minor: bigint) => [{ blockId: one.blockId, account: path, currency: "USD", minor }];
    const eventId = randomUUID();
    const entryId = randomUUID();
    const postings = [
      { account: path, currency: "USD", minor: -60n },
      { account: "provider/pix/clearing", currency: "USD", minor: 60n },
    ];
    await Promise.all(
      Array.from({ length: 6 }, () => facts.tell({ eventId, entryId, postings, releases: release(60n) })),
    );
    await eventually(async () => (await promises(path)).releasedMinor > 0n);
    expect(await promises(path)).toMatchObject({
      settledMinor: 40n,
      promisedMinor: 40n,
      releasedMinor: 60n,
      availableMinor: 0n,
    });

    // Another event that reports the same fact, and one that only releases; each of them again.
    const again = { eventId: randomUUID(), entryId, postings, releases: release(10n) };
    const alone = { eventId: randomUUID(), releases: release(5n) };
    for (let round = 0; round < 3; round += 1) await facts.tell(again, alone);
    await eventually(async () => (await promises(path)).releasedMinor >= 75n);
    const last = randomUUID();
    await facts.tell({ entryId: last, postings: funded(1n) });
    await eventually(async () =>
      world.wallet.getEntry({ entryId: last }).then(
        () => true,
        () => false,
      ),
    );
    expect(await promises(path)).toMatchObject({ settledMinor: 40n, promisedMinor: 25n, releasedMinor: 75n });
  });

  it("never count more as released than the block had, and what is over is free again", async () => {
    const path = await account(100n);
    const one = block(path, 30n);
    await world.wallet.takePromiseBlock(one);
    await facts.tell({ releases: [{ blockId: one.blockId, account: path, currency: "USD", minor: 50n }] });
    await eventually(async () => (await promises(path)).promisedMinor === 0n);

    expect(await promises(path)).toMatchObject({ releasedMinor: 30n, availableMinor: 100n });
    expect(await world.wallet.takePromiseBlock(block(path, 100n))).toMatchObject({
      grantedMinor: 100n,
      releasedMinor: 30n,
    });
    expect(await promises(path)).toMatchObject({ releasedMinor: 30n, promisedMinor: 100n });
  });

  it("of a provider count what was released since the figure was asked for", async () => {
    const path = `provider/p-${randomUUID().slice(0, 8)}/clearing`;
    const first = block(path, 60n, { figure: { availableMinor: 100n, releasedMinor: 0n } });
    expect(await world.wallet.takePromiseBlock(first)).toMatchObject({ grantedMinor: 60n, availableMinor: 100n });
    await facts.tell({ releases: [{ blockId: first.blockId, account: path, currency: "USD", minor: 60n }] });
    await eventually(async () => (await promises(path)).releasedMinor === 60n);

    // The old figure may be from before the 60 left: what was released since is taken off.
    const stale = block(path, 100n, { figure: { availableMinor: 100n, releasedMinor: 0n } });
    expect(await world.wallet.takePromiseBlock(stale)).toMatchObject({ grantedMinor: 40n, releasedMinor: 60n });
    const fresh = block(path, 100n, { figure: { availableMinor: 100n, releasedMinor: 60n } });
    expect(await world.wallet.takePromiseBlock(fresh)).toMatchObject({ grantedMinor: 60n });
  });

  it("are given back once, and what is not given back stays until it is released", async () => {
    const path = await account(100n);
    const one = block(path, 100n, { holder: `payment-${randomUUID()}` });
    await world.wallet.takePromiseBlock(one);
    const give = (unusedMinor: bigint, wallet = world.wallet) =>
      wallet.returnPromiseBlock({ blockId: one.blockId, unusedMinor });
    const { blocks } = await world.wallet.listPromiseBlocks({ holder: one.holder });
    expect(blocks).toMatchObject([{ blockId: one.blockId, account: path, grantedMinor: 100n, releasedMinor: 0n }]);
    expect(blocks[0]?.returnedMinor).toBeUndefined();

    await expect(give(101n)).rejects.toMatchObject({ reason: "INVALID_ARGUMENT" });
    await Promise.all([give(70n), give(70n, other.wallet), give(70n)]);
    await expect(give(60n)).rejects.toMatchObject({ reason: "IDEMPOTENCY_CONFLICT" });
    expect(await promises(path)).toMatchObject({ promisedMinor: 30n, availableMinor: 70n, releasedMinor: 0n });
    expect((await world.wallet.listPromiseBlocks({ holder: one.holder })).blocks).toHaveLength(1);

    await facts.tell({ releases: [{ blockId: one.blockId, account: path, currency: "USD", minor: 30n }] });
    await eventually(async () => (await promises(path)).promisedMinor === 0n);
    expect((await world.wallet.listPromiseBlocks({ holder: one.holder })).blocks).toEqual([]);
    await expect(world.wallet.returnPromiseBlock({ blockId: randomUUID(), unusedMinor: 0n })).rejects.toMatchObject({
      reason: "RECORD_NOT_FOUND",
    });
  });

  it("have no end where nobody has set a floor, outside production", async () => {
    const path = fundingOf("open-end");
    const wantedMinor = 10n ** 15n;
    expect(await world.wallet.takePromiseBlock(block(path, wantedMinor))).toMatchObject({ grantedMinor: wantedMinor });
    const { floorMinor, availableMinor } = await promises(path);
    expect([floorMinor, availableMinor]).toEqual([undefined, undefined]);
    await world.wallet.setFloor({ account: path, currency: "USD", floorMinor: 0n });
    expect(await world.wallet.takePromiseBlock(block(path, 1n))).toMatchObject({ grantedMinor: 0n });
    await world.wallet.setFloor({ account: path, currency: "USD", floorMinor: undefined });
    expect(await world.wallet.takePromiseBlock(block(path, 1n))).toMatchObject({ grantedMinor: 1n });
  });

  it("are refused under a used id with other content", async () => {
    const path = await account(100n);
    const one = block(path, 10n);
    await world.wallet.takePromiseBlock(one);
    for (const [more, field] of [
      [{ wantedMinor: 11n }, "wanted"],
      [{ holder: "another" }, "holder"],
      [{ leastMinor: 2n }, "least"],
    ] as const) {
      await expect(world.wallet.takePromiseBlock({ ...one, ...more })).rejects.toMatchObject({
        reason: "IDEMPOTENCY_CONFLICT",
        details: { fields: [field] },
      });
    }
  });

  const provider = "provider/pix/clearing";
  it.each<[string, Partial<Take>, string]>([
    ["an account that nothing is promised of", { account: "platform/fees" }, "account"],
    ["an unknown currency", { currency: "XQQ" }, "currency"],
    ["an empty id", { blockId: "" }, "blockId"],
    ["an empty holder", { holder: "" }, "holder"],
    ["nothing wanted", { wantedMinor: 0n }, "wantedMinor"],
    ["more than any account has", { wantedMinor: 10n ** 15n + 1n }, "wantedMinor"],
    ["a least of 0", { leastMinor: 0n }, "leastMinor"],
    ["a least above what is wanted", { leastMinor: 11n }, "leastMinor"],
    ["a figure for a tenant", { figure: { availableMinor: 1n, releasedMinor: 0n } }, "figure"],
    ["no figure for a provider", { account: provider }, "figure"],
    [
      "a counter from nowhere",
      { account: provider, figure: { availableMinor: 1n, releasedMinor: 10n ** 12n } },
      "figure",
    ],
  ])("are refused with %s", async (_case, more, field) => {
    const request = block(fundingOf("demo"), 10n, more);
    const violations = expect.arrayContaining([expect.objectContaining({ field })]) as unknown;
    await expect(world.wallet.takePromiseBlock(request)).rejects.toMatchObject({
      reason: "INVALID_ARGUMENT",
      violations,
    });
  });

  it("of a message that names no block are parked", async () => {
    await facts.tell({ releases: [{ blockId: "", account: provider, currency: "USD", minor: 1n }] });
    const parked = world.mongo.connection.collection("parked_messages");
    await eventually(async () => (await parked.countDocuments({ cause: /name a block/ }, { hint: "_id_" })) === 1);
  });

  it("keep the ledger sound", async () => {
    expect((await world.wallet.verifyLedger({ verificationId: undefined })).findings).toEqual([]);
  });
});
