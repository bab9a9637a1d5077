/** The sums of one currency's accounts on a day: customers' money, and where it is held. */
export interface ProofLine {
  asset: string;
  /** Customers' wallets and tenants' funding; positive is what we owe them. */
  customers: bigint;
  /** Money blocked for compliance: it has an owner but may not be paid out. */
  blocked: bigint;
  /** Money that tenants' banks and providers hold for us outside the platform; negative is what they owe us. */
  held: bigint;
  /** The platform's own money: fx, margin, fees, provider fees, write-offs. */
  own: bigint;
  /** Money without an owner yet: suspense. */
  unassigned: bigint;
  /** The sum of all of these; 0 when the books balance. */
  difference: bigint;
}

type Part = Exclude<keyof ProofLine, "asset" | "difference">;

function partOf(path: string): Part {
  if (path.startsWith("provider/") || /^tenant\/[^/]+\/external$/.test(path)) return "held";
  if (path.startsWith("tenant/")) return "customers";
  if (path.startsWith("platform/blocked/")) return "blocked";
  return path === "platform/suspense" ? "unassigned" : "own";
}

const nothing = { customers: 0n, blocked: 0n, held: 0n, own: 0n, unassigned: 0n, difference: 0n };

/** The proof of a day, by currency. */
export function proofOf(sums: readonly { path: string; asset: string; minor: bigint }[]): ProofLine[] {
  const lines = new Map<string, ProofLine>();
  for (const { path, asset, minor } of sums) {
    const line = lines.get(asset) ?? { ...nothing, asset };
    const part = partOf(path);
    lines.set(asset, { ...line, [part]: line[part] + minor, difference: line.difference + minor });
  }
  return [...lines.values()].toSorted((a, b) => (a.asset < b.asset ? -1 : 1));
}
