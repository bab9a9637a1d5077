import { randomUUID } from "node:crypto";
import { toDestination } from "../../../gateway/codec/payout-account";
import {
  AccountPurpose,
  type AddPayoutAccountRequest,
  type FundingSource,
  PayoutDestination,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import { cardToken } from "../../support/payment-bodies";
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
const pix = { type: "PIX", countryCode: "BRA", key: "maria.confidential@example.com", keyType: "EMAIL" } as const;
const documents = [{ document: "390.533.447-05", type: "CPF" }];
const maria = { firstName: "Maria", lastName: "Souza", documents, paymentMethod: pix } as const;
type Account = AddPayoutAccountRequest["account"];
const recipientOf = (paymentMethod: object = pix): Account =>
  // What is not given is what the gateway would refuse.
  toDestination({ recipient: { ...maria, paymentMethod: paymentMethod as typeof pix } });
const funding = (source: FundingSource["source"]): Account => ({ $case: "funding", value: { source } });
const withName = (firstName: string): Account => toDestination({ recipient: { ...maria, firstName } });
const nobodys = PayoutDestination.decode(new Uint8Array());

describe("an account that is kept of a participant", () => {
  let world: PaymentWorld;
  let participantId: string;
  const create = async (tenant = demo): Promise<string> => {
    const { participant } = await insistent(() =>
      world.identity.createParticipant({ tenant, kind: kindOf("PERSON"), details: detailsOf(person) }),
    );
    return participant?.participantId ?? "";
  };
  const add = (account: Account, { replica = world.replicas[0], by = {} } = {}) =>
    replica.addPayoutAccount({ tenant: demo, agentId, participantId, account, ...by });
  const nobody = { reason: "PARTICIPANT_NOT_FOUND" };
  const listed = async (purpose: AccountPurpose, by: object = {}, replica: PaymentRpc = world.replicas[1]) =>
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
    const { account } = await insistent(() => add(recipientOf()));
    await insistent(() => add(funding({ $case: "cardToken", value: cardToken("1") })));

    expect(account).toMatchObject({
      type: "PIX",
      countryCode: "BRA",
      masked: "****.com",
      purpose: AccountPurpose.RECIPIENT,
    });
    expect(await listed(AccountPurpose.RECIPIENT)).toEqual([account]);
    expect(await listed(AccountPurpose.RECIPIENT, { agentId: randomUUID() })).toEqual([]);
    expect(await refusalOf(listed(AccountPurpose.RECIPIENT, { tenant: "other" }))).toMatchObject(nobody);
    const stored = await world.mongo.connection.collection("payout_accounts").find({}, { hint: "_id_" }).toArray();
    expect(JSON.stringify(stored)).not.toMatch(/confidential|390\.533|Souza/);
  });

  it.each<[string, Account, string[]]>([
    ["of no kind", undefined, ["account"]],
    ["of a source of no type", funding(undefined), ["type"]],
    ["of a card without its token", funding({ $case: "cardToken", value: "" }), ["cardTokenId"]],
    ["of a card by its number", funding({ $case: "cardToken", value: "4111111111111111" }), ["cardTokenId"]],
    ["of a card that nobody has", funding({ $case: "cardToken", value: randomUUID() }), ["cardTokenId"]],
    ["of an account that nobody has", funding({ $case: "accountToken", value: randomUUID() }), ["accountTokenId"]],
    ["of an account without its token", funding({ $case: "accountToken", value: "" }), ["accountTokenId"]],
    [
      "of nobody",
      { $case: "recipient", value: nobodys },
      ["recipient", "recipient.paymentMethod.type", "recipient.paymentMethod.countryCode"],
    ],
    ["in no country", recipientOf({ ...pix, countryCode: undefined }), ["recipient.paymentMethod.countryCode"]],
    [
      "in a country that nobody serves",
      recipientOf({ ...pix, countryCode: "ATA" }),
      ["recipient.paymentMethod.countryCode"],
    ],
    ["without its key", recipientOf({ ...pix, key: undefined }), ["recipient.paymentMethod.key"]],
    ["with a card number for a name", withName("4111 1111 1111 1111"), ["recipient.firstName"]],
    ["with hidden text", withName("Maria\u202e"), ["recipient.firstName"]],
  ])("is refused %s, and nothing is kept", async (_name, account, fields) => {
    const refused = await refusalOf(insistent(() => add(account)));

    expect(refused).toMatchObject({ reason: "INVALID_ARGUMENT", fields });
    expect(refused?.message).not.toContain("4111");
    expect([...(await listed(AccountPurpose.FUNDING)), ...(await listed(AccountPurpose.RECIPIENT))]).toEqual([]);
  });

  it("is refused of a participant of nobody and of another tenant", async () => {
    const foreign = await create("other");

    for (const stranger of [randomUUID(), foreign]) {
      const call = add(recipientOf(), { by: { participantId: stranger } });
      expect(await refusalOf(call)).toMatchObject(nobody);
      expect(await refusalOf(listed(AccountPurpose.RECIPIENT, { participantId: stranger }))).toMatchObject(nobody);
    }
  });

  it("is one more each time, and none is lost when they come at once at two replicas", async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, (_none, index) =>
        insistent(() => add(recipientOf(), { replica: world.replicas[index % 2 === 0 ? 0 : 1] })),
      ),
    );

    const ids = made.map(({ account }) => account?.accountId ?? "");
    expect(new Set(ids).size).toBe(8);
    expect((await listed(AccountPurpose.RECIPIENT)).map(({ accountId }) => accountId).toSorted()).toEqual(
      ids.toSorted(),
    );
  });

  it("is not kept while identity, the schemas or the store are away, and is when they are back", async () => {
    const blind = await world.startReplica({ IDENTITY_TARGET: "ipv4:127.0.0.1:9" });
    const unruly = await world.startReplica({ SCHEMA_TARGET: "ipv4:127.0.0.1:9" });
    const refusals = [
      await refusalOf(add(recipientOf(), { replica: blind })),
      await refusalOf(add(recipientOf(), { replica: unruly })),
    ];
    const restore = await world.cutOff(0);
    refusals.push(await refusalOf(add(recipientOf())));
    const kept = await listed(AccountPurpose.RECIPIENT);
    await restore();

    expect(refusals.map((one) => one?.reason)).toEqual(["UNAVAILABLE", "UNAVAILABLE", "UNAVAILABLE"]);
    expect(kept).toEqual([]);
    expect((await insistent(() => add(recipientOf()))).account?.type).toBe("PIX");
  });

  it("is never kept of somebody who was erased, also when both come at once", async () => {
    const adding = ([0, 1, 0, 1] as const).map((replica) =>
      refusalOf(add(recipientOf(), { replica: world.replicas[replica] })),
    );
    const erasing = world.identity.eraseParticipant({ tenant: demo, participantId });

    const ends = await Promise.all(adding);
    await erasing;

    for (const end of ends)
      if (end !== undefined) expect(["PARTICIPANT_NOT_FOUND", "UNAVAILABLE"]).toContain(end.reason);
    expect(await refusalOf(insistent(() => add(recipientOf())))).toMatchObject(nobody);
    const accounts = world.mongo.connection.collection("payout_accounts");
    const left = await until(
      () => accounts.countDocuments({ participantId }, { hint: "_id_" }),
      (count) => count === 0,
    );
    expect(left).toBe(0);
    expect(await refusalOf(listed(AccountPurpose.RECIPIENT))).toMatchObject(nobody);
  });
});
