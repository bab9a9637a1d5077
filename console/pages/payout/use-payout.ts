import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import type { CountryForm, PaymentRequest } from "../../../sdk/src/gen/api";
import { callTenant } from "../../app/api";
import { useTenant } from "../../app/data";
import {
  dataOf,
  faultOf,
  fieldsOf,
  knownOf,
  payoutSchema,
  type Schema,
  type Values,
  valuesOf,
  wordedBy,
} from "../../form/engine";
import { tenantText } from "../../text/tenant-text";
import { language } from "../../text/text";
import { useSettled } from "../../ui/use-settled";
import { bodyOf, type Draft, type Price, quoteMethodOf } from "./draft";

const accountStart = "recipient.paymentMethod.";
const typePath = "recipient.paymentMethod.type";
const newId = (): string => `payout-${crypto.randomUUID()}`;
const idName = "corridor.payout";

/** The id of the payout being made. It survives a reload, so that a payout sent before the reload is not sent as another. */
function keptId(): string {
  const kept = sessionStorage.getItem(idName) ?? newId();
  sessionStorage.setItem(idName, kept);
  return kept;
}

/** Drops the current payout's id: the next form is another payout. */
export const forgetId = (): void => sessionStorage.removeItem(idName);

type CountrySchema = Omit<Schema, "examples"> & { readonly examples?: readonly object[] };

/** The complete state of the form of one payout. */
export function usePayout(country: string) {
  const [typed, setTyped] = useState<Values>({});
  const [facts, setFacts] = useState(() => ({
    externalPaymentId: keptId(),
    ipAddress: "127.0.0.1",
    total: "",
    source: "USD",
    scenario: "",
  }));
  const [wanted, setTarget] = useState("");
  const ofCountry = useTenant(
    "GET /schema/{countryCode}",
    { params: { countryCode: country } },
    { isOn: country !== "" },
  );
  const ofPush = useTenant("GET /schema/{countryCode}", { params: { countryCode: "push" } });
  // Fields of the previous country do not stay on the screen.
  const isHere = country !== "" && ofCountry.data !== undefined && !ofCountry.isPlaceholderData;
  const served = isHere ? (ofCountry.data as CountrySchema) : undefined;
  const push = ofPush.data as Schema | undefined;
  const schema = useMemo(
    () => (served === undefined || push === undefined ? undefined : payoutSchema(served, push)),
    [served, push],
  );
  const ofForm = useTenant(
    "GET /schema/{countryCode}/form",
    { params: { countryCode: country }, query: { lang: language } },
    { isOn: country !== "" },
  );
  // The form's words are not required: without them, the fields have the schema's names.
  const shownAs = ofForm.data?.country === country ? ofForm.data : undefined;
  const isWorded = shownAs !== undefined || ofForm.error !== null;
  const form = useMemo(
    () => (schema === undefined || !isWorded ? undefined : makeForm(schema, typed, shownAs)),
    [schema, typed, shownAs, isWorded],
  );
  const currencies = currenciesOf(served);
  const target = currencies.includes(wanted) ? wanted : (currencies[0] ?? "");
  const type = form?.values[typePath] ?? "";
  const quote = useQuote({ source: facts.source, target, country, type });
  const draft: Draft = { ...facts, target, price: quote.price };
  const faults = form?.fields.filter((field) => faultOf(field, form.values[field.path]) !== undefined) ?? [];
  const body = form === undefined ? undefined : bodyOf(draft, form.values);
  const check = useCheck(faults.length === 0 ? body : undefined);
  return {
    draft,
    form,
    faults,
    body,
    quote,
    check,
    currencies,
    error: ofCountry.error ?? ofPush.error,
    examples: served?.examples ?? [],
    set: (path: string, value: string) => setTyped((now) => ({ ...now, [path]: value })),
    fill: (example: object) => setTyped((now) => ({ ...now, ...filled(example) })),
    change: (change: Partial<typeof facts>) => setFacts((now) => ({ ...now, ...change })),
    setTarget,
  };
}

export type Payout = ReturnType<typeof usePayout>;

const filled = (example: object): Values =>
  Object.fromEntries(Object.entries(valuesOf(example)).filter(([path]) => !path.startsWith("recipientAmount.")));

/** Returns the fields for what was typed. Fields with a single possible value may open further conditions, so they are filled in first. */
function makeForm(schema: Schema, typed: Values, shownAs: CountryForm | undefined) {
  const known = knownOf(fieldsOf(schema, dataOf(typed)));
  const all = { ...typed, ...known };
  const fields = fieldsOf(schema, dataOf(all));
  const shown = new Set(fields.map(({ path }) => path));
  // Values typed for another country or method are kept for it, and are not sent.
  const values = Object.fromEntries(Object.entries(all).filter(([path]) => shown.has(path)));
  const worded = wordedBy(fieldsOf(schema, dataOf(values)), shownAs).filter(
    // Before a method is chosen, the fields of an account are unknown.
    ({ path }) => values[typePath] !== undefined || !path.startsWith(accountStart) || path === typePath,
  );
  const type = shownAs?.methods.find((method) => method.type === values[typePath]);
  const help = type === undefined ? undefined : helpOf(type);
  return { fields: worded.map((field) => (field.path === typePath ? { ...field, help } : field)), values };
}

/** Returns how the money arrives by a method, and how soon. */
function helpOf({ rails, expectedMinutes }: CountryForm["methods"][number]): string {
  const soon = expectedMinutes === undefined ? [] : [tenantText.payout.takes(spanOf(expectedMinutes))];
  return [...(rails === undefined ? [] : [rails]), ...soon].join(" · ");
}

function spanOf(minutes: number): string {
  const say = (count: number, unit: string): string =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
  if (minutes < 90) return say(minutes, "minute");
  const hours = Math.round(minutes / 60);
  return hours < 48 ? say(hours, "hour") : say(Math.round(hours / 24), "day");
}

function currenciesOf(schema: Schema | undefined): readonly string[] {
  const amount = schema?.properties?.["recipientAmount"];
  const currency = typeof amount === "object" ? amount.properties?.["currency"] : undefined;
  return typeof currency === "object" ? (currency.enum ?? []) : [];
}

interface Corridor {
  readonly source: string;
  readonly target: string;
  readonly country: string;
  readonly type: string;
}

/** Requested again before it expires, so that the rate on the screen can be used for payment. */
const renewBeforeMs = 120_000;

function useQuote({ source, target, country, type }: Corridor) {
  const needsOne = target !== "" && source !== target && type !== "" && /^[A-Z]{3}$/.test(source);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["quote for payout", source, target, country, type],
    queryFn: () =>
      callTenant("POST /v2/foreign-exchange", {
        body: {
          sourceCurrencyCode: source,
          destinationCurrencyCode: target,
          destinationCountryCode: country,
          paymentMethod: quoteMethodOf(type),
        },
      }),
    enabled: needsOne,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    placeholderData: () => undefined,
  });
  const endsAt = data === undefined ? undefined : Date.parse(data.quoteIdExpiryDateTime);
  useEffect(() => {
    if (endsAt === undefined) return undefined;
    const timer = window.setTimeout(() => void refetch(), Math.max(1_000, endsAt - Date.now() - renewBeforeMs));
    return () => window.clearTimeout(timer);
  }, [endsAt, refetch]);
  const price: Price | undefined =
    data === undefined || !needsOne
      ? undefined
      : { fxId: data.fxId, rate: data.conversionRate, expiresAt: data.quoteIdExpiryDateTime };
  return { price, error: needsOne ? error : null, isFetching, needsOne };
}

/** The platform's validation of the payout, requested while it is typed. */
function useCheck(body: Readonly<Record<string, unknown>> | undefined) {
  const asked = useDeferredValue(body === undefined ? undefined : JSON.stringify(body));
  const settled = useSettled(asked, 500);
  const { data, error, isFetching } = useQuery({
    queryKey: ["check of payout", settled],
    queryFn: () => callTenant("POST /v2/payment/validate", { body: body as unknown as PaymentRequest }),
    enabled: settled !== undefined && body !== undefined,
    gcTime: 0,
    placeholderData: () => undefined,
  });
  const isAnswered = body !== undefined && settled === asked && asked === JSON.stringify(body);
  return { answer: isAnswered ? data : undefined, error, isFetching: isFetching || !isAnswered };
}
