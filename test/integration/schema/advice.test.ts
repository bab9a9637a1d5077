import { type PersonNumbers, SchemaServiceService } from "../../../proto/gen/corridor/schema/v1/schema_service";
import { makeSchemas } from "../../../services/payment/adapters/schema/published-schemas";
import { startSchema } from "../../../services/schema/app";
import { readSchemaConfig } from "../../../services/schema/config";
import type { FieldViolation } from "../../../services/shared/kernel/errors";
import { type Running, stopAll } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { changed, customerPayload, type Json, payloadCases, validPayload } from "../../support/corridor-payloads";
import { fieldPreflight } from "../../support/field-preflight";
import { startTestStore } from "../../support/testbed";

let running: Running;
let schema: Rpc<typeof SchemaServiceService>;
let preflight: ReturnType<typeof fieldPreflight>;

beforeAll(async () => {
  const store = await startTestStore();
  const service = await startSchema(
    readSchemaConfig({
      PROFILE: "local",
      LOG_LEVEL: "error",
      GRPC_PORT: "0",
      MONGODB_URI: store.mongoUri,
      MONGODB_DATABASE: store.database("schema"),
    }),
  );
  const target = `ipv4:127.0.0.1:${service.port}`;
  const options = { target, tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing };
  const client = makeRpcClient(SchemaServiceService, options);
  schema = client;
  preflight = fieldPreflight(makeSchemas(client));
  running = stopAll([store, service, client]);
});
afterAll(() => running.stop());

/** What a payment is refused for, and what is only advice. */
async function look(body: Json): Promise<{ refused: readonly FieldViolation[]; advice: readonly FieldViolation[] }> {
  const { errors, advice } = await preflight(body);
  return { refused: errors, advice };
}

describe("advice on the numbers of a payment", () => {
  it("is silent about every sample payload that is good", async () => {
    const good = payloadCases.filter(({ expectField }) => expectField === undefined);
    const told: unknown[] = [];
    for (const { country, name, payload } of good) {
      const { advice } = await look(payload);
      if (advice.length > 0) told.push({ country, name, advice });
    }

    expect(good.length).toBeGreaterThan(130);
    expect(told).toEqual([]);
  });

  it.each([
    ["an IBAN", "DEU", "recipient.paymentMethod.accountNumber", "DE89370400440532013001"],
    ["a CLABE", "MEX", "recipient.paymentMethod.accountNumber", "012180001567891233"],
    ["an IFSC", "IND", "recipient.paymentMethod.bankCode", "HDFC0888888"],
    ["a CPF", "BRA", "recipient.documents.0.document", "390.533.447-06"],
    ["a RUT", "CHL", "recipient.documents.0.document", "12531909-3"],
  ])("tells of %s that is mistyped, and refuses nothing", async (_case, country, field, value) => {
    const { refused, advice } = await look(changed(validPayload(country), field, value));

    expect(refused).toEqual([]);
    expect(advice).toEqual([{ field, message: expect.stringMatching(/^does not look like /) as unknown }]);
    expect(JSON.stringify(advice)).not.toContain(value);
  });

  it.each([
    ["recipient.address", "BRA", "01310-10", "00000-000"],
    ["sender.address", "USA", "3313", "00000 or 00000-0000"],
  ])(
    "tells of a postal code in %s that looks like none of %s, and refuses nothing",
    async (place, country, code, form) => {
      const address = { countryCode: country, stateCode: "NA", city: "Somewhere", line1: "1 Road", zipCode: code };
      const { refused, advice } = await look(changed(validPayload("BRA"), place, address));

      expect(refused).toEqual([]);
      expect(advice).toEqual([{ field: `${place}.zipCode`, message: `does not look like ${form}` }]);
    },
  );

  it("names the fields as the customer shape does", async () => {
    const body = customerPayload("BRA", { type: "PIX", pix: { keyType: "DOCUMENT", key: "39053344706" } });

    expect((await look(body)).advice).toMatchObject([{ field: "recipient.destination.pix.key" }]);
  });

  it("is silent about numbers of another form, which are refused, and about countries that are not served", async () => {
    const account = "recipient.paymentMethod.accountNumber";
    const short = await look(changed(validPayload("DEU"), account, "DE8937040044053201300"));
    const elsewhere = await look(changed(validPayload("DEU"), "recipient.paymentMethod.countryCode", "ATA"));

    expect([short.refused.map(({ field }) => field), short.advice]).toEqual([[account], []]);
    expect(elsewhere.advice).toEqual([]);
  });
});

describe("CheckNumbers", () => {
  const nobody = { type: "", identificationType: "", identification: "" };
  const person = (facts: Partial<PersonNumbers>) => ({ $case: "person", value: { ...nobody, ...facts } }) as const;
  const individual = { type: "INDIVIDUAL", identificationType: "NATIONAL_ID" };

  it.each(["BRA", "BR"])("looks at the identification of a person of %s", async (countryCode) => {
    const wrong = person({ ...individual, identification: "390.533.447-06" });
    const good = person({ ...individual, identification: "390.533.447-05" });

    expect((await schema.checkNumbers({ countryCode, subject: wrong })).findings).toEqual([
      { field: "identification", message: "does not look like a CPF" },
    ]);
    expect((await schema.checkNumbers({ countryCode, subject: good })).findings).toEqual([]);
  });

  it.each([
    ["an unknown country", { countryCode: "ATA", subject: person({}) }, "COUNTRY_UNSUPPORTED"],
    ["lower case", { countryCode: "bra", subject: person({}) }, "COUNTRY_UNSUPPORTED"],
    ["no subject", { countryCode: "BRA" }, "INVALID_ARGUMENT"],
  ])("refuses %s", async (_case, request, reason) => {
    await expect(schema.checkNumbers({ subject: undefined, ...request })).rejects.toMatchObject({ reason });
  });
});
