import { words as de } from "./de";
import { words as deOperator } from "./de-operator";
import { words as deTenant } from "./de-tenant";
import { en } from "./en";
import { operatorText } from "./en-operator";
import { tenantText } from "./en-tenant";
import { words as pt } from "./pt";
import { words as ptOperator } from "./pt-operator";
import { words as ptTenant } from "./pt-tenant";

/** Texts that are the same in the other language: names, signs, commands, and words that both have. */
const alike = {
  de: "Corridor Menu Live Name Team Details Version Sandbox UTC CSV Client Clients Webhooks Webhook Wallet Wallets Status Text Agent Problem in —".split(
    " ",
  ),
  pt: "Corridor Menu Local Sandbox UTC CSV Webhooks Total Timeline Id Ids Endpoint Endpoints Status —".split(" "),
};
const isNoWord = (text: string): boolean =>
  /^(?:corridor |SIM:)/.test(text) || !/[a-z]{3}/i.test(text.replace(/Corridor|Compliance|Webhook/g, ""));

/** Returns every text of an object, by its path; functions are called with the names of their parameters. */
function textsOf(value: unknown, place = ""): readonly (readonly [string, string])[] {
  if (typeof value === "string") return [[place, value]];
  if (typeof value === "function") return [[place, String(Reflect.apply(value, undefined, [["1"], "2", "3"]))]];
  return Object.entries(Object(value) as object).flatMap(([name, inner]) => textsOf(inner, `${place}.${name}`));
}

describe.each([
  ["German", "de", [de, deTenant, deOperator]],
  ["Portuguese", "pt", [pt, ptTenant, ptOperator]],
] as const)("the words in %s", (_name, tag, files) => {
  const english = new Map(textsOf([en, tenantText, operatorText]));
  const own = new Map(textsOf(files));

  it("are there for each in English", () => {
    expect([...english.keys()].filter((place) => !own.has(place))).toEqual([]);
  });

  it("are no English that was left", () => {
    const left = [...own].filter(([place, text]) => english.get(place) === text && !isNoWord(text));
    expect(left.filter(([, text]) => !alike[tag].includes(text))).toEqual([]);
  });
});
