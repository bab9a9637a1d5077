import { makeOpenApi } from "../../gateway/openapi";
import { loadPacks } from "../../services/schema/adapters/files/load-packs";
import { countrySchema } from "../../services/schema/domain/country-schema";
import { type ApiDocument, apiTypes } from "./api-types";
import { type CountrySchema, countryTypes } from "./country-types";
import { factsOf } from "./facts";
import { operatorFacts, operatorRows } from "./operator-facts";
import { paymentExamples } from "./payment-examples";
import { reasonGuide } from "./reason-guide";
import { clientTable, uncalledOperatorTable } from "./route-tables";
import { sandboxGuide } from "./sandbox-guide";
import { settingsPage } from "./settings-page";

/** Paths of the client's generated sources, relative to the root of the repository. */
const generatedFolder = "sdk/src/gen";

/** The published schema of every country, by its alpha-3 code. */
async function publishedSchemas(): Promise<Record<string, CountrySchema>> {
  const packs = await loadPacks();
  const entries = packs.map((pack) => [
    pack.country,
    JSON.parse(countrySchema(pack).bytes.toString("utf8")) as CountrySchema,
  ]);
  return Object.fromEntries(entries) as Record<string, CountrySchema>;
}

/** Everything that is generated for callers from the tables of the platform and its sandbox, by path. */
export async function generatedSources(): Promise<Record<string, string>> {
  const document = JSON.parse(JSON.stringify(makeOpenApi(clientTable))) as ApiDocument;
  const operators = JSON.parse(JSON.stringify(makeOpenApi(uncalledOperatorTable))) as ApiDocument;
  return {
    [`${generatedFolder}/operator.ts`]: apiTypes(operators, "OperatorApi"),
    [`${generatedFolder}/operator-facts.ts`]: operatorFacts(uncalledOperatorTable, operators),
    [`${generatedFolder}/operator-routes.ts`]: operatorRows(operators),
    "docs/guides/sandbox.md": sandboxGuide(),
    "docs/guides/reason-codes.md": reasonGuide(),
    "docs/all-settings.md": settingsPage(),
    "gateway/schemas/payment-examples.json": await paymentExamples(),
    [`${generatedFolder}/api.ts`]: apiTypes(document),
    [`${generatedFolder}/facts.ts`]: factsOf(clientTable, document),
    [`${generatedFolder}/countries.ts`]: countryTypes(await publishedSchemas()),
  };
}
