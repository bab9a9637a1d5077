import { randomUUID } from "node:crypto";
import { detailsOf, kindOf } from "../../support/person-intents";
import { until } from "../../support/platform-client";
import { insistent, refusalOf } from "./looks";
import { demo, type PaymentRpc, type PaymentWorld, startPaymentWorld } from "./payment-world";

const agentId = randomUUID();
const person = {
  type: "INDIVIDUAL",
  identificationType: "NATIONAL_ID",
  identification: "39053344705",
  firstName: "Maria",
  lastName: "Souza",
  address: { addressLine1: "Rua A 1", city: "Rio", state: "RJ", postalCode: "20000-000", countryCode: "BR" },
};
const pix = { type: "PIX", countryCode: "BRA", key: "maria.confidential@example.com", keyType: "EMAIL" };
const maria = {
  firstName: "Maria",
  lastName: "Souza",
  documents: [{ document: "390.533.447-05", type: "CPF" }],
  paymentMethod: pix,
};
const bytes = (value: object): Buffer => Buffer.from(JSON.stringify(value));

describe("an account that is kept of a participant", () => {
  let world: PaymentWorld;
  let participantId: string;
  const create = async (tenant = demo): Promise<string> => {
    const { participant } = await insistent(() =>
      world.identity.createParticipant({ tenant, kind: kindOf("PERSON"), details: detailsOf(person) }),
    );
    return participant?.participantId ?? "";
  };
  const add = (purpose: string, body: object, { replica = world.replicas[0], by = {} } = {}) =>
    replica.addPayoutAccount({ tenant: demo, agentId, participantId, purpose, bodyJson: bytes(body), ...by });
  const nobody = { reason: "PARTICIPANT_NOT_FOUND" };
  const listed = async (purpose: string, by: object = {}, replica: PaymentRpc = world.replicas[1]) =>
    (await insistent(() => replica.listPayoutAccounts({ tenant: demo, agentId, participantId, purpose, ...by })))
      .accounts;

  beforeAll(async () => {
    world = await startPaymentWorld();
  }, 120_000);
  beforeEach(async () => {
    participantId = await create();
  });
  afterAll(() => world.stop());

  it("is shown masked, to its own agent alone, and is stored sealed", async () => {
    const { account } = await insistent(() => add("RECIPIENT", { recipient: maria }));
    await insistent(() => add("FUNDING", { type: "CARD", cardTokenId: randomUUID() }));

    expect(account).toMatchObject({ type: "PIX", countryCode: "BRA", masked: "****.com", purpose: "RECIPIENT" });
    expect(await listed("RECIPIENT")).toEqual([account]);
    expect(await listed("RECIPIENT", { agentId: randomUUID() })).toEqual([]);
    expect(await refusalOf(listed("RECIPIENT", { tenant: "other" }))).toMatchObject(nobody);
    const stored = await world.mongo.connection.collection("payout_accounts").find({}, { hint: "_id_" }).toArray();
    expect(JSON.stringify(stored)).not.toMatch(/confidential|390\.533|Souza/);
  });

  it.each<[string, string, object, string[]]>([
    ["of no purpose", "SAVING", { recipient: maria }, ["purpose"]],
    ["of a source of no type", "FUNDING", { type: "CASH" }, ["type"]],
    ["of a card without its token", "FUNDING", { type: "CARD" }, ["cardTokenId"]],
    ["of a card by its number", "FUNDING", { type: "CARD", cardTokenId: "4111111111111111" }, ["cardTokenId"]],
    [
      "of an account without its token",
      "FUNDING",
      { type: "BANK_DEPOSIT", cardTokenId: randomUUID() },
      ["accountTokenId"],
    ],
    ["of nobody", "RECIPIENT", {}, ["recipient.paymentMethod.type", "recipient.paymentMethod.countryCode"]],
    [
      "in no country",
      "RECIPIENT",
      { recipient: { ...maria, paymentMethod: { type: "PIX" } } },
      ["recipient.paymentMethod.countryCode"],
    ],
    [
      "in a country that nobody serves",
      "RECIPIENT",
      { recipient: { ...maria, paymentMethod: { ...pix, countryCode: "ATA" } } },
      ["recipient.paymentMethod.countryCode"],
    ],
    [
      "without its key",
      "RECIPIENT",
      { recipient: { ...maria, paymentMethod: { ...pix, key: undefined } } },
      ["recipient.paymentMethod.key"],
    ],
  ])("is refused %s, and nothing is kept", async (_name, purpose, body, fields) => {
    const refused = await refusalOf(insistent(() => add(purpose, body)));

    expect(refused).toMatchObject({ reason: "INVALID_ARGUMENT", fields });
    expect(refused?.message).not.toContain("4111");
    expect([...(await listed("FUNDING")), ...(await listed("RECIPIENT"))]).toEqual([]);
  });

  it("is refused of a participant of nobody and of another tenant", async () => {
    const foreign = await create("other");

    for (const stranger of [randomUUID(), foreign]) {
      const call = add("RECIPIENT", { recipient: maria }, { by: { participantId: stranger } });
      expect(await refusalOf(call)).toMatchObject(nobody);
      expect(await refusalOf(listed("RECIPIENT", { participantId: stranger }))).toMatchObject(nobody);
    }
  });

  it("is one more each time, and none is lost when they come at once at two replicas", async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, (_none, index) =>
        insistent(() => add("RECIPIENT", { recipient: maria }, { replica: world.replicas[index % 2 === 0 ? 0 : 1] })),
      ),
    );

    const ids = made.map(({ account }) => account?.accountId ?? "");
    expect(new Set(ids).size).toBe(8);
    expect((await listed("RECIPIENT")).map(({ accountId }) => accountId).toSorted()).toEqual(ids.toSorted());
  });

  it("is not kept while identity, the schemas or the store are away, and is when they are back", async () => {
    const blind = await world.startReplica({ IDENTITY_TARGET: "ipv4:127.0.0.1:9" });
    const unruly = await world.startReplica({ SCHEMA_TARGET: "ipv4:127.0.0.1:9" });
    const refusals = [
      await refusalOf(add("RECIPIENT", { recipient: maria }, { replica: blind })),
      await refusalOf(add("RECIPIENT", { recipient: maria }, { replica: unruly })),
    ];
    const giveBack = await world.cutOff(0);
    refusals.push(await refusalOf(add("RECIPIENT", { recipient: maria })));
    const kept = await listed("RECIPIENT");
    await giveBack();

    expect(refusals.map((one) => one?.reason)).toEqual(["UNAVAILABLE", "UNAVAILABLE", "UNAVAILABLE"]);
    expect(kept).toEqual([]);
    expect((await insistent(() => add("RECIPIENT", { recipient: maria }))).account?.type).toBe("PIX");
  });

  it("is never kept of somebody who was erased, also when both come at once", async () => {
    const adding = ([0, 1, 0, 1] as const).map((replica) =>
      refusalOf(add("RECIPIENT", { recipient: maria }, { replica: world.replicas[replica] })),
    );
    const erasing = world.identity.eraseParticipant({ tenant: demo, participantId });

    const ends = await Promise.all(adding);
    await erasing;

    for (const end of ends)
      if (end !== undefined) expect(["PARTICIPANT_NOT_FOUND", "UNAVAILABLE"]).toContain(end.reason);
    expect(await refusalOf(insistent(() => add("RECIPIENT", { recipient: maria })))).toMatchObject(nobody);
    const accounts = world.mongo.connection.collection("payout_accounts");
    const left = await until(
      () => accounts.countDocuments({ participantId }, { hint: "_id_" }),
      (count) => count === 0,
    );
    expect(left).toBe(0);
    expect(await refusalOf(listed("RECIPIENT"))).toMatchObject(nobody);
  });
});
