import { FoundKind, type Found as WireFound } from "../proto/gen/corridor/common/v1/search_service";
import { FoundIdKind, type FoundPayment } from "../proto/gen/corridor/payment/v1/payment_list_service";
import { systemClock } from "../services/shared/kernel/clock";
import { hasReason } from "../services/shared/kernel/errors";
import { originOf } from "../services/shared/kernel/ids";
import { currentCall, runInCall } from "../services/shared/process/call-context";
import type { Upstreams } from "./clients";
import type { foundKinds, searchedServices } from "./contract/search";

type FoundWord = (typeof foundKinds)[number];
export type SearchedService = (typeof searchedServices)[number];

/** An object that an id belongs to. */
export interface Found {
  kind: FoundWord;
  id: string;
  tenant: string;
  externalId: string | null;
  parentId: string | null;
  createdAt: Date | null;
}

type Searched = Pick<Upstreams, SearchedService>;

/** Longest wait for one service, so that a slow one does not delay the others. */
const withinMs = 1_000;

const paymentKinds: Readonly<Record<FoundIdKind, FoundWord | undefined>> = {
  [FoundIdKind.UNSPECIFIED]: undefined,
  [FoundIdKind.PAYMENT]: "payment",
  [FoundIdKind.LEG]: "leg",
  [FoundIdKind.REFUND]: "refund",
  [FoundIdKind.QUOTE]: "quote",
  [FoundIdKind.PROVIDER_REFERENCE]: "provider reference",
  [FoundIdKind.RECEIPT]: "receipt",
  [FoundIdKind.TRACE]: "trace",
  [FoundIdKind.UNRECOGNIZED]: undefined,
};

const kinds: Readonly<Record<FoundKind, FoundWord | undefined>> = {
  [FoundKind.UNSPECIFIED]: undefined,
  [FoundKind.QUOTE]: "quote",
  [FoundKind.WALLET]: "wallet",
  [FoundKind.WALLET_TRANSACTION]: "wallet transaction",
  [FoundKind.TRANSFER]: "transfer",
  [FoundKind.PERSON]: "person",
  [FoundKind.COMPANY]: "company",
  [FoundKind.DOCUMENT]: "document",
  [FoundKind.SESSION]: "session",
  [FoundKind.REVIEW]: "review",
  [FoundKind.WEBHOOK]: "webhook",
  [FoundKind.DELIVERY]: "delivery",
  [FoundKind.EVENT]: "event",
  [FoundKind.UNRECOGNIZED]: undefined,
};

/**
 * Whether a service can know an id of this form. Payments and wallets are asked about every id, since ids that callers choose may look like
 * anything, also like one of ours; the other services find objects by ids that they assigned themselves, and by numbers of documents.
 */
function mayKnow(service: SearchedService, id: string, withNumbers: boolean): boolean {
  const origin = originOf(id);
  switch (service) {
    case "payment":
    case "wallet":
      return true;
    case "fx":
      return origin === "fx";
    case "identity":
      return origin === "identity" || (withNumbers && origin === undefined && !isOfEvent(id) && /\d/.test(id));
    case "webhook":
      return origin === "webhook" || origin === "derived" || isOfEvent(id);
  }
}

/** Events are numbered per object: `<id>.3`. */
const isOfEvent = (id: string): boolean => /\.\d+$/.test(id) && originOf(id.slice(0, id.indexOf("."))) !== undefined;

/**
 * Asks all services that can know an id, or on request the number of a document, in parallel what it belongs to, each with a deadline of
 * its own. Services that do not answer are named as missing.
 */
export async function findAnything(
  upstreams: Searched,
  tenant: string | undefined,
  id: string,
  { services, withNumbers }: { services: readonly SearchedService[]; withNumbers: boolean },
): Promise<{ found: Found[]; missing: SearchedService[] }> {
  const request = { tenant, allTenants: tenant === undefined, id, withNumbers };
  const { deadlineMs = Number.POSITIVE_INFINITY, ...context } = currentCall() ?? { requestId: "" };
  const ownDeadlineMs = Math.min(deadlineMs, systemClock.now().getTime() + withinMs);
  const ask = async (service: SearchedService): Promise<Found[]> => {
    if (service === "payment") return (await upstreams.payment.findPayments(request)).payments.flatMap(ofPayment);
    return (await upstreams[service].find(request)).found.flatMap(ofOther);
  };
  const answers = await Promise.all(
    services
      .filter((service) => mayKnow(service, id, withNumbers))
      .map(async (service) => {
        try {
          return { service, found: await runInCall({ ...context, deadlineMs: ownDeadlineMs }, () => ask(service)) };
        } catch (error) {
          if (hasReason(error, "UNAVAILABLE")) return { service, found: undefined };
          throw error;
        }
      }),
  );
  return {
    found: answers.flatMap(({ found = [] }) => found),
    missing: answers.flatMap(({ service, found }) => (found === undefined ? [service] : [])),
  };
}

function ofPayment({ kind, paymentId, tenant, externalPaymentId, createdAt }: FoundPayment): Found[] {
  const word = paymentKinds[kind];
  if (word === undefined) return [];
  return [
    { kind: word, id: paymentId, tenant, externalId: externalPaymentId, parentId: null, createdAt: createdAt ?? null },
  ];
}

function ofOther({ kind, id, tenant, externalId, parentId, createdAt }: WireFound): Found[] {
  const word = kinds[kind];
  if (word === undefined) return [];
  const names = { externalId: externalId ?? null, parentId: parentId ?? null };
  return [{ kind: word, id, tenant, ...names, createdAt: createdAt ?? null }];
}
