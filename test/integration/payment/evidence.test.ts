import { toDestination, toFunding } from "../../../gateway/codec/payout-account";
import { IdentityServiceService } from "../../../proto/gen/corridor/identity/v1/identity_service";
import { BegunStep } from "../../../proto/gen/corridor/payment/v1/case_service";
import type { AddPayoutAccountRequest } from "../../../proto/gen/corridor/payment/v1/payment_service";
import { WalletServiceService } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { makeParticipantKeys } from "../../../services/payment/store/participant-keys";
import { makePaymentStore, type PaymentStory } from "../../../services/payment/store/payment-store";
import { systemIds } from "../../../services/shared/kernel/ids";
import { stopAll } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import type { RpcService } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { makeDataKeys } from "../../../services/shared/storage/data-keys";
import { cardPullBody, cardSource, cardToken, pullPushBody } from "../../support/payment-bodies";
import { detailsOf, kindOf } from "../../support/person-intents";
import { eventually } from "../bus/bus-testbed";
import { railKey } from "../sandbox/outside-world";
import { demo, type PaymentWorld, startPaymentWorld } from "./payment-world";

const clientOf = <S extends RpcService>(service: S, target: string) =>
  makeRpcClient(service, { target, tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing });

describe("what providers wrote about a person who is erased", () => {
  let world: PaymentWorld;
  let identity: ReturnType<typeof clientOf<typeof IdentityServiceService>>;
  let ledger: ReturnType<typeof clientOf<typeof WalletServiceService>>;
  beforeAll(async () => {
    world = await startPaymentWorld();
    identity = clientOf(IdentityServiceService, world.targets.identity);
    ledger = clientOf(WalletServiceService, world.targets.wallet);
  });
  afterAll(async () => {
    await stopAll([identity, ledger]).stop();
    await world.stop();
  });

  const card = (token: string): AddPayoutAccountRequest["account"] => toFunding({ type: "CARD", cardTokenId: token });
  const agentId = systemIds.uuid();
  /** A person who keeps a card as a source of money, or a key at PIX to be paid to. */
  const personWith = async (account: AddPayoutAccountRequest["account"]): Promise<string> => {
    const details = detailsOf({ firstName: "Ada", identificationType: "PASSPORT", identification: systemIds.uuid() });
    const { participant } = await identity.createParticipant({ tenant: demo, kind: kindOf("PERSON"), details });
    const participantId = participant?.participantId ?? "";
    const owner = { tenant: demo, agentId, participantId };
    await world.replicas[0].addPayoutAccount({ ...owner, account });
    return participantId;
  };
  const erase = async (participantId: string): Promise<void> => {
    await identity.eraseParticipant({ tenant: demo, participantId });
    const accounts = world.mongo.connection.collection("payout_accounts");
    await eventually(async () => (await accounts.countDocuments({ tenant: demo, participantId })) === 0);
  };
  /** A payment as the store shows it to a holder of every key. */
  const story = async (externalId: string): Promise<PaymentStory> => {
    const { connection, transact } = world.mongo;
    const options = { connection, sealingKeys: [Buffer.from("7".repeat(64), "hex")], ids: systemIds };
    const payments = makePaymentStore(connection, makeDataKeys(options), transact, makeParticipantKeys(options));
    const found = await payments.findStory(demo, externalId);
    if (found === undefined) throw new Error("there is no such payment");
    return found;
  };
  /** Kind, movement, amount, hash and the provider's own words of every report about a payment. */
  const told = async (externalId: string) =>
    (await story(externalId)).facts.map(({ kind, movementId, minor, evidence }) => ({
      fact: [kind, movementId, minor, evidence?.hash],
      raw: evidence?.raw ?? "",
    }));
  const pay = async (body: Record<string, unknown>): Promise<string> => {
    const externalId = String(body["externalPaymentId"]);
    expect(await world.accept(world.replicas[0], body)).toMatchObject({ reason: undefined });
    await eventually(async () => (await story(externalId)).payment.status === "CAPTURED");
    return externalId;
  };
  /** A card payment of which the acquirer takes less than was asked for: its case shows what the acquirer wrote. */
  const payShort = async (digit: string): Promise<{ id: string; caseId: string }> => {
    await fetch(`${world.sandbox.url}/faults`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${railKey}` },
      body: JSON.stringify({ provider: "acquirer", step: "capture", times: 1, effect: { amount: "90.00" } }),
    });
    const body = cardPullBody(digit);
    const id = String(body["externalPaymentId"]);
    expect(await world.accept(world.replicas[0], body)).toMatchObject({ reason: undefined });
    await eventually(async () => (await story(id)).payment.openCase !== undefined);
    return { id, caseId: (await story(id)).payment.openCase?.id ?? "" };
  };
  const evidenceOf = async (caseId: string, replica: 0 | 1 = 1) => {
    const { case: found } = await world.replicas[replica].getCase({ caseId });
    return (found?.notes ?? []).flatMap(({ evidence, evidenceHash }) =>
      evidenceHash === "" ? [] : [{ evidence, evidenceHash }],
    );
  };
  const booked = async (externalId: string): Promise<unknown> => {
    const { payment } = await story(externalId);
    const { entries } = await ledger.listEntries({
      paymentId: payment.id,
      limit: 50,
      from: undefined,
      until: undefined,
    });
    return entries;
  };

  it("opens for nobody any more, in the payment and in its case; amount, reference and hash stay, and so do the books", async () => {
    const gone = await personWith(card(cardToken("1")));
    const [mine, others] = [await payShort("1"), await payShort("2")];
    await eventually(async () => JSON.stringify(await booked(mine.id), textOfBigint).includes("9000"));
    const [before, beforeOthers, books] = [await told(mine.id), await told(others.id), await booked(mine.id)];
    const shown = await evidenceOf(mine.caseId);
    expect(before.some(({ raw }) => raw.includes("90"))).toBe(true);
    expect(shown).toContainEqual({ evidence: expect.stringContaining("90"), evidenceHash: expect.any(String) });

    await erase(gone);

    expect(await told(mine.id)).toEqual(before.map(({ fact }) => ({ fact, raw: "" })));
    for (const replica of [0, 1] as const) {
      expect(await evidenceOf(mine.caseId, replica)).toEqual(shown.map((one) => ({ ...one, evidence: "" })));
    }
    expect(await booked(mine.id)).toEqual(books);
    expect(await told(others.id)).toEqual(beforeOthers);
    expect((await evidenceOf(others.caseId)).every(({ evidence }) => evidence !== "")).toBe(true);
  });

  it("is not kept of what a provider tells later, and the case can still be ended", async () => {
    const person = await personWith(card(cardToken("2")));
    const { id, caseId } = await payShort("2");
    await erase(person);

    const order = { caseId, author: "ada", approver: "", note: "give it back", evidence: "a letter of Ada" };
    const amount = { amountMinor: 9_000n, currency: "USD" };
    await world.replicas[1].commandCase({
      ...order,
      commandId: systemIds.uuid(),
      command: { $case: "beginStep", value: { step: BegunStep.REFUND, amount, paymentId: "" } },
    });

    await eventually(async () => (await story(id)).facts.some(({ kind }) => kind === "REFUNDED"));
    const facts = await told(id);
    expect(facts.every(({ fact, raw }) => raw === "" && fact.at(-1) !== undefined)).toBe(true);
    expect((await evidenceOf(caseId)).every(({ evidence }) => evidence === "")).toBe(true);
    const records = await world.mongo.connection
      .collection("payments")
      .find({ externalId: id, tenant: demo })
      .toArray();
    const stored = JSON.stringify(records[0], textOfBigint);
    expect(stored).not.toContain("a letter of Ada");
  });

  /** Who is paid at a key of PIX, as an agent keeps it. */
  const recipientAt = (key: string) => ({
    firstName: "Maria",
    lastName: "Souza",
    documents: [{ document: "390.533.447-05", type: "CPF" }],
    paymentMethod: { type: "PIX", countryCode: "BRA", key, keyType: "EMAIL" } as const,
  });
  /** A PULLPUSH from a card to a key of PIX, each kept of a person. */
  const payBetween = async (digit: string, key: string) => {
    const payer = await personWith(card(cardToken(digit)));
    const payee = await personWith(toDestination({ recipient: recipientAt(key) }));
    const { recipient, ...body } = pullPushBody(cardSource(digit));
    const destination = { type: "PIX", pix: { keyType: "EMAIL", key } };
    const id = await pay({ ...body, recipient: { ...Object(recipient), destination } });
    return { id, payer, payee };
  };
  /** Whether every report of each leg opens. */
  const opens = async (externalId: string) => {
    const { facts } = await story(externalId);
    const of = (role: string): string[] => {
      const raws = facts.flatMap((fact) =>
        fact.role === role && fact.evidence !== undefined ? [fact.evidence.raw] : [],
      );
      return [...new Set(raws.map((raw) => (raw === "" ? "closed" : "open")))];
    };
    return { pull: of("pull"), payout: of("payout") };
  };

  it("is the sender's own in a PUSH: it stays when all who were paid at that account are erased", async () => {
    const recipient = recipientAt("maria.souza@example.com");
    const persons = [await personWith(toDestination({ recipient })), await personWith(toDestination({ recipient }))];
    const id = await pay(await world.push());
    const before = await told(id);
    expect(before.some(({ raw }) => raw !== "")).toBe(true);

    for (const person of persons) await erase(person);

    expect(await told(id)).toEqual(before);
  });

  it("goes in a PULLPUSH with the one who was paid, and leaves what is told of the payer", async () => {
    const { id, payer, payee } = await payBetween("6", "ana.lima@example.com");
    expect(await opens(id)).toEqual({ pull: ["open"], payout: ["open"] });

    await erase(payee);
    expect(await opens(id)).toEqual({ pull: ["open"], payout: ["closed"] });
    await erase(payer);
    expect(await opens(id)).toEqual({ pull: ["closed"], payout: ["closed"] });
  });

  it("goes in a PULLPUSH with the payer, and leaves what is told of the one who was paid, while somebody keeps that account", async () => {
    const { id, payer, payee } = await payBetween("7", "rui.costa@example.com");
    const same = await personWith(toDestination({ recipient: recipientAt("rui.costa@example.com") }));

    await erase(payer);
    expect(await opens(id)).toEqual({ pull: ["closed"], payout: ["open"] });
    await erase(payee);
    expect(await opens(id)).toEqual({ pull: ["closed"], payout: ["open"] });
    await erase(same);
    expect(await opens(id)).toEqual({ pull: ["closed"], payout: ["closed"] });
  });
});

const textOfBigint = (_name: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);
