import { Router } from "express";
import type { Act } from "./acts";
import { type Answer, notFound, referenceConflict } from "./answer";
import type { Environment } from "./environment";
import { answerProblems, fieldsOf } from "./input";
import { contentHash, openRecordStore } from "./record-store";
import { scenarioOf } from "./scenarios";
import type { Call } from "./serve";

/** One screened payment. */
interface Screening {
  reference: string;
  contentHash: string;
  decision: "APPROVED" | "REVIEW" | "REJECTED";
  reason: string | null;
  /** Outcome of its review. */
  ending: "APPROVED" | "REJECTED" | null;
  calls: number;
  createdAt: string;
  decidedAt: string | null;
}

interface ScreenedPayment {
  reference: string;
  tenant: string;
  amount: string;
  currency: string;
  recipientName: string;
  recipientCountry: string;
  narrative: string;
}

export const screeningOperations = ["screen", "query", "report", "callback"] as const;

const reviewMs = 300;
const endings = { APPROVED: "cleared by a reviewer", REJECTED: "refused by a reviewer" };
const onList = /\bSanctioned\b/;

/** The screening vendor: decides on each payment once, and finishes its reviews by callback. */
export function startScreening(environment: Environment): { routes: Router; list(): Screening[] } {
  const { database, clock, serve, callbacks, jobs, acts } = environment;
  const records = openRecordStore<Screening>(database, "screenings");
  jobs.on("review", (reference) => {
    const found = records.find(reference);
    if (found?.ending == null || found.decision !== "REVIEW") return;
    const decidedAt = clock.now().toISOString();
    const { ending } = found;
    records.save(reference, { ...found, decision: ending, reason: endings[ending], decidedAt });
    callbacks.report("screening", { reference, status: ending, reason: endings[ending], occurredAt: decidedAt });
  });

  /** Decides again, whatever the earlier decision was. */
  const decide =
    (decision: "APPROVED" | "REJECTED"): Act =>
    (reference, { isSilent }) => {
      const found = records.find(reference);
      if (found === undefined) return false;
      const decidedAt = clock.now().toISOString();
      const next: Screening = { ...found, decision, reason: endings[decision], ending: null, decidedAt };
      records.save(reference, next);
      if (isSilent !== true) callbacks.report("screening", reportOf(next));
      return true;
    };
  acts.on("screening", { APPROVE: decide("APPROVED"), REJECT: decide("REJECTED") });
  callbacks.onNotify("screening", (reference) => {
    const found = records.find(reference);
    return found && reportOf(found);
  });

  const screen = (payment: ScreenedPayment): Answer => {
    const found = records.find(payment.reference);
    const hash = contentHash(payment);
    if (found !== undefined) {
      records.save(payment.reference, { ...found, calls: found.calls + 1 });
      return found.contentHash === hash ? { status: 200, body: render(found) } : referenceConflict;
    }
    const ending = scenarioOf(payment.narrative).review ?? null;
    const isListed = onList.test(payment.recipientName);
    const createdAt = clock.now().toISOString();
    const decision = isListed ? "REJECTED" : ending === null ? "APPROVED" : "REVIEW";
    const screening: Screening = {
      reference: payment.reference,
      contentHash: hash,
      decision,
      reason: isListed ? "the recipient is on a sanctions list" : null,
      ending: isListed ? null : ending,
      calls: 1,
      createdAt,
      decidedAt: decision === "REVIEW" ? null : createdAt,
    };
    records.save(payment.reference, screening);
    if (decision === "REVIEW") jobs.add("review", payment.reference, reviewMs);
    return { status: 201, body: render(screening) };
  };

  const routes = Router();
  routes.post("/screening/payments", async (req, res) => {
    const { payment, problems } = parsePayment(req.body);
    if (answerProblems(res, { problems })) return;
    const call: Call = { provider: "screening", step: "screen", reference: payment.reference, body: req.body };
    await serve(res, call, () => database.write(() => screen(payment)));
  });
  routes.get("/screening/payments/:reference", async (req, res) => {
    const { reference } = req.params;
    await serve(res, { provider: "screening", step: "query", reference }, async () => {
      const found = records.find(reference);
      return found === undefined ? notFound : { status: 200, body: render(found) };
    });
  });
  return { routes, list: () => records.list() };
}

const reportOf = ({ reference, decision, reason, decidedAt, createdAt }: Screening) => ({
  reference,
  status: decision,
  reason,
  occurredAt: decidedAt ?? createdAt,
});

const render = ({ reference, decision, reason }: Screening): object => ({
  reference,
  decision,
  ...(reason === null ? {} : { reason }),
});

function parsePayment(body: unknown) {
  const { field, problems } = fieldsOf(body);
  const words = (name: string): string => field(name, /^.{0,1000}$/su, "must be at most 1000 characters");
  const payment: ScreenedPayment = {
    reference: field("reference", /^[A-Za-z0-9._:-]{1,255}$/, "must be 1 to 255 of A-Z a-z 0-9 . _ : -"),
    tenant: words("tenant"),
    amount: field("amount", /^\d{1,16}(\.\d{1,8})?$/, "must be decimal text"),
    currency: field("currency", /^[A-Z]{3}$/, "must be an ISO 4217 code"),
    recipientName: words("recipientName"),
    recipientCountry: words("recipientCountry"),
    narrative: words("narrative"),
  };
  return { payment, problems };
}
