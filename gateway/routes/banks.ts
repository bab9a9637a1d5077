import type { Bank, BankDirectory } from "../../proto/gen/corridor/schema/v1/schema_service";
import type { Upstreams } from "../clients";
import { type QueryReader, readQuery } from "../query-reader";
import { jsonAnswer, type Route } from "../route";
import { arrayOf, enumSchema, integerSchema, nullable, objectSchema, textSchema } from "../schemas/document-schema";

const tag = "Banks";
const defaultPageSize = 50;
const largestPageSize = 500;
/** Pages beyond the end are empty; this only keeps the number an int32. */
const lastPage = 2_147_483_647;

const alpha2Schema = textSchema("ISO 3166-1 alpha-2 code, capitals.", { pattern: "^[A-Z]{2}$", examples: ["BR"] });

const bankSchema = objectSchema({
  bankCode: textSchema("Code of the bank in its country.", { examples: ["001"] }),
  bankName: textSchema("Name of the bank."),
  countryCode: alpha2Schema,
  swift: nullable(textSchema("BIC of 8 characters; null where none is known.")),
});

const listSchema = objectSchema({
  banks: arrayOf(bankSchema),
  page: integerSchema("Number of this page, from zero."),
  resultsPerPage: integerSchema("Banks on a full page."),
  totalResults: integerSchema("Banks on all pages."),
});

const directorySchema = objectSchema({
  countryCode: alpha2Schema,
  codeScheme: textSchema("What the bank codes are."),
  codeBasis: enumSchema("Whether the codes are a published national list.", ["published", "convention"]),
  sources: arrayOf(textSchema("Where the rows were read.")),
  banks: arrayOf(bankSchema),
});

function bankCountry(query: QueryReader, country: string | undefined): void {
  const isAlpha2 = country === undefined || /^[A-Z]{2}$/.test(country);
  query.check(isAlpha2, "countryCode", "must be an ISO 3166-1 alpha-2 code, two capital letters");
}

const countryParameter = { description: "Country of the bank.", required: true, schema: alpha2Schema };

const common = { method: "GET", tag, body: "none", refusals: ["BANK_NOT_FOUND", "INVALID_ARGUMENT"] } as const;

export function bankRoutes(upstreams: Pick<Upstreams, "schema">): readonly Route[] {
  return [bankRoute(upstreams), bankListRoute(upstreams), bankDirectoriesRoute(upstreams)];
}

const bankRoute = ({ schema }: Pick<Upstreams, "schema">): Route => ({
  ...common,
  path: "/bank",
  scheme: "bearer",
  scope: "banks",
  summary: "Find one bank of a country by its code; every branch of India by its IFSC.",
  query: {
    bankNumber: { description: "Code of the bank.", required: true, schema: textSchema("Code.") },
    countryCode: countryParameter,
  },
  success: { status: 200, description: "The bank.", schema: bankSchema },
  async handle(call) {
    const query = readQuery(call);
    const bankCode = query.text("bankNumber");
    query.check(/^[A-Za-z0-9]{1,34}$/.test(bankCode), "bankNumber", "must be 1 to 34 letters and digits");
    const countryCode = query.text("countryCode");
    bankCountry(query, countryCode);
    query.finish();
    const { bank } = await schema.getBank({ countryCode, bankCode });
    return jsonAnswer(renderBank(bank));
  },
});

const bankListRoute = ({ schema }: Pick<Upstreams, "schema">): Route => ({
  ...common,
  path: "/bank/list",
  scheme: "bearer",
  scope: "banks",
  summary: "List the banks of a country by code, page by page.",
  query: {
    countryCode: countryParameter,
    page: { description: "Number of the page, from zero.", schema: integerSchema("Zero-based.", { default: 0 }) },
    resultsPerPage: {
      description: "Banks on a page.",
      schema: integerSchema("Size.", { minimum: 1, maximum: largestPageSize, default: defaultPageSize }),
    },
  },
  success: { status: 200, description: "The page; empty beyond the end.", schema: listSchema },
  async handle(call) {
    const query = readQuery(call);
    const countryCode = query.text("countryCode");
    bankCountry(query, countryCode);
    const page = query.wholeNumber("page", { min: 0, max: lastPage, fallback: 0 });
    const pageSize = query.wholeNumber("resultsPerPage", {
      min: 1,
      max: largestPageSize,
      fallback: defaultPageSize,
    });
    query.finish();
    const { banks, total } = await schema.listBanks({ countryCode, page, pageSize });
    return jsonAnswer({
      banks: banks.map(renderBank),
      page,
      resultsPerPage: pageSize,
      totalResults: total,
    });
  },
});

const bankDirectoriesRoute = ({ schema }: Pick<Upstreams, "schema">): Route => ({
  ...common,
  tag: "Reference data",
  path: "/reference/banks",
  scheme: "agent",
  scope: "banks",
  summary: "Whole bank directories, each with what its codes are and where they are known from.",
  query: { countryCode: { description: "Only this country.", schema: alpha2Schema } },
  success: {
    status: 200,
    description: "The directories, by country.",
    schema: objectSchema({ directories: arrayOf(directorySchema) }),
  },
  async handle(call) {
    const query = readQuery(call);
    const countryCode = query.optionalText("countryCode");
    bankCountry(query, countryCode);
    query.finish();
    const { directories } = await schema.listBankDirectories({ countryCode });
    return jsonAnswer({ directories: directories.map(renderDirectory) });
  },
});

function renderBank(bank: Bank | undefined): object {
  if (bank === undefined) throw new Error("the schema service sent no bank");
  const { bankCode, bankName, countryCode, swift } = bank;
  return { bankCode, bankName, countryCode, swift: swift ?? null };
}

const renderDirectory = ({ countryCode, codeScheme, published, sources, banks }: BankDirectory): object => ({
  countryCode,
  codeScheme,
  codeBasis: published ? "published" : "convention",
  sources,
  banks: banks.map(renderBank),
});
