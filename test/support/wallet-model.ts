import fc from "fast-check";

/**
 * The expected behaviour of wallets, in plain maps and BigInt. It shares no code with the product: where the two differ, one of them is
 * wrong.
 */

export type Action =
  | { kind: "open"; tenant: number; asset: number }
  | { kind: "funds"; wallet: number; key: number; minor: bigint; isDebit: boolean; hold: number; isForeign: boolean }
  | { kind: "end"; transaction: number; isConfirm: boolean; isForeign: boolean }
  | { kind: "transfer"; from: number; to: number; key: number; minor: bigint }
  | { kind: "void"; transfer: number }
  | { kind: "status"; wallet: number; status: "ACTIVE" | "FROZEN" | "CLOSED" }
  | { kind: "payout"; wallet: number; key: number; minor: bigint; asset: number }
  | { kind: "post"; key: number; minor: bigint; asset: number }
  | { kind: "again"; request: number }
  | { kind: "tick"; seconds: number }
  | { kind: "expire" };

const few = fc.nat({ max: 9 });
const key = fc.nat({ max: 40 });
const minor = fc.oneof({ weight: 8, arbitrary: fc.bigInt(1n, 1_000n) }, fc.bigInt(1n, 10n ** 11n));
const rarely = fc.nat({ max: 19 }).map((n) => n === 7);
const asset = fc.nat({ max: 2 });

export const anAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Action>({ kind: "expire" }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("tick" as const), seconds: fc.nat({ max: 90 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("open" as const), tenant: fc.nat({ max: 1 }), asset }) },
  {
    weight: 14,
    arbitrary: fc.record({
      kind: fc.constant("funds" as const),
      wallet: few,
      key,
      minor,
      isDebit: fc.boolean(),
      /** 0 and 1: at once; 2: held; above: held for so many seconds. */
      hold: fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 120 })),
      isForeign: rarely,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("end" as const),
      transaction: fc.nat({ max: 30 }),
      isConfirm: fc.boolean(),
      isForeign: rarely,
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("transfer" as const), from: few, to: few, key, minor }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("void" as const), transfer: fc.nat({ max: 12 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("status" as const),
      wallet: few,
      status: fc.constantFrom("ACTIVE" as const, "ACTIVE" as const, "FROZEN" as const, "CLOSED" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("payout" as const), wallet: few, key, minor, asset }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("post" as const), key, minor, asset }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("again" as const), request: fc.nat({ max: 60 }) }) },
);

export const assets = [
  { code: "USD", digits: 2 },
  { code: "JPY", digits: 0 },
  { code: "BTC", digits: 8 },
] as const;
const tenants = ["demo", "other"] as const;

/** A plain decimal of minor units. */
export function decimalText(minorUnits: bigint, digits: number): string {
  const text = minorUnits.toString().padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** A call of the wallet service with an answer that the model knows. */
export type Call =
  | { op: "open"; tenant: string; asset: string }
  | { op: "transaction" | "transfer"; tenant: string; body: string }
  | { op: "confirm" | "release"; tenant: string; transaction: number }
  | { op: "void"; tenant: string; externalId: string }
  | { op: "status"; tenant: string; walletId: string; status: "ACTIVE" | "FROZEN" | "CLOSED" }
  | { op: "payout"; tenant: string; walletId: string; paymentId: string; minor: bigint; asset: string }
  | { op: "post"; eventId: string; minor: bigint; asset: string }
  | { op: "expire" };

/** `done` the first time, `again` for a repeat, otherwise the reason of the refusal. */
export type Verdict = string;

interface ModelHold {
  state: "HELD" | "CONFIRMED" | "VOIDED" | "EXPIRED" | "NONE";
  expiresAt: number | undefined;
}

interface ModelTransaction extends ModelHold {
  tenant: string;
  wallet: ModelWallet;
  minor: bigint;
  isDebit: boolean;
}

export interface ModelWallet {
  /** Assigned by the product when it opened the wallet. */
  id: string;
  tenant: string;
  asset: (typeof assets)[number];
  status: "ACTIVE" | "FROZEN" | "CLOSED";
  settled: bigint;
  /** Signed amounts of the statement, oldest first. */
  lines: bigint[];
}

interface ModelTransfer {
  tenant: string;
  externalId: string;
  from: ModelWallet;
  to: ModelWallet;
  minor: bigint;
  isVoided: boolean;
}

export interface Model {
  nowMs: number;
  wallets: ModelWallet[];
  transactions: ModelTransaction[];
  transfers: ModelTransfer[];
  /** Content of each request that took effect, by tenant, operation and id. */
  contents: Map<string, string>;
  /** Calls with a key, to be sent again. */
  sent: Call[];
  /** Sum of the money outside all wallets, by asset. */
  outside: Map<string, bigint>;
}

export const newModel = (nowMs: number): Model => ({
  nowMs,
  wallets: [],
  transactions: [],
  transfers: [],
  contents: new Map(),
  sent: [],
  outside: new Map(),
});

const holdsOf = (model: Model, wallet: ModelWallet, isDebit: boolean): bigint =>
  model.transactions
    .filter((one) => one.wallet === wallet && one.state === "HELD" && one.isDebit === isDebit)
    .reduce((sum, one) => sum + one.minor, 0n);

/** Available, held and total of a wallet. */
export function balanceOf(model: Model, wallet: ModelWallet): { available: bigint; held: bigint; total: bigint } {
  const [debits, credits] = [holdsOf(model, wallet, true), holdsOf(model, wallet, false)];
  return { available: wallet.settled - debits, held: debits + credits, total: wallet.settled + credits };
}

function settle(model: Model, wallet: ModelWallet, change: bigint): void {
  wallet.settled += change;
  wallet.lines.push(change);
  const { code } = wallet.asset;
  model.outside.set(code, (model.outside.get(code) ?? 0n) - change);
}

const at = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];

/** Returns the call for an action; undefined when there is nothing for it to act on. */
export function callOf(model: Model, action: Action): Call | undefined {
  switch (action.kind) {
    case "open":
      return model.wallets.length >= 10
        ? undefined
        : { op: "open", tenant: tenants[action.tenant] ?? "demo", asset: assets[action.asset]?.code ?? "USD" };
    case "funds": {
      const wallet = at(model.wallets, action.wallet);
      if (wallet === undefined) return undefined;
      const amount = decimalText(action.minor, wallet.asset.digits);
      const expiry = new Date(model.nowMs + action.hold * 1_000).toISOString();
      const hold = action.hold < 2 ? "" : `,"hold":true${action.hold > 2 ? `,"expiresAt":"${expiry}"` : ""}`;
      const type = action.isDebit ? "DEBIT" : "CREDIT";
      const body = `{"walletId":"${wallet.id}","externalId":"k${action.key}","amount":${amount},"paymentType":"${type}"${hold}}`;
      return { op: "transaction", tenant: action.isForeign ? otherThan(wallet.tenant) : wallet.tenant, body };
    }
    case "end": {
      const made = at(model.transactions, action.transaction);
      if (made === undefined) return undefined;
      const tenant = action.isForeign ? otherThan(made.tenant) : made.tenant;
      return { op: action.isConfirm ? "confirm" : "release", tenant, transaction: model.transactions.indexOf(made) };
    }
    case "transfer": {
      const [from, to] = [at(model.wallets, action.from), at(model.wallets, action.to)];
      if (from === undefined || to === undefined) return undefined;
      const amount = decimalText(action.minor, from.asset.digits);
      const ids = `"fromWallet":"${from.id}","toWallet":"${to.id}"`;
      return { op: "transfer", tenant: from.tenant, body: `{${ids},"externalId":"k${action.key}","amount":${amount}}` };
    }
    case "void": {
      const made = at(model.transfers, action.transfer);
      return made && { op: "void", tenant: made.tenant, externalId: made.externalId };
    }
    case "status": {
      const wallet = at(model.wallets, action.wallet);
      return wallet && { op: "status", tenant: wallet.tenant, walletId: wallet.id, status: action.status };
    }
    case "payout": {
      const wallet = at(model.wallets, action.wallet);
      const code = assets[action.asset]?.code ?? "USD";
      const facts = { paymentId: `p${action.key}`, minor: action.minor, asset: code };
      return wallet && { op: "payout", tenant: wallet.tenant, walletId: wallet.id, ...facts };
    }
    case "post":
      return { op: "post", eventId: `e${action.key}`, minor: action.minor, asset: assets[action.asset]?.code ?? "USD" };
    case "again":
      return at(model.sent, action.request);
    case "tick":
      model.nowMs += action.seconds * 1_000;
      return undefined;
    case "expire":
      return { op: "expire" };
  }
}

const otherThan = (tenant: string): string => (tenant === "demo" ? "other" : "demo");

/** Carries a call out in the model. A new wallet's id is the one that the product assigned. */
export function carryOut(model: Model, call: Call, openedId: string): Verdict {
  switch (call.op) {
    case "open": {
      const asset = assets.find(({ code }) => code === call.asset) ?? assets[0];
      model.wallets.push({ id: openedId, tenant: call.tenant, asset, status: "ACTIVE", settled: 0n, lines: [] });
      return "done";
    }
    case "transaction":
      return keyed(model, call, `${call.tenant}/transaction/`, (body) => transaction(model, call.tenant, body));
    case "transfer":
      return keyed(model, call, `${call.tenant}/transfer/`, (body) => transfer(model, call.tenant, body));
    case "confirm":
    case "release":
      return endHold(model, call.tenant, call.transaction, call.op);
    case "void":
      return voidTransfer(model, call.tenant, call.externalId);
    case "status":
      return changeStatus(model, call.walletId, call.status);
    case "payout":
      return payout(model, call);
    case "post": {
      const earlier = model.contents.get(`post/${call.eventId}`);
      const content = `${call.minor} ${call.asset}`;
      if (earlier !== undefined) return earlier === content ? "again" : "IDEMPOTENCY_CONFLICT";
      model.contents.set(`post/${call.eventId}`, content);
      return "done";
    }
    case "expire":
      for (const one of model.transactions) if (one.state === "HELD" && isOver(model, one)) one.state = "EXPIRED";
      return "done";
  }
}

type BodyFields = Record<string, string> & { hold?: boolean };

function keyed(model: Model, call: Call, prefix: string, run: (body: BodyFields) => Verdict): Verdict {
  if (!("body" in call)) return "done";
  const body = JSON.parse(call.body.replace(/"amount":([\d.]+)/, '"amount":"$1"')) as BodyFields;
  const id = prefix + String(body["externalId"]);
  const earlier = model.contents.get(id);
  if (earlier !== undefined) return earlier === call.body ? "again" : "IDEMPOTENCY_CONFLICT";
  const verdict = run(body);
  if (verdict === "done") {
    model.contents.set(id, call.body);
    model.sent.push(call);
  }
  return verdict;
}

const walletOf = (model: Model, tenant: string, id: unknown): ModelWallet | undefined =>
  model.wallets.find((wallet) => wallet.id === id && wallet.tenant === tenant);
const minorOf = (amount: unknown): bigint => BigInt(String(amount).replace(".", ""));
const isOver = (model: Model, { expiresAt }: ModelHold): boolean => expiresAt !== undefined && expiresAt <= model.nowMs;

function transaction(model: Model, tenant: string, body: BodyFields): Verdict {
  const wallet = walletOf(model, tenant, body["walletId"]);
  if (wallet === undefined) return "WALLET_NOT_FOUND";
  if (wallet.status !== "ACTIVE") return "WALLET_INACTIVE";
  const amount = minorOf(body["amount"]);
  const isDebit = body["paymentType"] === "DEBIT";
  const expiresAt = body["expiresAt"] === undefined ? undefined : Date.parse(body["expiresAt"]);
  if (isDebit && balanceOf(model, wallet).available < amount) return "INSUFFICIENT_FUNDS";
  const state = body.hold === true ? "HELD" : "NONE";
  model.transactions.push({ tenant, wallet, minor: amount, isDebit, state, expiresAt });
  if (state === "NONE") settle(model, wallet, isDebit ? -amount : amount);
  return "done";
}

function endHold(model: Model, tenant: string, index: number, op: "confirm" | "release"): Verdict {
  const made = model.transactions[index];
  if (made === undefined || made.tenant !== tenant) return "WALLET_NOT_FOUND";
  const wanted = op === "confirm" ? "CONFIRMED" : "VOIDED";
  if (made.state === wanted) return "again";
  if (made.state !== "HELD" || isOver(model, made)) return "TRANSACTION_NOT_HELD";
  if (op === "confirm" && made.wallet.status !== "ACTIVE") return "WALLET_INACTIVE";
  made.state = wanted;
  if (op === "confirm") settle(model, made.wallet, made.isDebit ? -made.minor : made.minor);
  return "done";
}

function transfer(model: Model, tenant: string, body: BodyFields): Verdict {
  if (body["fromWallet"] === body["toWallet"]) return "INVALID_ARGUMENT";
  const from = walletOf(model, tenant, body["fromWallet"]);
  const to = walletOf(model, tenant, body["toWallet"]);
  if (from === undefined || to === undefined) return "WALLET_NOT_FOUND";
  if (from.status !== "ACTIVE" || to.status !== "ACTIVE") return "WALLET_INACTIVE";
  if (from.asset !== to.asset) return "CURRENCY_MISMATCH";
  const amount = minorOf(body["amount"]);
  if (balanceOf(model, from).available < amount) return "INSUFFICIENT_FUNDS";
  settle(model, from, -amount);
  settle(model, to, amount);
  model.transfers.push({ tenant, externalId: String(body["externalId"]), from, to, minor: amount, isVoided: false });
  return "done";
}

function voidTransfer(model: Model, tenant: string, externalId: string): Verdict {
  const made = model.transfers.find((one) => one.tenant === tenant && one.externalId === externalId);
  if (made === undefined) return "WALLET_NOT_FOUND";
  if (made.isVoided) return "again";
  if (made.from.status !== "ACTIVE" || made.to.status !== "ACTIVE") return "WALLET_INACTIVE";
  if (balanceOf(model, made.to).available < made.minor) return "TRANSFER_IRREVERSIBLE";
  made.isVoided = true;
  settle(model, made.from, made.minor);
  settle(model, made.to, -made.minor);
  return "done";
}

function changeStatus(model: Model, walletId: string, status: ModelWallet["status"]): Verdict {
  const wallet = model.wallets.find(({ id }) => id === walletId);
  if (wallet === undefined) return "WALLET_NOT_FOUND";
  if (wallet.status === status) return "done";
  if (wallet.status === "CLOSED") return "WALLET_INACTIVE";
  const { held, total } = balanceOf(model, wallet);
  if (status === "CLOSED" && (held !== 0n || total !== 0n)) return "WALLET_NOT_EMPTY";
  wallet.status = status;
  return "done";
}

function payout(model: Model, call: Call & { op: "payout" }): Verdict {
  const id = `${call.tenant}/payout/${call.paymentId}`;
  const content = `${call.walletId} ${call.minor} ${call.asset}`;
  const earlier = model.contents.get(id);
  if (earlier !== undefined) return earlier === content ? "again" : "IDEMPOTENCY_CONFLICT";
  const wallet = walletOf(model, call.tenant, call.walletId);
  if (wallet === undefined) return "WALLET_NOT_FOUND";
  if (wallet.status !== "ACTIVE") return "WALLET_INACTIVE";
  if (wallet.asset.code !== call.asset) return "CURRENCY_MISMATCH";
  model.contents.set(id, content);
  model.sent.push(call);
  settle(model, wallet, call.minor);
  return "done";
}
