import type { Connection } from "mongoose";
import { isInScope, type TenantScope } from "../../shared/kernel/tenant-scope";
import type { DataKeys } from "../../shared/storage/data-keys";
import { driverDb } from "../../shared/storage/mongo";
import type { EntryKind } from "../domain/entry";
import { transactionId, transferId } from "../domain/wallet-request";

/** Something that an id belongs to. */
export interface FoundRecord {
  kind: "wallet" | "transaction" | "transfer";
  id: string;
  tenant: string;
  externalId: string | undefined;
  createdAt: Date;
}

export interface SearchStore {
  find(scope: TenantScope, id: string): Promise<FoundRecord[]>;
}

interface EntryFacts {
  _id: string;
  kind: EntryKind;
  tenant: string;
  externalId?: string;
  at: Date;
}

interface AccountFacts {
  _id: string;
  tenant: string;
  wallet: { createdAt: Date } | null;
}

/** Entries that callers ask for; what opens, ends or reverses something is found by that. */
const shownKinds: Partial<Record<EntryKind, FoundRecord["kind"]>> = {
  debit: "transaction",
  credit: "transaction",
  "debit-hold": "transaction",
  "credit-hold": "transaction",
  payout: "transaction",
  transfer: "transfer",
};

/** Tenants that are asked about at once. */
const mostTenants = 100;

/** Wallets, their transactions and transfers by our ids, and by the callers' ids, which ours follow from. */
export function makeSearchStore(connection: Connection, keys: Pick<DataKeys, "tenants">): SearchStore {
  const entries = driverDb(connection).collection<EntryFacts>("entries");
  const accounts = driverDb(connection).collection<AccountFacts>("accounts");
  const entriesOf = async (ids: readonly string[]): Promise<EntryFacts[]> => {
    const projection = { kind: 1, tenant: 1, externalId: 1, at: 1 };
    return entries.find({ _id: { $in: [...ids] } }, { projection }).toArray();
  };
  return {
    async find(scope, id) {
      const tenants = scope === "all tenants" ? await keys.tenants() : [scope.tenant];
      const ids = [id, ...tenants.flatMap((tenant) => [transactionId(tenant, id), transferId(tenant, id)])];
      const found: EntryFacts[] = [];
      for (let from = 0; from < ids.length; from += mostTenants)
        found.push(...(await entriesOf(ids.slice(from, from + mostTenants))));
      const account = await accounts.findOne({ _id: id }, { projection: { tenant: 1, "wallet.createdAt": 1 } });
      return [...walletsOf(account), ...found.flatMap(toFound)].filter(({ tenant }) => isInScope(scope, tenant));
    },
  };
}

const walletsOf = (account: AccountFacts | null): FoundRecord[] =>
  account?.wallet?.createdAt === undefined
    ? []
    : [
        {
          kind: "wallet",
          id: account._id,
          tenant: account.tenant,
          externalId: undefined,
          createdAt: account.wallet.createdAt,
        },
      ];

function toFound({ _id: id, kind: entryKind, tenant, externalId, at: createdAt }: EntryFacts): FoundRecord[] {
  const kind = shownKinds[entryKind];
  return kind === undefined ? [] : [{ kind, id, tenant, externalId, createdAt }];
}
