import { SchemaServiceService } from "../../../proto/gen/corridor/schema/v1/schema_service";
import { makeSchemas } from "../../../services/payment/adapters/schema/published-schemas";
import { startSchema } from "../../../services/schema/app";
import { readSchemaConfig } from "../../../services/schema/config";
import { type Running, stopAll } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { changed, customerPayload, type Json, payloadCases, validPayload } from "../../support/corridor-payloads";
import { fieldPreflight } from "../../support/field-preflight";
import { startTestStore } from "../../support/testbed";

const cardTokenId = "11111111-1111-4111-8111-111111111111";

describe("payloads against the published schemas", () => {
  let running: Running;
  let failedFields: (body: Json) => Promise<string[]>;

  beforeAll(async () => {
    const store = await startTestStore();
    const schema = await startSchema(
      readSchemaConfig({
        PROFILE: "local",
        LOG_LEVEL: "error",
        GRPC_PORT: "0",
        MONGODB_URI: store.mongoUri,
        MONGODB_DATABASE: store.database("schema"),
      }),
    );
    const client = makeRpcClient(SchemaServiceService, {
      target: `ipv4:127.0.0.1:${schema.port}`,
      tls: undefined,
      timeoutMs: 20_000,
      retryable: [],
      tracing: noTracing,
    });
    const preflight = fieldPreflight(makeSchemas(client));
    failedFields = async (body) => (await preflight(body)).errors.map(({ field }) => field);
    running = stopAll([store, schema, client]);
  });
  afterAll(() => running.stop());

  it("takes and refuses every sample payload of every corridor", async () => {
    expect(payloadCases.length).toBeGreaterThan(800);
    for (const { country, name, payload, expectField } of payloadCases) {
      const fields = await failedFields(payload);
      const expected = expectField === undefined ? [] : (expect.arrayContaining([expectField]) as unknown);
      expect({ country, name, fields }).toEqual({ country, name, fields: expected });
    }
  });

  describe("in the schema shape", () => {
    it("names every missing field at once, and not the parts of what is missing", async () => {
      expect((await failedFields({ paymentType: "PUSH" })).toSorted()).toEqual(
        ["amount", "externalPaymentId", "ipAddress", "recipient", "recipientAmount", "sender"].toSorted(),
      );
    });

    it.each(["ATA", "BR", "bra", "push", "customer"])("refuses the country %s", async (country) => {
      const body = changed(validPayload("DEU"), "recipient.paymentMethod.countryCode", country);

      expect(await failedFields(body)).toEqual(["recipient.paymentMethod.countryCode"]);
    });

    it("takes the card-push variant and names its fields as they were sent", async () => {
      const person = { firstName: "Alex", lastName: "Example", email: "alex@example.com" };
      const address = { countryCode: "POL", city: "Warszawa", line1: "Main Street 1" };
      const body = {
        ...validPayload("POL"),
        sender: { ...person, address },
        recipient: {
          ...person,
          dateOfBirth: "1990-04-15",
          contactNumber: "+48512345678",
          address,
          paymentMethod: { type: "CARD", cardTokenId },
        },
      };

      expect(await failedFields(body)).toEqual([]);
      expect(await failedFields(changed(body, "recipient.dateOfBirth", "15.4.1990"))).toEqual([
        "recipient.dateOfBirth",
      ]);
      expect(await failedFields(changed(body, "recipient.contactNumber", 1))).toEqual(["recipient.contactNumber"]);
      expect(await failedFields(changed(body, "recipient.paymentMethod.cardTokenId", "no-token"))).toEqual([
        "recipient.paymentMethod.cardTokenId",
      ]);
      await expect(
        failedFields(changed(body, "recipient.paymentMethod.cardTokenId", "4111111111111111")),
      ).rejects.toMatchObject({ violations: [{ field: "recipient.paymentMethod.cardTokenId" }] });
    });
  });

  describe("in the customer shape", () => {
    const pix = customerPayload("BRA", { type: "PIX", pix: { keyType: "EMAIL", key: "maria@example.com" } });

    it("takes PIX, card and wallet destinations of a corridor that offers them", async () => {
      expect(await failedFields(pix)).toEqual([]);
      expect(await failedFields(customerPayload("POL", { type: "CARD", cardTokenId }))).toEqual([]);
      const wallet = { type: "WALLET", wallet: { walletId: "amina@example.com" } };
      expect(await failedFields(customerPayload("EGY", wallet, { paymentPurpose: "EPFAMT" }))).toEqual([]);
    });

    it.each<[string, unknown, string]>([
      ["recipient.customer.phoneNumber", "123456", "recipient.customer.phoneNumber"],
      ["recipient.customer.phoneNumber", "1234567890123456", "recipient.customer.phoneNumber"],
      ["sender.customer.documentNumber", "1234", "sender.customer.documentNumber"],
      ["sender.customer.documentNumber", "123456789012345678901", "sender.customer.documentNumber"],
      ["sender.customer.documentType", "CPF", "sender.customer.documentType"],
      ["sender.customer.email", undefined, "sender.customer.email"],
      ["sender.customerAddress.zipCode", undefined, "sender.customerAddress.zipCode"],
      ["recipient.customerAddress.countryCode", "BRA", "recipient.customerAddress.countryCode"],
      ["amount.total", 0.99, "amount.total"],
      ["exchangeRate", undefined, "exchangeRate"],
      ["recipientAmount.currency", "USD", "recipientAmount.currency"],
      ["additionalData", undefined, "additionalData"],
      ["recipient.customer.countryCodeAlpha3", "BR", "recipient.customer.countryCodeAlpha3"],
      ["recipient.customer.countryCodeAlpha3", "ATA", "recipient.customer.countryCodeAlpha3"],
      ["recipient.customer.countryCodeAlpha3", undefined, "recipient.customer.countryCodeAlpha3"],
      ["recipient.customer", undefined, "recipient.customer"],
      ["recipient.destination", undefined, "recipient.destination"],
      ["recipient.destination.pix.keyType", "CPF", "recipient.destination.pix.keyType"],
      ["recipient.destination.pix.key", "maria", "recipient.destination.pix.key"],
      ["recipient.destination.pix", undefined, "recipient.destination.pix"],
      ["recipient.destination", { type: "CARD", cardTokenId }, "recipient.destination.type"],
      ["recipient.paymentMethod", {}, "recipient.paymentMethod"],
    ])("refuses %s = %j", async (path, value, field) => {
      expect(await failedFields(changed(pix, path, value))).toContain(field);
    });
  });

  describe("of a PULLPUSH", () => {
    const bank = {
      type: "BANK_ACCOUNT",
      accountType: "checking",
      accountNumber: "1234567890",
      routingNumber: "021000021",
      accountHolder: { type: "individual", firstName: "Ada", lastName: "Lovelace" },
    };
    const card = { type: "CARD", card: { token: cardTokenId } };
    const from = (payload: Json, source: unknown) =>
      changed(changed(payload, "paymentType", "PULLPUSH"), "sender.source", source);
    const customer = customerPayload("POL", { type: "CARD", cardTokenId });

    it.each([
      ["schema", validPayload("DEU")],
      ["customer", customer],
      ["schema, with a customer as sender", { ...validPayload("DEU"), sender: customer["sender"] }],
    ])("takes a card and a bank account in the shape %s", async (_shape, payload) => {
      expect(await failedFields(from(payload, card))).toEqual([]);
      expect(await failedFields(from(payload, bank))).toEqual([]);
      expect(await failedFields(changed(from(payload, bank), "sender.source.routingNumber", "1"))).toEqual([
        "sender.source.routingNumber",
      ]);
      expect(await failedFields(from(payload, undefined))).toEqual(["sender.source"]);
      expect(await failedFields(from(payload, { type: "CARD" }))).toEqual(["sender.source.card"]);
      expect(await failedFields(changed(from(payload, card), "amount.currency", "EUR"))).toEqual(["amount.currency"]);
    });
  });

  describe("of a pull", () => {
    const pull = {
      externalPaymentId: "pull-1",
      paymentType: "PULL",
      capture: true,
      amount: { total: 20, currency: "USD" },
      sender: {
        firstName: "Ada",
        lastName: "Lovelace",
        paymentMethod: { type: "BANK_DEPOSIT", accountTokenId: "token-1" },
      },
    };
    const card = changed(pull, "sender.paymentMethod", { type: "CARD", cardTokenId });

    it("takes an account token without an address, and a card token with one", async () => {
      expect(await failedFields(pull)).toEqual([]);
      expect(await failedFields({ ...card, ipAddress: "203.0.113.7" })).toEqual([]);
      expect(await failedFields(card)).toEqual(["ipAddress"]);
    });

    it("takes a source in place of a payment method", async () => {
      const source = { type: "CARD", card: { token: cardTokenId } };
      const body = { ...pull, ipAddress: "::1", sender: { firstName: "Ada", lastName: "Lovelace", source } };

      expect(await failedFields(body)).toEqual([]);
      expect(await failedFields(changed(body, "sender.source", { type: "CARD" }))).toEqual([
        "sender.source.cardTokenId",
      ]);
      expect(await failedFields(changed(body, "sender.source", undefined))).toEqual(["sender.paymentMethod"]);
      expect(await failedFields(changed(body, "capture", "yes"))).toEqual(["capture"]);
    });
  });
});
