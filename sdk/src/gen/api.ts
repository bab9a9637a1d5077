// Made from the gateway's route tables by `npm run sdk`. Do not edit.

import type { Decimal } from "../money.ts";

/** A token and its life. */
export type AccessToken = {
  /** RS256-signed JWT. */
  readonly access_token: string;
  /** Kind of token. */
  readonly token_type: "Bearer";
  /** Life of the token from now, in seconds. */
  readonly expires_in: number;
  /** Granted scopes, parted by single spaces. */
  readonly scope: string;
};

/** The first answer to the check of an account, which repeats of it get again. */
export type AccountCheck = {
  /** Id of the check. */
  readonly paymentId: string;
  /** The same. */
  readonly parentPaymentId: string;
  /** The caller's id. */
  readonly externalPaymentId: string;
  /** When it was checked, UTC. */
  readonly created: string;
  /** True when the account is verified. */
  readonly approved: boolean;
  /** How the check ended. */
  readonly status: "VERIFIED" | "DECLINED";
  /** What a PULL names in sender.paymentMethod.accountTokenId. Of a verified account, as what follows. */
  readonly accountTokenId?: string;
  /** The linking provider's access token of the linked item. */
  readonly accessToken?: string;
  /** Name of the account. */
  readonly bankAccountName?: string;
  /** Its number: stars, and the last four characters. */
  readonly accountNumberMasked?: string;
  /** Its routing number: stars, and the last four characters. */
  readonly routingNumberMasked?: string;
};

/** A check of a bank account that a customer has linked. */
export type AccountCheckRequest = {
  /** The caller's id of the check, its permanent idempotency key. */
  readonly externalPaymentId: string;
  readonly sender: LinkedSender;
};

/** Who holds the account. */
export type AccountHolder = {
  /** Kind of holder. */
  readonly type: string;
  /** Given name. */
  readonly firstName: string;
  /** Family name. */
  readonly lastName: string;
};

/** A bank account that was checked before. */
export type AccountTokenMethod = {
  /** Which of the variants it is. */
  readonly type: "BANK_DEPOSIT";
  /** Token of a checked bank account. */
  readonly accountTokenId: string;
};

/** Extras of the corridor. BRA, MAR and MEX ask for the member even if it is empty. */
export type AdditionalData = {
  /** Code of the purpose, by the list of the destination country. */
  readonly paymentPurpose?: string;
  /** Text about the transaction. */
  readonly statementNarrative?: string;
  readonly [name: string]: string | undefined;
};

/** Postal address. Which of its parts are needed the destination country says. */
export type Address = {
  /** ISO 3166-1 alpha-3 code, capitals. */
  readonly countryCode?: string;
  /** Code of the state, province or region. */
  readonly stateCode?: string;
  /** State in words. */
  readonly state?: string;
  /** City. */
  readonly city?: string;
  /** Street and number. */
  readonly line1?: string;
  /** Second address line. */
  readonly line2?: string;
  /** Postal code. */
  readonly zipCode?: string;
};

/** What was found of an address. */
export type AddressCheck = {
  readonly normalised: NormalisedAddress;
  /** What the country asks for. */
  readonly missing: readonly string[];
  /** What breaks a rule of the country, or a postal code that looks like none of it. */
  readonly wrong: readonly WrongAddressPart[];
  readonly structured: StructuredAddress;
};

/** How much may be sent in a window. */
export type AgentLimit = {
  /** ISO 4217 code. */
  readonly currency: string;
  /** Of the calendar in UTC. */
  readonly window: "DAY" | "MONTH";
  /** What may be sent in the window. */
  readonly limit: Decimal;
  /** What accepted transactions have used. */
  readonly used: Decimal;
  /** What is left. */
  readonly left: Decimal;
  /** When the window ends. */
  readonly resetsAt: string | null;
};

/** How much an agent may still send. */
export type AgentLimits = {
  /** One for each window. */
  readonly limits: readonly AgentLimit[];
};

/** A page of agents. */
export type AgentPage = {
  /** The newest first. */
  readonly agents: readonly ListedAgent[];
  /** `after` of the next page; null on the last. A page with few agents, or none, may have it. */
  readonly next: string | null;
};

/** An agent that a tenant adds. */
export type AgentRequest = {
  /** How to reach it. */
  readonly email: string;
  /** Its name. */
  readonly businessName: string;
  /** The tenant's own name for it; each once. */
  readonly externalId?: string;
};

/** The process is alive. */
export type Alive = {
  /** Always the same word. */
  readonly status: "ok";
};

/** An exact amount. */
export type Amount = {
  /** Exact amount. */
  readonly total: Decimal;
  /** ISO 4217 code. */
  readonly currency: string;
};

/** Who is collected from: with `source` a SourcedPullSender, else a PullSender. */
export type AnyPullSender = PullSender | SourcedPullSender;

/** Who is paid: with `destination` or `customer` a CustomerRecipient, else a Recipient by the rules of the country. */
export type AnyRecipient = Recipient | CustomerRecipient;

/** Who pays: with `customer` a CustomerSender, else a Sender. */
export type AnySender = Sender | CustomerSender;

/** Who pays, and from where: with `customer` a SourcedCustomerSender, else a SourcedSender. */
export type AnySourcedSender = SourcedSender | SourcedCustomerSender;

/** What the authorization server offers (RFC 8414). */
export type AuthorizationServer = {
  /** Name of the server in its tokens. */
  readonly issuer: string;
  /** Where tokens are given. */
  readonly token_endpoint: string;
  /** Where tokens are revoked. */
  readonly revocation_endpoint: string;
  /** Where its keys are. */
  readonly jwks_uri: string;
  /** Every scope. */
  readonly scopes_supported: readonly string[];
  /** None: nothing is given by redirection. */
  readonly response_types_supported: readonly string[];
  /** Every grant. */
  readonly grant_types_supported: readonly string[];
  /** How clients prove themselves for a token. */
  readonly token_endpoint_auth_methods_supported: readonly string[];
  /** How clients prove themselves for a revocation. */
  readonly revocation_endpoint_auth_methods_supported: readonly string[];
  /** True: tokens may be bound to a certificate. */
  readonly tls_client_certificate_bound_access_tokens: boolean;
  /** Where people read about it. */
  readonly service_documentation: string;
};

/** A bank of a country. */
export type Bank = {
  /** Code of the bank in its country. */
  readonly bankCode: string;
  /** Name of the bank. */
  readonly bankName: string;
  /** ISO 3166-1 alpha-2 code, capitals. */
  readonly countryCode: string;
  /** BIC of 8 characters; null where none is known. */
  readonly swift: string | null;
};

/** A US bank account by its numbers. */
export type BankAccountSource = {
  /** Which of the variants it is. */
  readonly type: "BANK_ACCOUNT";
  /** For example savings or checking. */
  readonly accountType: string;
  /** Account number, 4 to 17 digits. */
  readonly accountNumber: string;
  /** ABA routing number, 9 digits. */
  readonly routingNumber: string;
  readonly accountHolder: AccountHolder;
};

/** A bank account, or an alias of one. */
export type BankDeposit = {
  /** Which of the variants it is. */
  readonly type: "BANK_DEPOSIT";
  /** Destination country, ISO 3166-1 alpha-3; where it is missing that of the recipient's address counts. */
  readonly countryCode?: string;
  /** Account number by the form of the country: an IBAN, a CLABE, a UPI address … */
  readonly accountNumber?: string;
  /** The number is an alias: UPI in IND, DIMO in MEX. */
  readonly accountNumberType?: "UPI" | "DIMO";
  /** Kind of account, by the list of the country. */
  readonly accountType?: string;
  /** Code of the bank, by the form of the country. */
  readonly bankCode?: string;
  /** Branch or routing number, by the form of the country. */
  readonly routingNumber?: string;
};

/** Whole bank directories. */
export type BankDirectories = {
  /** The directories, by country. */
  readonly directories: readonly BankDirectory[];
};

/** The banks of a country, and where they are known from. */
export type BankDirectory = {
  /** ISO 3166-1 alpha-2 code, capitals. */
  readonly countryCode: string;
  /** What the bank codes are. */
  readonly codeScheme: string;
  /** Whether the codes are a published national list. */
  readonly codeBasis: "published" | "convention";
  /** Where the rows were read. */
  readonly sources: readonly string[];
  /** The banks, by code. */
  readonly banks: readonly Bank[];
};

/** A page of the banks of a country. */
export type BankPage = {
  /** The banks, by code. */
  readonly banks: readonly Bank[];
  /** Number of this page, from zero. */
  readonly page: number;
  /** Banks on a full page. */
  readonly resultsPerPage: number;
  /** Banks on all pages. */
  readonly totalResults: number;
};

/** What the person is shown, and what to ask with. */
export type BegunDeviceLogin = {
  /** Secret of this login. Who began it keeps it, and asks with it. */
  readonly login: string;
  /** What the person types at the identity provider, and compares with what is shown there. */
  readonly userCode: string;
  /** Where the person types it, in a browser of any machine. */
  readonly verificationUri: string;
  /** The same address with the code in it, where there is one. */
  readonly verificationUriComplete: string | null;
  /** From when on it is too late. */
  readonly expiresAt: string;
  /** How long to wait before each question, in seconds. */
  readonly intervalSeconds: number;
};

/** What is needed to go on. */
export type BegunLogin = {
  /** Secret of this login. Who began it keeps it, and shows it once. */
  readonly login: string;
  /** Where the browser goes: the identity provider, with state, nonce and PKCE. */
  readonly authorizationUrl: string;
  /** From when on it is too late. */
  readonly expiresAt: string;
};

/** The first answer to a capture, which repeats of it get again. */
export type CaptureReceipt = {
  /** Id of the payment; of a refund its own. */
  readonly paymentId: string;
  /** Equals paymentId for a root payment; of a refund the payment that it gives back. */
  readonly parentPaymentId: string;
  /** The caller's id of the payment. */
  readonly externalPaymentId: string;
  /** Amount of the operation. */
  readonly amount: Decimal;
  /** When it took effect; of a refund when it was asked for. UTC. */
  readonly created: string;
  /** True when it succeeded. */
  readonly approved: boolean;
  /** True when the platform did it by itself. */
  readonly automaticReversed: boolean;
  /** Status after the operation. */
  readonly status: "PENDING" | "AUTHORIZED" | "CAPTURED" | "REFUNDED" | "VOIDED" | "DECLINED" | "ERROR";
  /** True once captured. */
  readonly captured: boolean;
  /** True once voided. */
  readonly voided: boolean;
  /** 82: the cardholder's confirmation failed or came too late; 00: approved; 05: declined, without a reason of its own; 09: in progress: the outcome comes by webhook or look-up; 1A: the cardholder must confirm first, at redirectAcsUrl; PAY_022: the card check was declined by the provider. Another value is the card network's own code; status and approved say what it comes to. */
  readonly responseCode: string;
  /** Authorisation code; empty when there is none. */
  readonly authCode: string;
  /** Issuing bank; empty when it is not known. */
  readonly issuerName: string;
  /** Issuing country, ISO 3166-1 alpha-2; empty when it is not known. */
  readonly issuerCountry: string;
  /** Security code check, or N/A. */
  readonly cvcResult: string;
  /** Address check, or N/A. */
  readonly avsResult: string;
};

/** What is captured. An empty object, or no body at all, captures everything. */
export type CaptureRequest = {
  /** What to capture, in the currency of the payment; the rest is released. Everything when absent. */
  readonly amount?: Decimal;
};

/** How well a card takes one kind of transfer. */
export type CardCapability = {
  /** False when it cannot, or was not evaluated. */
  readonly capable: boolean;
  /** The issuer answers such calls well. */
  readonly highPerforming: boolean;
  /** The issuer answers such calls badly. */
  readonly lowPerforming: boolean;
};

/** Verified, challenged or declined: with `paymentId` a DeclinedCard, else a VerifiedCard. */
export type CardCheck = VerifiedCard | DeclinedCard;

/** A check of a card without a charge. */
export type CardCheckRequest = {
  /** The caller's id. It is no idempotency key: verdicts go by names and token. */
  readonly externalPaymentId: string;
  /** IPv4 or IPv6 address of the cardholder. */
  readonly ipAddress: string;
  readonly sender: Cardholder;
};

/** A card. */
export type CardDestination = {
  /** Which of the variants it is. */
  readonly type: "CARD";
  /** Token of the client-side card tokenizer, a UUID. */
  readonly cardTokenId: string;
};

/** A card. */
export type CardMethod = {
  /** Which of the variants it is. */
  readonly type: "CARD";
  /** Token of the client-side card tokenizer, a UUID. */
  readonly cardTokenId: string;
};

/** A card. */
export type CardPayout = {
  /** Which of the variants it is. */
  readonly type: "CARD";
  /** Destination country, ISO 3166-1 alpha-3; where it is missing that of the recipient's address counts. */
  readonly countryCode?: string;
  /** Token of the client-side card tokenizer, a UUID. */
  readonly cardTokenId: string;
};

/** What the issuer has compared. */
export type CardResults = {
  /** Address: APPROVED, NOT_CHECKED, NOT_SUPPORTED or the issuer's own words. */
  readonly avs: string;
  /** Security code: APPROVED, NOT_CHECKED, NOT_SUPPORTED or the issuer's own words. */
  readonly cvc: string;
  /** Cardholder's name: APPROVED, NOT_CHECKED, NOT_SUPPORTED or the issuer's own words. */
  readonly aavCardholderName: string;
};

/** A card. */
export type CardSource = {
  /** Which of the variants it is. */
  readonly type: "CARD";
  readonly card: SourceCard;
};

/** Who holds the card. */
export type Cardholder = {
  /** As on the card; up to 35 characters are compared. */
  readonly firstName: string;
  /** As on the card; up to 35 characters are compared. */
  readonly lastName: string;
  readonly address: CardholderAddress;
  readonly paymentMethod: CheckedCardMethod;
  /** Kept with the check. */
  readonly email?: string;
  /** Kept with the check. */
  readonly phoneNumber?: string;
};

/** The address that the issuer compares. */
export type CardholderAddress = {
  /** ISO 3166-1 alpha-3 code, capitals. */
  readonly countryCode: string;
  /** State or region. */
  readonly stateCode: string;
  /** City. */
  readonly city: string;
  /** Street and number. */
  readonly line1: string;
  /** Postal code. */
  readonly zipCode: string;
  /** The same value as stateCode. */
  readonly state?: string;
  /** May be empty. */
  readonly line2?: string;
};

/** The card. */
export type CheckedCard = {
  /** When it was checked, UTC. */
  readonly created: string;
  /** Issuing bank. */
  readonly issuerName?: string;
  /** ISO 3166-1 alpha-2 code. */
  readonly issuerCountry?: string;
  /** First six digits. */
  readonly bin?: string;
  /** Last four digits. */
  readonly lastFour?: string;
};

/** The card. */
export type CheckedCardMethod = {
  /** Which of the variants it is. */
  readonly type: "CARD";
  /** Token of the client-side card tokenizer, a UUID. */
  readonly cardTokenId: string;
};

/** A company that is kept. */
export type Company = {
  /** Id of the record. */
  readonly id: string;
  /** Whether it may take part. */
  readonly status: "APPROVED" | "IN_REVIEW" | "REJECTED";
  /** Why it is not approved, for programs. */
  readonly reasonCodes: readonly ("REQUIREMENT_NOT_MET" | "SCREENING_HIT")[];
  /** When it was made. */
  readonly createdAt: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Kind of person. */
  readonly type?: "INDIVIDUAL" | "BUSINESS";
  /** Kind of document. */
  readonly identificationType?: string;
  /** Number of the document. */
  readonly identification?: string;
  /** Of an individual. */
  readonly gender?: "M" | "F";
  /** Given name of an individual. */
  readonly firstName?: string;
  /** Family name of an individual. */
  readonly lastName?: string;
  /** Name of a business. */
  readonly companyName?: string;
  /** Date of birth, YYYY-MM-DD. */
  readonly birthDate?: string;
  /** Nationality, or the country of a company: ISO 3166-1 alpha-2. */
  readonly nationality?: string;
  readonly address?: PersonAddress;
  /** Who owns, directs, signs for and controls the company. */
  readonly relatedParties?: readonly RelatedParty[];
};

/** What of a company changes: a member that is null is taken away, one that is absent stays (RFC 7396). A list of related parties replaces the one before. */
export type CompanyChange = {
  /** Kind of person. */
  readonly type?: "BUSINESS" | null;
  /** Kind of document. */
  readonly identificationType?: string | null;
  /** Number of the document. */
  readonly identification?: string | null;
  /** Of an individual. */
  readonly gender?: "M" | "F" | null;
  /** Given name of an individual. */
  readonly firstName?: string | null;
  /** Family name of an individual. */
  readonly lastName?: string | null;
  /** Name of a business. */
  readonly companyName?: string | null;
  /** Date of birth, YYYY-MM-DD. */
  readonly birthDate?: string | null;
  /** Nationality, or the country of a company: ISO 3166-1 alpha-2. */
  readonly nationality?: string | null;
  /** Parts of the address to change; null takes all of it away. */
  readonly address?: {
    /** Street and number. */
    readonly addressLine1?: string | null;
    /** Second line. */
    readonly addressLine2?: string | null;
    /** City. */
    readonly city?: string | null;
    /** State, province or region. */
    readonly state?: string | null;
    /** Postal code. */
    readonly postalCode?: string | null;
    /** ISO 3166-1 alpha-2. */
    readonly countryCode?: string | null;
    /** Phone number. */
    readonly phoneNumber?: string | null;
    /** E-mail address. */
    readonly emailAddress?: string | null;
  } | null;
  /** Who owns, directs, signs for and controls the company. */
  readonly relatedParties?: readonly RelatedParty[] | null;
};

/** A page of companies. */
export type CompanyPage = {
  /** The newest first. */
  readonly companies: readonly ListedParticipant[];
  /** `after` of the next page; null on the last. A page with few records, or none, may have it. */
  readonly next: string | null;
};

/** One level. */
export type ComplianceLevel = {
  /** How much is known. */
  readonly level: "NONE" | "BASIC" | "FULL";
  /** What is missing for it. */
  readonly missing: readonly string[];
};

/** Which level a person or company has come to. */
export type ComplianceLevels = {
  /** Id of the person or company. */
  readonly participantId: string;
  /** How much is known. */
  readonly level: "NONE" | "BASIC" | "FULL";
  /** For the next level. */
  readonly missing: readonly string[];
  /** Every level, the lowest first. */
  readonly levels: readonly ComplianceLevel[];
};

/** A hold that is settled. */
export type ConfirmedTransaction = {
  /** Id of the transaction. */
  readonly transactionId: string;
  /** Id of the wallet. */
  readonly walletId: string;
  /** It is settled. */
  readonly status: "COMPLETED";
  /** Exact amount, with no more decimals than the asset has. */
  readonly amount: Decimal;
  /** When it was settled. */
  readonly confirmedAt: string;
};

/** How the payment to a country is asked for. */
export type CountryForm = {
  /** ISO 3166-1 alpha-3 code, capitals. */
  readonly country: string;
  /** English name of the country. */
  readonly name: string;
  readonly schema: CountryFormSchema;
  /** Language of the words; help and names of purposes are English. */
  readonly language: string;
  /** How the recipient can be paid. */
  readonly methods: readonly CountryFormMethod[];
  /** Fields by JSON pointer; `*` stands for any row of a list. */
  readonly fields: { readonly [name: string]: CountryFormField };
  /** Meanings of values by the JSON pointer of their field. */
  readonly values: { readonly [name: string]: { readonly [name: string]: string } };
};

/** How a field is shown. */
export type CountryFormField = {
  /** What stands beside it. */
  readonly title: string;
  /** Part of the form. */
  readonly group: string;
  /** Place in its part. */
  readonly order: number;
  /** What it has to look like. */
  readonly help?: string;
  /** A matching value. */
  readonly example?: string;
  /** Keyboard that is enough for it. */
  readonly inputMode?: string;
};

/** A way to be paid. */
export type CountryFormMethod = {
  /** Type of the payment method. */
  readonly type: string;
  /** Its name. */
  readonly title: string;
  /** Its fields below `recipient.paymentMethod`, in order. */
  readonly fields: readonly string[];
  /** Those that may be left out. */
  readonly optional: readonly string[];
  /** Payment systems that carry it. */
  readonly rails?: string;
  /** How long a payout usually takes on a business day. */
  readonly expectedMinutes?: number;
};

/** The schema that the form is about. */
export type CountryFormSchema = {
  /** Its version. */
  readonly version: string;
  /** Its entity tag. */
  readonly etag: string;
};

/** A key or secret, without what is secret. */
export type Credential = {
  /** Public part of the credential. */
  readonly id: string;
  /** What it is for. */
  readonly kind: "key" | "agent" | "secret";
  /** Slug of the tenant, id of the agent or id of the client. */
  readonly owner: string;
  /** Begin of the credential, by which its holder finds it. */
  readonly prefix: string;
  /** When it was made. */
  readonly createdAt: string | null;
  /** When it was last seen; null while it never was. */
  readonly lastUsedAt: string | null;
  /** What it allows: scopes of tokens for a secret, of keys for a key. */
  readonly scopes: readonly ("payments" | "fx" | "schemas" | "persons" | "checks" | "banks" | "balance" | "wallets" | "sessions" | "verifications" | "agents" | "webhooks")[] | null;
  /** From when on it does not work; null: it works until it is ended. */
  readonly expiresAt: string | null;
  /** Where it may be used from. */
  readonly allowlist: readonly string[];
};

/** What a key or secret is bound to. */
export type CredentialBounds = {
  /** What it allows: scopes of tokens for a secret, of keys for a key. */
  readonly scopes?: readonly ("payments" | "fx" | "schemas" | "persons" | "checks" | "banks" | "balance" | "wallets" | "sessions" | "verifications" | "agents" | "webhooks")[];
  /** From when on it does not work, in the future. */
  readonly expiresAt?: string;
  /** Where it may be used from. */
  readonly allowlist?: readonly string[];
};

/** A credential that is made. */
export type CredentialRequest = {
  /** What it is for. */
  readonly kind: "key" | "agent" | "secret";
  /** Slug of the tenant, id of the agent or id of the client. */
  readonly owner: string;
  /** What it allows: scopes of tokens for a secret, of keys for a key. */
  readonly scopes?: readonly ("payments" | "fx" | "schemas" | "persons" | "checks" | "banks" | "balance" | "wallets" | "sessions" | "verifications" | "agents" | "webhooks")[];
  /** From when on it does not work, in the future. */
  readonly expiresAt?: string;
  /** Where it may be used from. */
  readonly allowlist?: readonly string[];
};

/** The live credentials of a tenant. */
export type Credentials = {
  /** The credentials, oldest first. */
  readonly credentials: readonly Credential[];
};

/** What a provider holds in a currency. */
export type CurrencyBalance = {
  /** ISO 4217 code. */
  readonly currencyCode: string;
  /** What can be paid out, exactly. */
  readonly balance: Decimal;
};

/** A person by the details that are asked of every customer. */
export type Customer = {
  /** Given name. */
  readonly firstName: string;
  /** Family name. */
  readonly lastName: string;
  /** 7 to 15 digits, with or without + before them. */
  readonly phoneNumber: string;
  /** 5 to 20 digits. */
  readonly documentNumber: string;
  /** Kind of document. */
  readonly documentType: "NATIONAL_ID" | "PASSPORT" | "DRIVER_LICENSE";
  /** E-mail address. */
  readonly email: string;
  /** Country of the customer; of a recipient the destination. ISO 3166-1 alpha-3. */
  readonly countryCodeAlpha3: string;
};

/** Address of a customer; its country is the customer's where it names none. */
export type CustomerAddress = {
  /** ISO 3166-1 alpha-2 code, capitals. */
  readonly countryCode?: string;
  /** Code of the state, province or region. */
  readonly stateCode: string;
  /** State in words. */
  readonly state?: string;
  /** City. */
  readonly city: string;
  /** Street and number. */
  readonly line1: string;
  /** Second address line. */
  readonly line2?: string;
  /** Postal code. */
  readonly zipCode: string;
};

/** A customer who is paid, and how. */
export type CustomerRecipient = {
  readonly customer: Customer;
  readonly customerAddress: CustomerAddress;
  readonly destination: PayoutDestination;
};

/** A customer who pays. */
export type CustomerSender = {
  readonly customer: Customer;
  readonly customerAddress: CustomerAddress;
};

/** A card that its issuer does not take, in the shape of a payment that never was. */
export type DeclinedCard = {
  /** Id of the check. */
  readonly paymentId: string;
  /** The same. */
  readonly parentPaymentId: string;
  /** The caller's id. */
  readonly externalPaymentId: string;
  /** When it was checked, UTC. */
  readonly created: string;
  /** Always 0. */
  readonly amount: Decimal;
  /** Always false. */
  readonly approved: boolean;
  /** Always DECLINED. */
  readonly status: "DECLINED";
  /** PAY_022. */
  readonly responseCode: string;
  /** Why. */
  readonly message: string;
  /** Result, or N/A. */
  readonly avsResult: string;
  /** Result, or N/A. */
  readonly cvcResult: string;
  /** Result, or N/A. */
  readonly aavCardholderNameResult: string;
  /** Empty. */
  readonly redirectAcsUrl: string;
  /** Issuing bank. */
  readonly issuerName?: string;
  /** ISO 3166-1 alpha-2 code. */
  readonly issuerCountry?: string;
};

/** What can be paid to a country. */
export type Destination = {
  /** ISO 3166-1 alpha-2 code, capitals. */
  readonly countryCode: string;
  /** ISO 3166-1 alpha-3 code, capitals. */
  readonly countryCodeAlpha3: string;
  /** English name. */
  readonly name: string;
  /** What can be received. */
  readonly currencies: readonly string[];
  /** How it can be received. */
  readonly methods: readonly DestinationMethod[];
};

/** A way to be paid in a country. */
export type DestinationMethod = {
  /** Type of the payment method, as in the country's schema. */
  readonly type: string;
  /** How long a payout usually takes on a business day; null where unknown. */
  readonly expectedMinutes: number | null;
};

/** What can be paid to which country. */
export type Destinations = {
  /** Every destination, by alpha-3 code. */
  readonly destinations: readonly Destination[];
};

/** How far a login is. `session` is there when it is `DONE`. */
export type DeviceLogin = {
  /** `SLOW_DOWN`: it was asked too early, and the interval is longer from now on. `DENIED`, `EXPIRED` and `DONE` end it. */
  readonly state: "PENDING" | "SLOW_DOWN" | "DENIED" | "EXPIRED" | "DONE";
  /** How long to wait before each question, in seconds. */
  readonly intervalSeconds: number;
  readonly session?: NewUserSession;
};

/** A question about a login. */
export type DeviceLoginQuestion = {
  /** Secret of the login. */
  readonly login: string;
};

/** A file and what was decided of it. */
export type Document = {
  /** Id of the upload; its events name it. */
  readonly id: string;
  /** The person or company that it belongs to. */
  readonly entityId: string;
  /** Kind of document. */
  readonly documentType: string;
  /** What has become of it; PENDING until there is more to say. */
  readonly verificationStatus: "PENDING" | "VERIFIED" | "REJECTED" | "SUPERSEDED" | "ERRORED";
  /** By content. */
  readonly mediaType: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the content, hex. */
  readonly sha256: string;
  /** When it was uploaded. */
  readonly createdAt: string;
  /** When its status last changed. */
  readonly updatedAt: string;
  /** The last decision; null before the first. */
  readonly decision: {
    /** The last decision. */
    readonly status: "VERIFIED" | "REJECTED";
    /** When it was decided. */
    readonly decidedAt: string;
    /** Why, for programs. */
    readonly reasonCode?: string;
  } | null;
  /** Number of the document, with a letter or a digit. One that differs from the last said replaces it. */
  readonly documentNumber?: string;
};

/** A page of documents. */
export type DocumentPage = {
  /** The newest first. */
  readonly documents: readonly Document[];
  /** Ask for the next page with it as `after`; null on the last one. */
  readonly next: string | null;
};

/** A file that proves an identity. */
export type DocumentUpload = {
  /** The file: JPEG, PNG or PDF by its content, and what its content-type says, if it says anything. From 1 to 10485760 bytes. */
  readonly file: Blob;
  /** Number of the document, with a letter or a digit. One that differs from the last said replaces it. */
  readonly documentNumber?: string;
};

/** An upload to ask about. */
export type DocumentVerification = {
  /** The uploaded document to ask about. Either name finds both. */
  readonly documentId: string;
  /** The session to ask about; `documentId` names an upload instead. */
  readonly sessionId?: string;
  /** What to look at; kept with the verification. */
  readonly checks?: readonly string[];
};

/** A rate that one payment may use. */
export type EarlierQuote = {
  /** Id of the quote: the fxId of a payment. */
  readonly fxId: string;
  /** Rate that is promised: the exchangeRate of a payment. */
  readonly conversionRate: Decimal;
  /** The rate is invalid from here on. */
  readonly quoteIdExpiryDateTime: string;
};

/** Which rate is asked for, by bank account. */
export type EarlierQuoteRequest = {
  /** ISO 4217 code of what is paid. */
  readonly sourceCurrencyCode: string;
  /** ISO 4217 code of what is received. */
  readonly destinationCurrencyCode: string;
};

export type Error = {
  readonly code: ErrorCode;
  /** What is wrong, naming the field and the rule. */
  readonly message: string;
  /** The request's x-request-id. */
  readonly requestId: string;
  readonly errors?: readonly {
    /** Dotted path from the root of the request. */
    readonly field: string;
    /** The rule that the field breaks. */
    readonly message: string;
  }[];
  readonly details?: ErrorDetails;
};

/** Stable code of the refusal. */
export type ErrorCode = "VE_001" | "PAY_001" | "PAY_005" | "PAY_271" | "PAY_404" | "PAY_410" | "PAY_411" | "PAY_412" | "FX_404" | "PAY_409" | "PAY_413" | "IDM_001" | "IDM_002" | "AUTH_001" | "AUTH_002" | "AUTH_004" | "AUTH_005" | "AUTH_006" | "AUTH_007" | "AUTH_003" | "RL_001" | "AGT_404" | "AGT_409" | "OPS_404" | "OPS_409" | "WH_404" | "BNK_404" | "WAL_404" | "WAL_001" | "WAL_002" | "WAL_003" | "WAL_004" | "WAL_005" | "WAL_006" | "TX_404" | "TX_001" | "PER_404" | "KYC_404" | "DOC_404" | "PER_412" | "REQ_404" | "REQ_405" | "REQ_413" | "REQ_415" | "SYS_503" | "SYS_500";

/** Facts that the caller may act on. Which ones there are depends on the code. */
export type ErrorDetails = {
  /** What the object is instead. */
  readonly status?: "PENDING" | "AUTHORIZED" | "CAPTURED" | "REFUNDED" | "VOIDED" | "DECLINED" | "ERROR" | "OPEN" | "CLOSED" | "FROZEN" | "HELD" | "COMPLETED" | "EXPIRED" | "CANCELLED" | "PENDING_APPROVAL" | "ACTIVE" | "REJECTED" | "SUSPENDED";
  readonly allowed?: readonly ("capture" | "void" | "refund" | "cancel" | "ACTIVE" | "REJECTED" | "SUSPENDED" | "CLOSED" | "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE")[];
  readonly fields?: readonly string[];
  /** Whose funds are too low. */
  readonly account?: "tenant" | "provider";
  /** What there is. Exact, in `currency`. */
  readonly available?: Decimal;
  /** What is needed. Exact, in `currency`. */
  readonly required?: Decimal;
  /** ISO 4217 code, or the code of another asset of a wallet. */
  readonly currency?: string;
  /** The calendar unit, in UTC, of the limit. */
  readonly window?: "DAY" | "MONTH";
  /** What may be sent in the window: exact, in `currency`. Of PAY_409: the most refunds of a payment. */
  readonly limit?: Decimal;
  /** What of it was sent. Exact, in `currency`. */
  readonly used?: Decimal;
  /** What of it is left. Exact, in `currency`. */
  readonly left?: Decimal;
  /** The scope that is missing. */
  readonly scope?: "payments" | "fx" | "schemas" | "persons" | "checks" | "banks" | "balance" | "wallets" | "sessions" | "verifications" | "agents" | "webhooks";
  readonly roles?: readonly ("support" | "compliance" | "treasury" | "platform" | "viewer" | "developer" | "finance" | "admin")[];
  /** Longest age of the login, in seconds. */
  readonly maxAgeSeconds?: number;
  /** When to try again, in seconds. */
  readonly retryAfterSeconds?: number;
  /** Most requests in a second. */
  readonly limitPerSecond?: Decimal;
  /** Most requests in an hour. */
  readonly limitPerHour?: number;
  /** Most requests at once. */
  readonly limitInFlight?: number;
};

/** A page of what happened, in one order. */
export type EventFeed = {
  /** The events, oldest first. */
  readonly events: readonly FeedEvent[];
  /** `after` of the next page, also when this one is the last for now. */
  readonly next: string;
};

/** A fee. */
export type ExpectedFee = {
  /** What the fee is charged for. */
  readonly eventId: "PRE_AUTH" | "CAPTURE";
  /** The fee, charged to the tenant. */
  readonly total: Decimal;
  /** ISO 4217 code. */
  readonly currency: string;
};

/** Something that happened. */
export type FeedEvent = {
  /** Place of the event in the feed: `after` of what follows it. */
  readonly cursor: string;
  /** Id of the event, `x-service-event-id` of its deliveries. */
  readonly id: string;
  /** Position among the events of its transaction, document or agent, from 1. */
  readonly sequence: number;
  /** When it happened. */
  readonly occurredAt: string;
  /** The event as deliveries carry it; `event` is spelled as here. */
  readonly payload: TransactionStatusChanged | TransactionComplianceStatusChangedEvent | TransactionPayoutStatusChanged | DocumentUpdatedEvents | AgentUpdatedEvents | WebhookTest;
};

/** Something that an id belongs to. */
export type Found = {
  /** What the id is of. */
  readonly kind: "payment" | "leg" | "refund" | "quote" | "provider reference" | "receipt" | "trace" | "wallet" | "wallet transaction" | "transfer" | "person" | "company" | "document" | "session" | "review" | "webhook" | "delivery" | "event";
  /** Our id of what it belongs to: of the payment for its legs, refunds, receipt, references and trace. */
  readonly id: string;
  /** What its caller calls it; null where it has no such id. */
  readonly externalId: string | null;
  /** What it belongs to: the webhook of a delivery, the transaction of an event, the person of a document. */
  readonly parentId: string | null;
  /** When it was made. */
  readonly createdAt: string | null;
  /** Path at which it is read; absent where there is none. */
  readonly href?: string;
};

/** A source of money, by the token that a check or the tokenizer gave. */
export type FundingAccountRequest = FundingCard | FundingBankAccount;

/** A bank account that was checked before. */
export type FundingBankAccount = {
  /** Which of the variants it is. */
  readonly type: "BANK_DEPOSIT";
  /** The accountTokenId of a verified check, a UUID. */
  readonly accountTokenId: string;
};

/** A card. */
export type FundingCard = {
  /** Which of the variants it is. */
  readonly type: "CARD";
  /** Token of the client-side card tokenizer, a UUID. */
  readonly cardTokenId: string;
};

/** A JSON Web Key Set (RFC 7517). */
export type KeySet = {
  /** Its keys. */
  readonly keys: readonly PublicKey[];
};

/** What a client opens a link flow with. */
export type LinkToken = {
  /** What the client opens the link flow with. */
  readonly token: string;
  /** ISO 8601; make a new token afterwards. */
  readonly expiration: string;
  /** Correlation id. */
  readonly requestId: string;
};

/** Whose account is to be linked. */
export type LinkTokenRequest = {
  /** Phone number of the customer, E.164. */
  readonly phoneNumber: string;
  /** Only when the flow is launched from an Android app. */
  readonly androidPackageName?: string;
};

/** The account that was picked in the link flow. */
export type LinkedAccount = {
  /** Which of the variants it is. */
  readonly type: "BANK_DEPOSIT";
  /** ISO 3166-1 alpha-2 code, capitals. */
  readonly countryCode: string;
  /** Public token of the link flow. */
  readonly accountCheckToken: string;
  /** Account that was picked in the link flow. */
  readonly accountCheckId: string;
};

/** Who has linked the account. */
export type LinkedSender = {
  readonly paymentMethod: LinkedAccount;
};

/** An agent. */
export type ListedAgent = {
  /** Id of the agent: x-agent-id. */
  readonly id: string;
  /** How to reach it. */
  readonly email: string;
  /** Its name. */
  readonly businessName: string;
  /** The tenant's own name for it. */
  readonly externalId: string | null;
  /** Only an active one can act. */
  readonly status: "PENDING_APPROVAL" | "ACTIVE" | "REJECTED" | "SUSPENDED" | "CLOSED";
  /** When it was added. */
  readonly createdAt: string;
};

/** A person or company without what is known of them. */
export type ListedParticipant = {
  /** Id of the record. */
  readonly id: string;
  /** Whether it may take part. */
  readonly status: "APPROVED" | "IN_REVIEW" | "REJECTED";
  /** Why it is not approved, for programs. */
  readonly reasonCodes: readonly ("REQUIREMENT_NOT_MET" | "SCREENING_HIT")[];
  /** When it was made. */
  readonly createdAt: string;
  /** When it was last changed. */
  readonly updatedAt: string;
};

/** A payment as lists show it. */
export type ListedPayment = {
  /** Id of the payment. */
  readonly paymentId: string;
  /** The caller's id. */
  readonly externalPaymentId: string;
  /** What it does. */
  readonly paymentType: "PUSH" | "PULL" | "PULLPUSH";
  /** Payment status. */
  readonly status: "PENDING" | "AUTHORIZED" | "CAPTURED" | "REFUNDED" | "VOIDED" | "DECLINED" | "ERROR";
  /** Transaction state. */
  readonly transactionState: "Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview";
  /** Compliance status. */
  readonly complianceStatus: string;
  /** Status of the payout leg; null where there is none. */
  readonly payoutStatus: string | null;
  readonly amount: Amount;
  readonly recipientAmount: RecipientAmountOrNone;
  readonly recipient: ListedRecipientOrNone;
  readonly source: ListedSourceOrNone;
  /** Its agent; null for a payment of the tenant itself. */
  readonly agentId: string | null;
  /** The quote that it used. */
  readonly fxId: string | null;
  /** When it was accepted. */
  readonly createdAt: string;
  /** When it last moved. */
  readonly updatedAt: string;
  /** First letters of the payer's name. */
  readonly senderName?: string;
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
};

/** A quote as lists show it. */
export type ListedQuote = {
  /** Id of the quote: the fxId of a payment. */
  readonly fxId: string;
  /** ISO 4217 code of what is paid. */
  readonly sourceCurrencyCode: string;
  /** ISO 4217 code of what is received. */
  readonly destinationCurrencyCode: string;
  /** How the recipient is paid. */
  readonly paymentMethod: "BANK_ACCOUNT" | "WALLET" | "CARD";
  /** Rate that is promised: the exchangeRate of a payment. */
  readonly conversionRate: Decimal;
  /** When the quote was made. */
  readonly createdAt: string;
  /** The rate is invalid from here on. */
  readonly quoteIdExpiryDateTime: string;
  /** True when its time is over. */
  readonly isExpired: boolean;
};

/** Who is paid, and how. */
export type ListedRecipientOrNone = {
  /** How. */
  readonly method: "BANK_DEPOSIT" | "WALLET" | "PIX" | "CARD";
  /** ISO 3166-1 alpha-3 code. */
  readonly countryCode: string;
  /** First letters of the name. */
  readonly name?: string;
  /** Last four characters of the account. */
  readonly account?: string;
} | null;

/** Where the money is collected from. */
export type ListedSourceOrNone = {
  /** A card, or a bank account. */
  readonly type: "CARD" | "ACCOUNT";
  /** Of the card, once it is known. */
  readonly lastFourDigits?: string;
} | null;

/** What the identity provider sent the browser back with. */
export type LoginAnswer = {
  /** Secret of the login. */
  readonly login: string;
  /** Parameter `code`. */
  readonly code: string;
  /** Parameter `state`. */
  readonly state: string;
  /** Parameter `iss`, where there is one. */
  readonly iss?: string;
};

/** An agent with its key. */
export type NewAgent = {
  /** Id of the agent: x-agent-id. */
  readonly id: string;
  /** How to reach it. */
  readonly email: string;
  /** Its name. */
  readonly businessName: string;
  /** The tenant's own name for it. */
  readonly externalId: string | null;
  /** A new agent waits for approval. */
  readonly status: "PENDING_APPROVAL";
  /** When it was added. */
  readonly createdAt: string;
  /** The agent's key, shown only here: x-agent-api-key. */
  readonly apiKey: string;
};

/** A company to keep. */
export type NewCompany = {
  /** Kind of person. */
  readonly type?: "BUSINESS";
  /** Kind of document. */
  readonly identificationType?: string;
  /** Number of the document. */
  readonly identification?: string;
  /** Of an individual. */
  readonly gender?: "M" | "F";
  /** Given name of an individual. */
  readonly firstName?: string;
  /** Family name of an individual. */
  readonly lastName?: string;
  /** Name of a business. */
  readonly companyName?: string;
  /** Date of birth, YYYY-MM-DD. */
  readonly birthDate?: string;
  /** Nationality, or the country of a company: ISO 3166-1 alpha-2. */
  readonly nationality?: string;
  readonly address?: PersonAddress;
  /** Who owns, directs, signs for and controls the company. */
  readonly relatedParties?: readonly RelatedParty[] | null;
};

/** A credential, shown only here. */
export type NewCredential = {
  /** The credential itself. */
  readonly credential: string;
  readonly facts: Credential;
};

/** A person to keep. */
export type NewPerson = {
  /** Kind of person. */
  readonly type?: "INDIVIDUAL";
  /** Kind of document. */
  readonly identificationType?: string;
  /** Number of the document. */
  readonly identification?: string;
  /** Of an individual. */
  readonly gender?: "M" | "F";
  /** Given name of an individual. */
  readonly firstName?: string;
  /** Family name of an individual. */
  readonly lastName?: string;
  /** Name of a business. */
  readonly companyName?: string;
  /** Date of birth, YYYY-MM-DD. */
  readonly birthDate?: string;
  /** Nationality, or the country of a company: ISO 3166-1 alpha-2. */
  readonly nationality?: string;
  readonly address?: PersonAddress;
};

/** A session, shown only here. */
export type NewUserSession = {
  /** Secret of the session: `Authorization: Bearer …`. */
  readonly session: string;
  /** Id of the user; null for a static token. */
  readonly userId: string | null;
  /** Slug of the tenant; null for an operator. */
  readonly tenant: string | null;
  /** What it may do. */
  readonly roles: readonly string[];
  /** When the proof ends by itself; a session that is used goes on. Null: never. */
  readonly expiresAt: string | null;
};

/** The address, cleaned. */
export type NormalisedAddress = {
  /** Street and number. */
  readonly addressLine1?: string;
  /** Second line. */
  readonly addressLine2?: string;
  /** City. */
  readonly city?: string;
  /** State, province or region. */
  readonly state?: string;
  /** Postal code. */
  readonly postalCode?: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode?: string;
};

/** A client that exchanges a secret for tokens. */
export type OauthClient = {
  /** Public identifier. */
  readonly clientId: string;
  /** Slug of its tenant. */
  readonly tenant: string;
  /** What its tokens can allow. */
  readonly scopes: readonly ("payments" | "fx" | "schemas" | "persons" | "checks" | "banks" | "balance" | "wallets" | "sessions" | "verifications")[];
  /** Null while it works. */
  readonly disabledAt: string | null;
};

/** What changes of a client. */
export type OauthClientChange = {
  /** True stops its tokens within 60 seconds. */
  readonly isDisabled?: boolean;
  /** What its tokens can allow. */
  readonly scopes?: readonly ("payments" | "fx" | "schemas" | "persons" | "checks" | "banks" | "balance" | "wallets" | "sessions" | "verifications")[];
};

/** The clients of a tenant. */
export type OauthClients = {
  /** The clients. */
  readonly clients: readonly OauthClient[];
};

export type OauthError = {
  /** Name of the error, of RFC 6749 sections 5.2 and 4.1.2.1. */
  readonly error: "invalid_request" | "invalid_client" | "invalid_grant" | "unauthorized_client" | "unsupported_grant_type" | "invalid_scope" | "access_denied" | "temporarily_unavailable" | "server_error";
  /** What is wrong. */
  readonly error_description: string;
};

/** A session, without its secret. */
export type OpenSession = {
  /** Id. */
  readonly sessionId: string;
  /** True for the session that asks. */
  readonly isCurrent: boolean;
  /** When it was opened. */
  readonly openedAt: string | null;
  /** When it was last used, to the minute. */
  readonly seenAt: string | null;
  /** When it ends unless it is used. */
  readonly expiresAt: string | null;
};

/** A client that a tenant adds. */
export type OwnClientRequest = {
  /** Its name within the tenant. Its public identifier is the tenant's slug, a dot and this name. */
  readonly name: string;
  /** What its tokens can allow. */
  readonly scopes: readonly ("payments" | "fx" | "schemas" | "persons" | "checks" | "banks" | "balance" | "wallets" | "sessions" | "verifications")[];
};

/** A document that identifies a person. */
export type PartyDocument = {
  /** Number of the document. */
  readonly document: string;
  /** Kind of document, by the list of the destination country. */
  readonly type: string;
  /** Country that issued it. */
  readonly countryCode?: string;
};

/** A number whose checksum does not fit, or a postal code that looks like none of its country. */
export type PaymentAdvice = {
  /** Dotted path of the number. */
  readonly field: string;
  /** What looks mistyped. */
  readonly message: string;
};

/** A change of a payment. */
export type PaymentChange = {
  /** Position among the payment's changes, from 1. */
  readonly sequence: number;
  /** When it was decided. */
  readonly at: string | null;
  /** What happened. */
  readonly messages: readonly string[];
  /** Value before; null on the first. */
  readonly from: string | null;
  /** Value after. */
  readonly to: string;
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
};

/** One event that was sent to a webhook. */
export type PaymentDelivery = {
  /** Id of the delivery. */
  readonly deliveryId: string;
  /** Id of the subscription. */
  readonly webhookId: string;
  /** Name of the event. */
  readonly event: string;
  /** Position of the change that it reports. */
  readonly sequence: number;
  /** Where it stands. */
  readonly status: "PENDING" | "DELIVERED" | "FAILED";
  /** Attempts made so far. */
  readonly attempts: number;
  /** HTTP status of the last answer. */
  readonly lastStatus: number | null;
};

/** A page of payments. */
export type PaymentListPage = {
  /** The newest first. */
  readonly payments: readonly ListedPayment[];
  /** `after` of the next page; null on the last. A page with few payments, or none, may have it. */
  readonly next: string | null;
};

/** What moved money. */
export type PaymentPosting = {
  /** Position among the payment's changes, from 1. */
  readonly sequence: number;
  /** When it was decided. */
  readonly at: string | null;
  /** What happened. */
  readonly messages: readonly string[];
  /** What moved the money. */
  readonly kind: string;
  /** What it posted. */
  readonly postings: readonly PaymentPostingSide[];
};

/** What entered or left an account. */
export type PaymentPostingSide = {
  /** Account of the ledger. */
  readonly account: string;
  /** ISO 4217. */
  readonly currency: string;
  /** What entered the account; negative for what left it. */
  readonly amount: Decimal;
};

/** What would be converted; null while something is wrong, and for a payment without a payout. */
export type PaymentPrice = {
  readonly amount: Amount;
  readonly recipientAmount: Amount;
  /** Rate between the two. */
  readonly exchangeRate: Decimal;
} | null;

/** One reason why the payment would be refused. */
export type PaymentProblem = {
  /** Code that POST /v2/payment would answer. */
  readonly code: string;
  /** Dotted path of the field. */
  readonly field: string;
  /** The rule that it breaks. */
  readonly message: string;
};

/** The first answer to a payment, which repeats of it get again. */
export type PaymentReceipt = {
  /** Id of the payment. */
  readonly paymentId: string;
  /** Equals paymentId for a root payment. */
  readonly parentPaymentId: string;
  /** The caller's id. */
  readonly externalPaymentId: string;
  /** Amount of the payment. */
  readonly amount: Decimal;
  /** When the payment was accepted. UTC. */
  readonly created: string;
  /** PENDING once accepted. */
  readonly status: "PENDING" | "AUTHORIZED" | "CAPTURED" | "REFUNDED" | "VOIDED" | "DECLINED" | "ERROR";
  /** False on a pending push; this is not a decline. */
  readonly approved: boolean;
  /** True once captured. */
  readonly captured: boolean;
  /** True once voided. */
  readonly voided: boolean;
  /** 82: the cardholder's confirmation failed or came too late; 00: approved; 05: declined, without a reason of its own; 09: in progress: the outcome comes by webhook or look-up; 1A: the cardholder must confirm first, at redirectAcsUrl; PAY_022: the card check was declined by the provider. Another value is the card network's own code; status and approved say what it comes to. */
  readonly responseCode: string;
  /** True when the platform reversed the payment by itself. */
  readonly automaticReversed: boolean;
  /** What the provider said, on a pull. */
  readonly message?: string;
  /** Authorisation code, on a pull by card. */
  readonly authCode?: string;
  /** Where the cardholder confirms a challenge; only while there is one. */
  readonly redirectAcsUrl?: string;
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
};

export type PaymentRecordV1 = {
  /** Equals the payment's own id for a root payment. */
  readonly parentPaymentId: string;
  /** The caller's id. */
  readonly externalId: string;
  /** Most recent operation. UTC. */
  readonly requestedOn: string;
  /** Capture; null while not captured. UTC. */
  readonly capturedOn: string | null;
  /** Latest refund; null while not refunded. UTC. */
  readonly refundedOn: string | null;
  /** Amount that was authorised. */
  readonly amount: Decimal;
  /** Amount captured so far. */
  readonly capturedAmount: Decimal;
  /** Amount refunded so far. */
  readonly refundedAmount: Decimal;
  /** Amount that was asked for. */
  readonly amountRequested: Decimal;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Payment status. */
  readonly status: "PENDING" | "AUTHORIZED" | "CAPTURED" | "REFUNDED" | "VOIDED" | "DECLINED" | "ERROR";
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
  /** True once the payment has succeeded. */
  readonly approved: boolean;
  /** Address of the originator. */
  readonly ipAddress: string;
  readonly billing: {
    /** State, province or region code; empty when not given. */
    readonly stateCode: string;
    /** City; empty when not given. */
    readonly city: string;
    /** Street and number; empty when not given. */
    readonly line1: string;
    /** State in words; empty when not given. */
    readonly state: string;
    /** Postal code; empty when not given. */
    readonly zipCode: string;
  };
  readonly customer: {
    /** Given name; empty when not given. */
    readonly firstName: string;
    /** Family name; empty when not given. */
    readonly lastName: string;
    /** Phone number; empty when not given. */
    readonly phoneNumber: string;
    /** E-mail address; empty when not given. */
    readonly email: string;
  };
  readonly transactionFees: readonly {
    /** Payment that caused the fee. */
    readonly sourceId: string;
    /** Kind of source. */
    readonly source: "PAYMENT";
    /** Event that caused the fee. */
    readonly eventId: "PRE_AUTH" | "CAPTURE" | "REFUND";
    /** When the fee was charged. UTC. */
    readonly dtCreated: string;
    /** Amount of the fee. */
    readonly amount: Decimal;
  }[];
  readonly history: readonly {
    /** Payment of the operation. */
    readonly paymentId: string;
    /** When it was asked for. UTC. */
    readonly requestedOn: string;
    /** Operation. */
    readonly code: "PAYMENT" | "CAPTURE" | "REFUND";
    /** Payment status after the operation. */
    readonly status: "PENDING" | "AUTHORIZED" | "CAPTURED" | "REFUNDED" | "VOIDED" | "DECLINED" | "ERROR";
    /** Plain words. */
    readonly description: string;
    /** Amount of the operation. */
    readonly requestedAmount: Decimal;
    /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
    readonly reasonCode?: string;
    /** Who can do something about it. */
    readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
    /** The reason in one sentence. */
    readonly reasonMessage?: string;
  }[];
  /** The card; absent on a payment without one. */
  readonly card?: {
    /** Last four digits. */
    readonly lastFourDigits: string;
    /** First six digits. */
    readonly bin: string;
    /** Card network. */
    readonly schemeId: string;
    /** Issuing bank. */
    readonly issuer: string;
    /** Issuing country. */
    readonly country: string;
    /** ISO 3166-1 alpha-2. */
    readonly countryCode: string;
    /** DEBIT or CREDIT. */
    readonly cardType: "DEBIT" | "CREDIT";
    /** For example CLASSIC, GOLD, PLATINUM. */
    readonly cardCategory: string;
    /** Currency of the card. */
    readonly currencyCode: string;
  };
};

export type PaymentRecordV2 = {
  /** Equals the payment's own id for a root payment. */
  readonly parentPaymentId: string;
  /** The caller's id. */
  readonly externalId: string;
  /** Most recent operation. UTC. */
  readonly requestedOn: string;
  /** Capture; null while not captured. UTC. */
  readonly capturedOn: string | null;
  /** Latest refund; null while not refunded. UTC. */
  readonly refundedOn: string | null;
  /** Amount that was authorised. */
  readonly amount: Decimal;
  /** Amount captured so far. */
  readonly capturedAmount: Decimal;
  /** Amount refunded so far. */
  readonly refundedAmount: Decimal;
  /** Amount that was asked for. */
  readonly amountRequested: Decimal;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Payment status. */
  readonly status: "PENDING" | "AUTHORIZED" | "CAPTURED" | "REFUNDED" | "VOIDED" | "DECLINED" | "ERROR";
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
  /** True once the payment has succeeded. */
  readonly approved: boolean;
  /** Address of the originator. */
  readonly ipAddress: string;
  readonly billing: {
    /** State, province or region code; empty when not given. */
    readonly stateCode: string;
    /** City; empty when not given. */
    readonly city: string;
    /** Street and number; empty when not given. */
    readonly line1: string;
    /** State in words; empty when not given. */
    readonly state: string;
    /** Postal code; empty when not given. */
    readonly zipCode: string;
    /** Second address line; empty when not given. */
    readonly line2: string;
    /** Country as given; empty when not given. */
    readonly countryCode: string;
  };
  readonly customer: {
    /** Given name; empty when not given. */
    readonly firstName: string;
    /** Family name; empty when not given. */
    readonly lastName: string;
    /** Phone number; empty when not given. */
    readonly phoneNumber: string;
    /** E-mail address; empty when not given. */
    readonly email: string;
  };
  readonly transactionFees: readonly {
    /** Payment that caused the fee. */
    readonly sourceId: string;
    /** Kind of source. */
    readonly source: "PAYMENT";
    /** Event that caused the fee. */
    readonly eventId: "PRE_AUTH" | "CAPTURE" | "REFUND";
    /** When the fee was charged. UTC. */
    readonly dtCreated: string;
    /** Amount of the fee. */
    readonly amount: Decimal;
  }[];
  readonly history: readonly {
    /** Payment of the operation. */
    readonly paymentId: string;
    /** When it was asked for. UTC. */
    readonly requestedOn: string;
    /** Operation. */
    readonly code: "PAYMENT" | "CAPTURE" | "REFUND";
    /** Payment status after the operation. */
    readonly status: "PENDING" | "AUTHORIZED" | "CAPTURED" | "REFUNDED" | "VOIDED" | "DECLINED" | "ERROR";
    /** Plain words. */
    readonly description: string;
    /** Amount of the operation. */
    readonly requestedAmount: Decimal;
    /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
    readonly reasonCode?: string;
    /** Who can do something about it. */
    readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
    /** The reason in one sentence. */
    readonly reasonMessage?: string;
  }[];
  /** The card; absent on a payment without one. */
  readonly card?: {
    /** Last four digits. */
    readonly lastFourDigits: string;
    /** First six digits. */
    readonly bin: string;
    /** Card network. */
    readonly schemeId: string;
    /** Issuing bank. */
    readonly issuer: string;
    /** Issuing country. */
    readonly country: string;
    /** ISO 3166-1 alpha-2. */
    readonly countryCode: string;
    /** DEBIT or CREDIT. */
    readonly cardType: "DEBIT" | "CREDIT";
    /** For example CLASSIC, GOLD, PLATINUM. */
    readonly cardCategory: string;
    /** Currency of the card. */
    readonly currencyCode: string;
    /** Extended bin. */
    readonly binNumber: string;
    /** ISO 3166-1 alpha-3. */
    readonly countryCode3: string;
    /** Address check. */
    readonly avsStatus: "APPROVED" | "FAILED" | "NOT_SENT" | "N/A";
    /** Security code check. */
    readonly cvcStatus: "APPROVED" | "FAILED" | "NOT_SENT" | "N/A";
  };
  /** Where the cardholder confirms; only while a challenge is open. */
  readonly redirectAcsUrl?: string;
};

/** A payment. */
export type PaymentRequest = PushPayment | PullPushPayment | PullPayment;

/** Everything that happened to a payment. */
export type PaymentTimeline = {
  /** Id of the payment. */
  readonly paymentId: string;
  /** The caller's id. */
  readonly externalPaymentId: string;
  /** What caused the changes. */
  readonly traceIds: readonly string[];
  /** Changes of its state. */
  readonly states: readonly PaymentChange[];
  /** Changes of its compliance. */
  readonly compliance: readonly PaymentChange[];
  /** Changes of its payout. */
  readonly payout: readonly PaymentChange[];
  /** Calls to providers. */
  readonly attempts: readonly ProviderAttempt[];
  /** What moved money. */
  readonly postings: readonly PaymentPosting[];
  /** What was sent to webhooks. */
  readonly webhookDeliveries: readonly PaymentDelivery[];
};

/** What POST /v2/payment would say of the same body now. */
export type PaymentValidation = {
  /** True when POST /v2/payment would accept the same body now. */
  readonly valid: boolean;
  /** Everything that is wrong. */
  readonly errors: readonly PaymentProblem[];
  readonly price: PaymentPrice;
  /** What the tenant would be charged if all goes well. */
  readonly fees: readonly ExpectedFee[];
  /** What looks mistyped. A payment is not refused for it. */
  readonly advice: readonly PaymentAdvice[];
};

/** An account of a participant. */
export type PayoutAccount = {
  /** Id of the account. */
  readonly id: string;
  /** Whose it is. */
  readonly participantId: string;
  /** Type of the payment method. */
  readonly type: string;
  /** ISO 3166-1 alpha-3 code of a recipient. */
  readonly countryCode: string | null;
  /** Its number, key or token, all but the last four characters hidden. */
  readonly masked: string;
  /** When it was kept. */
  readonly createdAt: string;
};

/** The accounts of a participant. */
export type PayoutAccountPage = {
  /** The oldest first. */
  readonly items: readonly PayoutAccount[];
};

/** How the customer is paid. */
export type PayoutDestination = CardDestination | PixDestination | WalletDestination;

/** How the recipient is paid. Each country offers some of these. */
export type PayoutMethod = BankDeposit | WalletPayout | PixPayout | CardPayout;

/** A rate, and what a payout would pay and cost. */
export type PayoutQuote = {
  /** Id of the quote. */
  readonly quoteId: string;
  /** The same: the fxId of a payment. */
  readonly fxId: string;
  /** Rate that is promised. */
  readonly conversionRate: Decimal;
  readonly amount: Amount;
  readonly recipientAmount: Amount;
  readonly fee: Amount;
  /** The rate is invalid from here on. */
  readonly quoteIdExpiryDateTime: string;
};

/** Which payout is asked for. */
export type PayoutQuoteRequest = {
  /** ISO 4217 code of what is paid. */
  readonly sourceCurrencyCode: string;
  /** ISO 4217 code of what is received. */
  readonly destinationCurrencyCode: string;
  /** How the recipient is paid: BANK_ACCOUNT, WALLET or CARD. */
  readonly paymentMethod: string;
  /** What is to be sent, with no more decimals than its currency has. */
  readonly sourceCurrencyAmount: Decimal;
  /** ISO 3166-1 alpha-3 code; narrows the rate to a corridor. There is no route to any other text: PAY_001. */
  readonly destinationCountryCode?: string;
};

/** A person that is kept. */
export type Person = {
  /** Id of the record. */
  readonly id: string;
  /** Whether it may take part. */
  readonly status: "APPROVED" | "IN_REVIEW" | "REJECTED";
  /** Why it is not approved, for programs. */
  readonly reasonCodes: readonly ("REQUIREMENT_NOT_MET" | "SCREENING_HIT")[];
  /** When it was made. */
  readonly createdAt: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Kind of person. */
  readonly type?: "INDIVIDUAL" | "BUSINESS";
  /** Kind of document. */
  readonly identificationType?: string;
  /** Number of the document. */
  readonly identification?: string;
  /** Of an individual. */
  readonly gender?: "M" | "F";
  /** Given name of an individual. */
  readonly firstName?: string;
  /** Family name of an individual. */
  readonly lastName?: string;
  /** Name of a business. */
  readonly companyName?: string;
  /** Date of birth, YYYY-MM-DD. */
  readonly birthDate?: string;
  /** Nationality, or the country of a company: ISO 3166-1 alpha-2. */
  readonly nationality?: string;
  readonly address?: PersonAddress;
};

/** Where a person lives or a company has its seat, and how to reach it there. */
export type PersonAddress = {
  /** Street and number. */
  readonly addressLine1?: string;
  /** Second line. */
  readonly addressLine2?: string;
  /** City. */
  readonly city?: string;
  /** State, province or region. */
  readonly state?: string;
  /** Postal code. */
  readonly postalCode?: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode?: string;
  /** Phone number. */
  readonly phoneNumber?: string;
  /** E-mail address. */
  readonly emailAddress?: string;
};

/** A number whose checksum does not fit, or a postal code that looks like none of its country. */
export type PersonAdvice = {
  /** Dotted path of the number. */
  readonly field: string;
  /** What looks mistyped. */
  readonly message: string;
};

/** What of a person changes: a member that is null is taken away, one that is absent stays (RFC 7396). */
export type PersonChange = {
  /** Kind of person. */
  readonly type?: "INDIVIDUAL" | null;
  /** Kind of document. */
  readonly identificationType?: string | null;
  /** Number of the document. */
  readonly identification?: string | null;
  /** Of an individual. */
  readonly gender?: "M" | "F" | null;
  /** Given name of an individual. */
  readonly firstName?: string | null;
  /** Family name of an individual. */
  readonly lastName?: string | null;
  /** Name of a business. */
  readonly companyName?: string | null;
  /** Date of birth, YYYY-MM-DD. */
  readonly birthDate?: string | null;
  /** Nationality, or the country of a company: ISO 3166-1 alpha-2. */
  readonly nationality?: string | null;
  /** Parts of the address to change; null takes all of it away. */
  readonly address?: {
    /** Street and number. */
    readonly addressLine1?: string | null;
    /** Second line. */
    readonly addressLine2?: string | null;
    /** City. */
    readonly city?: string | null;
    /** State, province or region. */
    readonly state?: string | null;
    /** Postal code. */
    readonly postalCode?: string | null;
    /** ISO 3166-1 alpha-2. */
    readonly countryCode?: string | null;
    /** Phone number. */
    readonly phoneNumber?: string | null;
    /** E-mail address. */
    readonly emailAddress?: string | null;
  } | null;
};

/** What was decided of a person. */
export type PersonDecision = {
  /** What was decided. */
  readonly status: "APPROVED" | "REJECTED";
  /** Id of the record; absent when nothing was kept. */
  readonly id?: string;
  /** Kind of person. */
  readonly type?: "INDIVIDUAL" | "BUSINESS";
  /** Given name of an individual. */
  readonly firstName?: string;
  /** Family name of an individual. */
  readonly lastName?: string;
  /** Why it was rejected. */
  readonly message?: string;
  /** Why it is not approved, for programs. */
  readonly reasonCodes?: readonly ("REQUIREMENT_NOT_MET" | "SCREENING_HIT")[];
};

/** A page of persons. */
export type PersonPage = {
  /** The newest first. */
  readonly people: readonly ListedParticipant[];
  /** `after` of the next page; null on the last. A page with few records, or none, may have it. */
  readonly next: string | null;
};

/** A person or business to decide about. */
export type PersonRequest = {
  /** Kind of person. */
  readonly type?: "INDIVIDUAL" | "BUSINESS";
  /** Kind of document. */
  readonly identificationType?: string;
  /** Number of the document. */
  readonly identification?: string;
  /** Of an individual. */
  readonly gender?: "M" | "F";
  /** Given name of an individual. */
  readonly firstName?: string;
  /** Family name of an individual. */
  readonly lastName?: string;
  /** Name of a business. */
  readonly companyName?: string;
  /** Date of birth, YYYY-MM-DD. */
  readonly birthDate?: string;
  /** Nationality, or the country of a company: ISO 3166-1 alpha-2. */
  readonly nationality?: string;
  readonly address?: PersonAddress;
};

/** What would be decided of a person. */
export type PersonValidation = {
  /** What was decided. */
  readonly status: "APPROVED" | "REJECTED";
  /** Id of the record; absent when nothing was kept. */
  readonly id?: string;
  /** Kind of person. */
  readonly type?: "INDIVIDUAL" | "BUSINESS";
  /** Given name of an individual. */
  readonly firstName?: string;
  /** Family name of an individual. */
  readonly lastName?: string;
  /** Why it was rejected. */
  readonly message?: string;
  /** Why it is not approved, for programs. */
  readonly reasonCodes?: readonly ("REQUIREMENT_NOT_MET" | "SCREENING_HIT")[];
  /** Numbers that look mistyped; absent when none does. They are no reason to reject a person. */
  readonly advice?: readonly PersonAdvice[];
};

/** A key of PIX. */
export type PixDestination = {
  /** Which of the variants it is. */
  readonly type: "PIX";
  readonly pix: PixKey;
};

/** The key. */
export type PixKey = {
  /** Key in the directory of PIX. */
  readonly key: string;
  /** DOCUMENT for a CPF or CNPJ, EVP for a random key. */
  readonly keyType: "EMAIL" | "PHONE" | "DOCUMENT" | "EVP";
};

/** A key of PIX. */
export type PixPayout = {
  /** Which of the variants it is. */
  readonly type: "PIX";
  /** Destination country, ISO 3166-1 alpha-3; where it is missing that of the recipient's address counts. */
  readonly countryCode?: string;
  /** Key in the directory of PIX. */
  readonly key: string;
  /** DOCUMENT for a CPF or CNPJ, EVP for a random key. */
  readonly keyType: "EMAIL" | "PHONE" | "DOCUMENT" | "EVP";
};

/** A call to a provider. */
export type ProviderAttempt = {
  /** For example authorize, prepare or release. */
  readonly step: string;
  /** Name of the provider. */
  readonly provider: string;
  /** send, or ask after an unknown outcome. */
  readonly approach: string;
  /** Status in the provider's report, absent or unknown. */
  readonly outcome: string;
  /** When the outcome was there. */
  readonly at: string | null;
  /** How long the call took. */
  readonly tookMs: number;
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
};

/** What a provider holds. */
export type ProviderBalances = {
  /** Name of the provider. */
  readonly providerId: string;
  /** Its funds by currency. */
  readonly balances: readonly CurrencyBalance[];
};

/** A key that verifies access tokens (RFC 7517). */
export type PublicKey = {
  /** Kind of key. */
  readonly kty: "RSA";
  /** Modulus, base64url. */
  readonly n: string;
  /** Exponent, base64url. */
  readonly e: string;
  /** Id of the key, `kid` of the tokens that it verifies. */
  readonly kid: string;
  /** What it is for. */
  readonly use: "sig";
  /** Algorithm. */
  readonly alg: "RS256";
};

/** A schema that is published. */
export type PublishedSchema = {
  /** ISO 3166-1 alpha-3 code, the same after `person/`, `push` or `customer`. */
  readonly name: string;
  /** Title of the document. */
  readonly title: string;
  /** The present version. */
  readonly version: string;
  /** What can be read. */
  readonly versions: readonly string[];
  /** Entity tag of the present document. */
  readonly etag: string;
  /** Path of the present document. */
  readonly href: string;
};

/** The published schemas. */
export type PublishedSchemas = {
  /** The schemas, sorted by name. */
  readonly schemas: readonly PublishedSchema[];
};

/** A card, by its token in either place. */
export type PullCardSource = {
  /** Which of the variants it is. */
  readonly type: "CARD";
  readonly card?: SourceCard;
  /** Token of the client-side card tokenizer, a UUID. */
  readonly cardTokenId?: string;
};

/** What is collected from. */
export type PullMethod = AccountTokenMethod | CardMethod;

/** Collects from a sender. */
export type PullPayment = {
  /** Which of the variants it is. */
  readonly paymentType: "PULL";
  /** The caller's id of the payment, its permanent idempotency key. */
  readonly externalPaymentId: string;
  /** IPv4 or IPv6 address of the originator. */
  readonly ipAddress?: string;
  readonly amount: SourceAmount;
  /** Text on the recipient's statement, or on that of the payer of a PULL. */
  readonly dynamicDescriptor?: string;
  readonly additionalData?: AdditionalData;
  readonly sender: AnyPullSender;
  /** False only authorises a card: capture or void it later. True when absent. */
  readonly capture?: boolean;
};

/** Collects from a sender and pays a recipient. */
export type PullPushPayment = {
  /** Which of the variants it is. */
  readonly paymentType: "PULLPUSH";
  /** The caller's id of the payment, its permanent idempotency key. */
  readonly externalPaymentId: string;
  /** IPv4 or IPv6 address of the originator. */
  readonly ipAddress: string;
  readonly amount: SourceAmount;
  /** Text on the recipient's statement, or on that of the payer of a PULL. */
  readonly dynamicDescriptor?: string;
  readonly additionalData?: AdditionalData;
  readonly recipientAmount: RecipientAmount;
  /** Rate between the currencies; must equal that of the quote. Required of customers. */
  readonly exchangeRate?: Decimal;
  /** Quote of POST /v2/foreign-exchange. Required when the currencies differ, but of customers. */
  readonly fxId?: string;
  readonly recipient: AnyRecipient;
  readonly sender: AnySourcedSender;
  /** Not used on a PULLPUSH. */
  readonly capture?: boolean;
};

/** Where the money comes from. */
export type PullPushSource = CardSource | BankAccountSource;

/** Collects from a sender and pays a recipient. */
export type PullPushTransaction = {
  /** Which of the variants it is. */
  readonly paymentType: "PULLPUSH";
  /** The caller's id of the payment, its permanent idempotency key. */
  readonly externalPaymentId: string;
  /** IPv4 or IPv6 address of the originator. */
  readonly ipAddress: string;
  readonly amount: SourceAmount;
  /** Text on the recipient's statement, or on that of the payer of a PULL. */
  readonly dynamicDescriptor?: string;
  readonly additionalData?: AdditionalData;
  readonly recipientAmount: RecipientAmount;
  /** Rate between the currencies; must equal that of the quote. Required of customers. */
  readonly exchangeRate?: Decimal;
  /** Quote of POST /v2/foreign-exchange. Required when the currencies differ, but of customers. */
  readonly fxId?: string;
  readonly recipient: AnyRecipient;
  readonly sender: AnySourcedSender;
  /** Not used on a PULLPUSH. */
  readonly capture?: boolean;
  /** The agent's own name for the transaction. */
  readonly externalId?: string | null;
};

/** Who is collected from, and what. */
export type PullSender = {
  /** Given name. */
  readonly firstName: string;
  /** Family name. */
  readonly lastName: string;
  readonly address?: Address;
  /** E-mail address. */
  readonly email?: string;
  /** Phone number. */
  readonly phoneNumber?: string;
  readonly paymentMethod: PullMethod;
};

/** What is collected from, in the words of a PULLPUSH. */
export type PullSource = AccountTokenMethod | BankAccountSource | PullCardSource;

/** Collects from a sender. */
export type PullTransaction = {
  /** Which of the variants it is. */
  readonly paymentType: "PULL";
  /** The caller's id of the payment, its permanent idempotency key. */
  readonly externalPaymentId: string;
  /** IPv4 or IPv6 address of the originator. */
  readonly ipAddress?: string;
  readonly amount: SourceAmount;
  /** Text on the recipient's statement, or on that of the payer of a PULL. */
  readonly dynamicDescriptor?: string;
  readonly additionalData?: AdditionalData;
  readonly sender: AnyPullSender;
  /** False only authorises a card: capture or void it later. True when absent. */
  readonly capture?: boolean;
  /** The agent's own name for the transaction. */
  readonly externalId?: string | null;
};

/** Pays a recipient out of the tenant's account. */
export type PushPayment = {
  /** Which of the variants it is. */
  readonly paymentType: "PUSH";
  /** The caller's id of the payment, its permanent idempotency key. */
  readonly externalPaymentId: string;
  /** IPv4 or IPv6 address of the originator. */
  readonly ipAddress: string;
  readonly amount: SourceAmount;
  /** Text on the recipient's statement, or on that of the payer of a PULL. */
  readonly dynamicDescriptor?: string;
  readonly additionalData?: AdditionalData;
  readonly recipientAmount: RecipientAmount;
  /** Rate between the currencies; must equal that of the quote. Required of customers. */
  readonly exchangeRate?: Decimal;
  /** Quote of POST /v2/foreign-exchange. Required when the currencies differ, but of customers. */
  readonly fxId?: string;
  readonly recipient: AnyRecipient;
  readonly sender: AnySender;
  /** Not used on a push. */
  readonly capture?: boolean;
};

/** Pays a recipient out of the tenant's account. */
export type PushTransaction = {
  /** Which of the variants it is. */
  readonly paymentType: "PUSH";
  /** The caller's id of the payment, its permanent idempotency key. */
  readonly externalPaymentId: string;
  /** IPv4 or IPv6 address of the originator. */
  readonly ipAddress: string;
  readonly amount: SourceAmount;
  /** Text on the recipient's statement, or on that of the payer of a PULL. */
  readonly dynamicDescriptor?: string;
  readonly additionalData?: AdditionalData;
  readonly recipientAmount: RecipientAmount;
  /** Rate between the currencies; must equal that of the quote. Required of customers. */
  readonly exchangeRate?: Decimal;
  /** Quote of POST /v2/foreign-exchange. Required when the currencies differ, but of customers. */
  readonly fxId?: string;
  readonly recipient: AnyRecipient;
  readonly sender: AnySender;
  /** Not used on a push. */
  readonly capture?: boolean;
  /** The agent's own name for the transaction. */
  readonly externalId?: string | null;
};

/** A rate that one payment may use. */
export type Quote = {
  /** Id of the quote: the fxId of a payment. */
  readonly fxId: string;
  /** Rate that is promised: the exchangeRate of a payment. */
  readonly conversionRate: Decimal;
  /** ISO 4217 code of what is paid. */
  readonly sourceCurrencyCode: string;
  /** ISO 4217 code of what is received. */
  readonly destinationCurrencyCode: string;
  /** The rate is invalid from here on. */
  readonly quoteIdExpiryDateTime: string;
};

/** A quote: what it was made of and what became of it. */
export type QuoteDetail = {
  /** Id of the quote: the fxId of a payment. */
  readonly fxId: string;
  /** ISO 4217 code of what is paid. */
  readonly sourceCurrencyCode: string;
  /** ISO 4217 code of what is received. */
  readonly destinationCurrencyCode: string;
  /** How the recipient is paid. */
  readonly paymentMethod: "BANK_ACCOUNT" | "WALLET" | "CARD";
  /** Rate that is promised. */
  readonly conversionRate: Decimal;
  /** Mid-market rate that it was made from. */
  readonly midRate: Decimal;
  /** What was taken off the mid-market rate, in basis points. */
  readonly marginBps: number;
  /** Day of the mid-market rate. */
  readonly rateDate: string;
  /** Names of the sources of the mid-market rate, or of the installed package. */
  readonly rateSource: string;
  /** Time of the mid-market rate; when it was read, if its source gives only the day. */
  readonly rateReadAt: string;
  /** The round of reading that it comes from. */
  readonly rateSnapshot: string | null;
  /** What the rate was made of, currency by currency. */
  readonly rates: readonly RateLeg[];
  /** How a converted amount is rounded to the minor unit. */
  readonly rounding: "HALF_EVEN";
  /** When the quote was made. */
  readonly createdAt: string;
  /** The rate is invalid from here on. */
  readonly quoteIdExpiryDateTime: string;
  /** What became of the quote. */
  readonly status: "OPEN" | "USED" | "EXPIRED";
  /** The payment that has used the quote. */
  readonly paymentId: string | null;
};

/** A page of quotes. */
export type QuotePage = {
  /** The newest first. */
  readonly quotes: readonly ListedQuote[];
  /** `after` of the next page; null on the last. A page with few quotes, or none, may have it. */
  readonly next: string | null;
};

/** Which rate is asked for. */
export type QuoteRequest = {
  /** ISO 4217 code of what is paid. */
  readonly sourceCurrencyCode: string;
  /** ISO 4217 code of what is received. */
  readonly destinationCurrencyCode: string;
  /** How the recipient is paid: BANK_ACCOUNT, WALLET or CARD. */
  readonly paymentMethod: string;
  /** Does not change the rate; a limit of the platform's position may leave no room for it (PAY_001). A number, or a quoted one. */
  readonly sourceCurrencyAmount?: Decimal;
  /** ISO 3166-1 alpha-3 code; narrows the rate to a corridor. There is no route to any other text: PAY_001. */
  readonly destinationCountryCode?: string;
};

/** A currency's rate to the US dollar. */
export type RateLeg = {
  /** ISO 4217 code. */
  readonly currency: string;
  /** Units for one US dollar that the sources come to, decimal text. */
  readonly perUsd: string;
  /** What each source answered. */
  readonly readings: readonly RateReading[];
};

/** A currency's rate at one source. */
export type RateReading = {
  /** Name of the source. */
  readonly source: string;
  /** Units for one US dollar at this source, decimal text. */
  readonly perUsd: string;
  /** Of when that is. */
  readonly asOf: string | null;
};

/** The gateway takes requests. */
export type Ready = {
  /** Always the same word. */
  readonly status: "ok";
  /** Services that do not answer; their routes are 503. */
  readonly missing: readonly string[];
};

/** Who is paid, and how. */
export type Recipient = {
  /** Given name. */
  readonly firstName: string;
  /** Family name. */
  readonly lastName: string;
  readonly paymentMethod: PayoutMethod;
  readonly address?: Address;
  /** Identity documents. */
  readonly documents?: readonly PartyDocument[];
  /** E-mail address. */
  readonly email?: string;
  /** Phone number. */
  readonly phoneNumber?: string;
  /** Another name for phoneNumber. */
  readonly contactNumber?: string;
  /** Date of birth, YYYY-MM-DD. */
  readonly birthDate?: string;
  /** Another name for birthDate. */
  readonly dateOfBirth?: string;
  /** Country of birth, ISO 3166-1 alpha-3. */
  readonly birthCountryCode?: string;
};

/** Who is paid and how, as in a payment; what its country asks for, GET /schema/{countryCode} says. */
export type RecipientAccountRequest = {
  readonly recipient: Recipient;
  readonly additionalData?: AdditionalData;
};

/** What the recipient is to get, as callers compute it: up to 17 significant digits, rounded once, half to even. */
export type RecipientAmount = {
  /** The amount. */
  readonly total: Decimal;
  /** ISO 4217 code. */
  readonly currency: string;
};

/** What the recipient gets; null where no recipient is paid. */
export type RecipientAmountOrNone = {
  /** Exact amount. */
  readonly total: Decimal;
  /** ISO 4217 code. */
  readonly currency: string;
} | null;

/** The first answer to a refund, which repeats of it get again. */
export type RefundReceipt = {
  /** Id of the payment; of a refund its own. */
  readonly paymentId: string;
  /** Equals paymentId for a root payment; of a refund the payment that it gives back. */
  readonly parentPaymentId: string;
  /** The caller's id of the payment. */
  readonly externalPaymentId: string;
  /** Amount of the operation. */
  readonly amount: Decimal;
  /** When it took effect; of a refund when it was asked for. UTC. */
  readonly created: string;
  /** True when it succeeded. */
  readonly approved: boolean;
  /** True when the platform did it by itself. */
  readonly automaticReversed: boolean;
  /** Status after the operation. */
  readonly status: "PENDING" | "AUTHORIZED" | "CAPTURED" | "REFUNDED" | "VOIDED" | "DECLINED" | "ERROR";
  /** True once captured. */
  readonly captured: boolean;
  /** True once voided. */
  readonly voided: boolean;
  /** The caller's id of the refund. */
  readonly externalRefundId: string;
  /** 82: the cardholder's confirmation failed or came too late; 00: approved; 05: declined, without a reason of its own; 09: in progress: the outcome comes by webhook or look-up; 1A: the cardholder must confirm first, at redirectAcsUrl; PAY_022: the card check was declined by the provider. Another value is the card network's own code; status and approved say what it comes to. */
  readonly responseCode: string;
  /** As given; absent when it was not. */
  readonly reason?: string;
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
};

/** What is given back. */
export type RefundRequest = {
  /** The caller's id of the refund, its permanent idempotency key. */
  readonly externalRefundId: string;
  /** What to give back, in the currency of the payment. All that is left when absent. */
  readonly amount?: Decimal;
  /** Plain words, kept with the refund. */
  readonly reason?: string;
};

/** Somebody who stands behind a company. */
export type RelatedParty = {
  /** Id of a person or company of the same tenant. */
  readonly participantId: string;
  /** What it is to the company, each once. */
  readonly roles: readonly ("OWNER" | "DIRECTOR" | "SIGNATORY" | "CONTROLLER")[];
  /** Of owners alone: per cent of the company, above 0, with up to four decimals. */
  readonly share?: Decimal;
};

/** A token that shall not work any more. */
export type RevocationRequest = {
  /** The access token. */
  readonly token: string;
  /** Not needed: there is one type of token. */
  readonly token_type_hint?: string;
  /** Absent with HTTP Basic. */
  readonly client_id?: string;
  /** Absent with HTTP Basic. */
  readonly client_secret?: string;
};

/** What an id belongs to. */
export type SearchResult = {
  /** At most 100; empty for an id of nothing. */
  readonly found: readonly Found[];
  /** Services that did not answer in time: what they keep may be missing. */
  readonly missing: readonly ("payment" | "fx" | "wallet" | "identity" | "webhook")[];
};

/** Who pays. */
export type Sender = {
  /** Given name. */
  readonly firstName: string;
  /** Family name. */
  readonly lastName: string;
  readonly address: Address;
  /** E-mail address. */
  readonly email?: string;
  /** Phone number. */
  readonly phoneNumber?: string;
  /** Date of birth, YYYY-MM-DD. */
  readonly birthDate?: string;
  /** Country of birth, ISO 3166-1 alpha-3. */
  readonly birthCountryCode?: string;
  /** Identity documents. */
  readonly documents?: readonly PartyDocument[];
};

/** A session, in which a person shows an identity document. */
export type Session = {
  /** Id of the session. */
  readonly sessionId: string;
  /** Who the session is about, in the caller's words. */
  readonly userRef: string;
  /** What has become of the document; PENDING until there is more to say. */
  readonly status: "PENDING" | "VERIFIED" | "REJECTED" | "SUPERSEDED" | "FAILED" | "ERRORED" | "EXPIRED";
  /** The page on which the person shows the document. */
  readonly url: string;
  /** How often the person may still try. */
  readonly attemptsRemaining: number;
  /** When it was opened. */
  readonly createdAt: string;
  /** When the page closes. */
  readonly expiresAt: string;
  /** The last decision; null before the first. */
  readonly decision: {
    /** What was decided. */
    readonly status: "VERIFIED" | "REJECTED";
    /** Why, for programs. */
    readonly reasonCode?: string;
    /** When it was decided. */
    readonly decidedAt: string;
  } | null;
  /** Kinds of documents that the person may show, 2 to 64 capital letters and underscores each; a passport without it. */
  readonly documentTypes: readonly string[];
  /** Kind of verification, in the caller's words. */
  readonly type?: string;
  /** ISO 3166-1 code of the document's country. */
  readonly countryCode?: string;
  /** Id of a person that the session is about. */
  readonly personId?: string;
  /** Where the page leads back to. */
  readonly redirectUrl?: string;
  /** Kept and shown, never looked at. */
  readonly metadata?: { readonly [name: string]: unknown };
};

/** A session to open. */
export type SessionRequest = {
  /** Who the session is about, in the caller's words. */
  readonly userRef: string;
  /** Kinds of documents that the person may show, 2 to 64 capital letters and underscores each; a passport without it. */
  readonly documentTypes?: readonly string[];
  /** Kind of verification, in the caller's words. */
  readonly type?: string;
  /** ISO 3166-1 code of the document's country. */
  readonly countryCode?: string;
  /** Id of a person that the session is about. */
  readonly personId?: string;
  /** Where the page leads back to. */
  readonly redirectUrl?: string;
  /** Kept and shown, never looked at. */
  readonly metadata?: { readonly [name: string]: unknown };
};

/** A session to ask about. */
export type SessionVerification = {
  /** The session to ask about; `documentId` names an upload instead. */
  readonly sessionId: string;
  /** What to look at; kept with the verification. */
  readonly checks?: readonly string[];
};

/** What is taken from the sender: exact, with no more decimals than the currency has. */
export type SourceAmount = {
  /** The amount. */
  readonly total: Decimal;
  /** ISO 4217 code. */
  readonly currency: string;
};

/** The card. */
export type SourceCard = {
  /** Token of the client-side card tokenizer, a UUID. */
  readonly token: string;
};

/** A customer who pays, and from where. */
export type SourcedCustomerSender = {
  readonly customer: Customer;
  readonly customerAddress: CustomerAddress;
  readonly source: PullPushSource;
};

/** Who is collected from, and what, in the words of a PULLPUSH. */
export type SourcedPullSender = {
  /** Given name. */
  readonly firstName: string;
  /** Family name. */
  readonly lastName: string;
  readonly address?: Address;
  /** E-mail address. */
  readonly email?: string;
  /** Phone number. */
  readonly phoneNumber?: string;
  readonly source: PullSource;
};

/** Who pays, and from where. */
export type SourcedSender = {
  /** Given name. */
  readonly firstName: string;
  /** Family name. */
  readonly lastName: string;
  readonly address: Address;
  /** E-mail address. */
  readonly email?: string;
  /** Phone number. */
  readonly phoneNumber?: string;
  /** Date of birth, YYYY-MM-DD. */
  readonly birthDate?: string;
  /** Country of birth, ISO 3166-1 alpha-3. */
  readonly birthCountryCode?: string;
  /** Identity documents. */
  readonly documents?: readonly PartyDocument[];
  readonly source: PullPushSource;
};

/** A settled entry. */
export type StatementEntry = {
  /** Id of what was settled. */
  readonly transactionId: string;
  /** The caller's id; null where there is none. */
  readonly externalId: string | null;
  /** Direction. */
  readonly type: "CREDIT" | "DEBIT";
  /** Exact amount, with no more decimals than the asset has. */
  readonly amount: Decimal;
  /** The caller's own text. */
  readonly description: string | null;
  /** Settled total after this entry. */
  readonly balanceAfter: Decimal;
  /** When it was settled. */
  readonly createdAt: string;
};

/** Whether payment messages can carry it as structured data (ISO 20022). */
export type StructuredAddress = {
  /** True when they can: town and country are needed. */
  readonly isReady: boolean;
  /** What is missing for that. */
  readonly missing: readonly string[];
  /** What is too long for that. */
  readonly tooLong: readonly string[];
};

/** A login that is begun. */
export type TenantDeviceLogin = {
  /** Slug of the tenant. */
  readonly tenant: string;
};

/** A person who is invited. */
export type TenantInvitation = {
  /** Who logs in with this address, verified, within seven days. */
  readonly email: string;
  /** What it may do. */
  readonly roles: readonly ("viewer" | "developer" | "finance" | "admin")[];
};

/** A login that is begun. */
export type TenantLogin = {
  /** Slug of the tenant. */
  readonly tenant: string;
  /** Where the identity provider sends the browser back to: a configured address, or one of this machine. */
  readonly redirectUri: string;
};

/** What changes of a user. In force at once. */
export type TenantUserChange = {
  /** What it may do. */
  readonly roles?: readonly ("viewer" | "developer" | "finance" | "admin")[];
  /** True shuts it out, and ends its sessions. */
  readonly isDisabled?: boolean;
};

/** Credentials for a token. */
export type TokenRequest = {
  /** The only grant there is. */
  readonly grant_type: "client_credentials";
  /** Absent with HTTP Basic. */
  readonly client_id?: string;
  /** Absent with HTTP Basic. */
  readonly client_secret?: string;
  /** Scopes parted by single spaces; absent asks for all that the client owns. */
  readonly scope?: string;
};

/** A payment as its agent sees it. */
export type Transaction = {
  /** Id of the transaction; also the paymentId. */
  readonly transactionId: string;
  /** The agent's externalId; null when it gave none. */
  readonly externalTransactionId: string | null;
  /** The externalPaymentId of the request. */
  readonly externalPaymentId: string;
  /** What it does. */
  readonly paymentType: "PUSH" | "PULL" | "PULLPUSH";
  /** Transaction state. */
  readonly status: "Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview";
  /** Compliance status. */
  readonly complianceStatus: string;
  /** Status of the payout leg. */
  readonly payoutStatus: string | null;
  /** Payment status. */
  readonly paymentStatus: string;
  readonly amount: Amount;
  readonly recipientAmount: RecipientAmountOrNone;
  /** The quote that it used. */
  readonly fxId: string | null;
  /** What the agent notes on it. */
  readonly metadata: { readonly [name: string]: string };
  /** When it was accepted. */
  readonly createdAt: string;
  /** When it last moved. */
  readonly updatedAt: string;
  /** Where the cardholder confirms; only while a challenge is open. */
  readonly redirectAcsUrl?: string;
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
};

/** What was asked for. */
export type TransactionCancel = {
  /** Id of the transaction; also the paymentId. */
  readonly transactionId: string;
  /** The agent's externalId; null when it gave none. */
  readonly externalTransactionId: string | null;
  /** What was asked for; webhooks and look-ups show how it ends. */
  readonly status: "CancelRequested";
  /** The first time it was asked for. */
  readonly requestedAt: string | null;
};

/** The moves of a transaction. */
export type TransactionHistory = {
  /** The oldest first. */
  readonly items: readonly TransactionMove[];
};

/** What the agent notes on a transaction. */
export type TransactionMetadata = {
  /** At most 20 notes, with keys of 1 to 64 characters. They replace those before. */
  readonly metadata: { readonly [name: string]: string };
};

/** A move of a transaction. */
export type TransactionMove = {
  /** State before; null on the first move. */
  readonly oldStatus: string | null;
  /** Transaction state. */
  readonly newStatus: "Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview";
  /** When it was decided. */
  readonly occurredAt: string | null;
  /** Words for people. */
  readonly messages: readonly string[];
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
};

/** Next states by state. */
export type TransactionMoves = {
  /** After Created. */
  readonly Created: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After PaymentProcessing. */
  readonly PaymentProcessing: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After WaitingChallenge3ds. */
  readonly WaitingChallenge3ds: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After PaymentAuthorized. */
  readonly PaymentAuthorized: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After PaymentDeclined. */
  readonly PaymentDeclined: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After PaymentCaptured. */
  readonly PaymentCaptured: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After WaitingSettlement. */
  readonly WaitingSettlement: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After PaymentSettled. */
  readonly PaymentSettled: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After ProcessingPayout. */
  readonly ProcessingPayout: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After PayoutAccepted. */
  readonly PayoutAccepted: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After PayoutHold. */
  readonly PayoutHold: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After PayoutReleased. */
  readonly PayoutReleased: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After PayoutRejected. */
  readonly PayoutRejected: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After ManualReview. */
  readonly ManualReview: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After ReviewApproved. */
  readonly ReviewApproved: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After ReviewRejected. */
  readonly ReviewRejected: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After WaitingPayout. */
  readonly WaitingPayout: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After Paid. */
  readonly Paid: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After Completed. */
  readonly Completed: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After Cancelled. */
  readonly Cancelled: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After CancelRequested. */
  readonly CancelRequested: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After Refunded. */
  readonly Refunded: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After Voided. */
  readonly Voided: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After Error. */
  readonly Error: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After PendingReversalApproval. */
  readonly PendingReversalApproval: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
  /** After BlockedPendingReview. */
  readonly BlockedPendingReview: readonly ("Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview")[];
};

/** A page of transactions. */
export type TransactionPage = {
  /** The newest first. */
  readonly items: readonly Transaction[];
  /** Cursor for the next page; null on the last. */
  readonly next: string | null;
};

/** The first answer to a transaction, which repeats of it get again. */
export type TransactionReceipt = {
  /** Id of the transaction; also the paymentId. */
  readonly transactionId: string;
  /** The agent's externalId; null when it gave none. */
  readonly externalTransactionId: string | null;
  /** Id of the payment. */
  readonly paymentId: string;
  /** Equals paymentId for a root payment. */
  readonly parentPaymentId: string;
  /** The caller's id. */
  readonly externalPaymentId: string;
  /** Amount of the payment. */
  readonly amount: Decimal;
  /** When the payment was accepted. UTC. */
  readonly created: string;
  /** PENDING once accepted. */
  readonly status: "PENDING" | "AUTHORIZED" | "CAPTURED" | "REFUNDED" | "VOIDED" | "DECLINED" | "ERROR";
  /** False on a pending push; this is not a decline. */
  readonly approved: boolean;
  /** True once captured. */
  readonly captured: boolean;
  /** True once voided. */
  readonly voided: boolean;
  /** 82: the cardholder's confirmation failed or came too late; 00: approved; 05: declined, without a reason of its own; 09: in progress: the outcome comes by webhook or look-up; 1A: the cardholder must confirm first, at redirectAcsUrl; PAY_022: the card check was declined by the provider. Another value is the card network's own code; status and approved say what it comes to. */
  readonly responseCode: string;
  /** True when the platform reversed the payment by itself. */
  readonly automaticReversed: boolean;
  /** What the provider said, on a pull. */
  readonly message?: string;
  /** Authorisation code, on a pull by card. */
  readonly authCode?: string;
  /** Where the cardholder confirms a challenge; only while there is one. */
  readonly redirectAcsUrl?: string;
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
};

/** A payment through an agent's door. */
export type TransactionRequest = PushTransaction | PullPushTransaction | PullTransaction;

/** Somebody who was invited or has come. */
export type User = {
  /** Id. */
  readonly userId: string;
  /** The address that was invited; null for who came by the identity provider's word alone. */
  readonly email: string | null;
  /** Roles that are bound here, beside those that the identity provider names. */
  readonly roles: readonly string[];
  /** True: it is shut out. */
  readonly isDisabled: boolean;
  /** True once it has logged in. */
  readonly hasCome: boolean;
  /** When it was invited, or came. */
  readonly createdAt: string | null;
};

/** Who calls. */
export type UserSession = {
  /** Id of the user; null for a static token. */
  readonly userId: string | null;
  /** Slug of the tenant; null for an operator. */
  readonly tenant: string | null;
  /** What it may do. */
  readonly roles: readonly string[];
  /** When the proof ends by itself; a session that is used goes on. Null: never. */
  readonly expiresAt: string | null;
};

/** All sessions of one user that hold. */
export type UserSessions = {
  /** The newest first, at most 100. */
  readonly sessions: readonly OpenSession[];
};

/** All users. */
export type Users = {
  /** The oldest first. */
  readonly users: readonly User[];
};

/** A question what has become of a session or an upload. */
export type Verification = {
  /** Id of the verification. */
  readonly verificationId: string;
  /** What has become of the document; PENDING until there is more to say. */
  readonly status: "PENDING" | "VERIFIED" | "REJECTED" | "SUPERSEDED" | "FAILED" | "ERRORED" | "EXPIRED";
  /** The session that is asked about. */
  readonly sessionId?: string;
  /** The uploaded document that is asked about, in place of a session. */
  readonly documentId?: string;
};

/** What to ask about: with `documentId` a DocumentVerification, else a SessionVerification. */
export type VerificationRequest = SessionVerification | DocumentVerification;

/** A card that was verified, or is challenged. */
export type VerifiedCard = {
  readonly card: CheckedCard;
  readonly verificationResults: CardResults;
  readonly octStatus: CardCapability;
  readonly aftStatus: CardCapability;
  /** Empty, or where the cardholder has to be sent before there is a verdict. */
  readonly redirectAcsUrl: string;
};

/** The first answer to a void, which repeats of it get again. */
export type VoidReceipt = {
  /** Id of the payment; of a refund its own. */
  readonly paymentId: string;
  /** Equals paymentId for a root payment; of a refund the payment that it gives back. */
  readonly parentPaymentId: string;
  /** The caller's id of the payment. */
  readonly externalPaymentId: string;
  /** Amount of the operation. */
  readonly amount: Decimal;
  /** When it took effect; of a refund when it was asked for. UTC. */
  readonly created: string;
  /** True when it succeeded. */
  readonly approved: boolean;
  /** True when the platform did it by itself. */
  readonly automaticReversed: boolean;
  /** Status after the operation. */
  readonly status: "PENDING" | "AUTHORIZED" | "CAPTURED" | "REFUNDED" | "VOIDED" | "DECLINED" | "ERROR";
  /** True once captured. */
  readonly captured: boolean;
  /** True once voided. */
  readonly voided: boolean;
  /** Plain words. */
  readonly message: string;
  /** Authorisation code; empty when there is none. */
  readonly authCode: string;
  /** Issuing bank; empty when it is not known. */
  readonly issuerName: string;
  /** Issuing country, ISO 3166-1 alpha-2; empty when it is not known. */
  readonly issuerCountry: string;
  /** Security code check, or N/A. */
  readonly cvcResult: string;
  /** Address check, or N/A. */
  readonly avsResult: string;
};

/** A hold that is released. */
export type VoidedTransaction = {
  /** Id of the transaction. */
  readonly transactionId: string;
  /** Id of the wallet. */
  readonly walletId: string;
  /** It is released. */
  readonly status: "VOIDED";
  /** Exact amount, with no more decimals than the asset has. */
  readonly amount: Decimal;
  /** When it was released. */
  readonly voidedAt: string;
};

/** A transfer that was given back. */
export type VoidedTransfer = {
  /** Id of the transfer. */
  readonly transferId: string;
  /** The caller's id. */
  readonly externalTransferId: string;
  /** The amount is back. */
  readonly status: "VOIDED";
  /** When it was reversed. */
  readonly voidedAt: string;
};

/** A wallet. */
export type Wallet = {
  /** Id of the wallet. */
  readonly walletId: string;
  /** Currency of ISO 4217, or another asset code. */
  readonly accountAsset: string;
  /** The caller's name for the owner. */
  readonly ownerId: string;
  /** The caller's name for the beneficiary. */
  readonly beneficiaryId: string;
  /** Kind of wallet. */
  readonly type: string;
  /** A frozen or closed wallet takes part in no movement. */
  readonly status: "ACTIVE" | "FROZEN" | "CLOSED";
  /** When it was opened. */
  readonly createdAt: string;
  /** The caller's own facts, kept as they are. */
  readonly additionalInfo?: { readonly [name: string]: unknown };
};

/** What a wallet has. */
export type WalletBalance = {
  /** Id of the wallet. */
  readonly walletId: string;
  /** Currency of ISO 4217, or another asset code. */
  readonly accountAsset: string;
  /** What may be spent. */
  readonly availableBalance: Decimal;
  /** Open holds, debits and credits. */
  readonly heldBalance: Decimal;
  /** Available and held. */
  readonly totalBalance: Decimal;
};

/** A wallet of this platform or of an operator. */
export type WalletDestination = {
  /** Which of the variants it is. */
  readonly type: "WALLET";
  readonly wallet: WalletName;
};

/** A movement of wallets, as it stands. */
export type WalletMovement = {
  /** Id of the transaction or transfer. */
  readonly id: string;
  /** The caller's id; the payment's id for a payout. */
  readonly externalId: string;
  /** DEBIT and CREDIT of one wallet, PAYOUT of a payment into one, or TRANSFER between two. */
  readonly type: "DEBIT" | "CREDIT" | "PAYOUT" | "TRANSFER";
  /** VOIDED is a hold that was released, or a transfer that was given back. */
  readonly status: "COMPLETED" | "HELD" | "VOIDED" | "EXPIRED";
  /** Wallet that pays; null for what comes from outside. */
  readonly fromWallet: string | null;
  /** Wallet that receives; null for what goes outside. */
  readonly toWallet: string | null;
  /** Exact amount. */
  readonly amount: Decimal;
  /** Its asset: a currency of ISO 4217, or another asset code. */
  readonly accountAsset: string;
  /** The caller's own text. */
  readonly description: string | null;
  /** When it was made. */
  readonly createdAt: string;
  /** When its hold releases itself; null for none. */
  readonly expiresAt: string | null;
  /** When its hold ended, or the transfer was given back; null while neither has happened. */
  readonly endedAt: string | null;
};

/** A page of movements. */
export type WalletMovementPage = {
  /** The newest first. */
  readonly transactions: readonly WalletMovement[];
  /** `after` of the next page; null on the last. A page with few movements, or none, may have it. */
  readonly next: string | null;
};

/** The wallet. */
export type WalletName = {
  /** An e-mail address or an identifier. */
  readonly walletId: string;
};

/** A page of wallets. */
export type WalletPage = {
  /** The newest first. */
  readonly wallets: readonly Wallet[];
  /** `after` of the next page; null on the last. A page with few wallets, or none, may have it. */
  readonly next: string | null;
};

/** A mobile or electronic wallet. */
export type WalletPayout = {
  /** Which of the variants it is. */
  readonly type: "WALLET";
  /** Destination country, ISO 3166-1 alpha-3; where it is missing that of the recipient's address counts. */
  readonly countryCode?: string;
  /** Name of the wallet at its operator. */
  readonly walletId?: string;
  /** Kind of wallet, by the list of the country. */
  readonly walletType?: string;
  /** Operator, by the list of the country. */
  readonly walletOperator?: string;
};

/** A wallet to open. */
export type WalletRequest = {
  /** Currency of ISO 4217, or another asset code. */
  readonly accountAsset: string;
  /** The caller's name for the owner. */
  readonly ownerId: string;
  /** The caller's name for the beneficiary. */
  readonly beneficiaryId: string;
  /** Kind of wallet. */
  readonly type: string;
  /** The caller's own facts, kept as they are. */
  readonly additionalInfo?: { readonly [name: string]: unknown } | null;
};

/** Settled entries of a wallet. */
export type WalletStatement = {
  /** Id of the wallet. */
  readonly walletId: string;
  /** The entries of this page, in the order that was asked for. */
  readonly entries: readonly StatementEntry[];
  /** Page as it was asked for. */
  readonly page: number;
  /** Size as it was asked for. */
  readonly size: number;
  /** Entries within the range, on all pages. */
  readonly totalEntries: number;
};

/** A debit or credit as it was made. */
export type WalletTransaction = {
  /** Id of the transaction. */
  readonly transactionId: string;
  /** Id of the wallet. */
  readonly walletId: string;
  /** The caller's id. */
  readonly externalId: string;
  /** Exact amount, with no more decimals than the asset has. */
  readonly amount: Decimal;
  /** What it does to the wallet. */
  readonly paymentType: "DEBIT" | "CREDIT";
  /** HELD until it is confirmed or released. */
  readonly status: "COMPLETED" | "HELD";
  /** The caller's own text. */
  readonly description: string | null;
  /** When it was made. */
  readonly createdAt: string;
  /** When an open hold releases itself. */
  readonly expiresAt?: string;
};

/** A debit or credit. */
export type WalletTransactionRequest = {
  /** Id of the wallet. */
  readonly walletId: string;
  /** The caller's id, the permanent idempotency key. */
  readonly externalId: string;
  /** Exact amount, with no more decimals than the asset has. */
  readonly amount: Decimal;
  /** What it does to the wallet. */
  readonly paymentType: "DEBIT" | "CREDIT";
  /** The caller's own text. */
  readonly description?: string | null;
  /** True to reserve only; false when absent. */
  readonly hold?: boolean | null;
  /** When an open hold releases itself, of holds only; an ISO 8601 time with its offset. */
  readonly expiresAt?: string | null;
};

/** A transfer as it was made. */
export type WalletTransfer = {
  /** Id of the transfer. */
  readonly transferId: string;
  /** The caller's id. */
  readonly externalTransferId: string;
  /** Id of the wallet that paid. */
  readonly fromWallet: string;
  /** Id of the wallet that received. */
  readonly toWallet: string;
  /** Exact amount, with no more decimals than the asset has. */
  readonly amount: Decimal;
  /** Both wallets are booked. */
  readonly status: "COMPLETED";
  /** When it was made. */
  readonly createdAt: string;
};

/** An amount to move between two wallets. */
export type WalletTransferRequest = {
  /** Id of the wallet that pays. */
  readonly fromWallet: string;
  /** Id of the wallet that receives. */
  readonly toWallet: string;
  /** Exact amount, with no more decimals than the asset has. */
  readonly amount: Decimal;
  /** The caller's id, the permanent idempotency key. */
  readonly externalId: string;
  /** The caller's own text. */
  readonly description?: string | null;
};

/** An attempt to deliver. */
export type WebhookAttempt = {
  /** 1 for the first attempt. */
  readonly number: number;
  /** When it was made. */
  readonly at: string;
  /** HTTP status of the answer; null when there was none. */
  readonly status: number | null;
  /** Time it took, milliseconds. */
  readonly durationMs: number;
  /** Why there was no answer. */
  readonly failure: "timeout" | "connection" | "address refused" | null;
};

/** A delivery with what it sends and its last attempts. */
export type WebhookDelivery = {
  /** Id of the delivery. */
  readonly id: string;
  /** Id of the event, `x-service-event-id`. */
  readonly eventId: string;
  /** Name of the event as it was registered. */
  readonly event: string;
  /** Id of the transaction, document or agent. */
  readonly subjectId: string;
  /** Position among the events of the subject, from 1. */
  readonly sequence: number;
  /** Whether it goes on. */
  readonly status: "PENDING" | "DELIVERED" | "FAILED";
  /** Attempts made so far. */
  readonly attempts: number;
  /** HTTP status of the last answer; null when there was none. */
  readonly lastStatus: number | null;
  /** When the event happened. */
  readonly occurredAt: string;
  /** When the delivery was made. */
  readonly createdAt: string;
  /** Not sent before; null unless pending. */
  readonly nextAttemptAt: string | null;
  /** When it was delivered or given up; null while pending. */
  readonly endedAt: string | null;
  /** Batch that it is sent in. */
  readonly batchId: string | null;
  /** The event's JSON, character for character as it is sent. */
  readonly body: string;
  /** The last 20 attempts. */
  readonly log: readonly WebhookAttempt[];
};

/** A delivery of an event, with its endpoint. */
export type WebhookDeliveryOfAll = {
  /** Id of the subscription. */
  readonly webhookId: string;
  /** Id of the delivery. */
  readonly id: string;
  /** Id of the event, `x-service-event-id`. */
  readonly eventId: string;
  /** Name of the event as it was registered. */
  readonly event: string;
  /** Id of the transaction, document or agent. */
  readonly subjectId: string;
  /** Position among the events of the subject, from 1. */
  readonly sequence: number;
  /** Whether it goes on. */
  readonly status: "PENDING" | "DELIVERED" | "FAILED";
  /** Attempts made so far. */
  readonly attempts: number;
  /** HTTP status of the last answer; null when there was none. */
  readonly lastStatus: number | null;
  /** When the event happened. */
  readonly occurredAt: string;
  /** When the delivery was made. */
  readonly createdAt: string;
  /** Not sent before; null unless pending. */
  readonly nextAttemptAt: string | null;
  /** When it was delivered or given up; null while pending. */
  readonly endedAt: string | null;
  /** Batch that it is sent in. */
  readonly batchId: string | null;
};

/** A page of deliveries to all subscriptions. */
export type WebhookDeliveryOfAllPage = {
  /** The deliveries, newest first. */
  readonly deliveries: readonly WebhookDeliveryOfAll[];
  /** `after` of the next page; null on the last. */
  readonly next: string | null;
};

/** A page of deliveries. */
export type WebhookDeliveryPage = {
  /** The deliveries, newest first. */
  readonly deliveries: readonly WebhookDeliverySummary[];
  /** `after` of the next page; null on the last. */
  readonly next: string | null;
};

/** A delivery of an event to an endpoint. */
export type WebhookDeliverySummary = {
  /** Id of the delivery. */
  readonly id: string;
  /** Id of the event, `x-service-event-id`. */
  readonly eventId: string;
  /** Name of the event as it was registered. */
  readonly event: string;
  /** Id of the transaction, document or agent. */
  readonly subjectId: string;
  /** Position among the events of the subject, from 1. */
  readonly sequence: number;
  /** Whether it goes on. */
  readonly status: "PENDING" | "DELIVERED" | "FAILED";
  /** Attempts made so far. */
  readonly attempts: number;
  /** HTTP status of the last answer; null when there was none. */
  readonly lastStatus: number | null;
  /** When the event happened. */
  readonly occurredAt: string;
  /** When the delivery was made. */
  readonly createdAt: string;
  /** Not sent before; null unless pending. */
  readonly nextAttemptAt: string | null;
  /** When it was delivered or given up; null while pending. */
  readonly endedAt: string | null;
  /** Batch that it is sent in. */
  readonly batchId: string | null;
};

/** What was recovered. */
export type WebhookRecovered = {
  /** Deliveries that begin, or begin again. */
  readonly recovered: number;
  /** False when there is more than one call looks at: send the same request again. */
  readonly isComplete: boolean;
};

/** A span of time of which all events are sent again. */
export type WebhookRecovery = {
  /** Events that happened then or later. */
  readonly since: string;
  /** Events that happened before, after `since`; up to now when absent. */
  readonly until?: string;
};

/** A new signing secret. */
export type WebhookSecret = {
  /** The secret, shown only here. */
  readonly signingSecret: string;
  /** First 8 hex characters of the secret's SHA-256. */
  readonly secretFingerprint: string;
  /** Scheme of the signature. */
  readonly signatureVersion: "v1";
  /** When the secret was made. */
  readonly secretRotatedAt: string;
};

/** An endpoint and the events that it gets. */
export type WebhookSubscription = {
  /** Id of the subscription. */
  readonly id: string;
  /** Where events are sent. */
  readonly url: string;
  /** Events that it gets. */
  readonly events: readonly string[];
  /** True when events come in batches. */
  readonly isBatch: boolean;
  /** When it was registered. */
  readonly createdAt: string;
  /** Scheme of the signature; null without a secret. */
  readonly signatureVersion: string | null;
  /** First 8 hex characters of the secret's SHA-256; null without a secret. */
  readonly secretFingerprint: string | null;
  /** When the secret was made; null without a secret. */
  readonly secretRotatedAt: string | null;
  /** Ed25519 public key of the `v1a` signatures; null without a secret. */
  readonly publicKey: string | null;
  /** Since when nothing is sent; null while it is enabled. */
  readonly disabledAt: string | null;
  /** Why: the endpoint answered 410, or nothing succeeded for five days. */
  readonly disabledReason: "gone" | "failing" | null;
};

/** An endpoint and the events that it is to get. */
export type WebhookSubscriptionRequest = {
  /** HTTPS address of the endpoint. */
  readonly url: string;
  /** Events that it is to get. */
  readonly events: readonly string[];
  /** True to get events in batches. */
  readonly isBatch?: boolean;
};

/** The subscriptions of a tenant. */
export type WebhookSubscriptions = {
  /** Every subscription, oldest first. */
  readonly webhooks: readonly WebhookSubscription[];
};

/** A part of the address. */
export type WrongAddressPart = {
  /** The part. */
  readonly field: string;
  /** The rule of the country. */
  readonly message: string;
};

/** What each operation takes and answers. */
export interface Api {
  /** Revoke an account token: it cannot be charged any more. */
  "DELETE /account-tokens/{accountTokenId}": {
    answer: undefined;
  };
  /** End a key or secret, and the tokens that a secret was given. */
  "DELETE /organizations/{tenant}/credentials/{credentialId}": {
    answer: undefined;
  };
  /** End all sessions of a user, and what the identity provider has given it. */
  "DELETE /organizations/{tenant}/users/{userId}/sessions": {
    answer: undefined;
  };
  /** End a subscription. */
  "DELETE /organizations/{tenant}/webhooks/{webhookId}": {
    answer: undefined;
  };
  /** Drop the signing secret; deliveries are unsigned afterwards. */
  "DELETE /organizations/{tenant}/webhooks/{webhookId}/secret": {
    answer: undefined;
  };
  /** End the session. */
  "DELETE /session": {
    answer: undefined;
  };
  /** End one of one's own sessions. */
  "DELETE /sessions/{sessionId}": {
    answer: undefined;
  };
  /** The public keys that verify access tokens (RFC 7517). */
  "GET /.well-known/jwks.json": {
    answer: KeySet;
  };
  /** What the authorization server offers (RFC 8414). */
  "GET /.well-known/oauth-authorization-server": {
    answer: AuthorizationServer;
  };
  /** The moves that a transaction may make, by state; a state without moves is terminal. */
  "GET /.well-known/transaction-states.json": {
    answer: TransactionMoves;
  };
  /** Clean an address, and say what its country and structured payment messages miss in it. */
  "GET /addresses/check": {
    query?: {
      /** Street and number. */
      readonly addressLine1?: string;
      /** Second line. */
      readonly addressLine2?: string;
      /** City. */
      readonly city?: string;
      /** State, province or region. */
      readonly state?: string;
      /** Postal code. */
      readonly postalCode?: string;
      /** ISO 3166-1 code, alpha-2 or alpha-3, in capitals or not. */
      readonly countryCode?: string;
    };
    answer: AddressCheck;
  };
  /** Find one bank of a country by its code; every branch of India by its IFSC. */
  "GET /bank": {
    query: {
      /** Code of the bank. */
      readonly bankNumber: string;
      /** Country of the bank. */
      readonly countryCode: string;
    };
    answer: Bank;
  };
  /** List the banks of a country by code, page by page. */
  "GET /bank/list": {
    query: {
      /** Country of the banks. */
      readonly countryCode: string;
      /** Number of the page, from zero. */
      readonly page?: number;
      /** Banks on a page. */
      readonly resultsPerPage?: number;
    };
    answer: BankPage;
  };
  /** List the documents of a company, the newest first. */
  "GET /companies/{id}/documents": {
    query?: {
      /** Longest page. */
      readonly limit?: number;
      /** `next` of the page before. */
      readonly after?: string;
    };
    answer: DocumentPage;
  };
  /** Read what has become of a document of a company. */
  "GET /companies/{id}/documents/{document}": {
    answer: Document;
  };
  /** Read the file of a document of a company, as it was given. */
  "GET /companies/{id}/documents/{document}/content": {
    answer: Uint8Array;
  };
  /** A page that shows this document. */
  "GET /docs": {
    answer: string;
  };
  /** A guide, as a page. */
  "GET /docs/guides/{guide}": {
    answer: string;
  };
  /** Scripts and styles of the page. */
  "GET /docs/{asset}": {
    answer: string;
  };
  /** List the transactions that the agent sees, newest first: its own, and those that its tenant made by itself. */
  "GET /fx/transactions": {
    query?: {
      /** Cursor of the page before. */
      readonly after?: string;
      /** Only transactions in this state. */
      readonly status?: "Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview";
      /** Most transactions of a page. */
      readonly limit?: number;
    };
    answer: TransactionPage;
  };
  /** How much the agent may still send today and this month. */
  "GET /fx/transactions/limits": {
    answer: AgentLimits;
  };
  /** Read a transaction. */
  "GET /fx/transactions/{id}": {
    answer: Transaction;
  };
  /** The moves of a transaction, oldest first. */
  "GET /fx/transactions/{id}/history": {
    answer: TransactionHistory;
  };
  /** Say that the process is alive. */
  "GET /healthz": {
    answer: Alive;
  };
  /** This document. */
  "GET /openapi.json": {
    answer: { readonly [name: string]: unknown };
  };
  /** List the tenant's agents, the newest first. */
  "GET /organizations/{tenant}/agents": {
    query?: {
      /** Only in this state. */
      readonly status?: "PENDING_APPROVAL" | "ACTIVE" | "REJECTED" | "SUSPENDED" | "CLOSED";
      /** `next` of the page before. It goes on in the same list with the same filters. */
      readonly after?: string;
      /** Most agents of a page. */
      readonly limit?: number;
    };
    answer: AgentPage;
  };
  /** List the tenant's OAuth clients. */
  "GET /organizations/{tenant}/clients": {
    answer: OauthClients;
  };
  /** List companies, the newest first, by id and state. */
  "GET /organizations/{tenant}/companies": {
    query?: {
      /** Whether it may take part. */
      readonly status?: "APPROVED" | "IN_REVIEW" | "REJECTED";
      /** `next` of the page before. It goes on in the same list with the same filters. */
      readonly after?: string;
      /** Most records of a page. */
      readonly limit?: number;
    };
    answer: CompanyPage;
  };
  /** Read a company. */
  "GET /organizations/{tenant}/companies/{companyId}": {
    answer: Company;
  };
  /** List the tenant's live API keys and client secrets, without what is secret. */
  "GET /organizations/{tenant}/credentials": {
    answer: Credentials;
  };
  /** List deliveries of the last 30 days to all subscriptions, newest first. */
  "GET /organizations/{tenant}/deliveries": {
    query?: {
      /** Only in this state. */
      readonly status?: "PENDING" | "DELIVERED" | "FAILED";
      /** `next` of the page before. */
      readonly after?: string;
      /** Longest page. */
      readonly limit?: number;
      /** Only of this transaction, document or agent. */
      readonly subject?: string;
    };
    answer: WebhookDeliveryOfAllPage;
  };
  /** Read the events of the last 30 days in order, or wait for the next; nothing is missing between two pages. */
  "GET /organizations/{tenant}/events": {
    query?: {
      /** `next` of an earlier page, or `newest` for what happens from now on; the oldest event that is kept when absent. */
      readonly after?: string;
      /** Longest page. */
      readonly limit?: number;
      /** Seconds to wait for something new where there is nothing. Four requests of a tenant, or operator, may wait at once at each replica. */
      readonly wait?: number;
      /** Only events of these names, parted by commas. A page may be short, or empty, while more follow. */
      readonly types?: string;
    };
    answer: EventFeed;
  };
  /** List persons, the newest first, by id and state. */
  "GET /organizations/{tenant}/people": {
    query?: {
      /** Whether it may take part. */
      readonly status?: "APPROVED" | "IN_REVIEW" | "REJECTED";
      /** `next` of the page before. It goes on in the same list with the same filters. */
      readonly after?: string;
      /** Most records of a page. */
      readonly limit?: number;
    };
    answer: PersonPage;
  };
  /** Read a person. */
  "GET /organizations/{tenant}/people/{personId}": {
    answer: Person;
  };
  /** List the people of the tenant. */
  "GET /organizations/{tenant}/users": {
    answer: Users;
  };
  /** List the subscriptions of the tenant, oldest first. */
  "GET /organizations/{tenant}/webhooks": {
    answer: WebhookSubscriptions;
  };
  /** List deliveries of the last 30 days, newest first. */
  "GET /organizations/{tenant}/webhooks/{webhookId}/deliveries": {
    query?: {
      /** Only in this state. */
      readonly status?: "PENDING" | "DELIVERED" | "FAILED";
      /** `next` of the page before. */
      readonly after?: string;
      /** Longest page. */
      readonly limit?: number;
    };
    answer: WebhookDeliveryPage;
  };
  /** One delivery with what it sends and its last 20 attempts. */
  "GET /organizations/{tenant}/webhooks/{webhookId}/deliveries/{deliveryId}": {
    answer: WebhookDelivery;
  };
  /** Read which compliance level a person or company has, and what is missing for each level. */
  "GET /participants/{id}/complianceLevels": {
    answer: ComplianceLevels;
  };
  /** What each provider holds, at most 30 seconds old. Providers that do not answer are left out. */
  "GET /payer/balance": {
    answer: readonly ProviderBalances[];
  };
  /** Look a payment up, version 1 of its record. */
  "GET /payments/{externalPaymentId}": {
    answer: PaymentRecordV1;
  };
  /** List what a participant pays from, oldest first. */
  "GET /payout/participants/{id}/fundingAccounts": {
    answer: PayoutAccountPage;
  };
  /** List what a participant is paid to, oldest first. */
  "GET /payout/participants/{id}/recipientAccounts/gateway": {
    answer: PayoutAccountPage;
  };
  /** List the documents of a person, the newest first. */
  "GET /people/{id}/documents": {
    query?: {
      /** Longest page. */
      readonly limit?: number;
      /** `next` of the page before. */
      readonly after?: string;
    };
    answer: DocumentPage;
  };
  /** Read what has become of a document of a person. */
  "GET /people/{id}/documents/{document}": {
    answer: Document;
  };
  /** Read the file of a document of a person, as it was given. */
  "GET /people/{id}/documents/{document}/content": {
    answer: Uint8Array;
  };
  /** Say whether the gateway takes requests, and which services behind it do not answer. */
  "GET /readyz": {
    answer: Ready;
  };
  /** Whole bank directories, each with what its codes are and where they are known from. */
  "GET /reference/banks": {
    query?: {
      /** Only this country. */
      readonly countryCode?: string;
    };
    answer: BankDirectories;
  };
  /** What can be paid to which country: currencies, methods and how long they take. */
  "GET /reference/destinations": {
    answer: Destinations;
  };
  /** List the published schemas with their versions. Every version stays readable. */
  "GET /reference/schemas": {
    answer: PublishedSchemas;
  };
  /** What must be known of a person of a country, as a JSON Schema (draft-07). Answers If-None-Match. */
  "GET /schema/person": {
    query: {
      /** Country of the person: ISO 3166-1 alpha-2 or alpha-3 code, capitals. */
      readonly countryCode: string;
      /** A published version; the present one when absent. */
      readonly version?: string;
    };
    answer: { readonly [name: string]: unknown };
  };
  /** What a payout to a country must contain, as a JSON Schema (draft-07). Answers If-None-Match. */
  "GET /schema/{countryCode}": {
    query?: {
      /** A published version; the present one when absent. */
      readonly version?: string;
    };
    answer: { readonly [name: string]: unknown };
  };
  /** How a payout to a country is asked for: titles, order and meanings of its schema's fields. Answers If-None-Match. */
  "GET /schema/{countryCode}/form": {
    query?: {
      /** Tag of a language (BCP 47): en, de or pt. Any other gets English. */
      readonly lang?: string;
    };
    answer: CountryForm;
  };
  /** Find what an id belongs to, whatever it is of. Quotes, wallets and persons need their scope, too. */
  "GET /search": {
    query: {
      /** An id, whole: ours, the caller's own, a provider's, or a trace id of a payment; or the number of a person's or company's identity document. No part of one, and no name. */
      readonly q: string;
    };
    answer: SearchResult;
  };
  /** Who the session is of, and what it may do. */
  "GET /session": {
    answer: UserSession;
  };
  /** List one's own sessions. */
  "GET /sessions": {
    answer: UserSessions;
  };
  /** Read a session. */
  "GET /v1/sessions/{sessionId}": {
    answer: Session;
  };
  /** Read a verification. */
  "GET /v1/verifications/{verificationId}": {
    answer: Verification;
  };
  /** List quotes, the newest first. */
  "GET /v2/foreign-exchange": {
    query?: {
      /** Only from this currency, an ISO 4217 code. */
      readonly source?: string;
      /** Only to this currency, an ISO 4217 code. */
      readonly destination?: string;
      /** `next` of the page before. It goes on in the same list with the same filters. */
      readonly after?: string;
      /** Most quotes of a page. */
      readonly limit?: number;
    };
    answer: QuotePage;
  };
  /** Look a quote up: what it was made of and what became of it. */
  "GET /v2/foreign-exchange/{fxId}": {
    answer: QuoteDetail;
  };
  /** Look a payment up, version 2 of its record. */
  "GET /v2/payment/{externalId}": {
    answer: PaymentRecordV2;
  };
  /** Everything that happened to a payment: states, provider calls, postings, compliance, webhook deliveries. */
  "GET /v2/payment/{externalId}/timeline": {
    answer: PaymentTimeline;
  };
  /** List payments, the newest first. `Accept: text/csv` gets all of them as text. */
  "GET /v2/payments": {
    query?: {
      /** Only with this payment status. */
      readonly status?: "PENDING" | "AUTHORIZED" | "CAPTURED" | "REFUNDED" | "VOIDED" | "DECLINED" | "ERROR";
      /** Only in this transaction state. */
      readonly state?: "Created" | "PaymentProcessing" | "WaitingChallenge3ds" | "PaymentAuthorized" | "PaymentDeclined" | "PaymentCaptured" | "WaitingSettlement" | "PaymentSettled" | "ProcessingPayout" | "PayoutAccepted" | "PayoutHold" | "PayoutReleased" | "PayoutRejected" | "ManualReview" | "ReviewApproved" | "ReviewRejected" | "WaitingPayout" | "Paid" | "Completed" | "Cancelled" | "CancelRequested" | "Refunded" | "Voided" | "Error" | "PendingReversalApproval" | "BlockedPendingReview";
      /** Only of this type. */
      readonly type?: "PUSH" | "PULL" | "PULLPUSH";
      /** Only of amounts in this currency, an ISO 4217 code. */
      readonly currency?: string;
      /** Only those that pay out in this currency, an ISO 4217 code. */
      readonly recipientCurrency?: string;
      /** Least amount, in units of its currency. */
      readonly minAmount?: string;
      /** Largest amount, in units of its currency. */
      readonly maxAmount?: string;
      /** Only those that pay to this country, an ISO 3166-1 alpha-3 code. */
      readonly country?: string;
      /** Only those that pay by this method. */
      readonly method?: "BANK_DEPOSIT" | "WALLET" | "PIX" | "CARD";
      /** Created then or later; a bare date is the beginning of that UTC day. */
      readonly from?: string;
      /** Created before; after `from`. A bare date is the beginning of that UTC day. */
      readonly until?: string;
      /** Moved last then or later. */
      readonly changedFrom?: string;
      /** Moved last before; after `changedFrom`. */
      readonly changedUntil?: string;
      /** Only transactions of this agent. */
      readonly agentId?: string;
      /** Only those that are for this reason not as they were asked for. */
      readonly reasonCode?: string;
      /** Only those whose externalPaymentId begins with it. */
      readonly idPrefix?: string;
      /** `next` of the page before. It goes on in the same list with the same filters. */
      readonly after?: string;
      /** Most payments of a page. */
      readonly limit?: number;
    };
    answer: PaymentListPage;
  };
  /** Read a transaction as it stands: held, completed, released or expired. */
  "GET /wallet-transactions/{transactionId}": {
    answer: WalletMovement;
  };
  /** Read a transfer as it stands. */
  "GET /wallet-transfers/{externalTransferId}": {
    answer: WalletMovement;
  };
  /** List wallets, the newest first. */
  "GET /wallets": {
    query?: {
      /** Only of this asset. */
      readonly asset?: string;
      /** Only in this state. */
      readonly status?: "ACTIVE" | "FROZEN" | "CLOSED";
      /** `next` of the page before. It goes on in the same list with the same filters. */
      readonly after?: string;
      /** Most wallets of a page. */
      readonly limit?: number;
    };
    answer: WalletPage;
  };
  /** List transactions, payouts and transfers of all wallets, the newest first. `Accept: text/csv` gets all of them as text. */
  "GET /wallets/transactions": {
    query?: {
      /** Only of this type. */
      readonly type?: "DEBIT" | "CREDIT" | "PAYOUT" | "TRANSFER";
      /** Only those that this wallet has a part in. */
      readonly walletId?: string;
      /** Made then or later; a bare date is the beginning of that UTC day. */
      readonly from?: string;
      /** Made before; after `from`. A bare date is the beginning of that UTC day. */
      readonly until?: string;
      /** `next` of the page before. It goes on in the same list with the same filters. */
      readonly after?: string;
      /** Most movements of a page. */
      readonly limit?: number;
    };
    answer: WalletMovementPage;
  };
  /** Read a wallet. */
  "GET /wallets/{walletId}": {
    answer: Wallet;
  };
  /** Read what a wallet has. */
  "GET /wallets/{walletId}/balance": {
    answer: WalletBalance;
  };
  /** List the settled entries of a wallet, the oldest first or the newest. */
  "GET /wallets/{walletId}/statement": {
    query?: {
      /** First instant, inclusive; a bare date is that UTC day. */
      readonly from?: string;
      /** Last instant, exclusive; after `from`. A bare date is that UTC day. */
      readonly until?: string;
      /** Page, from 0. */
      readonly page?: number;
      /** Entries on a page. */
      readonly size?: number;
      /** Which come first; text is the oldest first. Entries that are settled meanwhile shift pages of the newest first. */
      readonly order?: "oldest" | "newest";
    };
    answer: WalletStatement;
  };
  /** Merge changes into a company (RFC 7396). With If-Match only if it is still as that tag says. */
  "PATCH /companies/{id}": {
    body?: CompanyChange;
    answer: Company;
  };
  /** Disable or enable an OAuth client, or set its scopes. */
  "PATCH /organizations/{tenant}/clients/{clientId}": {
    body: OauthClientChange;
    answer: OauthClient;
  };
  /** Bind other roles to a user, or shut it out. You cannot change your own roles. */
  "PATCH /organizations/{tenant}/users/{userId}": {
    body: TenantUserChange;
    answer: User;
  };
  /** Merge changes into a person (RFC 7396). With If-Match only if it is still as that tag says. */
  "PATCH /people/{id}": {
    body?: PersonChange;
    answer: Person;
  };
  /** Verify a linked account. */
  "POST /check-account": {
    body: AccountCheckRequest;
    answer: AccountCheck;
  };
  /** Keep a company, decided on as by POST /person. One on the screening list is IN_REVIEW, one that lacks something REJECTED until it is given. */
  "POST /companies": {
    body?: NewCompany;
    answer: Company;
  };
  /** Give a document of a company. */
  "POST /companies/{id}/documents/{document}": {
    body: DocumentUpload;
    answer: Document;
  };
  /** Quote an exchange rate by bank account, the earlier form. */
  "POST /foreign-exchange": {
    body: EarlierQuoteRequest;
    answer: EarlierQuote;
  };
  /** Create a transaction: the body of a payment, and optionally an externalId of the agent's own. */
  "POST /fx/transactions": {
    body: TransactionRequest;
    answer: TransactionReceipt;
  };
  /** Stop a transaction before its payout is released. Sent again, it gets the first answer. */
  "POST /fx/transactions/{id}/cancel": {
    answer: TransactionCancel;
  };
  /** Begin a login at the identity provider (authorization code with PKCE). */
  "POST /login": {
    body: TenantLogin;
    answer: BegunLogin;
  };
  /** Finish a login with what the identity provider sent back. Each is finished once, whatever comes of it. */
  "POST /login/answer": {
    body: LoginAnswer;
    answer: NewUserSession;
  };
  /** Begin a login without a browser of its own: the identity provider's device grant (RFC 8628). */
  "POST /login/device": {
    body: TenantDeviceLogin;
    answer: BegunDeviceLogin;
  };
  /** Ask whether the person has logged in. Each login ends once, whatever comes of it. */
  "POST /login/device/answer": {
    body: DeviceLoginQuestion;
    answer: DeviceLogin;
  };
  /** Revoke an access token of the client's own (RFC 7009). It works nowhere within a second. */
  "POST /oauth/revoke": {
    body: RevocationRequest;
    answer: undefined;
  };
  /** Exchange client credentials for an access token (RFC 6749 section 4.4). */
  "POST /oauth/token": {
    body: TokenRequest;
    answer: AccessToken;
  };
  /** Add an agent; it can act once it is approved. */
  "POST /organizations/{tenant}/agents": {
    body: AgentRequest;
    answer: NewAgent;
  };
  /** Add an OAuth client; its secret is made as a credential. */
  "POST /organizations/{tenant}/clients": {
    body: OwnClientRequest;
    answer: OauthClient;
  };
  /** Make a key or secret beside the present one: an owner may have two. */
  "POST /organizations/{tenant}/credentials": {
    body: CredentialRequest;
    answer: NewCredential;
  };
  /** Invite somebody by e-mail address. */
  "POST /organizations/{tenant}/users": {
    body: TenantInvitation;
    answer: User;
  };
  /** Register an endpoint for events. */
  "POST /organizations/{tenant}/webhooks": {
    body: WebhookSubscriptionRequest;
    answer: WebhookSubscription;
  };
  /** Send a delivery once more; a disabled subscription is enabled by it. */
  "POST /organizations/{tenant}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": {
    answer: WebhookDelivery;
  };
  /** Enable the subscription, and send all that it missed in a span of time. */
  "POST /organizations/{tenant}/webhooks/{webhookId}/recover": {
    body: WebhookRecovery;
    answer: WebhookRecovered;
  };
  /** Make a signing secret, or replace it at once. */
  "POST /organizations/{tenant}/webhooks/{webhookId}/secret": {
    answer: WebhookSecret;
  };
  /** Send a test event, once, also to a disabled subscription. */
  "POST /organizations/{tenant}/webhooks/{webhookId}/test": {
    answer: WebhookDelivery;
  };
  /** Capture an authorised pull, once; what is not captured is released. */
  "POST /payments/{externalPaymentId}/capture": {
    body?: CaptureRequest;
    answer: CaptureReceipt;
  };
  /** Give back what a pull collected, or a part of it; a child payment of its own. */
  "POST /payments/{externalPaymentId}/refund": {
    body: RefundRequest;
    answer: RefundReceipt;
  };
  /** Void an authorised pull. */
  "POST /payments/{externalPaymentId}/void": {
    answer: VoidReceipt;
  };
  /** Keep a card or bank account that a participant pays from, by its token. A record of the agent's own: a payment does not name it yet and carries the account itself. */
  "POST /payout/participants/{id}/fundingAccounts": {
    body: FundingAccountRequest;
    answer: PayoutAccount;
  };
  /** Keep an account that a participant is paid to, checked by the schema of its country. A record of the agent's own: a payment does not name it yet and carries the account itself. */
  "POST /payout/participants/{id}/recipientAccounts/gateway": {
    body: RecipientAccountRequest;
    answer: PayoutAccount;
  };
  /** Quote a rate, with what a payout of the amount would pay and cost. */
  "POST /payout/quotes": {
    body: PayoutQuoteRequest;
    answer: PayoutQuote;
  };
  /** Keep a person, decided on as by POST /person. One on the screening list is IN_REVIEW, one that lacks something REJECTED until it is given. */
  "POST /people": {
    body?: NewPerson;
    answer: Person;
  };
  /** Give a document of a person. */
  "POST /people/{id}/documents/{document}": {
    body: DocumentUpload;
    answer: Document;
  };
  /** Register a person. One that does not pass is answered as REJECTED and not kept. */
  "POST /person": {
    body?: PersonRequest;
    answer: PersonDecision;
  };
  /** Answer what registering a person would, and keep nothing. */
  "POST /person/validate": {
    body?: PersonRequest;
    answer: PersonValidation;
  };
  /** Take a provider's signed report. The signature in x-signature is the credential. */
  "POST /provider-callbacks/{rail}": {
    body: unknown;
    answer: undefined;
  };
  /** Open a link flow for a customer's bank account. */
  "POST /providers/{linker}": {
    body: LinkTokenRequest;
    answer: LinkToken;
  };
  /** Open a session. An undecided one of the same document is superseded. */
  "POST /v1/sessions": {
    body: SessionRequest;
    answer: Session;
  };
  /** Ask the vendor where a session stands. */
  "POST /v1/verifications": {
    body: VerificationRequest;
    answer: Verification;
  };
  /** Verify a card without a charge: verified, challenged or declined, all with status 200. */
  "POST /v2/check-card-account": {
    body: CardCheckRequest;
    answer: CardCheck;
  };
  /** Quote an exchange rate that one payment may use within 15 minutes. */
  "POST /v2/foreign-exchange": {
    body: QuoteRequest;
    answer: Quote;
  };
  /** Create a payment. */
  "POST /v2/payment": {
    body: PaymentRequest;
    answer: PaymentReceipt;
  };
  /** Say everything that is wrong with a payment, its price and its fees. Moves and stores nothing. */
  "POST /v2/payment/validate": {
    body: PaymentRequest;
    answer: PaymentValidation;
  };
  /** Open a wallet. */
  "POST /wallets": {
    body: WalletRequest;
    answer: Wallet;
  };
  /** Debit or credit a wallet, at once or held until it is confirmed. */
  "POST /wallets/transaction": {
    body: WalletTransactionRequest;
    answer: WalletTransaction;
  };
  /** Settle a held transaction. */
  "POST /wallets/transaction/{transactionId}/confirm": {
    answer: ConfirmedTransaction;
  };
  /** Release a held transaction. */
  "POST /wallets/transaction/{transactionId}/void": {
    answer: VoidedTransaction;
  };
  /** Move an amount between two wallets of one currency. */
  "POST /wallets/transfer": {
    body: WalletTransferRequest;
    answer: WalletTransfer;
  };
  /** Give the full amount of a transfer back. */
  "POST /wallets/transfer/{externalTransferId}/void": {
    answer: VoidedTransfer;
  };
  /** Replace what the agent notes on a transaction, at most 20 keys; no other agent sees it. */
  "PUT /fx/transactions/{id}/metadata": {
    body: TransactionMetadata;
    answer: Transaction;
  };
  /** Bind a key or secret to scopes, addresses and an end; what is left out is not bound. In force at once. */
  "PUT /organizations/{tenant}/credentials/{credentialId}/bounds": {
    body: CredentialBounds;
    answer: Credential;
  };
}

/** A transaction moved to another state. */
export type TransactionStatusChanged = {
  /** Name of the event, spelled as the subscription spells it. */
  readonly event: "TransactionStatusChanged";
  /** Id of the transaction; also the paymentId. */
  readonly transactionId: string;
  /** The agent's or tenant's own id of it; null when it gave none. */
  readonly externalTransactionId: string | null;
  /** Slug of the tenant. */
  readonly tenantId: string;
  /** Status before; null for the first event. */
  readonly oldStatus: string | null;
  /** Status now, one of GET /.well-known/transaction-states.json. */
  readonly newStatus: string;
  readonly newStatusMessages: readonly string[];
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
};

/** The compliance status of a transaction changed. */
export type TransactionComplianceStatusChangedEvent = {
  /** Name of the event, spelled as the subscription spells it. */
  readonly event: "TransactionComplianceStatusChangedEvent";
  /** Id of the transaction; also the paymentId. */
  readonly transactionId: string;
  /** The agent's or tenant's own id of it; null when it gave none. */
  readonly externalTransactionId: string | null;
  /** Slug of the tenant. */
  readonly tenantId: string;
  /** Status before; null for the first event. */
  readonly oldComplianceStatus: string | null;
  /** Pending, Approved, Rejected, Cancelled, Failed or Refunded; others may come. */
  readonly newComplianceStatus: string;
  readonly newStatusMessages: readonly string[];
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
};

/** The payout of a transaction moved. */
export type TransactionPayoutStatusChanged = {
  /** Name of the event, spelled as the subscription spells it. */
  readonly event: "TransactionPayoutStatusChanged";
  /** Id of the transaction; also the paymentId. */
  readonly transactionId: string;
  /** The agent's or tenant's own id of it; null when it gave none. */
  readonly externalTransactionId: string | null;
  /** Slug of the tenant. */
  readonly tenantId: string;
  /** Status before; null for the first event. */
  readonly oldPayoutStatus: string | null;
  /** Status of the payout now, such as PENDING, CAPTURED or DECLINED; others may come. */
  readonly newPayoutStatus: string;
  readonly newStatusMessages: readonly string[];
  /** Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is. */
  readonly reasonCode?: string;
  /** Who can do something about it. */
  readonly whoseMove?: "payer" | "recipient" | "platform" | "provider";
  /** The reason in one sentence. */
  readonly reasonMessage?: string;
  /** The rail's own id of the payout; null before it has one. */
  readonly gatewayPaymentId: string | null;
  /** The receipt that the recipient can show; null before there is one. */
  readonly gmtReceipt: string | null;
  /** What the recipient gets. */
  readonly amount: {
    /** Exact amount. */
    readonly total: Decimal;
    /** ISO 4217 code. */
    readonly currency: string;
  } | null;
};

/** An identity document or a KYC session got another verification status. */
export type DocumentUpdatedEvents = {
  /** Name of the event, spelled as the subscription spells it. */
  readonly event: "DocumentUpdatedEvents";
  /** Id of the document or session. */
  readonly id: string;
  /** Id of the person or company. */
  readonly entityId: string;
  /** What it is: Participant or Person, which mean the same. */
  readonly entityType: string;
  /** Kind of document. */
  readonly documentType: string;
  /** PENDING, VERIFIED, REJECTED, SUPERSEDED, FAILED, ERRORED or EXPIRED, in any case; others may come. */
  readonly verificationStatus: string;
  /** When it happened, in whole seconds. */
  readonly occurredAt: string;
  /** Slug of the tenant. */
  readonly tenantId: string;
  /** Version of the body's form. */
  readonly version: 1;
};

/** An agent was made. */
export type AgentUpdatedEvents = {
  /** Name of the event, spelled as the subscription spells it. */
  readonly event: "AgentUpdatedEvents";
  /** Id of the event's agent. */
  readonly id: string;
  /** Always null: only the creation of an agent is announced. */
  readonly before: null;
  readonly after: {
    /** Id of the agent. */
    readonly id: string;
    /** How to reach it. */
    readonly email: string;
    /** Its name. */
    readonly businessName: string;
    /** The tenant's own name for it; null when it has none. */
    readonly externalId: string | null;
    /** Status of the agent. */
    readonly status: string;
    /** When it was made. */
    readonly createdAt: string;
  };
  /** Slug of the tenant. */
  readonly tenantId: string;
  /** Version of the body's form. */
  readonly version: 1;
};

/** A test of the endpoint was asked for. */
export type WebhookTest = {
  /** Name of the event, spelled as the subscription spells it. */
  readonly event: "WebhookTest";
  /** Id of the subscription. */
  readonly webhookId: string;
  /** Slug of the tenant. */
  readonly tenantId: string;
  /** Version of the body's form. */
  readonly version: 1;
};

/** What a webhook or the feed tells. */
export type WebhookEvent = TransactionStatusChanged | TransactionComplianceStatusChangedEvent | TransactionPayoutStatusChanged | DocumentUpdatedEvents | AgentUpdatedEvents | WebhookTest;
