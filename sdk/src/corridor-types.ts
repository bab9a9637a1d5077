import type { Address, PushPayment, Quote } from "./gen/api.ts";
import type { Money } from "./money.ts";

/** Members that are texts, by name: required and optional ones. */
export type Texts<Required extends string, Optional extends string = never> = {
  readonly [Name in Required]: string;
} & { readonly [Name in Optional]?: string };

/** Identity documents of certain types, at least one. */
export interface Documents<Type extends string = string> {
  readonly documents: readonly [IdentityDocument<Type>, ...IdentityDocument<Type>[]];
}

interface IdentityDocument<Type extends string> {
  readonly type: Type;
  readonly document: string;
  readonly countryCode?: string;
}

/** Required members. */
export type Needs<Names extends string> = { readonly [Name in Names]: unknown };

/** Exactly one of two forms, never members of both. */
export type OneOf<One, Other> = (One & Without<Other, One>) | (Other & Without<One, Other>);
type Without<All, Kept> = { readonly [Name in Exclude<keyof All, keyof Kept>]?: never };

/** A payment method: its fields, and what it requires elsewhere. */
export interface Method<Type extends string, Fields, Recipient = unknown, Data = unknown> {
  readonly type: Type;
  readonly fields: Fields;
  readonly recipient: Recipient;
  readonly data: Data;
}

/** A country: its currencies, its requirements for both parties, and its payment methods. */
export interface Corridor<Currency extends string, Recipient, Sender, Methods> {
  readonly currency: Currency;
  readonly recipient: Recipient;
  readonly sender: Sender;
  readonly methods: Methods;
}

/** Facts about a person that every country accepts. */
interface Party {
  readonly firstName: string;
  readonly lastName: string;
  readonly address?: Address;
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly birthDate?: string;
  readonly birthCountryCode?: string;
}

/** Documents that a country does not require may still be given. */
type OpenDocuments<Rules> = Rules extends { readonly documents?: unknown } ? unknown : Partial<Documents>;

type DataOf<Data> = { readonly paymentPurpose?: string; readonly statementNarrative?: string } & Data;
type DataMember<Data> = Data extends { readonly paymentPurpose: string }
  ? { readonly additionalData: DataOf<Data> }
  : { readonly additionalData?: DataOf<Data> };

/** The parts of a quote that price a payout. */
export type PricingQuote = Pick<Quote, "fxId" | "conversionRate" | "destinationCurrencyCode">;

/** The amount that the recipient gets: given, or computed from a quote. */
type Priced<Currency extends string> =
  | { readonly quote: PricingQuote; readonly fxId?: never; readonly recipientAmount?: never }
  | { readonly quote?: never; readonly fxId?: string; readonly recipientAmount: Money<Currency> };

type Common = Pick<PushPayment, "externalPaymentId" | "ipAddress" | "amount" | "dynamicDescriptor">;

/** Everything that a payout to a country by a method needs. */
export type PayoutOf<Country, Way> =
  Country extends Corridor<infer Currency, infer Recipient, infer Sender, unknown>
    ? Way extends Method<string, infer Fields, infer More, infer Data>
      ? Common &
          Priced<Currency> &
          DataMember<Data> & {
            readonly sender: Party & Sender & Partial<Documents>;
            readonly recipient: Party &
              Recipient &
              More &
              OpenDocuments<Recipient> & { readonly paymentMethod: Fields };
          }
      : never
    : never;
