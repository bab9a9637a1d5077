import type { ListSchemasResponse } from "../../../proto/gen/corridor/schema/v1/schema_service";
import type { PublishedSchema } from "../domain/published-schema";

/** Encodes the list once, when the service starts. */
export const listSchemasHandler = (schemas: readonly PublishedSchema[]) => (): Promise<ListSchemasResponse> =>
  Promise.resolve({ schemas: [...schemas] });
