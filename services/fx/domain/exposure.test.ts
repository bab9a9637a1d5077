import { backWithin, type LimitedPosition, movesOf, requireRoom, valueIn } from "./exposure";

const at = new Date("2026-11-28T12:00:00Z");
const maxAgeMs = 60_000;
const position = (netMinor: bigint, changes: Partial<LimitedPosition> = {}): LimitedPosition => ({
  currency: "BRL",
  limitMinor: 100n,
  author: "ada",
  note: "",
  setAt: at,
  reading: { at, netMinor },
  takenMinor: 0n,
  ...changes,
});
const move = (minor: bigint) => [{ currency: "BRL", minor }];

describe("requireRoom", () => {
  it.each([
    [0n, 100n],
    [0n, -100n],
    [99n, 1n],
    [-99n, -1n],
    [150n, -10n],
    [-150n, 10n],
    [150n, -300n],
    [150n, -250n],
  ])("lets a position of %s move by %s, when that is within the limit or nearer to zero", (net, minor) => {
    expect(() => requireRoom([position(net)], move(minor), at, maxAgeMs)).not.toThrow();
  });
  it.each([
    [0n, 101n],
    [0n, -101n],
    [100n, 1n],
    [-100n, -1n],
    [150n, 1n],
    [150n, -301n],
  ])("refuses to move a position of %s by %s", (net, minor) => {
    expect(() => requireRoom([position(net)], move(minor), at, maxAgeMs)).toThrow("would be exceeded");
  });
  it("counts what was taken since", () => {
    expect(() => requireRoom([position(0n, { takenMinor: 60n })], move(41n), at, maxAgeMs)).toThrow(
      "would be exceeded",
    );
  });
  it("refuses while the position was not read, or too long ago", () => {
    const old = { at: new Date(at.getTime() - maxAgeMs - 1), netMinor: 0n };
    const young = { at: new Date(at.getTime() - maxAgeMs), netMinor: 0n };
    const judge = (reading: LimitedPosition["reading"]) => () =>
      requireRoom([position(0n, { reading })], move(1n), at, maxAgeMs);
    expect(judge(undefined)).toThrow("is not known at present");
    expect(judge(old)).toThrow("is not known at present");
    expect(judge(young)).not.toThrow();
  });
});

describe("movesOf", () => {
  it("takes in what is given and pays out what it is worth, or tells the directions alone", () => {
    const pair = { sourceCurrency: "USD", destinationCurrency: "BRL", rate: { mantissa: 54n, scale: 1 } };
    expect(movesOf(pair, 1_000n)).toEqual([
      { currency: "USD", minor: 1_000n },
      { currency: "BRL", minor: -5_400n },
    ]);
    expect(movesOf(pair, undefined).map(({ minor }) => minor)).toEqual([1n, -1n]);
    expect(movesOf({ ...pair, destinationCurrency: "USD" }, 1_000n)).toEqual([]);
  });
});

describe("backWithin and valueIn", () => {
  it("say what to trade so that a position is within its limit", () => {
    expect([150n, -150n, 100n, 0n].map((net) => backWithin(net, 100n))).toEqual([-50n, 50n, 0n, 0n]);
  });
  it("value an amount and its opposite oppositely", () => {
    const [brl, jpy] = [
      { currency: "BRL", perUsd: { digits: 54n, scale: 1 } },
      { currency: "JPY", perUsd: { digits: 15_051n, scale: 2 } },
    ];
    expect(valueIn(54_000n, brl, jpy)).toBe(15_051n);
    expect(valueIn(-54_000n, brl, jpy)).toBe(-15_051n);
  });
});
