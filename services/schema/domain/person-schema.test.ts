import { Validator } from "@cfworker/json-schema";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { loadPacks } from "../adapters/files/load-packs";
import type { CorridorPack, PersonRules } from "./corridor-pack";
import { personSchema } from "./person-schema";

type Json = Record<string, unknown>;
interface Address {
  [field: string]: string;
}

/** Returns the failed fields of a person by the served schema, and checks that a second validator agrees. */
function checker(pack: CorridorPack): (person: Json) => string[] {
  const value = JSON.parse(personSchema(pack).bytes.toString()) as Json;
  const ajv = new Ajv({ allErrors: true, strict: true, strictRequired: false, keywords: ["version"] });
  addFormats(ajv);
  const validate = ajv.compile(value);
  const second = new Validator(value, "7", false);
  return (person) => {
    const isValid = validate(person);
    expect(second.validate(person).valid).toBe(isValid);
    const failed = (validate.errors ?? []).filter(({ keyword }) => keyword !== "if");
    const paths = failed.map(({ instancePath, params }) => {
      const missing: unknown = params["missingProperty"];
      return [...instancePath.split("/").slice(1), ...(typeof missing === "string" ? [missing] : [])].join(".");
    });
    return [...new Set(paths)].toSorted();
  };
}

/** A person with every field and one of its country's identifications. */
function person(pack: CorridorPack, type: string, kind: string, identification: string): Json {
  const { city, line1, stateCode = "X", zipCode = "1000" } = pack.sample;
  const address: Address = {
    addressLine1: line1,
    city,
    state: stateCode,
    postalCode: zipCode,
    countryCode: pack.alpha2,
  };
  const name = type === "BUSINESS" ? { companyName: "Aurora" } : { firstName: "Ana", lastName: "Silva", gender: "F" };
  return { type, identificationType: kind, identification, ...name, address };
}

function without(value: Json, path: string): Json {
  const copy = structuredClone(value);
  const [first = "", second] = path.split(".");
  if (second === undefined) delete copy[first];
  else delete (copy[first] as Json)[second];
  return copy;
}

let packs: CorridorPack[] = [];
const packOf = (country: string): CorridorPack => {
  const pack = packs.find((candidate) => candidate.country === country);
  if (pack === undefined) throw new Error(`there is no pack for ${country}`);
  return pack;
};

/** Compiled once for each country. */
const checkers = new Map<string, (person: Json) => string[]>();
const checkOf = (pack: CorridorPack): ((person: Json) => string[]) => {
  const check = checkers.get(pack.country) ?? checker(pack);
  checkers.set(pack.country, check);
  return check;
};

beforeAll(async () => {
  packs = await loadPacks();
});

describe("the person schemas", () => {
  /** Calls `look` for each country, type of person and kind of identification. */
  const each = (look: (pack: CorridorPack, type: string, rules: PersonRules, kind: string) => void): void => {
    for (const pack of packs) {
      for (const [type, rules] of Object.entries(pack.person ?? {})) {
        for (const kind of Object.keys(rules.identification)) look(pack, type, rules, kind);
      }
    }
  };

  it("exist for every country", () => {
    expect(packs.filter(({ person }) => person === undefined)).toEqual([]);
    expect(packs).toHaveLength(133);
  });

  it("accept a person with each kind of identification, and name each required field that is absent", () => {
    const wrong: string[] = [];
    each((pack, type, { identification, requires }, kind) => {
      const check = checkOf(pack);
      const good = person(pack, type, kind, identification[kind]?.example ?? "");
      const failures = [...check(good), ...requires.filter((path) => check(without(good, path)).join() !== path)];
      if (failures.length > 0) wrong.push(`${pack.country} ${type} ${kind}: ${failures.join()}`);
    });

    expect(wrong).toEqual([]);
  });

  it("refuse a number of another form", () => {
    const taken: string[] = [];
    each((pack, type, _rules, kind) => {
      if (checkOf(pack)(person(pack, type, kind, "*")).join() !== "identification")
        taken.push(`${pack.country} ${kind}`);
    });

    expect(taken).toEqual([]);
  });
});

describe("the person schema of Brazil", () => {
  const individual = (changes: Json = {}): Json => {
    const { address, ...facts } = person(packOf("BRA"), "INDIVIDUAL", "NATIONAL_ID", "390.533.447-05");
    const { countryCode = "BR", ...others } = changes;
    return { ...facts, address: { ...(address as Json), countryCode }, ...others };
  };
  const check = (value: Json): string[] => checkOf(packOf("BRA"))(value);

  it("has the keys of a schema document and the version of its pack", () => {
    const { name, version, bytes } = personSchema(packOf("BRA"));

    expect([name, version]).toEqual(["person/BRA", packOf("BRA").version]);
    expect(JSON.parse(bytes.toString())).toMatchObject({
      $schema: "http://json-schema.org/draft-07/schema#",
      version,
      required: ["type", "identificationType", "identification", "address"],
      properties: { address: { required: ["addressLine1", "city", "countryCode", "state", "postalCode"] } },
    });
  });

  it("names every failed field at once", () => {
    expect(check({})).toEqual(["address", "identification", "identificationType", "type"]);
    expect(check(individual({ type: "BUSINESS" }))).toEqual(["companyName", "identificationType"]);
  });

  it.each<[string, Json, string]>([
    ["an address in another country", { countryCode: "AR" }, "address.countryCode"],
    ["an alpha-3 country", { countryCode: "BRA" }, "address.countryCode"],
    ["an unknown gender", { gender: "X" }, "gender"],
    ["a tax number of a company", { identificationType: "TAX_ID" }, "identificationType"],
    ["an empty name", { firstName: "" }, "firstName"],
    ["a name that is not text", { lastName: 7 }, "lastName"],
  ])("refuses %s", (_case, changes, field) => {
    expect(check(individual(changes))).toEqual([field]);
  });
});

it("requires nothing where the pack has no rules for persons", () => {
  const { person: _person, ...pack } = packOf("DEU");

  expect(checker(pack)({})).toEqual([]);
});
