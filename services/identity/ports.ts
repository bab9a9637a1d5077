import type { FieldViolation } from "../shared/kernel/errors";
import type { Money } from "../shared/kernel/money";
import type { Document, DocumentFacts, DocumentReport } from "./domain/document";
import type { OwnershipRule } from "./domain/ownership";
import type { Embargo, ProviderVerdict } from "./domain/payment-decision";
import type { PersonFields } from "./domain/person-fields";
import type { Names, ScreeningHit } from "./domain/screening";
import type { Session, SessionReport } from "./domain/session";

/** Requirements of countries for persons. */
export interface PersonSchemas {
  /** Returns every rule of the country (alpha-2) that the person breaks; none if the country has no schema. */
  check(country: string, person: PersonFields): Promise<readonly FieldViolation[]>;
  /** Returns the numbers of the person with wrong checksums; none if the country has no schema. */
  advise(country: string, person: PersonFields): Promise<readonly FieldViolation[]>;
}

/** The findings of a screening, and the version of the lists that it used. */
interface Screened {
  hits: readonly ScreeningHit[];
  listVersion: string;
}

/** Lists of those who must not be served. */
export interface Screening {
  /** Version of all lists in use, and of their policy. */
  version(): string;
  /** Returns the entries of the lists that resemble any of these. */
  screen(...people: readonly Names[]): Screened;
  /** The same under the thresholds of a tenant. */
  screenFor(tenant: string, ...people: readonly Names[]): Screened;
  /** The same for the entries that have changed since a version; undefined if that is no longer known. */
  screenChanges(version: string, tenant: string, ...people: readonly Names[]): Screened | undefined;
  /** Returns the most severe embargo on any of these countries (alpha-2) and on the programmes of the entries that were hit. */
  embargo(countries: readonly string[], hits: readonly ScreeningHit[]): Embargo | undefined;
  /** Returns the share from which a list counts a company as listed; undefined for a list that is not used. */
  ownershipRule(list: string): OwnershipRule | undefined;
  /** Returns the name of a list that is older than the policy allows. */
  tooOld(): string | undefined;
}

/** The facts of a payment for the screening provider. */
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
  /**
   * Asks for a decision about a payment, which is made once however often this is called. Throws UNAVAILABLE while the provider does not
   * answer.
   */
  screen(payment: ScreenedPayment): Promise<ProviderVerdict>;
  /** Returns the state of a payment; undefined when the provider does not say. */
  ask(paymentId: string): Promise<ProviderVerdict | undefined>;
  /** Reads a callback. Throws UNAUTHENTICATED for a wrong signature, INVALID_ARGUMENT for anything but a report. */
  readReport(signature: string, body: Buffer): { paymentId: string; verdict: ProviderVerdict };
}

/** The vendor that verifies identity documents. */
export interface Verifier {
  /** Makes the page of a session, the same one each time. Throws UNAVAILABLE while the vendor does not answer. */
  open(session: NewSession): Promise<{ url: string }>;
  /** Returns the state of a session; undefined when the vendor does not say. */
  ask(sessionId: string): Promise<SessionReport | undefined>;
  /** Reads a callback. Throws UNAUTHENTICATED for a wrong signature, INVALID_ARGUMENT for anything but a report. */
  readReport(signature: string, body: Buffer): SessionReport;
  /**
   * Asks the vendor to erase what it keeps of a session, or would keep if it were opened only now; repeatable. Returns true once the vendor
   * has acknowledged it.
   */
  erase(sessionId: string): Promise<boolean>;
  /** Returns why a person does not meet the vendor's requirements; undefined when it does. Throws UNAVAILABLE. */
  objectionTo(person: PersonFields): Promise<string | undefined>;
  /** How long after a decision the vendor may still change it. */
  readonly redecisionMs: number;
}

/** The vendor that reads uploaded documents. */
export interface DocumentReader {
  /** Submits a file for reading; repeatable. Returns undefined when the vendor gives no result. */
  submit(file: ReadableFile): Promise<DocumentReport | undefined>;
  /** Returns the state of a reading: `unknown` to the vendor, or undefined when it does not say. */
  ask(documentId: string): Promise<DocumentReport | "unknown" | undefined>;
  /** Asks the vendor to erase what it keeps of a document, as `Verifier.erase` does for a session. */
  erase(documentId: string): Promise<boolean>;
  /** Reads a callback. Throws UNAUTHENTICATED for a wrong signature, INVALID_ARGUMENT for anything but a report. */
  readReport(signature: string, body: Buffer): DocumentReport;
}

/** A file in clear text, produced while it is read. */
export interface ReadableFile extends Pick<Document, "id" | "documentType"> {
  facts: DocumentFacts;
  content: AsyncIterable<Buffer>;
}

/** The facts of a session that the vendor receives. */
export interface NewSession extends Pick<Session, "id" | "expiresAt"> {
  facts: Omit<Session["facts"], "url">;
}

/** A verification: a request for the state of a session. */
export interface Verification {
  id: string;
  tenant: string;
  /** Whether its subject is a session or an uploaded document. */
  about: "session" | "document";
  /** Its id. */
  subjectId: string;
  checks: readonly string[];
  createdAt: Date;
}
