import type { FieldViolation } from "../shared/kernel/errors";
import type { Money } from "../shared/kernel/money";
import type { Document, DocumentFacts, DocumentReport } from "./domain/document";
import type { OwnershipRule } from "./domain/ownership";
import type { Embargo, ProviderVerdict } from "./domain/payment-decision";
import type { PersonFields } from "./domain/person-fields";
import type { Names, ScreeningHit } from "./domain/screening";
import type { Session, SessionReport } from "./domain/session";

/** What countries ask of persons. */
export interface PersonSchemas {
  /** Every rule of the country (alpha-2) that the person breaks; none where the country has no schema. */
  check(country: string, person: PersonFields): Promise<readonly FieldViolation[]>;
  /** Numbers of the person whose checksums do not fit; none where the country has no schema. */
  advise(country: string, person: PersonFields): Promise<readonly FieldViolation[]>;
}

/** What a screening has found, and by which version of the lists. */
interface Screened {
  hits: readonly ScreeningHit[];
  listVersion: string;
}

/** Lists of those who must not be served. */
export interface Screening {
  /** Version of all lists in use, and of the policy that they are used by. */
  version(): string;
  /** What the lists have that is like any of these. */
  screen(...people: readonly Names[]): Screened;
  /** The same by the thresholds of a tenant. */
  screenFor(tenant: string, ...people: readonly Names[]): Screened;
  /** The same by what has changed since a version; undefined where that is not known any more. */
  screenChanges(version: string, tenant: string, ...people: readonly Names[]): Screened | undefined;
  /** The gravest embargo on any of these countries (alpha-2), and on the programmes of the entries that were hit. */
  embargo(countries: readonly string[], hits: readonly ScreeningHit[]): Embargo | undefined;
  /** From which part on a company counts as listed by a list; undefined for a list that is not used. */
  ownershipRule(list: string): OwnershipRule | undefined;
  /** The name of a list that is older than the policy allows. */
  tooOld(): string | undefined;
}

/** A payment as the screening provider is asked about it. */
export interface ScreenedPayment {
  paymentId: string;
  tenant: string;
  amount: Money;
  recipientName: string;
  recipientCountry: string;
  narrative: string;
}

/** The provider that screens payments. */
export interface PaymentScreener {
  /** Has a payment decided, once however often it is asked. Throws UNAVAILABLE while the provider does not answer. */
  screen(payment: ScreenedPayment): Promise<ProviderVerdict>;
  /** Where a payment stands; undefined when the provider does not say. */
  ask(paymentId: string): Promise<ProviderVerdict | undefined>;
  /** Reads a callback. Throws UNAUTHENTICATED for a wrong signature, INVALID_ARGUMENT for what is no report. */
  readReport(signature: string, body: Buffer): { paymentId: string; verdict: ProviderVerdict };
}

/** The vendor that looks at identity documents. */
export interface Verifier {
  /** Makes the page of a session, the same one each time. Throws UNAVAILABLE while the vendor does not answer. */
  open(session: NewSession): Promise<{ url: string }>;
  /** Where a session stands; undefined when the vendor does not say. */
  ask(sessionId: string): Promise<SessionReport | undefined>;
  /** Reads a callback. Throws UNAUTHENTICATED for a wrong signature, INVALID_ARGUMENT for what is no report. */
  readReport(signature: string, body: Buffer): SessionReport;
  /**
   * Has the vendor erase what it keeps of a session, or would keep if it were opened only now, any number of times. True once
   * the vendor has acknowledged it.
   */
  erase(sessionId: string): Promise<boolean>;
  /** Why a person does not meet the vendor's requirements; undefined when it does. Throws UNAVAILABLE. */
  objectionTo(person: PersonFields): Promise<string | undefined>;
  /** How long after a decision the vendor may still make another one. */
  readonly redecisionMs: number;
}

/** The vendor that reads uploaded documents. */
export interface DocumentReader {
  /** Gives a file to be read, any number of times. Undefined when the vendor does not say what it makes of it. */
  submit(file: ReadableFile): Promise<DocumentReport | undefined>;
  /** Where a reading stands: `unknown` to the vendor, or undefined when it does not say. */
  ask(documentId: string): Promise<DocumentReport | "unknown" | undefined>;
  /** Has the vendor erase what it keeps of a document, as `Verifier.erase` does of a session. */
  erase(documentId: string): Promise<boolean>;
  /** Reads a callback. Throws UNAUTHENTICATED for a wrong signature, INVALID_ARGUMENT for what is no report. */
  readReport(signature: string, body: Buffer): DocumentReport;
}

/** A file in the clear, made while it is read. */
export interface ReadableFile extends Pick<Document, "id" | "documentType"> {
  facts: DocumentFacts;
  content: AsyncIterable<Buffer>;
}

/** What the vendor receives of a session. */
export interface NewSession extends Pick<Session, "id" | "expiresAt"> {
  facts: Omit<Session["facts"], "url">;
}

/** Who has been asked where a session stands. */
export interface Verification {
  id: string;
  tenant: string;
  /** Whether a session or an uploaded document was asked about. */
  about: "session" | "document";
  /** Its id. */
  subjectId: string;
  checks: readonly string[];
  createdAt: Date;
}
