import type { Connection } from "mongoose";
import { originOf } from "../../shared/kernel/ids";
import { isInScope, type TenantScope } from "../../shared/kernel/tenant-scope";
import type { DataKeys } from "../../shared/storage/data-keys";
import { driverDb } from "../../shared/storage/mongo";
import { makeTenantRounds } from "../../shared/storage/tenant-rounds";
import type { EntryKind } from "../domain/entry";
import { transactionId, transferId } from "../domain/wallet-request";

/** An object that an id belongs to. */
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

/** Entries that callers ask for; an entry that opens, ends or reverses something is found through that object. */
const shownKinds: Partial<Record<EntryKind, FoundRecord["kind"]>> = {
  debit: "transaction",
  credit: "transaction",
  "debit-hold": "transaction",
  "credit-hold": "transaction",
  payout: "transaction",
  transfer: "transfer",
};

/** Finds wallets, transactions and transfers by our ids, and by the callers' ids, from which ours are derived. */
export function makeSearchStore(connection: Connection, keys: Pick<DataKeys, "tenants">): SearchStore {
  const entries = driverDb(connection).collection<EntryFacts>("entries");
  const accounts = driverDb(connection).collection<AccountFacts>("accounts");
  const inRounds = makeTenantRounds(keys);
  const entriesOf = async (ids: string[]): Promise<EntryFacts[]> => {
    const projection = { kind: 1, tenant: 1, externalId: 1, at: 1 };
    return entries.find({ _id: { $in: ids } }, { projection }).toArray();
  };
  const findAccount = (id: string) =>
    originOf(id) === "wallet"
      ? accounts.findOne({ _id: id }, { projection: { tenant: 1, "wallet.createdAt": 1 } })
      : null;
  return {
    async find(scope, id) {
      const [account, own, named] = await Promise.all([
        findAccount(id),
        // An entry's own id is derived; for one tenant it is looked up together with the others.
        originOf(id) === "derived" && scope === "all tenants" ? entriesOf([id]) : [],
        inRounds(scope, (tenants) =>
          entriesOf([
            ...(scope === "all tenants" ? [] : [id]),
            ...tenants.flatMap((tenant) => [transactionId(tenant, id), transferId(tenant, id)]),
          ]),
        ),
      ]);
      const found = [...own, ...named].flatMap(toFound);
      return [...walletsOf(account), ...found].filter(({ tenant }) => isInScope(scope, tenant));
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
