import { createSecretKey } from "node:crypto";
import { emptyAccount, platformAccount, type WalletFacts } from "./account";
import { type Book, type Draft, makeBook } from "./book";
import type { Move } from "./entry";

const key = createSecretKey(Buffer.alloc(32, 5));
const at = new Date("2026-01-01T00:00:00Z");
const facts: WalletFacts = { status: "ACTIVE", createdAt: at, details: "" };
const wallet = emptyAccount({ id: "w", tenant: "demo", path: "tenant/demo/wallets", asset: "USD", wallet: facts });
const external = platformAccount("tenant/demo/external", "USD", 3);
const euros = platformAccount("platform/fees", "EUR", 3);
const open = (now = at): Book => makeBook({ accounts: [wallet, external, euros], entries: [], now, shard: 3, key });
const draft = (id: string, moves: readonly Move[]): Draft => ({
  id,
  kind: "credit",
  tenant: "demo",
  externalId: undefined,
  description: undefined,
  label: undefined,
  links: undefined,
  eventId: undefined,
  parent: undefined,
  paymentId: undefined,
  expiresAt: undefined,
  content: { version: 2, hashes: {} },
  receipt: undefined,
  moves,
  traceparent: "",
});
const move = (account: string, minor: bigint): Move => ({ account, line: "settled", minor });

describe("makeBook", () => {
  it("writes both sides with their rows, numbers and balances", () => {
    const book = open();
    book.post(draft("e", [move("w", 5n), move(external.id, -5n)]));
    const { rows, events, accounts } = book.changes();

    expect(rows.map(({ account, seq, after }) => [account, seq, after])).toEqual([
      ["w", 1, 5n],
      [external.id, 1, -5n],
    ]);
    expect(accounts.map(({ account, before }) => [account.version, before?.version])).toEqual([
      [1, 0],
      [1, 0],
    ]);
    expect(events).toMatchObject([{ walletId: "w", sequence: 1, settledChange: 5n, available: 5n }]);
  });

  it.each<[string, Move[], RegExp]>([
    ["does not add up to zero", [move("w", 5n), move(external.id, -4n)], /add up to zero/],
    ["adds up over two assets only", [move("w", 5n), move(euros.id, -5n)], /add up to zero/],
    ["takes a wallet below zero", [move("w", -5n), move(external.id, 5n)], /below zero/],
    ["is more than an account can hold", [move("w", 2n ** 63n), move(external.id, -(2n ** 63n))], /can hold/],
    ["names an account that is not there", [move("nobody", 5n), move("w", -5n)], /not in the book/],
  ])("refuses an entry that %s, and stays as it was", (_case, moves, message) => {
    const book = open();

    expect(() => book.post(draft("e", moves))).toThrow(message);
    expect(book.changes()).toEqual({ accounts: [], entries: [], rows: [], events: [], releases: [] });
    expect(book.account("w")).toBe(wallet);
  });

  it("writes an id once", () => {
    const book = open();
    book.post(draft("e", [move("w", 5n), move(external.id, -5n)]));

    expect(() => book.post(draft("e", [move("w", 5n), move(external.id, -5n)]))).toThrow(/in the book/);
  });

  it("never lets the time of an account go back", () => {
    const later = { ...wallet, lastAt: new Date("2026-02-01T00:00:00Z") };
    const book = makeBook({ accounts: [later, external], entries: [], now: at, shard: 3, key });

    expect(book.post(draft("e", [move("w", 5n), move(external.id, -5n)])).at).toEqual(later.lastAt);
  });
});
