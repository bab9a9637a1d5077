import corridors from "../../sandbox/corridors.json";
import { loadPacks } from "../../services/schema/adapters/files/load-packs";
import type { CorridorPack } from "../../services/schema/domain/corridor-pack";
import { presentSchemas } from "../../services/schema/domain/present-schemas";
import type { JsonObject } from "../../services/shared/kernel/json";
import { makeSchemaChecker } from "../../services/shared/rpc/schema-checker";
import { changed, customerPayload, type Json, payloadCases } from "../support/corridor-payloads";
import { leavesOf, placeOf } from "../support/order-leaves";

type Demands = Record<string, string>;

/** What every rail asks for by itself: names of parties, and the method in its own form. */
const byItself =
  /^(?:sender|recipient)\.(?:firstName|lastName)$|^recipient\.(?:paymentMethod|destination)\.(?:type|countryCode|accountNumberType)$/;
const known: Readonly<Record<string, { demands: Readonly<Record<string, Demands>> }>> = JSON.parse(
  JSON.stringify(corridors),
);

describe("what the sandbox rails ask for", () => {
  let packs: ReadonlyMap<string, CorridorPack>;
  let check: (name: string, body: JsonObject) => Promise<readonly object[]>;

  beforeAll(async () => {
    const loaded = await loadPacks();
    packs = new Map(loaded.map((pack) => [pack.country, pack]));
    const documents = presentSchemas(loaded);
    ({ check } = makeSchemaChecker({
      listSchemas: async () => ({ schemas: documents }),
      async getSchema({ name }) {
        const found = documents.find((document) => document.name === name);
        if (found === undefined) throw new Error(`there is no schema ${name}`);
        return { documentJson: found.bytes };
      },
    }));
  });

  const isRefused = async (schema: string, body: Json): Promise<boolean> =>
    (await check(schema, JSON.parse(JSON.stringify(body)) as JsonObject)).length > 0;

  /** The places in an order of the texts without which a schema refuses a payment, or any part of it that they are in. */
  async function placesNeeded(schema: string, body: Json): Promise<Set<string>> {
    const needed = new Set<string>();
    for (const [path] of leavesOf({
      sender: body["sender"],
      recipient: body["recipient"],
      additionalData: body["additionalData"],
    })) {
      const names = path.split(".");
      const parts = names.map((_name, at) => names.slice(0, at + 1).join(".")).slice(1);
      const refusals = await Promise.all(parts.map((part) => isRefused(schema, changed(body, part))));
      if (!byItself.test(path) && refusals.every(Boolean)) needed.add(placeOf(path));
    }
    return needed;
  }

  /** The form of a text of an account; of everything else it is enough that it is there. */
  function formOf(place: string, country: string, method: string): string {
    const [part, name = ""] = place.split(".");
    const rules = packs.get(country)?.methods["BANK_DEPOSIT"];
    const fields = rules?.alternative?.accountNumberType === method ? rules.alternative.fields : rules?.fields;
    return part === "account" ? (fields?.[name]?.pattern ?? ".") : ".";
  }

  it("of every corridor and method is what its schema asks for, and no more than every customer must say", async () => {
    const card = { type: "CARD", cardTokenId: "11111111-1111-4111-8111-111111111111" };
    const customer = await placesNeeded("customer", customerPayload("USA", card));
    expect(customer.size).toBeGreaterThan(8);
    const found: Record<string, { demands: Record<string, Demands> }> = {};
    for (const { country, payload } of payloadCases.filter(({ expectField }) => expectField === undefined)) {
      const { paymentMethod } = Object(payload["recipient"]) as { paymentMethod: Record<string, string> };
      const method = paymentMethod["accountNumberType"] ?? paymentMethod["type"] ?? "";
      const needed = await placesNeeded(country, payload);
      const isDeposit = paymentMethod["type"] === "BANK_DEPOSIT";
      const places = [...needed].filter(
        (place) => isDeposit || (!place.startsWith("account.") && (place === "purpose" || customer.has(place))),
      );
      const own = places.map((place) => [place, formOf(place, country, method)] as const);
      const { demands } = found[country] ?? { demands: {} };
      found[country] = { demands: own.length === 0 ? demands : { ...demands, [method]: Object.fromEntries(own) } };
    }

    const demanded = Object.fromEntries(Object.entries(known).map(([country, { demands }]) => [country, { demands }]));
    expect(demanded).toEqual(found);
  });
});
