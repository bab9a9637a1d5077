import type { ExactNumber } from "../../services/shared/kernel/exact-number";
import type { JsonValue } from "../../services/shared/kernel/json";
import type { Decimal } from "../../services/shared/kernel/money";
import type { Answered, Infer } from "./infer";
import { currency, described, externalId, orNull } from "./parts";
import type { Schema } from "./schema";

/** True if two types are assignable to each other; otherwise the compiler refuses the file. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

const text = { type: "string", description: "A text." } as const satisfies Schema;

const card = {
  type: "object",
  description: "A card.",
  properties: { type: { ...text, const: "CARD" }, cardTokenId: text },
  required: ["type", "cardTokenId"],
} as const satisfies Schema;

const bank = {
  type: "object",
  description: "An account.",
  properties: { type: { ...text, const: "BANK" }, digits: { type: "integer", description: "Digits." } },
  required: ["type"],
} as const satisfies Schema;

const order = {
  type: "object",
  description: "An order.",
  properties: {
    id: externalId,
    total: { type: "number", description: "What it costs.", exactDecimal: "currency" },
    currency,
    sizes: { type: "array", description: "Sizes.", items: { type: "integer", description: "A size." } },
    note: orNull(text),
    state: orNull({ type: "string", description: "Where it stands.", enum: ["OPEN", "CLOSED"] }),
    pays: { type: "object", description: "Pays.", discriminator: { propertyName: "type" }, oneOf: [card, bank] },
    isGift: { type: "boolean", description: "Wrapped.", default: false },
    at: { type: "string", description: "When.", format: "date-time" },
    metadata: { type: "object", description: "The caller's own." },
    labels: { type: "object", description: "Labels.", additionalProperties: text },
    anything: { description: "Any value." },
  },
  required: ["id", "total", "note", "pays"],
  additionalProperties: false,
} as const satisfies Schema;

interface Order {
  readonly id: string;
  readonly total: Decimal;
  readonly note: string | null;
  readonly pays:
    | { readonly type: "CARD"; readonly cardTokenId: string }
    | { readonly type: "BANK"; readonly digits?: number };
  readonly isGift: boolean;
  readonly currency?: string;
  readonly sizes?: readonly number[];
  readonly state?: "OPEN" | "CLOSED" | null;
  readonly at?: string;
  readonly metadata?: Readonly<Record<string, JsonValue>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly anything?: JsonValue;
}

describe("Infer", () => {
  it("is the type of what a schema accepts", () => {
    const isSame: Same<Infer<typeof order>, { [Name in keyof Order]: Order[Name] }> = true;

    expect(isSame).toBe(true);
  });

  it("keeps what `described` and `orNull` were given", () => {
    const named = described(currency, "Currency of the account.");
    const isSame: Same<(typeof named)["pattern"], "^[A-Z]{3}$"> = true;

    expect([isSame, named.description]).toEqual([true, "Currency of the account."]);
  });
});

describe("Answered", () => {
  it("writes numbers exactly, takes dates as they are, and fills nothing in", () => {
    type Told = Answered<typeof order>;
    const isSame: Same<Pick<Told, "total">, { readonly total: ExactNumber }> = true;
    const mayBeDate: Same<Pick<Told, "at">, { readonly at?: string | Date | undefined }> = true;
    const isOptional: Same<Pick<Told, "isGift">, { readonly isGift?: boolean | undefined }> = true;

    expect([isSame, mayBeDate, isOptional]).toEqual([true, true, true]);
  });
});
