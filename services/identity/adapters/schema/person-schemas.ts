import { alpha2ToAlpha3 } from "i18n-iso-countries";
import type { SchemaServiceService } from "../../../../proto/gen/corridor/schema/v1/schema_service";
import { hasReason } from "../../../shared/kernel/errors";
import type { JsonObject } from "../../../shared/kernel/json";
import type { Rpc } from "../../../shared/rpc/rpc";
import { makeSchemaChecker } from "../../../shared/rpc/schema-checker";
import type { PersonFields } from "../../domain/person-fields";
import type { PersonSchemas } from "../../ports";

/** The person schemas that the schema service publishes under `person/<alpha-3>`, and its checksums. */
export function makePersonSchemas(
  client: Pick<Rpc<typeof SchemaServiceService>, "getSchema" | "listSchemas" | "checkNumbers">,
): PersonSchemas {
  const checker = makeSchemaChecker(client);
  return {
    check: (country, person) => noneElsewhere(() => checker.check(`person/${alpha3Of(country)}`, viewOf(person))),
    advise: (country, person) =>
      noneElsewhere(async () => {
        const { type = "", identificationType = "", identification = "" } = person;
        const subject = { $case: "person", value: { type, identificationType, identification } } as const;
        return (await client.checkNumbers({ countryCode: country, subject })).findings;
      }),
  };
}

/** A person in the form of the schemas: without the related parties of a company. */
const viewOf = ({ address, relatedParties: _parties, ...root }: PersonFields): JsonObject => ({
  ...root,
  ...(address !== undefined && { address: { ...address } }),
});

/** Kosovo has no code in ISO 3166-1; both that are in use are user-assigned. */
const alpha3Of = (country: string): string => (country === "XK" ? "XKX" : (alpha2ToAlpha3(country) ?? ""));

/** Unsupported countries require nothing. */
async function noneElsewhere<T>(ask: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await ask();
  } catch (error) {
    if (hasReason(error, "COUNTRY_UNSUPPORTED")) return [];
    throw error;
  }
}
