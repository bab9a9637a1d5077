import type { Call } from "../call.ts";
import type {
  Api,
  CompanyChange,
  DocumentUpload,
  NewCompany,
  NewPerson,
  PersonChange,
  PersonRequest,
  SessionRequest,
  VerificationRequest,
} from "../gen/api.ts";
import type { CallOptions } from "../options.ts";
import { listOf } from "./list.ts";

type Paging = { readonly status?: string; readonly limit?: number };

/** People who pay or are paid. */
export const makePeople = (call: Call) => ({
  create: (body: NewPerson, options?: CallOptions) => call("POST /people", { body }, options),
  update: (id: string, body: PersonChange, options?: CallOptions) =>
    call("PATCH /people/{id}", { params: { id }, body }, options),
  get: (personId: string, options?: CallOptions) =>
    call("GET /organizations/{tenant}/people/{personId}", { params: { personId } }, options),
  list: (query: Paging = {}, options?: CallOptions) =>
    listOf(call, "GET /organizations/{tenant}/people", "people", { query }, options),
  upload: (id: string, document: string, body: DocumentUpload, options?: CallOptions) =>
    call("POST /people/{id}/documents/{document}", { params: { id, document }, body }, options),
  documents: (id: string, options?: CallOptions) =>
    listOf(call, "GET /people/{id}/documents", "documents", { params: { id } }, options),
  document: (id: string, document: string, options?: CallOptions) =>
    call("GET /people/{id}/documents/{document}", { params: { id, document } }, options),
  content: (id: string, document: string, options?: CallOptions) =>
    call("GET /people/{id}/documents/{document}/content", { params: { id, document } }, options),
  /** Registers a person in one step, or returns why not. */
  register: (body: PersonRequest, options?: CallOptions) => call("POST /person", { body }, options),
  /** Returns what registering would answer. Stores nothing. */
  validate: (body: PersonRequest, options?: CallOptions) => call("POST /person/validate", { body }, options),
  levels: (id: string, options?: CallOptions) =>
    call("GET /participants/{id}/complianceLevels", { params: { id } }, options),
  checkAddress: (query: NonNullable<Api["GET /addresses/check"]["query"]>, options?: CallOptions) =>
    call("GET /addresses/check", { query }, options),
});

/** Companies that pay or are paid. */
export const makeCompanies = (call: Call) => ({
  create: (body: NewCompany, options?: CallOptions) => call("POST /companies", { body }, options),
  update: (id: string, body: CompanyChange, options?: CallOptions) =>
    call("PATCH /companies/{id}", { params: { id }, body }, options),
  get: (companyId: string, options?: CallOptions) =>
    call("GET /organizations/{tenant}/companies/{companyId}", { params: { companyId } }, options),
  list: (query: Paging = {}, options?: CallOptions) =>
    listOf(call, "GET /organizations/{tenant}/companies", "companies", { query }, options),
  upload: (id: string, document: string, body: DocumentUpload, options?: CallOptions) =>
    call("POST /companies/{id}/documents/{document}", { params: { id, document }, body }, options),
  documents: (id: string, options?: CallOptions) =>
    listOf(call, "GET /companies/{id}/documents", "documents", { params: { id } }, options),
  document: (id: string, document: string, options?: CallOptions) =>
    call("GET /companies/{id}/documents/{document}", { params: { id, document } }, options),
  content: (id: string, document: string, options?: CallOptions) =>
    call("GET /companies/{id}/documents/{document}/content", { params: { id, document } }, options),
});

/** Verification sessions with a vendor, and their outcomes. */
export const makeSessions = (call: Call) => ({
  create: (body: SessionRequest, options?: CallOptions) => call("POST /v1/sessions", { body }, options),
  get: (sessionId: string, options?: CallOptions) =>
    call("GET /v1/sessions/{sessionId}", { params: { sessionId } }, options),
  verify: (body: VerificationRequest, options?: CallOptions) => call("POST /v1/verifications", { body }, options),
  verification: (verificationId: string, options?: CallOptions) =>
    call("GET /v1/verifications/{verificationId}", { params: { verificationId } }, options),
});
