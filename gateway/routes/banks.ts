import type { Bank, BankDirectory } from "../../proto/gen/corridor/schema/v1/schema_service";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import { alpha2, answer, described, integer, listOf, oneOf, orNull, text } from "../contract/parts";
import type { ObjectSchema, Schema } from "../contract/schema";
import type { Route } from "../route";

/** Pages beyond the end are empty; this limit only keeps the number within an int32. */
const lastPage = 2_147_483_647;

const bankShape = answer("Bank", "A bank of a country.", {
  bankCode: { ...text("Code of the bank in its country."), examples: ["001"] },
  bankName: text("Name of the bank."),
  countryCode: alpha2,
  swift: orNull(text("BIC of 8 characters; null where none is known.")),
});

const bankPage = answer("BankPage", "A page of the banks of a country.", {
  banks: listOf("The banks, by code.", bankShape),
  page: integer("Number of this page, from zero."),
  resultsPerPage: integer("Banks on a full page."),
  totalResults: integer("Banks on all pages."),
});

const directoryShape = answer("BankDirectory", "The banks of a country, and where they are known from.", {
  countryCode: alpha2,
  codeScheme: text("What the bank codes are."),
  codeBasis: oneOf("Whether the codes are a published national list.", ["published", "convention"]),
  sources: listOf("Where the rows were read.", text("A source.")),
  banks: listOf("The banks, by code.", bankShape),
});

const directoriesShape = answer("BankDirectories", "Whole bank directories.", {
  directories: listOf("The directories, by country.", directoryShape),
});

const bankQuery = {
  type: "object",
  description: "Which bank is meant.",
  properties: {
    bankNumber: {
      type: "string",
      description: "Code of the bank.",
      pattern: "^[A-Za-z0-9]{1,34}$",
      rule: "must be 1 to 34 letters and digits",
    },
    countryCode: described(alpha2, "Country of the bank."),
  },
  required: ["bankNumber", "countryCode"],
} as const satisfies ObjectSchema;

const pageQuery = {
  type: "object",
  description: "Which page is meant.",
  properties: {
    countryCode: described(alpha2, "Country of the banks."),
    page: {
      type: "integer",
      description: "Number of the page, from zero.",
      minimum: 0,
      maximum: lastPage,
      default: 0,
    },
    resultsPerPage: { type: "integer", description: "Banks on a page.", minimum: 1, maximum: 500, default: 50 },
  },
  required: ["countryCode"],
} as const satisfies ObjectSchema;

const directoriesQuery = {
  type: "object",
  description: "Which directories are meant.",
  properties: { countryCode: described(alpha2, "Only this country.") },
} as const satisfies Schema;

const common = { method: "GET", refusals: ["BANK_NOT_FOUND", "INVALID_ARGUMENT"] } as const;

export const bankRoutes = ({ schema }: Pick<Upstreams, "schema">): readonly Route[] => [
  defineRoute({
    ...common,
    path: "/bank",
    scheme: "bearer",
    scope: "banks",
    tag: "Banks",
    summary: "Find one bank of a country by its code; every branch of India by its IFSC.",
    query: bankQuery,
    response: { status: 200, description: "The bank.", schema: bankShape },
    async handle({ query: { bankNumber, countryCode } }) {
      const { bank } = await schema.getBank({ countryCode, bankCode: bankNumber });
      return renderBank(bank);
    },
  }),
  defineRoute({
    ...common,
    path: "/bank/list",
    scheme: "bearer",
    scope: "banks",
    tag: "Banks",
    summary: "List the banks of a country by code, page by page.",
    query: pageQuery,
    response: { status: 200, description: "The page; empty beyond the end.", schema: bankPage },
    async handle({ query: { countryCode, page, resultsPerPage } }) {
      const { banks, total } = await schema.listBanks({ countryCode, page, pageSize: resultsPerPage });
      return { banks: banks.map(renderBank), page, resultsPerPage, totalResults: total };
    },
  }),
  defineRoute({
    ...common,
    path: "/reference/banks",
    scheme: "agent",
    scope: "banks",
    tag: "Reference data",
    summary: "Whole bank directories, each with what its codes are and where they are known from.",
    query: directoriesQuery,
    response: { status: 200, description: "The directories, by country.", schema: directoriesShape },
    async handle({ query: { countryCode } }) {
      const { directories } = await schema.listBankDirectories({ countryCode });
      return { directories: directories.map(renderDirectory) };
    },
  }),
];

function renderBank(bank: Bank | undefined): Answered<typeof bankShape> {
  if (bank === undefined) throw new Error("the schema service sent no bank");
  const { bankCode, bankName, countryCode, swift } = bank;
  return { bankCode, bankName, countryCode, swift: swift ?? null };
}

const renderDirectory = ({
  countryCode,
  codeScheme,
  published,
  sources,
  banks,
}: BankDirectory): Answered<typeof directoryShape> => ({
  countryCode,
  codeScheme,
  codeBasis: published ? "published" : "convention",
  sources,
  banks: banks.map(renderBank),
});
