import type { SchemaDocument } from "../domain/json-schema";
import type { SchemaStore } from "../store/schema-store";

export interface PublishSchemasDeps {
  schemas: Pick<SchemaStore, "findAll" | "addIfAbsent">;
}

export type PublishSchemas = (documents: readonly SchemaDocument[]) => Promise<void>;

/**
 * Stores what is not published yet. Throws when a published version would change: clients and payments hold on to versions,
 * so a change needs a new one.
 */
export const makePublishSchemas =
  ({ schemas }: PublishSchemasDeps): PublishSchemas =>
  async (documents) => {
    const known = new Map((await schemas.findAll(documents)).map((document) => [keyOf(document), document]));
    for (const document of documents) {
      const { name, version, bytes } = document;
      const published = known.get(keyOf(document)) ?? (await schemas.addIfAbsent(document));
      if (!bytes.equals(published.bytes)) {
        throw new Error(`schema ${name} ${version} is published with other content: a change needs a new version`);
      }
    }
  };

const keyOf = ({ name, version }: SchemaDocument): string => `${name}@${version}`;
