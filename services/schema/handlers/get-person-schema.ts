import type {
  GetPersonSchemaRequest,
  GetPersonSchemaResponse,
  GetSchemaRequest,
  GetSchemaResponse,
} from "../../../proto/gen/corridor/schema/v1/schema_service";
import { DomainError } from "../../shared/kernel/errors";
import type { CorridorPack } from "../domain/corridor-pack";
import { personSchemaName } from "../domain/person-schema";

/** Finds a person schema by either code of its country. */
export function getPersonSchemaHandler(
  packs: readonly Pick<CorridorPack, "country" | "alpha2">[],
  getSchema: (request: GetSchemaRequest) => Promise<GetSchemaResponse>,
): (request: GetPersonSchemaRequest) => Promise<GetPersonSchemaResponse> {
  const names = new Map(
    packs.flatMap(({ country, alpha2 }) => [country, alpha2].map((code) => [code, personSchemaName(country)])),
  );
  return async ({ countryCode, version }) => {
    const name = names.get(countryCode);
    if (name === undefined) throw new DomainError("COUNTRY_UNSUPPORTED", "there is no schema for this country");
    const { name: _name, ...document } = await getSchema({ name, version });
    return document;
  };
}
