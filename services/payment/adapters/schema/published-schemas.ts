import type {
  CheckNumbersRequest,
  SchemaServiceService,
} from "../../../../proto/gen/corridor/schema/v1/schema_service";
import type { Rpc } from "../../../shared/rpc/rpc";
import { makeSchemaChecker } from "../../../shared/rpc/schema-checker";
import type { Schemas } from "../../ports";

/** Reads the schema service's documents and checksums over RPC. */
export function makeSchemas(
  client: Pick<Rpc<typeof SchemaServiceService>, "getSchema" | "listSchemas" | "checkNumbers">,
): Schemas {
  const { check, isServed, names } = makeSchemaChecker(client);
  return {
    check,
    names: async () => (await names()).filter((name) => !name.startsWith("person/")),
    async advise(country, paymentMethod, documents) {
      if (!(await isServed(country))) return [];
      const subject: CheckNumbersRequest["subject"] = {
        $case: "payment",
        value: { paymentMethod, documents: [...documents] },
      };
      const { findings } = await client.checkNumbers({ countryCode: country, subject });
      return findings;
    },
  };
}
