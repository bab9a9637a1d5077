import type { GetSchemaRequest, GetSchemaResponse } from "../../../proto/gen/corridor/schema/v1/schema_service";
import { DomainError } from "../../shared/kernel/errors";
import { strongEtag } from "../domain/etag";
import type { SchemaDocument } from "../domain/json-schema";
import type { SchemaStore } from "../store/schema-store";

const toResponse = ({ name, version, bytes }: SchemaDocument): GetSchemaResponse => ({
  name,
  version,
  etag: strongEtag(bytes),
  documentJson: bytes,
});

/** Encodes current documents once and serves them from memory; only other versions are read from the store. */
export function getSchemaHandler(
  present: readonly SchemaDocument[],
  schemas: Pick<SchemaStore, "find">,
): (request: GetSchemaRequest) => Promise<GetSchemaResponse> {
  const responses = new Map(present.map((document) => [document.name, toResponse(document)]));
  return async ({ name, version }) => {
    const latest = responses.get(name);
    if (latest !== undefined && (version === undefined || version === latest.version)) return latest;
    const older = latest === undefined || version === undefined ? undefined : await schemas.find(name, version);
    if (older === undefined)
      throw new DomainError("COUNTRY_UNSUPPORTED", "there is no schema with this name and version");
    return toResponse(older);
  };
}
