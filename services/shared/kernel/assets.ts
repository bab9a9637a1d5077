import { currencyDigits, type Decimal, exactMinor, formatDecimal } from "./money";

/** Decimals of assets outside ISO 4217. None has more than 8, so that any whole supply fits an int64. */
export const otherAssets: ReadonlyMap<string, number> = new Map([
  ["ADA", 6],
  ["BCH", 8],
  ["BTC", 8],
  ["DAI", 8],
  ["DOGE", 8],
  ["DOT", 8],
  ["ETH", 8],
  ["EURC", 6],
  ["LTC", 8],
  ["PYUSD", 6],
  ["SOL", 8],
  ["TRX", 6],
  ["USDC", 6],
  ["USDP", 6],
  ["USDT", 6],
  ["XLM", 7],
  ["XRP", 6],
]);

/** Number of decimals of a currency (ISO 4217) or another asset; undefined for an unknown code. */
export const assetDigits = (asset: string): number | undefined => currencyDigits(asset) ?? otherAssets.get(asset);

/** Decimals of an asset that accounts are held in. Throws for an unknown one. */
function requireAssetDigits(asset: string): number {
  const digits = assetDigits(asset);
  if (digits === undefined) throw new Error(`the asset ${asset} has no number of decimals`);
  return digits;
}

/** The decimal as minor units of the asset; undefined when it has more decimals than the asset. */
export const assetMinor = (amount: Decimal, asset: string): bigint | undefined =>
  exactMinor(amount, requireAssetDigits(asset));

/** Plain decimal of minor units, with a minus sign if negative: valid as a JSON number. */
export function formatMinor(minor: bigint, asset: string): string {
  const text = formatDecimal({ digits: absolute(minor), scale: requireAssetDigits(asset) });
  return minor < 0n ? `-${text}` : text;
}

/** Returns an amount without its sign. */
export const absolute = (minor: bigint): bigint => (minor < 0n ? -minor : minor);
