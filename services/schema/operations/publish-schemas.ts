import type { SchemaDocument } from "../domain/json-schema";
import type { SchemaStore } from "../store/schema-store";

export interface PublishSchemasDeps {
  schemas: Pick<SchemaStore, "addMissing">;
}

export type PublishSchemas = (documents: readonly SchemaDocument[]) => Promise<void>;

/**
 * Stores the documents that are not published yet. Throws when a published version would change: clients and payments pin
 * versions, so a change needs a new one.
 */
export const makePublishSchemas =
  ({ schemas }: PublishSchemasDeps): PublishSchemas =>
  async (documents) => {
    const published = await schemas.addMissing(documents);
    for (const [index, { name, version, bytes }] of documents.entries()) {
      if (published[index]?.bytes.equals(bytes) === true) continue;
      throw new Error(`schema ${name} ${version} is published with other content: a change needs a new version`);
    }
  };
