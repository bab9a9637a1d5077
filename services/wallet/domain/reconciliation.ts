/** What a provider's own book says of one reference of ours. */
export interface ProviderRecord {
  provider: string;
  /** Our reference, the id of the payment. */
  reference: string;
  asset: string;
  /** What the provider holds for us because of it, signed minor units: what it paid out is positive, as on our account. */
  minor: bigint;
  /** True while the provider may still change its mind; such a record is compared another day. */
  isOpen: boolean;
  /** How often it was executed for good. */
  executions: number;
}

/** What our clearing accounts say of one payment at one provider. */
export interface OurRecord {
  provider: string;
  paymentId: string;
  asset: string;
  minor: bigint;
}

/**
 * Why two books disagree. `MISSING_HERE`: the provider has moved money that we know nothing of; `MISSING_THERE`: we booked
 * what the provider has not; `AMOUNT`, `CURRENCY`: both have it and it differs; `DOUBLED`: executed more than once.
 */
export type BreakClass = (typeof breakClasses)[number];

export const breakClasses = ["MISSING_HERE", "MISSING_THERE", "AMOUNT", "CURRENCY", "DOUBLED"] as const;

export interface Break {
  class: BreakClass;
  provider: string;
  reference: string;
  /** Undefined where the book has nothing of it. */
  ours: { asset: string; minor: bigint } | undefined;
  theirs: { asset: string; minor: bigint } | undefined;
}

export interface Reconciliation {
  /** References that were compared. */
  compared: number;
  /** References left out because the provider may still change its mind. */
  open: number;
  breaks: Break[];
}

const nameOf = ({ class: kind, provider, reference }: Break): string => `${kind} ${provider} ${reference}`;

/** The later of two comparisons, with those breaks alone that the earlier one had as well. */
export function confirmed(earlier: Reconciliation, later: Reconciliation): Reconciliation {
  const seen = new Set(earlier.breaks.map(nameOf));
  return { ...later, breaks: later.breaks.filter((one) => seen.has(nameOf(one))) };
}

/** How many breaks there are of each class that occurs. */
export function countByClass(breaks: readonly Break[]): Record<string, number> {
  const classes = Map.groupBy(breaks, (one) => one.class);
  return Object.fromEntries(Array.from(classes, ([name, all]) => [name, all.length]));
}

const keyOf = (provider: string, reference: string): string => `${provider} ${reference}`;

/** Compares two books by provider and reference. A payment may have several records; their sum per asset counts. */
export function reconcile(ours: Iterable<OurRecord>, theirs: Iterable<ProviderRecord>): Reconciliation {
  const here = new Map<string, OurRecord[]>();
  for (const { provider, paymentId, asset, minor } of ours) {
    const key = keyOf(provider, paymentId);
    const records = here.get(key) ?? [];
    const same = records.find((record) => record.asset === asset);
    if (same === undefined) here.set(key, [...records, { provider, paymentId, asset, minor }]);
    else same.minor += minor;
  }
  const result: Reconciliation = { compared: 0, open: 0, breaks: [] };
  for (const record of theirs) {
    const key = keyOf(record.provider, record.reference);
    const mine = (here.get(key) ?? []).filter(({ minor }) => minor !== 0n);
    here.delete(key);
    if (record.isOpen) {
      result.open += 1;
      continue;
    }
    result.compared += 1;
    const broken = breakOf(record, mine);
    if (broken !== undefined) result.breaks.push(broken);
  }
  for (const { provider, paymentId, asset, minor } of [...here.values()].flat()) {
    if (minor === 0n) continue;
    result.compared += 1;
    const facts = { provider, reference: paymentId, ours: { asset, minor }, theirs: undefined };
    result.breaks.push({ class: "MISSING_THERE", ...facts });
  }
  return result;
}

function breakOf(record: ProviderRecord, mine: readonly OurRecord[]): Break | undefined {
  const { provider, reference, asset, minor, executions } = record;
  const [first] = mine;
  const facts = {
    provider,
    reference,
    ours: first === undefined ? undefined : { asset: first.asset, minor: first.minor },
    theirs: minor === 0n ? undefined : { asset, minor },
  };
  if (executions > 1) return { class: "DOUBLED", ...facts };
  if (first === undefined) return minor === 0n ? undefined : { class: "MISSING_HERE", ...facts };
  if (minor === 0n) return { class: "MISSING_THERE", ...facts };
  if (mine.length > 1 || first.asset !== asset) return { class: "CURRENCY", ...facts };
  return first.minor === minor ? undefined : { class: "AMOUNT", ...facts };
}
