import { bodyReader } from "../../gateway/contract/compile";
import { paymentRequest } from "../../gateway/contract/payments";
import { paymentMethods } from "../../services/payment/domain/payment-methods";
import { loadPacks } from "../../services/schema/adapters/files/load-packs";
import type { CorridorPack } from "../../services/schema/domain/corridor-pack";
import { presentSchemas } from "../../services/schema/domain/present-schemas";
import type { FieldViolation } from "../../services/shared/kernel/errors";
import type { JsonObject } from "../../services/shared/kernel/json";
import { makeSchemaChecker } from "../../services/shared/rpc/schema-checker";
import { changed, type Json, payloadCases } from "../support/corridor-payloads";
import { paymentVariants } from "../support/payment-variants";

/** What the platform and a client's own validator of the published schemas say of the members of a body. */

const read = bodyReader(paymentRequest);
const unknown = ({ message }: FieldViolation): boolean => message.startsWith("is not known");
const refusedByRoute = (body: Json): string[] =>
  (read(Buffer.from(JSON.stringify(body))).violations ?? []).filter(unknown).map(({ field }) => field);

/** The dotted paths of all objects of a body. What is in `additionalData` is the caller's own. */
const objectsIn = (value: unknown, path = ""): string[] =>
  typeof value !== "object" || value === null || path === "additionalData"
    ? []
    : [
        ...(Array.isArray(value) ? [] : [path]),
        ...Object.entries(value).flatMap(([name, part]) => objectsIn(part, path === "" ? name : `${path}.${name}`)),
      ];

let packs: readonly CorridorPack[] = [];
let judge: (names: readonly string[], body: Json) => Promise<readonly FieldViolation[]>;

beforeAll(async () => {
  packs = await loadPacks();
  const documents = presentSchemas(packs);
  const { check } = makeSchemaChecker({
    listSchemas: async () => ({ schemas: documents }),
    async getSchema({ name }) {
      const found = documents.find((document) => document.name === name);
      if (found === undefined) throw new Error(`there is no schema ${name}`);
      return { documentJson: found.bytes };
    },
  });
  judge = async (names, body) => (await Promise.all(names.map((name) => check(name, body as JsonObject)))).flat();
});

/** Which documents a client would check a body by; none where no document knows its way of writing. */
function documentsOf(body: Json): readonly string[] {
  const [sender, recipient] = [Object(body["sender"]) as Json, Object(body["recipient"]) as Json];
  if (body["paymentType"] === "PULL") return ["pull"];
  if (recipient["customer"] !== undefined) return sender["customer"] === undefined ? [] : ["customer"];
  return sender["customer"] === undefined ? ["push"] : [];
}

const samples: readonly (readonly [string, readonly string[], Json])[] = [
  ...payloadCases
    .filter(({ expectField }) => expectField === undefined)
    .map(({ country, name, payload }) => [`${country} ${name}`, ["push", country], payload] as const),
  ...paymentVariants.map(([name, body]) => [name, documentsOf(body as Json), body as Json] as const),
].filter(([, documents]) => documents.length > 0);

it.each(samples)(
  "takes what is known, and refuses an unknown member wherever it is: %s",
  async (_name, documents, body) => {
    expect(refusedByRoute(body)).toEqual([]);
    expect((await judge(documents, body)).filter(unknown)).toEqual([]);

    for (const place of objectsIn(body)) {
      const field = place === "" ? "strange" : `${place}.strange`;
      const strange = changed(body, field, "1");
      expect(refusedByRoute(strange)).toEqual([field]);
      // Every document that knows the place refuses it.
      expect((await judge(documents, strange)).filter(unknown)).toContainEqual({ field, message: "is not known" });
    }
  },
);

const methodPlace = "recipient.paymentMethod";
const strangers: Readonly<Record<string, readonly string[]>> = {
  BANK_DEPOSIT: ["key", "walletId", "cardTokenId"],
  WALLET: ["accountNumber", "key", "cardTokenId"],
  PIX: ["accountNumber", "walletId", "cardTokenId"],
  CARD: ["accountNumber", "key", "walletId"],
};

it("refuses members of another method, at the route and by the document of every country that has the method", async () => {
  let count = 0;
  for (const [, documents, body] of samples) {
    const { type } = Object(Object(body["recipient"])["paymentMethod"]) as { type?: string };
    for (const name of strangers[type ?? ""] ?? []) {
      const strange = changed(body, `${methodPlace}.${name}`, "1");
      expect(refusedByRoute(strange)).toEqual([`${methodPlace}.${name}`]);
      for (const document of documents) {
        expect((await judge([document], strange)).map(({ field }) => field)).toContain(`${methodPlace}.${name}`);
      }
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(500);
});

it("knows an alias of an account only where the country has it", async () => {
  const alias = `${methodPlace}.accountNumberType`;
  for (const [name, documents, body] of samples) {
    const country = documents[1];
    const { type } = Object(Object(body["recipient"])["paymentMethod"]) as { type?: string };
    if (country === undefined || type !== "BANK_DEPOSIT" || ["IND", "MEX"].includes(country)) continue;
    const found = (await judge([country], changed(body, alias, "UPI"))).map(({ field }) => field);
    expect({ name, found }).toEqual({ name, found: [alias] });
  }
});

it("takes further texts in additionalData, and nothing else", async () => {
  for (const [, documents, body] of samples) {
    const extra = (value: unknown): Json => ({
      ...body,
      additionalData: { ...Object(body["additionalData"]), extra: value },
    });
    expect(refusedByRoute(extra("text"))).toEqual([]);
    expect((await judge(documents, extra("text"))).filter(({ field }) => field.endsWith("extra"))).toEqual([]);
    expect((await judge(documents, extra(7))).map(({ field }) => field)).toContain("additionalData.extra");
  }
});

it("has a place in a message for every field of a method that a pack names", () => {
  const known = Object.values(paymentMethods).map(({ type, accountNumberType, fields }) => ({
    of: `${type} ${accountNumberType ?? ""}`,
    names: Object.values(fields),
  }));
  const unplaced = packs.flatMap(({ country, methods }) =>
    Object.entries(methods).flatMap(([type, { fields, alternative }]) =>
      [
        { of: `${type} `, names: Object.keys(fields) },
        { of: `${type} ${alternative?.accountNumberType ?? ""}`, names: Object.keys(alternative?.fields ?? {}) },
      ].flatMap(({ of, names }) => {
        const placed: readonly string[] = known.find((method) => method.of === of)?.names ?? [];
        return names.filter((name) => !placed.includes(name)).map((name) => `${country} ${of} ${name}`);
      }),
    ),
  );

  expect(unplaced).toEqual([]);
});
