import { encodeRequest, type HttpConnection } from "./http-connection";

/** Rows of a page. */
export const pageLimit = 25;

/** What lists are asked for: what nearly all payments have, and what one alone has, or none. */
export const queries = {
  "first page": "",
  "deep page": "after=$DEEP",
  "common status": "status=CAPTURED",
  "common type and country": "type=PUSH&country=BRA",
  "common amounts": "minAmount=100&maxAmount=105",
  "common prefix": "idPrefix=order-",
  "rare reason": "reasonCode=AC03",
  "rare status and state": "status=DECLINED&state=Cancelled",
  "rare amount": "minAmount=9000000",
  "rare prefix and reason": "idPrefix=rare-&reasonCode=AC03",
  "old changes": "changedUntil=$OLD",
  "no such type": "type=PULLPUSH&currency=USD",
  "no such agent": "agentId=nobody",
  "no such currency": "currency=JPY",
} as const;
export type QueryName = keyof typeof queries;
export const queryNames = Object.keys(queries) as QueryName[];

/** True for what one payment alone has, or none: it is on the first page, and there is no other. */
export const isRare = (name: QueryName): boolean => /^(rare|no such)/.test(name);

/** `deep`: the cursor of a page far behind the first. */
export const queryOf = (name: QueryName, deep: string): string =>
  queries[name]
    .replace("$OLD", new Date(Date.now() - 31 * 86_400_000).toISOString())
    .replace("$DEEP", encodeURIComponent(deep));

export const getRequest = (token: string, path: string): string =>
  encodeRequest({ method: "GET", path, headers: { authorization: `Bearer ${token}` } });

export const listRequest = (token: string, query: string, limit = pageLimit): string =>
  getRequest(token, `/v2/payments?limit=${limit}${query === "" ? "" : `&${query}`}`);

export async function askJson(connection: HttpConnection, request: string): Promise<Record<string, unknown>> {
  const { status, body } = await connection.send(request);
  if (status !== 200) throw new Error(`not answered: ${status} ${body}`);
  return JSON.parse(body) as Record<string, unknown>;
}
