/** What one currency's accounts come to on a day: customers' money, and where it is held. */
export interface ProofLine {
  asset: string;
  /** What wallets hold for tenants' customers, and tenants' funding, positive for what we owe them. */
  customers: bigint;
  /** What is blocked for compliance: somebody's, and nobody may have it. */
  blocked: bigint;
  /** What tenants' banks hold for us outside of the platform, and what providers do: negative for what they owe us. */
  held: bigint;
  /** What is the platform's own: fx, margin, fees, provider fees, write-offs. */
  own: bigint;
  /** What is not yet anybody's: suspense. */
  unassigned: bigint;
  /** All of these together; 0 where customers' money, with what of it is blocked, equals the money held. */
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
