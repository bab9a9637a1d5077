import { type Connection, Schema } from "mongoose";
import { DomainError } from "../../shared/kernel/errors";
import { isDuplicateKey } from "../../shared/storage/mongo";
import { date, flag, listOf, strictDocument, text } from "../../shared/storage/stored-fields";
import type { Tenant } from "../domain/directory";

interface TenantRecord {
  _id: string;
  isDisabled: boolean;
  allowlist: string[];
  /** Absent when there are none: an empty list would count as one value of the unique index. */
  certificates?: string[];
  createdAt: Date;
}

/** Changes of a tenant. */
export type TenantChange = Partial<Pick<Tenant, "isDisabled" | "allowlist" | "certificates">>;

export interface TenantStore {
  init(): Promise<void>;
  find(slug: string): Promise<Tenant | undefined>;
  /** By slug. */
  all(): Promise<Tenant[]>;
  /** Adds it without certificates; returns false when the slug is taken. */
  add(tenant: Tenant): Promise<boolean>;
  /**
   * Sets the given fields; returns the tenant afterwards, or undefined when there is none. Throws RECORD_CONFLICT for a certificate of
   * another tenant.
   */
  change(slug: string, change: TenantChange): Promise<Tenant | undefined>;
}

const tenantSchema = new Schema<TenantRecord>(
  {
    _id: text,
    isDisabled: flag,
    allowlist: listOf(String),
    certificates: { type: [String], default: undefined },
    createdAt: date,
  },
  strictDocument,
);
// A certificate belongs to one tenant.
tenantSchema.index({ certificates: 1 }, { unique: true, sparse: true });

const toTenant = ({ _id, certificates = [], ...rest }: TenantRecord): Tenant => ({ slug: _id, certificates, ...rest });

/** Tenants, by slug. */
export function makeTenantStore(connection: Connection): TenantStore {
  const model = connection.model("Tenant", tenantSchema, "tenants");
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async find(slug) {
      const record = await model.findById(slug).lean<TenantRecord>();
      return record === null ? undefined : toTenant(record);
    },
    async all() {
      const records = await model.find().sort({ _id: 1 }).lean<TenantRecord[]>();
      return records.map(toTenant);
    },
    async add({ slug, isDisabled, allowlist, createdAt }) {
      try {
        await model.create({ _id: slug, isDisabled, allowlist: [...allowlist], createdAt });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async change(slug, { certificates, ...rest }) {
      const isWithout = certificates?.length === 0;
      const set = { ...rest, ...(certificates === undefined || isWithout ? {} : { certificates }) };
      const update = { $set: set, ...(isWithout ? { $unset: { certificates: 1 as const } } : {}) };
      try {
        const after = await model.findByIdAndUpdate(slug, update, { returnDocument: "after" }).lean<TenantRecord>();
        return after === null ? undefined : toTenant(after);
      } catch (error) {
        if (isDuplicateKey(error)) throw new DomainError("RECORD_CONFLICT", "a certificate is another tenant's");
        throw error;
      }
    },
  };
}
