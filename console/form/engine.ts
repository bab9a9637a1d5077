import { Validator } from "@cfworker/json-schema";

/** The part of JSON Schema (draft-07) that the published schemas of the countries use. */
export interface Schema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema | boolean>>;
  readonly required?: readonly string[];
  readonly propertyNames?: { readonly enum?: readonly string[] };
  readonly items?: Schema;
  readonly minItems?: number;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly examples?: readonly unknown[];
  readonly allOf?: readonly Schema[];
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
}

/** The typed values, by the dotted path of each field. */
export type Values = Readonly<Record<string, string>>;

/** A field with the rules that apply to what was typed so far. */
export interface Field {
  /** Dotted, as refusals name it: `recipient.documents.0.type`. */
  readonly path: string;
  readonly title: string;
  readonly help: string | undefined;
  readonly example: string | undefined;
  readonly choices: readonly string[] | undefined;
  readonly isRequired: boolean;
  readonly rules: Schema;
  /** Meanings of the choices, if they are not words themselves. */
  readonly meanings?: Readonly<Record<string, string>> | undefined;
  readonly inputMode?: "numeric" | "email" | "tel" | undefined;
}

/** The presentation of a country's fields, as the platform publishes it beside the schema. */
export interface FormWords {
  readonly schema: { readonly etag: string };
  readonly fields: Readonly<Record<string, FieldWords>>;
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface FieldWords {
  readonly title: string;
  readonly help?: string;
  readonly example?: string;
  readonly inputMode?: string;
  readonly order: number;
}

/** Returns the form's name of `recipient.documents.0.type`: that of any row of the list. */
const pointerOf = (path: string): string => `/${path.replace(/\.\d+(?=\.|$)/g, ".*").replaceAll(".", "/")}`;

const inputModes = ["numeric", "email", "tel"] as const;

/** Returns the fields in the words and the order of the form; fields that it does not know stay as in the schema. */
export function wordedBy(fields: readonly Field[], form: FormWords | undefined): readonly Field[] {
  if (form === undefined) return fields;
  const worded = fields.map((field) => {
    const pointer = pointerOf(field.path);
    const known = form.fields[pointer];
    return {
      order: known?.order ?? Number.MAX_SAFE_INTEGER,
      field: {
        ...field,
        title: known?.title ?? field.title,
        help: field.help ?? known?.help,
        example: field.example ?? known?.example,
        meanings: form.values[pointer],
        inputMode: inputModes.find((mode) => mode === known?.inputMode),
      },
    };
  });
  return worded.sort((one, other) => one.order - other.order).map(({ field }) => field);
}

/** The facts about the sender in every push. */
const payerNames = ["firstName", "lastName", "address"];

/** Returns the parts of a payout that a form asks for: those of the country, and the sender as in every push. */
export function payoutSchema(country: Schema, push: Schema): Schema {
  const own = Object.entries(country.properties ?? {}).filter(([name]) => name !== "recipientAmount");
  const { sender: payer } = push.properties ?? {};
  const { sender, ...rest } = Object.fromEntries(own);
  const properties = typeof payer === "object" ? (payer.properties ?? {}) : {};
  const every: Schema = {
    type: "object",
    required: payerNames,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => payerNames.includes(name))),
  };
  const whole = { ...rest, sender: typeof sender === "object" ? { allOf: [every, sender] } : every };
  const required = [...(country.required ?? []), "sender"].filter((name) => name !== "recipientAmount");
  return { ...country, properties: whole, required };
}

type Data = Readonly<Record<string, unknown>>;

/** Returns the record made from the values. Empty values are left out. */
export function dataOf(values: Values): Data {
  const root: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) if (value !== "") put(root, path.split("."), value);
  return root;
}

function put(into: Record<string, unknown>, [name = "", ...rest]: readonly string[], value: string): void {
  const next = rest[0];
  if (next === undefined) {
    into[name] = value;
    return;
  }
  into[name] ??= /^\d+$/.test(next) ? [] : {};
  put(into[name] as Record<string, unknown>, rest, value);
}

/** Returns the values of a record: the reverse. */
export function valuesOf(data: unknown, path = ""): Values {
  if (typeof data !== "object" || data === null) return { [path]: String(data) };
  const parts = Object.entries(data).map(([name, value]) => valuesOf(value, path === "" ? name : `${path}.${name}`));
  return Object.assign({}, ...parts) as Values;
}

const holds = (condition: Schema, data: unknown): boolean =>
  new Validator(condition as object, "7", true).validate(data).valid;

/** Returns the rules for the given values: conditions are decided, and their additions are merged at every depth. */
function rulesFor(schema: Schema, data: unknown): Schema {
  const { allOf = [], if: condition, then, else: otherwise, ...own } = schema;
  const branch = condition === undefined ? undefined : holds(condition, data ?? {}) ? then : otherwise;
  const parts = [...allOf, ...(branch === undefined ? [] : [branch])].map((part) => rulesFor(part, data));
  return parts.reduce(merge, own);
}

function merge(one: Schema, other: Schema): Schema {
  const properties: Record<string, Schema | boolean> = { ...one.properties };
  for (const [name, added] of Object.entries(other.properties ?? {})) {
    const known = properties[name];
    properties[name] = typeof known === "object" && typeof added === "object" ? { allOf: [known, added] } : added;
  }
  const names = [one.propertyNames?.enum, other.propertyNames?.enum].filter((list) => list !== undefined);
  const [first, second] = names;
  const allowed = second === undefined ? first : first?.filter((name) => second.includes(name));
  return {
    ...one,
    ...other,
    properties,
    required: [...new Set([...(one.required ?? []), ...(other.required ?? [])])],
    ...(allowed === undefined ? {} : { propertyNames: { enum: allowed } }),
  };
}

/** Returns every field that can be filled in, in the order of the schema. */
export function fieldsOf(schema: Schema, data: unknown, path = "", isNeeded = true): readonly Field[] {
  const rules = rulesFor(schema, data);
  const { properties = {}, required = [], propertyNames, items } = rules;
  if (items !== undefined) {
    const rows = Array.isArray(data) ? (data as readonly unknown[]) : [];
    const count = Math.max(rows.length, rules.minItems ?? 0, 1);
    return Array.from({ length: count }, (_, at) =>
      fieldsOf(items, rows[at], `${path}.${at}`, isNeeded || rows[at] !== undefined),
    ).flat();
  }
  if (Object.keys(properties).length === 0) return [leaf(rules, path, isNeeded)];
  const given = (typeof data === "object" && data !== null ? data : {}) as Data;
  // An optional part has to be complete as soon as any of it is filled in.
  const isHere = isNeeded || Object.keys(given).length > 0;
  return Object.entries(properties).flatMap(([name, inner]) => {
    if (typeof inner === "boolean" || (propertyNames?.enum !== undefined && !propertyNames.enum.includes(name)))
      return [];
    const below = path === "" ? name : `${path}.${name}`;
    return fieldsOf(inner, given[name], below, isHere && required.includes(name));
  });
}

function leaf(rules: Schema, path: string, isRequired: boolean): Field {
  const example = rules.examples?.[0];
  return {
    path,
    title: rules.title ?? path.split(".").at(-1) ?? path,
    help: rules.description,
    example: typeof example === "string" || typeof example === "number" ? `${example}` : undefined,
    choices: rules.enum,
    isRequired,
    rules,
  };
}

/** A required field with a single possible value is not asked for. */
export const knownOf = (fields: readonly Field[]): Values =>
  Object.fromEntries(
    fields.flatMap(({ path, choices, isRequired }) => {
      const [only] = choices ?? [];
      const isKnown = only !== undefined && choices?.length === 1 && (isRequired || path.endsWith(".countryCode"));
      return isKnown ? [[path, only]] : [];
    }),
  );

/** The way in which a field breaks its rules. */
export type Fault = "required" | "pattern" | "choice" | "short" | "long" | "date";

/** Returns the first rule that a value breaks; undefined if it is valid. */
export function faultOf({ rules, choices, isRequired }: Field, value = ""): Fault | undefined {
  if (value === "") return isRequired ? "required" : undefined;
  if (choices !== undefined) return choices.includes(value) ? undefined : "choice";
  if (rules.format === "date" && Number.isNaN(Date.parse(value))) return "date";
  if (rules.pattern !== undefined && !new RegExp(rules.pattern, "u").test(value)) return "pattern";
  if (rules.minLength !== undefined && [...value].length < rules.minLength) return "short";
  if (rules.maxLength !== undefined && [...value].length > rules.maxLength) return "long";
  return undefined;
}
