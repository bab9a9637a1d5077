/** What one currency's accounts come to on a day: customers' money, and where it is held. */
export interface ProofLine {
  asset: string;
  /** What wallets hold for tenants' customers, and tenants' funding, positive for what we owe them. */
  customers: bigint;
  /** What tenants' banks hold for us outside of the platform, and what providers do: negative for what they owe us. */
  held: bigint;
  /** What is the platform's own: fx, margin, fees, provider fees, write-offs. */
  own: bigint;
  /** What is not yet anybody's: suspense and blocked money. */
  unassigned: bigint;
  /** Customers, held, own and unassigned together; 0 where customers' money equals the money held. */
  difference: bigint;
}

type Part = "customers" | "held" | "own" | "unassigned";

function partOf(path: string): Part {
  if (path.startsWith("provider/") || /^tenant\/[^/]+\/external$/.test(path)) return "held";
  if (path.startsWith("tenant/")) return "customers";
  return /^platform\/(suspense|blocked\/)/.test(path) ? "unassigned" : "own";
}

/** The proof of a day, by currency. */
export function proofOf(sums: readonly { path: string; asset: string; minor: bigint }[]): ProofLine[] {
  const lines = new Map<string, ProofLine>();
  for (const { path, asset, minor } of sums) {
    const line = lines.get(asset) ?? { asset, customers: 0n, held: 0n, own: 0n, unassigned: 0n, difference: 0n };
    const part = partOf(path);
    lines.set(asset, { ...line, [part]: line[part] + minor, difference: line.difference + minor });
  }
  return [...lines.values()].toSorted((a, b) => (a.asset < b.asset ? -1 : 1));
}
