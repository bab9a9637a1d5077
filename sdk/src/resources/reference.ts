import type { Call } from "../call.ts";
import type { CallOptions } from "../options.ts";

/** The JSON Schema of each country. */
export const makeSchemas = (call: Call) => ({
  /** Schema of a payment to a country; also `push`, `pull` and `customer`, which belong to no country. */
  get: (countryCode: string, options?: CallOptions & { readonly version?: string }) =>
    call("GET /schema/{countryCode}", { params: { countryCode }, query: versionOf(options) }, options),
  /** Form for payments to a country: titles, help, order, and the fields of each method, in a language (BCP 47). */
  form: (countryCode: string, { lang, ...options }: CallOptions & { readonly lang?: string } = {}) =>
    call(
      "GET /schema/{countryCode}/form",
      { params: { countryCode }, query: lang === undefined ? {} : { lang } },
      options,
    ),
  /** Schema of the persons of a country. */
  person: (countryCode: string, options?: CallOptions & { readonly version?: string }) =>
    call("GET /schema/person", { query: { countryCode, ...versionOf(options) } }, options),
  /** Every schema with its current version. */
  list: async (options?: CallOptions) => (await call("GET /reference/schemas", {}, options)).schemas,
});

const versionOf = ({ version }: { readonly version?: string } = {}) => (version === undefined ? {} : { version });

/** Countries, banks and methods. */
export const makeReference = (call: Call) => ({
  destinations: async (options?: CallOptions) => (await call("GET /reference/destinations", {}, options)).destinations,
  bank: (countryCode: string, bankNumber: string, options?: CallOptions) =>
    call("GET /bank", { query: { countryCode, bankNumber } }, options),
  banks: (
    countryCode: string,
    page?: { readonly page?: number; readonly resultsPerPage?: number },
    options?: CallOptions,
  ) => call("GET /bank/list", { query: { countryCode, ...page } }, options),
  bankDirectories: async (countryCode?: string, options?: CallOptions) => {
    const query = countryCode === undefined ? {} : { countryCode };
    return (await call("GET /reference/banks", { query }, options)).directories;
  },
  /** Every move that a transaction may make. */
  transactionStates: (options?: CallOptions) => call("GET /.well-known/transaction-states.json", {}, options),
  /** The platform's description: its OpenAPI document. */
  openApi: (options?: CallOptions) => call("GET /openapi.json", {}, options),
});
