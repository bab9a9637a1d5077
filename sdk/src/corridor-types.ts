import type { Address, PushPayment, Quote } from "./gen/api.ts";
import type { Money } from "./money.ts";

/** Members that are texts, by name: those that must be there, and those that may. */
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

/** Members that must be there. */
export type Needs<Names extends string> = { readonly [Name in Names]: unknown };

/** One of two forms, never members of both. */
export type OneOf<One, Other> = (One & Without<Other, One>) | (Other & Without<One, Other>);
type Without<All, Kept> = { readonly [Name in Exclude<keyof All, keyof Kept>]?: never };

/** A way to be paid: its fields, and what it asks for elsewhere. */
export interface Method<Type extends string, Fields, Recipient = unknown, Data = unknown> {
  readonly type: Type;
  readonly fields: Fields;
  readonly recipient: Recipient;
  readonly data: Data;
}

/** A country: what it pays in, what it asks of both parties, and its ways to be paid. */
export interface Corridor<Currency extends string, Recipient, Sender, Methods> {
  readonly currency: Currency;
  readonly recipient: Recipient;
  readonly sender: Sender;
  readonly methods: Methods;
}

/** What every country takes of a person. */
interface Party {
  readonly firstName: string;
  readonly lastName: string;
  readonly address?: Address;
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly birthDate?: string;
  readonly birthCountryCode?: string;
}

/** Documents that a country does not ask for may be given all the same. */
type OpenDocuments<Rules> = Rules extends { readonly documents?: unknown } ? unknown : Partial<Documents>;

type DataOf<Data> = { readonly paymentPurpose?: string; readonly statementNarrative?: string } & Data;
type DataMember<Data> = Data extends { readonly paymentPurpose: string }
  ? { readonly additionalData: DataOf<Data> }
  : { readonly additionalData?: DataOf<Data> };

/** What of a quote prices a payout. */
export type PricingQuote = Pick<Quote, "fxId" | "conversionRate" | "destinationCurrencyCode">;

/** What the recipient gets: told, or worked out from a quote. */
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
