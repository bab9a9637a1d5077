import { notAReport, readSignedCallback, textOf } from "../../../shared/crypto/callback-signature";
import type { ProviderCall } from "../../../shared/http/provider-call";
import type { Clock } from "../../../shared/kernel/clock";
import type { JsonObject } from "../../../shared/kernel/json";
import { type Evidence, movesMoney, type PayoutFact, type PayoutFactKind } from "../../domain/fact";
import type { Payment, Payout } from "../../domain/payment";
import { instructionOf } from "../../domain/payout-instruction";
import type { Step } from "../../domain/steps";
import type { Outcome, Provider, ProviderManifest } from "../../ports";
import {
  type AnswerRow,
  evidenceOf,
  factsOutcome,
  listOf,
  moneyIn,
  notFoundRow,
  readAnswer,
  reasonOf,
  refusalRow,
  refusedBy,
  timeOf,
} from "../answers";
import { incomplete, malformed, ownDecision, refused } from "./manifest";
import { orderOf } from "./order";

export interface RailOptions {
  manifest: ProviderManifest;
  call: ProviderCall;
  callbackSecret: string;
  /** The machine's clock: signatures age in real time. */
  clock: Clock;
}

const kinds: Readonly<Record<string, PayoutFactKind | undefined>> = {
  PREPARED: "PREPARED",
  HELD: "HELD",
  RELEASED: "RELEASED",
  PAID: "PAID",
  REJECTED: "REJECTED",
  RETURNED: "RETURNED",
  CANCELLED: "CANCELLED",
};

/** Talks to a payout rail over HTTP and JSON. */
export function makeRail(options: RailOptions): Provider {
  const { call, manifest } = options;
  const { name, hasPrepare } = manifest;
  const place = (reference: string): string => `/rails/${name}/instructions/${encodeURIComponent(reference)}`;
  const perform = async (payment: Payment, payout: Payout, step: Step): Promise<Outcome> => {
    const { reference } = payout;
    const order = (): object => orderOf(instructionOf(payment, payout));
    if (step === "prepare" && !hasPrepare) return preparedByItself(name, reference);
    switch (step) {
      case "prepare":
        return readAnswer(await call("POST", `/rails/${name}/instructions`, order()), railTable(name, payout, "order"));
      case "release": {
        const body = hasPrepare ? undefined : order();
        return readAnswer(
          await call("POST", `${place(reference)}/release`, body),
          railTable(name, payout, hasPrepare ? "act" : "order"),
        );
      }
      case "cancel":
        return readAnswer(await call("POST", `${place(reference)}/cancel`), railTable(name, payout, "act"));
      default:
        return { kind: "unknown" };
    }
  };
  return {
    manifest,
    perform: (payment, step) =>
      payment.payout === undefined ? Promise.resolve({ kind: "unknown" }) : perform(payment, payment.payout, step),
    async ask({ payout }, step) {
      if (payout === undefined) return { kind: "unknown" };
      if (step === "prepare" && !hasPrepare) return preparedByItself(name, payout.reference);
      return readAnswer(await call("GET", place(payout.reference)), railTable(name, payout, "ask"));
    },
    readCallback(signature, body) {
      const { value } = readSignedCallback(
        { ...options, provider: name, secret: options.callbackSecret },
        signature,
        body,
      );
      const reference = textOf(value, "reference");
      const status = textOf(value, "status") ?? "";
      if (reference === undefined || (status !== refused && kinds[status] === undefined)) throw notAReport();
      const evidence = evidenceOf(body.toString("utf8"));
      // A report that is incomplete is only a notice: the rail is asked.
      const about = { provider: name, reference, currency: textOf(value, "currency") ?? "", evidence };
      const facts = factsOf(value, about, false) ?? [];
      return { reference, facts, at: timeOf(value, ...timesOfWord), evidence };
    },
  };
}

/** A rail without a prepare step is not called before the release, so the payout counts as prepared. */
const preparedByItself = (provider: string, reference: string): Outcome => ({
  kind: "facts",
  facts: [{ role: "payout", kind: "PREPARED", provider, reference }],
});

/** Matches the answer that the rail has other content under the reference: it does not say what became of that content. */
const takenRow = (provider: string, reference: string): AnswerRow => ({
  status: [409],
  read(body, evidence) {
    if (textOf(body, "error") !== "reference_conflict" || textOf(body, "reference") !== reference) return undefined;
    return factsOutcome([{ role: "payout", kind: "REFERENCE_TAKEN", provider, reference, evidence }]);
  },
});

/**
 * Matches every known answer of a rail. A refusal or a conflict of a step says where the instruction stands. A rail that calls the
 * instruction itself malformed or incomplete has reserved nothing, and will release nothing.
 */
export const railTable = (
  provider: string,
  { reference, amount }: Payout,
  call: "order" | "act" | "ask",
): readonly AnswerRow[] => [
  {
    status: [200, 422],
    read(body, evidence) {
      if (textOf(body, "reference") !== reference || body["status"] !== refused) return undefined;
      return refusedBy(ownDecision, refused, reasonOf(body), evidence);
    },
  },
  {
    status: [200, 201, 202, 409, 422],
    read(body, evidence) {
      if (textOf(body, "reference") !== reference) return undefined;
      const about = { provider, reference, currency: amount.currency, evidence };
      return factsOutcome(factsOf(body, about, call === "ask"));
    },
  },
  notFoundRow(reference),
  ...(call === "order"
    ? [refusalRow(400, reference, malformed), refusalRow(422, reference, incomplete), takenRow(provider, reference)]
    : []),
];

interface About {
  provider: string;
  reference: string;
  currency: string;
  evidence: Evidence;
}

/**
 * Returns the facts in an instruction; undefined unless all of it is understood. Money is reported by the lists of what was paid and what
 * came back, or by the one movement that a report is about. `isWhole`: the answer is all that the rail knows, so an amount without an id
 * is all that has moved.
 */
function factsOf(body: JsonObject, about: About, isWhole: boolean): readonly PayoutFact[] | undefined {
  const kind = kinds[textOf(body, "status") ?? ""];
  if (kind === undefined) return undefined;
  const standing = {
    ...baseOf(about),
    ...detailsOf(body),
    kind,
    reason: reasonOf(body),
    providerAt: timeOf(body, ...(kind === "REJECTED" || kind === "CANCELLED" ? timesOfWord : times)),
  };
  const hasLists = body["payouts"] !== undefined || body["returns"] !== undefined;
  if (hasLists) {
    const moved = [
      ...(listed(body, "payouts", "PAID", about) ?? [undefined]),
      ...(listed(body, "returns", "RETURNED", about) ?? [undefined]),
    ];
    if (!moved.every((one) => one !== undefined)) return undefined;
    const told = moved.map((fact) => ({
      ...fact,
      ...detailsOf(body),
      reason: fact.kind === "RETURNED" ? reasonOf(body) : undefined,
    }));
    if (!movesMoney({ kind })) return [...told, standing];
    return told.some((fact) => fact.kind === kind) ? told : undefined;
  }
  if (!movesMoney({ kind })) return [standing];
  const amount = moneyOf(body, about.currency);
  const movementId = textOf(body, "movementId");
  return amount === undefined || (movementId === undefined && !isWhole)
    ? undefined
    : [{ ...standing, amount, movementId, ...(movementId === undefined ? { isTotal: true } : {}) }];
}

const timesOfWord = ["occurredAt", "at"] as const;
/**
 * Fields that may date a status. All but the first two say when the order was returned, paid or released, so they do not date a refusal.
 */
const times = [...timesOfWord, "returnedAt", "paidAt", "releasedAt"] as const;

const baseOf = ({ provider, reference, evidence }: About) =>
  ({ role: "payout", provider, reference, evidence }) as const;

const detailsOf = (body: JsonObject) => ({ railId: textOf(body, "railId"), receipt: textOf(body, "receipt") });

function listed(body: JsonObject, field: string, kind: PayoutFactKind, about: About) {
  return listOf(body, field)?.map((one): PayoutFact | undefined => {
    const amount = moneyOf(one, about.currency);
    const movementId = textOf(one, "movementId");
    if (amount === undefined || movementId === undefined) return undefined;
    return { ...baseOf(about), kind, amount, movementId, providerAt: timeOf(one, "at") };
  });
}

/** Returns what moved; undefined when nothing did. */
function moneyOf(body: JsonObject, currency: string) {
  const amount = /^[A-Z]{3}$/.test(currency) ? moneyIn(body, currency) : undefined;
  return amount?.minor === 0n ? undefined : amount;
}
