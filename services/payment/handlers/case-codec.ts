import { hash } from "node:crypto";
import {
  BegunStep,
  CaseState,
  type CommandCaseRequest,
  FactKind,
  PaymentLeg,
  type Case as WireCase,
  DifferenceClass as WireClass,
  type StatementDifference as WireDifference,
  CaseKind as WireKind,
} from "../../../proto/gen/corridor/payment/v1/case_service";
import { enumCodec } from "../../shared/kernel/enum-codec";
import { invalid } from "../../shared/kernel/errors";
import { type Money, money, requireDigits } from "../../shared/kernel/money";
import type { GivenFact } from "../domain/case-commands";
import type { CaseKind, DifferenceClass, StatementDifference } from "../domain/case-note";
import type { Evidence, Fact } from "../domain/fact";
import type { CommandCaseOrder, Decision } from "../operations/command-case";
import type { Case } from "../store/case-store";
import { decodeMoney, encodeMoney } from "./money-codec";

const kindByWire: Readonly<Partial<Record<WireKind, CaseKind>>> = {
  [WireKind.UNEXPECTED_FACT]: "UNEXPECTED_FACT",
  [WireKind.AMOUNT_DIFFERS]: "AMOUNT_DIFFERS",
  [WireKind.CONTRADICTION]: "CONTRADICTION",
  [WireKind.UNKNOWN_REFERENCE]: "UNKNOWN_REFERENCE",
  [WireKind.STEP_UNKNOWN]: "STEP_UNKNOWN",
  [WireKind.REVERSAL_REFUSED]: "REVERSAL_REFUSED",
  [WireKind.RECONCILIATION_BREAK]: "RECONCILIATION_BREAK",
  [WireKind.PARKED_MESSAGE]: "PARKED_MESSAGE",
  [WireKind.AUTHORIZATION_EXPIRED]: "AUTHORIZATION_EXPIRED",
};

/** Returns undefined when no kind is given; throws INVALID_ARGUMENT for a kind that this release does not know. */
export function decodeKind(wire: WireKind): CaseKind | undefined {
  if (wire === WireKind.UNSPECIFIED) return undefined;
  const kind = kindByWire[wire];
  if (kind === undefined) throw invalid([{ field: "kind", message: "is not known" }]);
  return kind;
}

/** Returns undefined when no state is given; throws INVALID_ARGUMENT for a state that this release does not know. */
export function decodeState(wire: CaseState): Case["state"] | undefined {
  if (wire === CaseState.UNSPECIFIED) return undefined;
  if (wire === CaseState.OPEN) return "OPEN";
  if (wire === CaseState.CLOSED) return "CLOSED";
  throw invalid([{ field: "state", message: "is not known" }]);
}

const encodeKind = (kind: CaseKind): WireKind => WireKind[kind];

export const encodeState = (state: Case["state"]): CaseState => CaseState[state];

export const encodeCase = (found: Case): WireCase => ({
  caseId: found.id,
  state: encodeState(found.state),
  kinds: found.kinds.map(encodeKind),
  tenant: found.tenant,
  provider: found.provider,
  paymentIds: [...found.paymentIds],
  amounts: found.amounts.map(encodeMoney),
  differences: found.differences.map(encodeDifference),
  owner: found.owner,
  openedAt: found.openedAt,
  updatedAt: found.updatedAt,
  closedAt: found.closedAt,
  notes: found.notes.map(({ evidence, ...line }) => ({
    ...line,
    evidence: evidence?.raw ?? "",
    evidenceHash: evidence?.hash ?? "",
  })),
});

const classCodec = enumCodec<WireClass, DifferenceClass>({
  [WireClass.UNSPECIFIED]: undefined,
  [WireClass.UNRECOGNIZED]: undefined,
  [WireClass.MISSING_HERE]: "MISSING_HERE",
  [WireClass.MISSING_THERE]: "MISSING_THERE",
  [WireClass.AMOUNT]: "AMOUNT",
  [WireClass.CURRENCY]: "CURRENCY",
  [WireClass.DOUBLED]: "DOUBLED",
  [WireClass.GAP]: "GAP",
  [WireClass.SUSPENSE]: "SUSPENSE",
});
const legCodec = enumCodec<PaymentLeg, Fact["role"]>({
  [PaymentLeg.UNSPECIFIED]: undefined,
  [PaymentLeg.UNRECOGNIZED]: undefined,
  [PaymentLeg.PULL]: "pull",
  [PaymentLeg.PAYOUT]: "payout",
});
const mostIds = 100;

/** Reads a difference to a statement. Throws INVALID_ARGUMENT for one that is not whole. */
export function decodeDifference(wire: WireDifference): StatementDifference {
  const { breakId, provider, reference, ours, theirs, lineIds, entryIds, foundAt } = wire;
  const difference = classCodec.decode(wire.class);
  const problems = [
    ...(breakId === "" ? [{ field: "difference.breakId", message: "is required" }] : []),
    ...(difference === undefined ? [{ field: "difference.class", message: "must be a known class" }] : []),
    ...(foundAt === undefined ? [{ field: "difference.foundAt", message: "is required" }] : []),
    ...Object.entries({ lineIds, entryIds }).flatMap(([name, { length }]) =>
      length > mostIds ? [{ field: `difference.${name}`, message: `must be at most ${mostIds}` }] : [],
    ),
  ];
  if (difference === undefined || foundAt === undefined || problems.length > 0) throw invalid(problems);
  return {
    breakId,
    class: difference,
    provider,
    reference,
    leg: legCodec.decode(wire.leg),
    ours: ours && decodeMoney(ours),
    theirs: theirs && decodeMoney(theirs),
    lineIds,
    entryIds,
    foundAt,
  };
}

const encodeDifference = ({
  class: kind,
  leg,
  ours,
  theirs,
  lineIds,
  entryIds,
  ...own
}: StatementDifference): WireDifference => ({
  ...own,
  class: classCodec.encode(kind),
  leg: leg === undefined ? PaymentLeg.UNSPECIFIED : legCodec.encode(leg),
  ours: ours && encodeMoney(ours),
  theirs: theirs && encodeMoney(theirs),
  lineIds: [...lineIds],
  entryIds: [...entryIds],
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns the evidence that was given; undefined for an empty text. */
export const toEvidence = (text: string): Evidence | undefined =>
  text === "" ? undefined : { raw: text, hash: hash("sha256", text) };

/** Reads a command. Throws INVALID_ARGUMENT with every failed field. */
export function decodeCommand(request: CommandCaseRequest): CommandCaseOrder {
  const { caseId, commandId, author, approver, note, command } = request;
  const evidence = toEvidence(request.evidence);
  const problems = [
    ...(uuid.test(commandId) ? [] : [{ field: "commandId", message: "must be a UUID in lower case" }]),
    ...(author.trim() === "" ? [{ field: "author", message: "is required" }] : []),
    ...(note.trim() === "" || note.length > 2_000
      ? [{ field: "note", message: "must have 1 to 2000 characters" }]
      : []),
    ...(request.evidence.length > 16_000 ? [{ field: "evidence", message: "must have at most 16000 characters" }] : []),
    ...(command === undefined ? [{ field: "command", message: "is required" }] : []),
  ];
  if (command === undefined || problems.length > 0) throw invalid(problems);
  const paymentId = "paymentId" in command.value && command.$case !== "repointFact" ? command.value.paymentId : "";
  const decision = decisionOf(command, evidence);
  return { caseId, commandId, author, approver, note, evidence, paymentId, decision };
}

type Command = NonNullable<CommandCaseRequest["command"]>;

function decisionOf(command: Command, evidence: Evidence | undefined): Decision {
  switch (command.$case) {
    case "settleStep":
      if (evidence === undefined) throw invalid([{ field: "evidence", message: "is required to settle a step" }]);
      if (command.value.kind === FactKind.REFUSED) return refused(command.value, evidence);
      return { kind: "settleStep", fact: factOf(command.value, evidence) };
    case "askProvider":
      return { kind: "askProvider" };
    case "beginStep":
      return begun(command.value.step, moneyOf(command.value.amount, "beginStep.amount"));
    case "postCorrection":
      return { kind: "postCorrection", postings: postingsOf(command.value.postings) };
    case "repointFact":
      return { kind: "repoint", paymentId: command.value.paymentId };
    case "assign":
      return { kind: "assign", owner: command.value.owner };
    case "close":
      return { kind: "close" };
  }
}

const factKinds: Readonly<Partial<Record<FactKind, Pick<GivenFact, "role" | "kind">>>> = {
  [FactKind.AUTHORIZED]: { role: "pull", kind: "AUTHORIZED" },
  [FactKind.CAPTURED]: { role: "pull", kind: "CAPTURED" },
  [FactKind.SETTLED]: { role: "pull", kind: "SETTLED" },
  [FactKind.VOIDED]: { role: "pull", kind: "VOIDED" },
  [FactKind.REFUNDED]: { role: "pull", kind: "REFUNDED" },
  [FactKind.COLLECTION_RETURNED]: { role: "pull", kind: "RETURNED" },
  [FactKind.CHARGED_BACK]: { role: "pull", kind: "CHARGED_BACK" },
  [FactKind.DECLINED]: { role: "pull", kind: "DECLINED" },
  [FactKind.PAID]: { role: "payout", kind: "PAID" },
  [FactKind.REJECTED]: { role: "payout", kind: "REJECTED" },
  [FactKind.PAYOUT_RETURNED]: { role: "payout", kind: "RETURNED" },
  [FactKind.CANCELLED]: { role: "payout", kind: "CANCELLED" },
};

/** Returns the decision that a step was refused. A step that was not done has moved nothing, so it takes no amount and no movement. */
function refused({ amount, movementId }: GivenStep, evidence: Evidence): Decision {
  const problems = [
    ...(amount === undefined ? [] : [{ field: "settleStep.amount", message: "does not belong to REFUSED" }]),
    ...(movementId === "" ? [] : [{ field: "settleStep.movementId", message: "does not belong to REFUSED" }]),
  ];
  if (problems.length > 0) throw invalid(problems);
  return { kind: "refuseStep", evidence };
}

interface GivenStep {
  kind: FactKind;
  amount?: WireMoney | undefined;
  movementId: string;
}

function factOf({ kind, amount, movementId }: GivenStep, evidence: Evidence): GivenFact {
  const known = factKinds[kind];
  if (known === undefined) throw invalid([{ field: "settleStep.kind", message: "must be a known kind" }]);
  const told = { amount: moneyOf(amount, "settleStep.amount"), movementId: movementId || undefined, evidence };
  return { ...known, ...told } as GivenFact;
}

interface WireMoney {
  amountMinor: bigint;
  currency: string;
}

function moneyOf(wire: WireMoney | undefined, field: string): Money | undefined {
  if (wire === undefined) return undefined;
  try {
    requireDigits(wire.currency);
    return money(wire.amountMinor, wire.currency);
  } catch {
    throw invalid([{ field, message: "must be an amount of an ISO 4217 currency" }]);
  }
}

function begun(step: BegunStep, amount: Money | undefined): Decision {
  switch (step) {
    case BegunStep.VOID:
      return { kind: "beginVoid" };
    case BegunStep.REFUND:
      return { kind: "beginRefund", amount };
    case BegunStep.CANCEL:
      return { kind: "beginCancel" };
    case BegunStep.RELEASE:
      return { kind: "beginRelease" };
    default:
      throw invalid([{ field: "beginStep.step", message: "must be a known step" }]);
  }
}

const account =
  /^(tenant\/[a-z0-9-]{1,63}\/(funding|external)|provider\/[a-z0-9-]{1,63}\/clearing|platform\/(fx|margin|fees|suspense|write-offs|provider-fees))$/;

function postingsOf(postings: readonly { account: string; currency: string; minor: bigint }[]) {
  const problems = postings.flatMap(({ account: path, currency, minor }, index) => [
    ...(account.test(path)
      ? []
      : [{ field: `postCorrection.postings.${index}.account`, message: "is no account for corrections" }]),
    ...(/^[A-Z]{3}$/.test(currency)
      ? []
      : [{ field: `postCorrection.postings.${index}.currency`, message: "must be an ISO 4217 code" }]),
    ...(minor === 0n ? [{ field: `postCorrection.postings.${index}.minor`, message: "must not be 0" }] : []),
  ]);
  if (postings.length < 2 || postings.length > 20) {
    problems.push({ field: "postCorrection.postings", message: "must be 2 to 20" });
  }
  for (const [currency, own] of Map.groupBy(postings, (posting) => posting.currency)) {
    if (own.reduce((sum, { minor }) => sum + minor, 0n) !== 0n) {
      problems.push({ field: "postCorrection.postings", message: `must add up to zero in ${currency}` });
    }
  }
  if (problems.length > 0) throw invalid(problems);
  return postings.map((posting) => ({ ...posting }));
}
