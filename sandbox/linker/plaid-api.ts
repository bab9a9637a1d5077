import { timingSafeEqual } from "node:crypto";
import { type RequestHandler, type Response, Router } from "express";
import type { Ids } from "../../services/shared/kernel/ids";
import type { Answer } from "../answer";
import { asObject, text } from "../input";
import type { Serve } from "../serve";
import { bankAccounts, institution, routingNumber } from "./bank-accounts";
import type { Item, LinkBook } from "./link-book";

interface PlaidDeps {
  links: LinkBook;
  serve: Serve;
  ids: Ids;
  /** The secret that callers must present. */
  secret: string;
}

/** Operations that fault rules can name at the linker. */
export const linkerOperations = ["link", "exchange", "accounts", "remove"] as const;

type Work = (body: Readonly<Record<string, unknown>>) => Promise<Answer>;

/** The part of Plaid's API (version 2020-09-14) that a link flow needs, with Plaid's own bodies and error codes. */
export function plaidRoutes({ links, serve, ids, secret }: PlaidDeps): Router {
  const router = Router();
  const at = (path: string, operation: (typeof linkerOperations)[number], work: Work): void => {
    router.post(`/plaid${path}`, async (req, res) => {
      await serve(res, { provider: "linker", step: operation, body: req.body }, async () => {
        const { status, body } = await work(asObject(req.body));
        return { status, body: { ...body, request_id: ids.uuid() } };
      });
    });
  };
  router.use("/plaid", requireSecret(secret));

  at("/link/token/create", "link", async (body) => {
    const clientUserId = text(asObject(body["user"])["client_user_id"]);
    const missing = ["client_name", "language", "country_codes", "products"].find((field) => body[field] === undefined);
    if (missing !== undefined) return failure("INVALID_REQUEST", "MISSING_FIELDS", `${missing} is required`);
    if (clientUserId === "") return failure("INVALID_REQUEST", "MISSING_FIELDS", "user.client_user_id is required");
    const { token, expiresAt } = await links.makeLinkToken(clientUserId);
    return { status: 200, body: { link_token: token, expiration: expiresAt } };
  });
  at("/item/public_token/exchange", "exchange", async (body) => {
    const item = await links.exchange(text(body["public_token"]));
    if (item === undefined)
      return failure("INVALID_INPUT", "INVALID_PUBLIC_TOKEN", "could not find matching public token");
    return { status: 200, body: { access_token: item.accessToken, item_id: item.itemId } };
  });
  const ofItem = (path: string, render: (item: Item, accountIds: readonly string[]) => object): void =>
    at(path, "accounts", async (body) => {
      const item = links.item(text(body["access_token"]));
      if (item === undefined) return unknownAccess;
      const { account_ids: asked } = asObject(body["options"]);
      const wanted = Array.isArray(asked) ? asked.map(text) : item.accountIds;
      if (!wanted.every((id) => item.accountIds.includes(id))) {
        return failure("INVALID_INPUT", "INVALID_ACCOUNT_ID", "failed to find requested account ID for requested item");
      }
      return { status: 200, body: { ...render(item, wanted), item: renderItem(item) } };
    });
  ofItem("/accounts/get", (_item, accountIds) => ({ accounts: renderAccounts(accountIds) }));
  ofItem("/auth/get", (_item, accountIds) => ({
    accounts: renderAccounts(accountIds),
    numbers: { ach: renderNumbers(accountIds), bacs: [], eft: [], international: [] },
  }));
  ofItem("/item/get", () => ({ status: null }));
  at("/item/remove", "remove", async (body) =>
    (await links.remove(text(body["access_token"]))) === undefined ? unknownAccess : { status: 200, body: {} },
  );
  return router;
}

const failure = (type: string, code: string, message: string): Answer => ({
  status: 400,
  body: { error_type: type, error_code: code, error_message: message, display_message: null },
});

const unknownAccess = failure("INVALID_INPUT", "INVALID_ACCESS_TOKEN", "could not find matching access token");

/** Accepts credentials as headers or in the body, as Plaid does. */
function requireSecret(secret: string): RequestHandler {
  const expected = Buffer.from(secret);
  return (req, res, next) => {
    const body = asObject(req.body);
    const sent = Buffer.from(text(req.headers["plaid-secret"]) || text(body["secret"]));
    const client = text(req.headers["plaid-client-id"]) || text(body["client_id"]);
    if (client !== "" && sent.length === expected.length && timingSafeEqual(sent, expected)) next();
    else refuseKeys(res);
  };
}

function refuseKeys(res: Response): void {
  const { status, body } = failure("INVALID_INPUT", "INVALID_API_KEYS", "invalid client_id or secret provided");
  res.status(status).json(body);
}

const chosen = (accountIds: readonly string[]) =>
  bankAccounts.filter(({ accountId }) => accountIds.includes(accountId));

const renderAccounts = (accountIds: readonly string[]): object[] =>
  chosen(accountIds).map(({ accountId, name, officialName, subtype, accountNumber }) => ({
    account_id: accountId,
    name,
    official_name: officialName,
    type: "depository",
    subtype,
    mask: accountNumber.slice(-4),
    balances: {
      available: 1_000,
      current: 1_000,
      limit: null,
      iso_currency_code: "USD",
      unofficial_currency_code: null,
    },
  }));

const renderNumbers = (accountIds: readonly string[]): object[] =>
  chosen(accountIds).map(({ accountId, accountNumber }) => ({
    account_id: accountId,
    account: accountNumber,
    routing: routingNumber,
    wire_routing: routingNumber,
  }));

const renderItem = ({ itemId }: Item): object => ({
  item_id: itemId,
  ...institution,
  webhook: null,
  error: null,
  available_products: [],
  billed_products: ["auth"],
  consent_expiration_time: null,
  update_type: "background",
});
