import { notAReport, readSignedCallback, textOf } from "../../../shared/crypto/callback-signature";
import { isPage, type ProviderCall } from "../../../shared/http/provider-call";
import { type Clock, parseInstant } from "../../../shared/kernel/clock";
import { DomainError } from "../../../shared/kernel/errors";
import type { Ids } from "../../../shared/kernel/ids";
import type { JsonObject } from "../../../shared/kernel/json";
import { type SessionReport, sessionReportStatuses } from "../../domain/session";
import type { Verifier } from "../../ports";
import { eraseAtVendor } from "../vendor-erasure";

export interface KycVendorOptions {
  call: ProviderCall;
  callbackSecret: string;
  /** How long after a decision this vendor may still change it. */
  redecisionMs: number;
  /** Real time, by which signatures expire. */
  clock: Clock;
  ids: Ids;
}

/** The verification vendor over HTTP and JSON. */
export function makeKycVendor({ call, callbackSecret, redecisionMs, clock, ids }: KycVendorOptions): Verifier {
  return {
    redecisionMs,
    async open({ id, facts, expiresAt }) {
      const { userRef, documentTypes, countryCode, redirectUrl } = facts;
      const request = { reference: id, userRef, documentTypes, countryCode, redirectUrl, expiresAt };
      const answer = await call("POST", "/kyc/sessions", request);
      const isOurs = answer !== undefined && answer.status < 300 && textOf(answer.body, "reference") === id;
      const url = isOurs ? textOf(answer.body, "url") : undefined;
      // The page of another session would identify one person as another.
      if (url === undefined || !isPage(url)) throw away();
      return { url };
    },
    async ask(sessionId) {
      const answer = await call("GET", `/kyc/sessions/${encodeURIComponent(sessionId)}`);
      const report = answer?.status === 200 ? readReport(answer.body) : undefined;
      return report?.sessionId === sessionId ? report : undefined;
    },
    readReport(signature, body) {
      const report = readReport(
        readSignedCallback({ provider: "kyc", secret: callbackSecret, clock }, signature, body).value,
      );
      if (report === undefined) throw notAReport();
      return report;
    },
    erase: (sessionId) => eraseAtVendor(call, `/kyc/sessions/${encodeURIComponent(sessionId)}`, sessionId),
    async objectionTo(person) {
      const reference = ids.uuid();
      const answer = await call("POST", "/kyc/persons", { reference, ...person });
      const isOurs = answer?.status === 200 && textOf(answer.body, "reference") === reference;
      const decision = isOurs ? textOf(answer.body, "decision") : undefined;
      if (decision === "APPROVED") return undefined;
      if (decision === "REJECTED") return "the verification vendor does not accept the person";
      throw away();
    },
  };
}

const away = (): DomainError => new DomainError("UNAVAILABLE", "the verification vendor does not answer");

function readReport(value: JsonObject): SessionReport | undefined {
  const sessionId = textOf(value, "reference");
  const status = sessionReportStatuses.find((candidate) => candidate === value["status"]);
  const occurredAt = parseInstant(textOf(value, "occurredAt") ?? "");
  const attempts = countOf(value["attempts"]);
  const revision = countOf(value["revision"]);
  if (sessionId === undefined || status === undefined || occurredAt === undefined) return undefined;
  if (attempts === undefined || revision === undefined) return undefined;
  const [reasonCode] = /^[A-Z][A-Z_]{0,63}$/.exec(textOf(value, "reasonCode") ?? "") ?? [];
  return { sessionId, status, occurredAt, attempts, revision, reasonCode };
}

const countOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
