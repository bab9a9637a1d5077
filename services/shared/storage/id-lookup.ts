import type { Connection } from "mongoose";
import { isInScope, type TenantScope } from "../kernel/tenant-scope";
import { driverDb } from "./mongo";

/** A collection whose records are found by `_id`, with the fields that describe them. */
export interface IdSource<Kind> {
  collection: string;
  kind: Kind | ((record: Readonly<Record<string, unknown>>) => Kind);
  /** Further conditions on a record, for example that its person was not erased. */
  where?: object;
  externalId?: string;
  parentId?: string;
  createdAt: string;
}

/** An object that an id belongs to. */
export interface LookedUp<Kind> {
  kind: Kind;
  id: string;
  tenant: string;
  externalId: string | undefined;
  parentId: string | undefined;
  createdAt: Date | undefined;
}

/** Looks an id up in several collections at once. An object of another tenant is not found. */
export const makeIdLookup =
  <Kind>(connection: Connection, sources: readonly IdSource<Kind>[]) =>
  async (scope: TenantScope, id: string): Promise<LookedUp<Kind>[]> => {
    const found = await Promise.all(sources.map((source) => lookUp(connection, source, id)));
    return found.flat().filter(({ tenant }) => isInScope(scope, tenant));
  };

async function lookUp<Kind>(
  connection: Connection,
  { collection, kind, where, externalId, parentId, createdAt }: IdSource<Kind>,
  id: string,
): Promise<LookedUp<Kind>[]> {
  const records = driverDb(connection).collection<{ _id: string; tenant: string } & Record<string, unknown>>(
    collection,
  );
  const fields = ["tenant", "kind", externalId, parentId, createdAt].flatMap((name) => name ?? []);
  const projection = Object.fromEntries(fields.map((name) => [name, 1]));
  const record = await records.findOne({ _id: id, ...where }, { projection });
  if (record === null) return [];
  const textOf = (name: string | undefined): string | undefined => {
    const value = name === undefined ? undefined : record[name];
    return typeof value === "string" ? value : undefined;
  };
  const at = record[createdAt];
  return [
    {
      kind: typeof kind === "function" ? (kind as (of: Readonly<Record<string, unknown>>) => Kind)(record) : kind,
      id,
      tenant: record.tenant,
      externalId: textOf(externalId),
      parentId: textOf(parentId),
      createdAt: at instanceof Date ? at : undefined,
    },
  ];
}
