import type { OpenCaseRequest, OpenCaseResponse } from "../../../proto/gen/corridor/payment/v1/case_service";
import type { Clock } from "../../shared/kernel/clock";
import { invalid } from "../../shared/kernel/errors";
import { money } from "../../shared/kernel/money";
import type { OpenReportedCase } from "../operations/open-reported-case";
import { decodeDifference, decodeKind, encodeState, toEvidence } from "./case-codec";

/** Opens a case for what another service found, or adds it to its payment's case; repeats change nothing. */
export const openCaseHandler =
  ({ openReported, clock }: { openReported: OpenReportedCase; clock: Clock }) =>
  async (request: OpenCaseRequest): Promise<OpenCaseResponse> => {
    const { key, tenant, provider, paymentIds, amounts, text, evidence, reference } = request;
    const kind = decodeKind(request.kind);
    const problems = [
      ...(key.length >= 1 && key.length <= 255 ? [] : [{ field: "key", message: "must have 1 to 255 characters" }]),
      ...(kind === undefined ? [{ field: "kind", message: "is required" }] : []),
      ...(paymentIds.length > 100 ? [{ field: "paymentIds", message: "must be at most 100" }] : []),
      ...(amounts.length > 20 ? [{ field: "amounts", message: "must be at most 20" }] : []),
      ...(text.length >= 1 && text.length <= 2_000
        ? []
        : [{ field: "text", message: "must have 1 to 2000 characters" }]),
      ...(reference.length > 255 ? [{ field: "reference", message: "must have at most 255 characters" }] : []),
      ...(evidence.length > 16_000 ? [{ field: "evidence", message: "must have at most 16000 characters" }] : []),
    ];
    if (kind === undefined || problems.length > 0) throw invalid(problems);
    const line = {
      at: clock.now(),
      author: "platform",
      approver: "",
      text,
      command: "",
      evidence: toEvidence(evidence),
    };
    const named = amounts.map(({ amountMinor, currency }) => money(amountMinor, currency));
    const difference = request.difference && decodeDifference(request.difference);
    const report = { kind, tenant, provider, paymentIds, reference, amounts: named, line, difference };
    const opened = await openReported(key, report);
    return { caseId: opened.id, state: encodeState(opened.state) };
  };
