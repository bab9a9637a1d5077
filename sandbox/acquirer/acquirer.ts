import { type Request, type Response, Router } from "express";
import { minorOf } from "../amounts";
import type { Answer } from "../answer";
import type { FindCard } from "../cards";
import type { Environment } from "../environment";
import type { Fault } from "../fault-rule";
import { answerProblems, asObject, type Fields, fieldsOf, text } from "../input";
import { refuseWith } from "../refusals";
import { parseStep, referenceRule } from "../steps";
import { renderCard } from "./authorization";
import { type AuthorizationRequest, type Authorizations, makeAuthorizations } from "./authorizations";
import { startChallenges } from "./challenges";
import { makeVerifications, type VerificationRequest, type Verifications } from "./verifications";

/** Operations that fault rules can name at the acquirer. */
export const acquirerOperations = [
  "authorize",
  "capture",
  "void",
  "refund",
  "query",
  "verify",
  "card",
  "report",
  "callback",
  "statement",
] as const;

export interface Acquirer {
  routes: Router;
  /** The 3DS pages for cardholders. */
  pages: Router;
  authorizations: Authorizations;
  verifications: Verifications;
}

/** The card network and its acquirer. */
export function startAcquirer(environment: Environment, findCard: FindCard): Acquirer {
  const { serve } = environment;
  const challenges = startChallenges(environment);
  const authorizations = makeAuthorizations({ ...environment, findCard, challenges });
  const verifications = makeVerifications({ ...environment, findCard, challenges });
  const routes = Router();
  const answer = (
    res: Response,
    call: { step: string; reference?: string; key?: string; body?: unknown },
    execute: (fault: Fault) => Promise<Answer>,
  ) => {
    const isDecision = call.step === "authorize" || call.step === "verify";
    return serve(res, { provider: "acquirer", ...call, isDecision }, execute);
  };

  routes.post("/acquirer/authorizations", async (req, res) => {
    const fields = fieldsOf(req.body);
    const request = parseAuthorization(fields);
    if (answerProblems(res, fields)) return;
    const { reference } = request;
    await answer(res, { step: "authorize", reference, body: req.body }, (fault) =>
      authorizations.authorize(request, req.body, fault, rootOf(req)),
    );
  });
  routes.get("/acquirer/authorizations/:reference", async (req, res) => {
    const { reference } = req.params;
    await answer(res, { step: "query", reference }, async () => authorizations.query(reference, rootOf(req)));
  });
  for (const operation of ["capture", "void", "refund"] as const) {
    const path = operation === "refund" ? "refunds" : operation;
    routes.post(`/acquirer/authorizations/:reference/${path}`, async (req, res) => {
      const fields = fieldsOf(req.body);
      const step = parseStep(fields, operation !== "void");
      if (answerProblems(res, fields)) return;
      const { reference } = req.params;
      await answer(res, { step: operation, reference, key: step.reference }, ({ effect }) =>
        operation === "void"
          ? authorizations.void(reference, step.reference)
          : authorizations[operation](reference, step, effect),
      );
    });
  }
  routes.post("/acquirer/verifications", async (req, res) => {
    const fields = fieldsOf(req.body);
    const request = parseVerification(fields);
    if (answerProblems(res, fields)) return;
    const { reference } = request;
    await answer(res, { step: "verify", reference, body: req.body }, ({ refuse }) =>
      verifications.verify(request, req.body, refuse, rootOf(req)),
    );
  });
  routes.get("/acquirer/verifications/:reference", async (req, res) => {
    const { reference } = req.params;
    await answer(res, { step: "query", reference }, async () => verifications.query(reference, rootOf(req)));
  });
  routes.post("/acquirer/cards", async (req, res) => {
    const fields = fieldsOf(req.body);
    const cardToken = parseCardToken(fields);
    if (answerProblems(res, fields)) return;
    await answer(res, { step: "card" }, async () => {
      const card = findCard(cardToken);
      if (card === undefined) return refuseWith("unknown_token", { cardToken });
      return { status: 200, body: { cardToken, card: renderCard(card) } };
    });
  });
  return { routes, pages: challenges.routes, authorizations, verifications };
}

/** Pages are served at the address of the API. */
const rootOf = (req: Request): string => `${req.protocol}://${req.get("host") ?? ""}`;

const parseCardToken = ({ field }: Fields): string => field("cardToken", /^[0-9a-f-]{36}$/i, "must be a card token");

function parseCommon(fields: Fields): { reference: string; cardToken: string } {
  return {
    reference: fields.field("reference", referenceRule, "must be 1 to 255 of A-Z a-z 0-9 . _ : -"),
    cardToken: parseCardToken(fields),
  };
}

function parseAuthorization(fields: Fields): AuthorizationRequest {
  const { value, check } = fields;
  const amount = text(value["amount"]);
  const currency = text(value["currency"]);
  check((minorOf(amount, currency) ?? 0n) > 0n, "amount", "must be positive decimal text of an ISO 4217 currency");
  check(typeof value["capture"] === "boolean", "capture", "must be true or false");
  check(text(value["ipAddress"]) !== "", "ipAddress", "is required");
  return {
    ...parseCommon(fields),
    amount,
    currency,
    capture: value["capture"] === true,
    // Fields without text do not make an address.
    hasBilling: Object.values(asObject(value["billing"])).some((line) => text(line).trim() !== ""),
    narrative: text(value["narrative"]),
  };
}

function parseVerification(fields: Fields): VerificationRequest {
  const { value, field, check } = fields;
  const address = asObject(value["address"]);
  for (const name of ["countryCode", "city", "line1", "zipCode"]) {
    check(text(address[name]) !== "", `address.${name}`, "is required");
  }
  return {
    ...parseCommon(fields),
    firstName: field("firstName", /^.{1,255}$/su, "must be 1 to 255 characters"),
    lastName: field("lastName", /^.{1,255}$/su, "must be 1 to 255 characters"),
    hasNameInquiry: value["nameInquiry"] !== false,
  };
}
