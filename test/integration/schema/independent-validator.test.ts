import { type Schema, Validator } from "@cfworker/json-schema";
import draft07 from "ajv/dist/refs/json-schema-draft-07.json";
import fc from "fast-check";
import type { SchemaServiceService } from "../../../proto/gen/corridor/schema/v1/schema_service";
import { loadPacks } from "../../../services/schema/adapters/files/load-packs";
import type { CorridorPack } from "../../../services/schema/domain/corridor-pack";
import { countrySchema } from "../../../services/schema/domain/country-schema";
import { customerSchema } from "../../../services/schema/domain/customer-schema";
import { strongEtag } from "../../../services/schema/domain/etag";
import type { SchemaDocument } from "../../../services/schema/domain/json-schema";
import { publishedSchemas } from "../../../services/schema/domain/published-schema";
import { pullSchema } from "../../../services/schema/domain/pull-schema";
import { pushSchema } from "../../../services/schema/domain/push-schema";
import { parseJsonObject } from "../../../services/shared/kernel/json";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeSchemaChecker } from "../../../services/shared/rpc/schema-checker";
import { changed, customerPayload, type Json, payloadCases, validPayload } from "../../support/corridor-payloads";
import { counterexamples } from "../../support/counterexamples";
import { payloadsNear } from "../../support/payload-generator";

const seed = 20_260_301;
const countries = [...new Set(payloadCases.map(({ country }) => country))];
const goodPayloads = (country: string): Json[] =>
  payloadCases
    .filter((sample) => sample.country === country && sample.expectField === undefined)
    .map(({ payload }) => payload);

/** The schema service as payments see it, without the network. */
function serviceOf(
  documents: readonly SchemaDocument[],
): Pick<Rpc<typeof SchemaServiceService>, "getSchema" | "listSchemas" | "checkNumbers"> {
  return {
    checkNumbers: () => Promise.resolve({ findings: [] }),
    listSchemas: () => Promise.resolve({ schemas: publishedSchemas(documents, documents) }),
    getSchema({ name }) {
      const document = documents.find((candidate) => candidate.name === name);
      if (document === undefined) return Promise.reject(new Error(`no schema ${name}`));
      const { version, bytes } = document;
      return Promise.resolve({ name, version, etag: strongEtag(bytes), documentJson: bytes });
    },
  };
}

describe("an independent validator", () => {
  const documents = new Map<string, Json>();
  let packs: readonly CorridorPack[] = [];
  let failed: (name: string, body: Json) => Promise<string[]>;
  const ours = async (name: string, body: Json): Promise<boolean> => (await failed(name, body)).length === 0;
  let checks = { accepted: 0, refused: 0 };

  beforeAll(async () => {
    packs = await loadPacks();
    const published = [pushSchema, customerSchema, pullSchema, ...packs.map(countrySchema)];
    for (const { name, bytes } of published) documents.set(name, JSON.parse(bytes.toString()) as Json);
    const schemas = makeSchemaChecker(serviceOf(published));
    failed = async (name, body) => (await schemas.check(name, body as never)).map(({ field }) => field);
  });

  const documentOf = (name: string): Json => documents.get(name) ?? {};

  /** Both validators say the same of random payloads near the given ones. */
  async function agree(name: string, bases: readonly Json[]): Promise<void> {
    const document = documentOf(name);
    const theirs = new Validator(document, "7");
    await fc.assert(
      fc.asyncProperty(payloadsNear(bases, document), async (payload) => {
        const isValid = await ours(name, payload);
        checks[isValid ? "accepted" : "refused"] += 1;
        expect({ payload, isValid }).toEqual({ payload, isValid: theirs.validate(payload).valid });
      }),
      { seed },
    );
  }

  it.each(["push", "customer", "pull", ...countries])("finds the schema %s valid draft-07", (name) => {
    const result = new Validator(draft07 as Schema, "7", false).validate(documentOf(name));

    expect(result.errors).toEqual([]);
  });

  it.each(countries)("takes the examples that the schema of %s carries", async (country) => {
    const { examples, ...schema } = documentOf(country) as { examples: Json[] };

    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      expect(new Validator(schema as Schema, "7", false).validate(example)).toMatchObject({ errors: [], valid: true });
      expect(await ours(country, example)).toBe(true);
    }
  });

  it("refuses a breach of every rule of every pack, as we do, and we name the field", async () => {
    for (const pack of packs) {
      const theirs = new Validator(documentOf(pack.country), "7");
      const breaches = counterexamples(pack);

      expect(breaches.length).toBeGreaterThan(10);
      for (const { payload, field } of breaches) {
        const fields = await failed(pack.country, payload);
        expect({ country: pack.country, field, fields }).toMatchObject({
          fields: expect.arrayContaining([field]) as unknown,
        });
        expect(theirs.validate(payload).valid).toBe(false);
      }
    }
  });

  it.each(countries)("agrees on payloads to %s", async (country) => {
    const { examples } = documentOf(country) as { examples: Json[] };

    await agree(country, [...goodPayloads(country), ...examples]);
  });

  it("agrees on every kind of payment", async () => {
    const card = { type: "CARD", cardTokenId: "11111111-1111-4111-8111-111111111111" };
    const source = { type: "CARD", card: { token: card.cardTokenId } };
    const pullPush = changed(changed(validPayload("KEN"), "paymentType", "PULLPUSH"), "sender.source", source);
    const pull = {
      externalPaymentId: "pull-1",
      ipAddress: "203.0.113.7",
      paymentType: "PULL",
      amount: { total: 20, currency: "USD" },
      sender: { firstName: "Ada", lastName: "Lovelace", paymentMethod: card },
    };
    await agree("push", [pullPush, ...countries.map(validPayload)]);
    await agree("customer", [
      customerPayload("POL", card),
      changed(customerPayload("POL", card), "sender.source", source),
    ]);
    await agree("pull", [pull, changed(pull, "sender", { firstName: "Ada", lastName: "Lovelace", source })]);
  });

  it("was asked about good and bad payloads alike", () => {
    const all = checks.accepted + checks.refused;

    expect(Math.min(checks.accepted, checks.refused) / all).toBeGreaterThan(0.1);
    checks = { accepted: 0, refused: 0 };
  });
});

describe("the worst body", () => {
  it("costs less than 5 ms: 1 KiB of text in every field of every country", async () => {
    const packs = await loadPacks();
    const published = [pushSchema, ...packs.map(countrySchema)];
    const schemas = makeSchemaChecker(serviceOf(published));
    const slow: string[] = [];
    for (const { country } of packs) {
      for (const run of ["0", "A", "a@", " ", "1-"]) {
        const text = `${run.repeat(1_024 / run.length).slice(0, 1_023)}!`;
        const filled = JSON.stringify(validPayload(country)).replaceAll(/:"[^"]*"/g, `:"${text}"`);
        const { value } = parseJsonObject(filled);
        await schemas.check(country, value);
        const times: number[] = [];
        for (let round = 0; round < 5; round += 1) {
          const startMs = performance.now();
          await schemas.check("push", value);
          await schemas.check(country, value);
          times.push(performance.now() - startMs);
        }
        if (Math.min(...times) >= 5) slow.push(country);
      }
    }

    expect(slow).toEqual([]);
  });
});
