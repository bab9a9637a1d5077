import { alpha2ToAlpha3 } from "i18n-iso-countries";
import { hasReason } from "../shared/errors";
import type { SchemaChecker } from "../shared/schema-checker";
import type { PersonSchemas } from "./ports";

/** The person schemas that the schema service publishes under `person/<alpha-3>`. */
export const makePersonSchemas = (checker: SchemaChecker): PersonSchemas => ({
  async check(country, person) {
    // Kosovo has no code in ISO 3166-1; both that are in use are user-assigned.
    const alpha3 = country === "XK" ? "XKX" : (alpha2ToAlpha3(country) ?? "");
    try {
      return await checker.check(`person/${alpha3}`, person);
    } catch (error) {
      if (hasReason(error, "COUNTRY_UNSUPPORTED")) return [];
      throw error;
    }
  },
});
