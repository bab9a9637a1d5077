import type { PlaidApi } from "plaid";
import { parseInstant } from "../../../shared/kernel/clock";
import { errorFields, type Logger } from "../../../shared/process/logger";
import type { Tracing } from "../../../shared/process/tracing";
import type { LinkedAccount, Linker, LinkOutcome } from "../../domain/check-ports";

export interface PlaidLinkerOptions {
  baseUrl: string;
  clientId: string;
  secret: string;
  /** Longest wait for an answer to one call. */
  timeoutMs: number;
  uuid(): string;
  logger: Logger;
  tracing: Tracing;
}

const maxAnswerBytes = 256 * 1024;
/** Plaid's codes that concern the customer's link. Any other error is ours, Plaid's or the bank's, and may be gone at the next attempt. */
const refusals: ReadonlySet<string> = new Set([
  "ACCESS_NOT_GRANTED",
  "INVALID_ACCESS_TOKEN",
  "INVALID_ACCOUNT_ID",
  "INVALID_CREDENTIALS",
  "INVALID_PUBLIC_TOKEN",
  "ITEM_LOCKED",
  "ITEM_LOGIN_REQUIRED",
  "ITEM_NOT_FOUND",
  "ITEM_NOT_SUPPORTED",
  "NO_ACCOUNTS",
  "NO_AUTH_ACCOUNTS",
  "PRODUCTS_NOT_SUPPORTED",
  "USER_PERMISSION_REVOKED",
]);

/**
 * Links accounts through Plaid, or a service with the same API, with its official SDK. The SDK is large, so it is loaded at the first
 * call.
 */
export function makePlaidLinker(options: PlaidLinkerOptions): Linker {
  const { logger, tracing } = options;
  let opening: Promise<PlaidApi> | undefined;
  /** Returns the answer, `refused`, or `unknown`. */
  const call = async <T>(
    name: string,
    send: (plaid: PlaidApi) => Promise<{ data: T }>,
  ): Promise<{ kind: "answer"; data: T } | { kind: "refused" } | { kind: "unknown" }> => {
    try {
      opening ??= openPlaid(options);
      const plaid = await opening;
      const { data } = await tracing.span(`linker ${name}`, { kind: "client" }, () => send(plaid));
      return { kind: "answer", data };
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined)
        logger.warn({ call: name, ...plainFields(error) }, "the linking provider did not answer");
      else logger.info({ call: name, refusal }, "the linking provider refused");
      return { kind: refusal === undefined ? "unknown" : "refused" };
    }
  };
  return {
    async createLinkToken({ phoneNumber, androidPackageName }) {
      const { CountryCode, Products } = await import("plaid");
      const answer = await call("link", (plaid) =>
        plaid.linkTokenCreate({
          client_name: "Corridor",
          language: "en",
          country_codes: [CountryCode.Us],
          products: [Products.Auth],
          user: { client_user_id: options.uuid(), phone_number: phoneNumber },
          ...(androidPackageName === undefined ? {} : { android_package_name: androidPackageName }),
        }),
      );
      if (answer.kind !== "answer") return undefined;
      const { link_token: token, expiration, request_id: requestId } = answer.data;
      if (!isText(token) || !isText(expiration) || parseInstant(expiration) === undefined) return undefined;
      return { token, expiration, requestId: textOf(requestId) };
    },
    async openAccount(publicToken, accountId) {
      const exchanged = await call("exchange", (plaid) => plaid.itemPublicTokenExchange({ public_token: publicToken }));
      if (exchanged.kind !== "answer") return exchanged;
      const { access_token: accessToken, item_id: itemId } = exchanged.data;
      if (!isText(accessToken)) return { kind: "unknown" };
      const read = await call("auth", (plaid) =>
        plaid.authGet({ access_token: accessToken, options: { account_ids: [accountId] } }),
      );
      return read.kind === "answer" ? linked(read.data, { accessToken, itemId, accountId }) : read;
    },
  };
}

async function openPlaid({ baseUrl, clientId, secret, timeoutMs }: PlaidLinkerOptions): Promise<PlaidApi> {
  const { Configuration, PlaidApi } = await import("plaid");
  const headers = { "PLAID-CLIENT-ID": clientId, "PLAID-SECRET": secret };
  const limits = { timeout: timeoutMs, maxRedirects: 0, maxContentLength: maxAnswerBytes };
  return new PlaidApi(new Configuration({ basePath: baseUrl, baseOptions: { headers, ...limits } }));
}

/**
 * Validates what Plaid answers before it is used. Only lists about the item of this exchange say that the account is not there:
 * an answer about another item would link somebody else's account, and an account that cannot be read may be read at the next attempt.
 */
function linked(
  data: { accounts?: unknown; item?: unknown; numbers?: { ach?: unknown } },
  { accessToken, itemId, accountId }: { accessToken: string; itemId: unknown; accountId: string },
): LinkOutcome {
  if (isRecord(data.item) && data.item["item_id"] !== itemId) return { kind: "unknown" };
  if (!Array.isArray(data.accounts) || !Array.isArray(data.numbers?.ach)) return { kind: "unknown" };
  const account = find(data.accounts, accountId);
  const numbers = find(data.numbers.ach, accountId);
  if (account === undefined || numbers === undefined) return { kind: "refused" };
  const found: LinkedAccount = {
    accessToken,
    accountId,
    name: textOf(account["official_name"]) || textOf(account["name"]),
    accountNumber: textOf(numbers["account"]),
    routingNumber: textOf(numbers["routing"]),
  };
  const isWhole = found.name !== "" && found.accountNumber !== "" && found.routingNumber !== "";
  return isWhole ? { kind: "linked", account: found } : { kind: "unknown" };
}

const find = (rows: readonly unknown[], accountId: string): Record<string, unknown> | undefined =>
  rows.filter(isRecord).find((row) => row["account_id"] === accountId);

/** Returns Plaid's code when the customer's link is what failed; undefined when the error is not about the link. */
function refusalOf(error: unknown): string | undefined {
  const response = isRecord(error) ? error["response"] : undefined;
  if (!isRecord(response) || !isRecord(response["data"])) return undefined;
  const { status, data } = response;
  const code = textOf(data["error_code"]);
  return status === 400 && refusals.has(code) ? code : undefined;
}

/** The SDK's errors contain the request with its tokens, so only the message is logged. */
const plainFields = (error: unknown): object =>
  errorFields(new Error(error instanceof Error ? error.message : "no error"));

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isText = (value: unknown): value is string => typeof value === "string" && value !== "" && value.length <= 512;
const textOf = (value: unknown): string => (isText(value) ? value : "");
