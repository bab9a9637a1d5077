import { renderError } from "../../gateway/render-error";
import { moveAgent } from "../../services/auth/domain/agent";
import { limitExceeded } from "../../services/payment/domain/limits";
import { providerTooLow, tenantTooLow } from "../../services/payment/domain/promises";
import { DomainError } from "../../services/shared/kernel/errors";
import { toFailure, toRefusal } from "../../services/shared/rpc/rpc-errors";
import { emptyAccount, type WalletAccount } from "../../services/wallet/domain/account";
import { requireFunds } from "../../services/wallet/domain/rules";

/** The `details` of the REST answer to a refusal. */
function rendered(refusal: DomainError): string {
  const { body } = renderError(refusal, { requestId: "r", scheme: "bearer", hasAuthorization: true });
  return /"details":(.*)\}$/.exec(Buffer.isBuffer(body) ? body.toString() : "")?.[1] ?? "";
}

function refusalOf(work: () => unknown): DomainError {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return error;
  }
  throw new Error("nothing was refused");
}

const limit = { id: "i", currency: "USD", window: "DAY", limitMinor: 35_000n, resetsAt: new Date(0) } as const;
const wallet = (asset: string, minor: bigint): WalletAccount => {
  const empty = emptyAccount({ id: "w", tenant: "t", path: "p", asset, wallet: undefined });
  const lines = { ...empty.lines, settled: { ...empty.lines.settled, minor } };
  return { ...empty, lines, wallet: { status: "ACTIVE", createdAt: new Date(0), details: "" } };
};
const agent = { id: "a", status: "CLOSED" } as Parameters<typeof moveAgent>[0];

/** Every kind of details, and its golden text in the REST API. */
const golden: readonly (readonly [name: string, refusal: DomainError, text: string])[] = [
  ["none", new DomainError("UNAVAILABLE", "m"), ""],
  ["a state", new DomainError("WALLET_INACTIVE", "m", { details: { status: "FROZEN" } }), '{"status":"FROZEN"}'],
  [
    "a state that allows nothing",
    new DomainError("STATE_CONFLICT", "m", { details: { status: "ERROR", allowed: [] } }),
    '{"status":"ERROR","allowed":[]}',
  ],
  [
    "a state that allows commands",
    new DomainError("STATE_CONFLICT", "m", {
      details: { status: "AUTHORIZED", allowed: ["capture", "void", "cancel"] },
    }),
    '{"status":"AUTHORIZED","allowed":["capture","void","cancel"]}',
  ],
  [
    "the most refunds",
    new DomainError("STATE_CONFLICT", "m", { details: { status: "CAPTURED", allowed: ["void"], mostRefunds: 100 } }),
    '{"status":"CAPTURED","allowed":["void"],"limit":100}',
  ],
  ["the state of an agent", refusalOf(() => moveAgent(agent, "ACTIVE")), '{"status":"CLOSED","allowed":[]}'],
  [
    "fields that differ",
    new DomainError("IDEMPOTENCY_CONFLICT", "m", { details: { fields: ["recipient", "amount"] } }),
    '{"fields":["recipient","amount"]}',
  ],
  ["no fields that differ", new DomainError("IDEMPOTENCY_CONFLICT", "m", { details: { fields: [] } }), '{"fields":[]}'],
  [
    "the tenant's funds",
    tenantTooLow({ account: "t", currency: "USD", minor: 10_050n }, 10_049n),
    '{"account":"tenant","currency":"USD","available":100.49,"required":100.5}',
  ],
  [
    "funds that no double holds",
    tenantTooLow({ account: "t", currency: "USD", minor: 9_007_199_254_740_993_01n }, 0n),
    '{"account":"tenant","currency":"USD","available":0,"required":9007199254740993.01}',
  ],
  ["the provider's funds", providerTooLow(), '{"account":"provider"}'],
  [
    "a wallet's funds",
    refusalOf(() => requireFunds(wallet("BTC", 1n), 10_000_001n)),
    '{"available":0.00000001,"required":0.10000001,"currency":"BTC"}',
  ],
  [
    "a limit",
    limitExceeded(limit, 30_001n),
    '{"currency":"USD","window":"DAY","limit":350,"used":300.01,"left":49.99}',
  ],
  [
    "a limit that was lowered",
    limitExceeded({ ...limit, window: "MONTH" }, 40_000n),
    '{"currency":"USD","window":"MONTH","limit":350,"used":400,"left":0}',
  ],
  [
    "checks of a card",
    new DomainError("RATE_LIMITED", "m", { details: { limitPerHour: 5, retryAfterSeconds: 720 } }),
    '{"limitPerHour":5,"retryAfterSeconds":720}',
  ],
  [
    "requests in a second",
    new DomainError("RATE_LIMITED", "m", { details: { limitPerSecond: 0.5, retryAfterSeconds: 2 } }),
    '{"limitPerSecond":0.5,"retryAfterSeconds":2}',
  ],
  [
    "requests at once",
    new DomainError("RATE_LIMITED", "m", { details: { limitInFlight: 4, retryAfterSeconds: 1 } }),
    '{"limitInFlight":4,"retryAfterSeconds":1}',
  ],
  [
    "a quota without its size",
    new DomainError("RATE_LIMITED", "m", { details: { retryAfterSeconds: 3 } }),
    '{"retryAfterSeconds":3}',
  ],
  ["a scope", new DomainError("SCOPE_MISSING", "m", { details: { scope: "payments" } }), '{"scope":"payments"}'],
  ["roles", new DomainError("ROLE_MISSING", "m", { details: { roles: ["admin"] } }), '{"roles":["admin"]}'],
  [
    "an old login",
    new DomainError("SECOND_FACTOR_MISSING", "m", { details: { maxAgeSeconds: 300 } }),
    '{"maxAgeSeconds":300}',
  ],
  [
    "methods",
    new DomainError("METHOD_NOT_ALLOWED", "m", { details: { methods: ["GET", "HEAD"] } }),
    '{"allowed":["GET","HEAD"]}',
  ],
];

describe("details of refusals", () => {
  it.each(golden)("have their golden text in the REST API: %s", (_name, refusal, text) => {
    expect(rendered(refusal)).toBe(text);
  });

  it.each(golden)("are the same after a call: %s", (_name, refusal, text) => {
    expect(rendered(toRefusal(toFailure(refusal)))).toBe(text);
  });
});
