import type { GetFormRequest, GetFormResponse } from "../../../proto/gen/corridor/schema/v1/schema_service";
import { DomainError } from "../../shared/kernel/errors";
import { languageOf } from "../../shared/kernel/languages";
import type { CorridorPack } from "../domain/corridor-pack";
import { countryForm } from "../domain/country-form";
import { strongEtag } from "../domain/etag";

/** Makes each form once, on the first request for it. */
export function getFormHandler(packs: readonly CorridorPack[]): (request: GetFormRequest) => Promise<GetFormResponse> {
  const byCountry = new Map(packs.map((pack) => [pack.country, pack]));
  const made = new Map<string, GetFormResponse>();
  return ({ country, language: wanted }) => {
    const pack = byCountry.get(country);
    if (pack === undefined) throw new DomainError("COUNTRY_UNSUPPORTED", "no form is published for this country");
    const language = languageOf(wanted);
    const key = `${country} ${language}`;
    const known = made.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const documentJson = Buffer.from(JSON.stringify(countryForm(pack, language)));
    const form = { etag: strongEtag(documentJson), documentJson };
    made.set(key, form);
    return Promise.resolve(form);
  };
}
