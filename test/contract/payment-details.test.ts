import { toIntent, unfitMembers } from "../../gateway/codec/payment-intent";
import { paymentWords } from "../../gateway/codec/payment-words";
import { bodyReader } from "../../gateway/contract/compile";
import { paymentRequest } from "../../gateway/contract/payments";
import { PaymentIntent } from "../../proto/gen/corridor/payment/v1/payment_intent";
import { makeDetailsRules } from "../../services/payment/adapters/schema/details-rules";
import { intentView } from "../../services/payment/adapters/schema/intent-view";
import { decodeIntent } from "../../services/payment/handlers/intent-codec";
import type { DetailsRules } from "../../services/payment/ports";
import { loadPacks } from "../../services/schema/adapters/files/load-packs";
import { presentSchemas } from "../../services/schema/domain/present-schemas";
import { makeSchemaChecker } from "../../services/shared/rpc/schema-checker";
import { type Json, payloadCases } from "../support/corridor-payloads";

const read = bodyReader(paymentRequest);
const textOf = (body: Json) => Buffer.from(JSON.stringify(body));

/** A message after its way over the wire. */
const received = (message: PaymentIntent) => decodeIntent(PaymentIntent.decode(PaymentIntent.encode(message).finish()));

describe("the sample payments of every corridor", () => {
  let rules: DetailsRules;

  beforeAll(async () => {
    const documents = presentSchemas(await loadPacks());
    const checker = makeSchemaChecker({
      listSchemas: async () => ({ schemas: documents }),
      async getSchema({ name }) {
        const found = documents.find((document) => document.name === name);
        if (found === undefined) throw new Error(`there is no schema ${name}`);
        return { documentJson: found.bytes };
      },
    });
    rules = makeDetailsRules({ check: checker.check, names: checker.names, advise: async () => [] });
  });

  const good = payloadCases.filter(({ expectField }) => expectField === undefined);
  const bad = payloadCases.filter(({ expectField }) => expectField !== undefined);

  it.each(good)("takes $country: $name", async ({ payload }) => {
    const { value, violations } = read(textOf(payload));
    expect(violations).toBeUndefined();
    if (value === undefined) return;
    const { intent, violations: unread } = received(toIntent(value));

    expect([...unfitMembers(value), ...unread, ...(await rules.check(intent))]).toEqual([]);
    expect(intentView(intent)).toEqual(payload);
  });

  it.each(bad)("refuses $country: $name", async ({ payload, expectField }) => {
    const { value, draft, violations: form = [] } = read(textOf(payload));
    const body = value ?? draft;
    const { intent, violations: unread } = received(toIntent(body));
    const words = paymentWords(body);
    const found = [...unread, ...(await rules.check(intent))].map(({ field }) => words(field));
    const fields = new Set([...form.map(({ field }) => field), ...found]);

    expect(fields).toContain(expectField);
  });
});
