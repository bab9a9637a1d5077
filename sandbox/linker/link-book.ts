import { plusMs } from "../../services/shared/kernel/clock";
import type { Environment } from "../environment";
import { openRecordStore } from "../record-store";
import { bankAccounts } from "./bank-accounts";

/** A permission to open the link page. */
interface LinkToken {
  token: string;
  clientUserId: string;
  createdAt: string;
  expiresAt: string;
}

/** The result of a customer's visit to the link page. */
interface PublicToken {
  token: string;
  accountIds: readonly string[];
  expiresAt: string;
  itemId: string;
}

/** A linked bank login. */
export interface Item {
  itemId: string;
  accessToken: string;
  accountIds: readonly string[];
  createdAt: string;
  removedAt: string | null;
  exchanges: number;
}

/** The linker's durable book. Each change is on disk before it resolves. */
export interface LinkBook {
  makeLinkToken(clientUserId: string): Promise<LinkToken>;
  /** Makes the public token of a visit to the link page; undefined when the link token is unknown or expired. */
  link(linkToken: string, accountId: string): Promise<string | undefined>;
  isOpen(linkToken: string): boolean;
  /** The item of a public token, the same each time; undefined when the token is unknown or expired. */
  exchange(publicToken: string): Promise<Item | undefined>;
  /** The item that an access token opens; undefined once it is removed. */
  item(accessToken: string): Item | undefined;
  remove(accessToken: string): Promise<Item | undefined>;
  items(): Item[];
}

const linkTokenMs = 4 * 3_600_000;
const publicTokenMs = 30 * 60_000;
/** Accepted every time, each time for a new item. */
export const fixedPublicToken = "public-sandbox-ok";

export function openLinkBook({ database, clock, ids }: Pick<Environment, "database" | "clock" | "ids">): LinkBook {
  const linkTokens = openRecordStore<LinkToken>(database, "linkTokens");
  const publicTokens = openRecordStore<PublicToken>(database, "publicTokens");
  const items = openRecordStore<Item>(database, "items");
  const isAlive = (found: { expiresAt: string } | undefined): boolean =>
    found !== undefined && found.expiresAt > clock.now().toISOString();
  const after = (ms: number): string => plusMs(clock.now(), ms).toISOString();
  const item = (accessToken: string): Item | undefined => {
    const found = items.find(accessToken);
    return found?.removedAt === null ? found : undefined;
  };
  const newItem = (itemId: string, accountIds: readonly string[]): Item => ({
    itemId,
    accessToken: `access-sandbox-${itemId}`,
    accountIds,
    createdAt: clock.now().toISOString(),
    removedAt: null,
    exchanges: 1,
  });
  return {
    makeLinkToken: (clientUserId) =>
      database.write(() => {
        const createdAt = clock.now().toISOString();
        const made = { token: `link-sandbox-${ids.uuid()}`, clientUserId, createdAt, expiresAt: after(linkTokenMs) };
        linkTokens.save(made.token, made);
        return made;
      }),
    isOpen: (linkToken) => isAlive(linkTokens.find(linkToken)),
    link: (linkToken, accountId) =>
      database.write(() => {
        if (!isAlive(linkTokens.find(linkToken))) return undefined;
        const token = `public-sandbox-${ids.uuid()}`;
        publicTokens.save(token, {
          token,
          accountIds: [accountId],
          expiresAt: after(publicTokenMs),
          itemId: ids.uuid(),
        });
        return token;
      }),
    exchange: (publicToken) =>
      database.write(() => {
        const allIds = bankAccounts.map(({ accountId }) => accountId);
        const visit = publicTokens.find(publicToken);
        if (publicToken !== fixedPublicToken && (visit === undefined || !isAlive(visit))) return undefined;
        const fresh = visit === undefined ? newItem(ids.uuid(), allIds) : newItem(visit.itemId, visit.accountIds);
        const known = items.find(fresh.accessToken);
        const next = known === undefined ? fresh : { ...known, exchanges: known.exchanges + 1 };
        items.save(next.accessToken, next);
        return next;
      }),
    item,
    remove: (accessToken) =>
      database.write(() => {
        const found = item(accessToken);
        if (found !== undefined) items.save(accessToken, { ...found, removedAt: clock.now().toISOString() });
        return found;
      }),
    items: () => items.list(),
  };
}
