import { randomUUID } from "node:crypto";
import { type MoneyMoved, PaymentEvents } from "../../../proto/gen/corridor/payment/v1/payment_events";
import { WalletEvents } from "../../../proto/gen/corridor/wallet/v1/wallet_events";
import { type Bus, openBus, streamOf } from "../../../services/shared/bus/jetstream";
import { eventually, silent } from "../bus/bus-testbed";
import { funded } from "./payment-facts";
import { plain, startWalletWorld, tenant, type WalletWorld } from "./wallet-world";

describe("platform accounts", () => {
  let world: WalletWorld;
  let bus: Bus;
  beforeAll(async () => {
    world = await startWalletWorld();
    bus = await openBus({ url: world.testbed.natsUrl, name: "test", logger: silent });
    await bus.ensureStream(streamOf("payment", 1));
  });
  afterAll(async () => {
    await bus.stop();
    await world.stop();
  });

  const publish = (payload: Uint8Array) =>
    bus.publish({
      id: randomUUID(),
      subject: "corridor.payment.events",
      payload,
      traceparent: undefined,
      committedAt: world.now,
    });
  const message = (
    paymentId: string,
    ...moved: (Pick<MoneyMoved, "kind" | "postings"> & Partial<MoneyMoved>)[]
  ): Uint8Array =>
    PaymentEvents.encode({
      tenant,
      paymentId,
      externalPaymentId: undefined,
      events: moved.map((value, index) => ({
        eventId: `${paymentId}-${index}`,
        sequence: index + 1,
        occurredAt: world.now,
        traceparent: "",
        messages: [],
        change: { $case: "money", value: { entryId: "", ...value } },
        releases: [],
      })),
    }).finish();
  const sums = async (): Promise<Record<string, string>> => {
    const { accounts } = await world.wallet.getTrialBalance({});
    return Object.fromEntries(accounts.map(({ path, balance }) => [`${path} ${balance?.currency}`, plain(balance)]));
  };

  it("post what a payment has moved, each event once, however often the message comes", async () => {
    const payout = {
      kind: "payout",
      postings: [
        { account: `tenant/${tenant}/funding`, currency: "USD", minor: -10_000n },
        { account: "platform/fx", currency: "USD", minor: 10_000n },
        { account: "platform/fx", currency: "BRL", minor: -50_000n },
        { account: "provider/pix/clearing", currency: "BRL", minor: 50_000n },
      ],
    };
    const fee = {
      kind: "fee",
      postings: [
        { account: `tenant/${tenant}/funding`, currency: "USD", minor: -100n },
        { account: "platform/fees", currency: "USD", minor: 100n },
      ],
    };
    const bytes = message(randomUUID(), payout, fee);
    await publish(bytes);
    await publish(bytes);
    await publish(message(randomUUID(), fee));

    await eventually(async () => (await sums())["platform/fees USD"] === "2");
    await publish(bytes);
    await publish(message(randomUUID(), fee));
    await eventually(async () => (await sums())["platform/fees USD"] === "3");
    expect(await sums()).toEqual({
      [`tenant/${tenant}/funding USD`]: "-103",
      "platform/fx USD": "100",
      "platform/fx BRL": "-500",
      "provider/pix/clearing BRL": "500",
      "platform/fees USD": "3",
    });
  });

  it("park a message whose money does not add up, and post the next ones", async () => {
    const wrong = { account: "platform/fees", currency: "EUR", minor: 1n };
    const right = { account: "platform/suspense", currency: "EUR", minor: -1n };
    await publish(message(randomUUID(), { kind: "fee", postings: [wrong, { ...right, minor: -2n }] }));
    await publish(message(randomUUID(), { kind: "fee", postings: [wrong, right] }));

    await eventually(async () => (await sums())["platform/fees EUR"] === "0.01");
    const parked = world.mongo.connection.collection("parked_messages");
    await eventually(async () => (await parked.countDocuments()) === 1);
    expect((await sums())["platform/fees EUR"]).toBe("0.01");
  });

  it("show what they held, and which entries were posted, at any instant", async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const entryIds = [`${first}-0`, `${second}-0`, "nothing"];
    const postings = funded(100n, "platform/fx", "CHF");
    const heldIn = async (asOf?: Date) => {
      const { balances } = await world.wallet.getAccountBalances({ path: "platform/fx", asOf });
      return balances.find(({ currency }) => currency === "CHF")?.amountMinor;
    };
    const posted = async (asOf?: Date) => (await world.wallet.findPostings({ entryIds, asOf })).entryIds.toSorted();
    const past = world.now;
    await publish(message(first, { kind: "payout", postings }));
    await eventually(async () => (await heldIn()) === 100n);
    world.now = new Date(past.getTime() + 10_000);
    await publish(message(second, { kind: "payout", postings }));
    await eventually(async () => (await heldIn()) === 200n);

    expect([await heldIn(new Date(past.getTime() - 1)), await heldIn(past)]).toEqual([undefined, 100n]);
    expect(await posted(past)).toEqual([`${first}-0`]);
    expect(await posted()).toEqual([`${first}-0`, `${second}-0`].toSorted());
    await expect(world.wallet.getAccountBalances({ path: `tenant/${tenant}/wallets` })).rejects.toMatchObject({
      violations: [{ field: "path" }],
    });
    const many = Array.from({ length: 1_001 }, () => "nothing");
    await expect(world.wallet.findPostings({ entryIds: many })).rejects.toMatchObject({
      violations: [{ field: "entryIds" }],
    });
  });

  it("tell what happened to wallets, in order, with the sums after each change", async () => {
    const walletId = await world.funded("10.5");
    const seen: WalletEvents["events"] = [];
    const { manager, jetstream } = await bus.client();
    await eventually(async () => (await manager.streams.info("CORRIDOR_WALLET").catch(() => undefined)) !== undefined);
    await manager.consumers.add("CORRIDOR_WALLET", { durable_name: "test", filter_subject: "corridor.wallet.events" });
    const messages = await (await jetstream.consumers.get("CORRIDOR_WALLET", "test")).consume();
    for await (const { data } of messages) {
      seen.push(...WalletEvents.decode(data).events.filter((event) => event.walletId === walletId));
      if (seen.length >= 2) break;
    }

    expect(seen).toMatchObject([
      { kind: "open", sequence: 1n, status: "ACTIVE", availableMinor: 0n },
      { kind: "credit", sequence: 2n, settledChangeMinor: 1_050n, heldChangeMinor: 0n, availableMinor: 1_050n },
    ]);
  });

  it("are posted to at once by a message that comes alone, and with half a second between by those that follow", async () => {
    const fee = { kind: "fee", postings: funded(1n, "platform/fees", "GBP") };
    const payOne = async (sum: string): Promise<void> => {
      await publish(message(randomUUID(), fee));
      await eventually(async () => (await sums())["platform/fees GBP"] === sum);
    };
    await payOne("0.01");
    const startedAt = performance.now();
    for (const sum of ["0.02", "0.03", "0.04"]) await payOne(sum);

    expect(performance.now() - startedAt).toBeGreaterThan(1_000);
  });
});
