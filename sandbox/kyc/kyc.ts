import { type Request, Router } from "express";
import { type Answer, notFound, referenceConflict } from "../answer";
import type { Environment } from "../environment";
import { answerProblems, fieldsOf, text } from "../input";
import type { Call } from "../serve";
import { capturePage, pagePath } from "./capture-page";
import { type Capture, type CaptureOrder, openCaptures, render } from "./captures";

export const kycOperations = ["open", "query", "erase", "judge", "report", "callback"] as const;

/** Family name of a person whom this vendor rejects. */
export const rejectedName = "Rejected";

/** The verification vendor: a page where a person shows a document, and decisions on persons. */
export function startKyc(environment: Environment): { routes: Router; pages: Router; list(): Capture[] } {
  const { database, serve } = environment;
  const captures = openCaptures(environment);
  const open = (order: CaptureOrder, root: string): Answer => {
    const opened = captures.open(order);
    if (opened === undefined) return referenceConflict;
    const { capture, isNew } = opened;
    return { status: isNew ? 201 : 200, body: { ...render(capture), url: `${root}${pagePath(capture.pageId)}` } };
  };
  const routes = Router();
  routes.post("/kyc/sessions", async (req, res) => {
    const { order, problems } = parseOrder(req.body);
    if (answerProblems(res, { problems })) return;
    const call: Call = { provider: "kyc", step: "open", reference: order.reference, body: req.body };
    await serve(res, call, () => database.write(() => open(order, rootOf(req))));
  });
  routes.get("/kyc/sessions/:reference", async (req, res) => {
    const { reference } = req.params;
    await serve(res, { provider: "kyc", step: "query", reference }, async () => {
      const found = captures.find(reference);
      return found === undefined ? notFound : { status: 200, body: render(found) };
    });
  });
  routes.post("/kyc/sessions/:reference/erasure", async (req, res) => {
    const { reference } = req.params;
    await serve(res, { provider: "kyc", step: "erase", reference }, () =>
      database.write(() => ({ status: 200, body: captures.erase(reference) })),
    );
  });
  routes.post("/kyc/persons", async (req, res) => {
    const { value } = fieldsOf(req.body);
    const reference = text(value["reference"]) || undefined;
    const decision = text(value["lastName"]) === rejectedName ? "REJECTED" : "APPROVED";
    const answer = { status: 200, body: { reference, decision } };
    await serve(res, { provider: "kyc", step: "judge", body: req.body }, async () => answer);
  });
  return { routes, pages: capturePage(environment, captures), list: captures.list };
}

const rootOf = (req: Request): string => `${req.protocol}://${req.get("host") ?? ""}`;

function parseOrder(body: unknown) {
  const { field, check, problems, value } = fieldsOf(body);
  const { documentTypes } = value;
  const types = Array.isArray(documentTypes) ? documentTypes.map(text).filter((type) => type !== "") : [];
  check(types.length > 0, "documentTypes", "must name kinds of documents");
  const order: CaptureOrder = {
    reference: field("reference", /^[A-Za-z0-9._:-]{1,255}$/, "must be 1 to 255 of A-Z a-z 0-9 . _ : -"),
    userRef: field("userRef", /^.{1,255}$/su, "must be text of at most 255 characters"),
    documentTypes: types,
    countryCode: field("countryCode", /^([A-Z]{2,3})?$/, "must be an ISO 3166-1 code"),
    redirectUrl: field("redirectUrl", /^(https:\/\/\S{1,2040})?$/, "must be an https URL"),
    expiresAt: field("expiresAt", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, "must be an instant"),
  };
  return { order, problems };
}
