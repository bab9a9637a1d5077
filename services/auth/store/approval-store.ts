import { type Connection, Schema } from "mongoose";
import type { Sealer } from "../../shared/crypto/sealing";
import { DomainError } from "../../shared/kernel/errors";
import { type KeyUse, sealedField } from "../../shared/storage/key-use";
import { anyText, date, number, oneOf, strictDocument, text } from "../../shared/storage/stored-fields";
import { type Approval, type ApprovalState, approvalStates } from "../domain/approval";

interface ApprovalRecord extends Omit<Approval, "id" | "decidedBy" | "decidedAt" | "spentAt"> {
  _id: string;
  decidedBy?: string;
  decidedAt?: Date;
  spentAt?: Date;
  /** Content of the command; removed when it can no longer be carried out. */
  sealedBody?: string;
}

export interface ApprovalPage {
  approvals: Approval[];
  next: string | undefined;
}

export interface ApprovalStore {
  init(): Promise<void>;
  add(approval: Approval, body: Buffer): Promise<void>;
  find(id: string): Promise<{ approval: Approval; body: Buffer } | undefined>;
  /** Approvals of one state that expire after a given time, oldest first. */
  page(state: ApprovalState, endAfter: Date, after: string | undefined, limit: number): Promise<ApprovalPage>;
  /** Throws RECORD_CONFLICT when another writer has changed it since it was read. */
  save(next: Approval): Promise<void>;
}

/** Longer than the shortest retention of the audit log. */
const keptForSeconds = 366 * 24 * 60 * 60;

const approvalSchema = new Schema<ApprovalRecord>(
  {
    _id: text,
    action: text,
    // A command without parameters in its path has none.
    object: anyText,
    digest: text,
    asker: text,
    askedAt: date,
    expiresAt: date,
    state: oneOf(approvalStates),
    decidedBy: String,
    decidedAt: Date,
    spentAt: Date,
    version: number,
    sealedBody: String,
  },
  strictDocument,
);
approvalSchema.index({ state: 1, askedAt: 1, _id: 1 });
approvalSchema.index({ expiresAt: 1 }, { expireAfterSeconds: keptForSeconds });

const placeOf = (id: string): string => `approvals|${id}|body`;

export const sealedCommands = (ring: string, sealer: Sealer): KeyUse => ({
  ring,
  collection: "approvals",
  fields: [sealedField("sealedBody", sealer, ({ _id }) => placeOf(String(_id)))],
});

/** Commands of operators that wait for a second person, and their outcomes, by id. */
export function makeApprovalStore(connection: Connection, sealer: Sealer): ApprovalStore {
  const model = connection.model("Approval", approvalSchema, "approvals");
  const toApproval = ({
    _id,
    sealedBody: _body,
    decidedBy,
    decidedAt,
    spentAt,
    ...rest
  }: ApprovalRecord): Approval => ({
    id: _id,
    ...rest,
    decidedBy,
    decidedAt,
    spentAt,
  });
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async add({ id, decidedBy: _by, decidedAt: _at, spentAt: _spent, ...rest }, body) {
      const sealed = body.length === 0 ? {} : { sealedBody: sealer.seal(body, placeOf(id)) };
      await model.create({ _id: id, ...rest, ...sealed });
    },
    async find(id) {
      const record = await model.findById(id).lean<ApprovalRecord>();
      if (record === null) return undefined;
      const body =
        record.sealedBody === undefined ? Buffer.alloc(0) : sealer.open(record.sealedBody, placeOf(record._id));
      return { approval: toApproval(record), body };
    },
    async page(state, endAfter, after, limit) {
      const last = after === undefined ? null : await model.findById(after).lean<ApprovalRecord>();
      const behind =
        last === null
          ? {}
          : { $or: [{ askedAt: { $gt: last.askedAt } }, { askedAt: last.askedAt, _id: { $gt: last._id } }] };
      const found = await model
        .find({ state, expiresAt: { $gt: endAfter }, ...behind })
        .sort({ askedAt: 1, _id: 1 })
        .limit(limit + 1)
        .lean<ApprovalRecord[]>();
      const page = found.slice(0, limit).map(toApproval);
      return { approvals: page, next: found.length > limit ? page.at(-1)?.id : undefined };
    },
    async save({ id, state, decidedBy, decidedAt, spentAt, version }) {
      const changes = {
        ...{ state, version },
        ...(decidedBy === undefined ? {} : { decidedBy }),
        ...(decidedAt === undefined ? {} : { decidedAt }),
        ...(spentAt === undefined ? {} : { spentAt }),
      };
      const isOver = state === "SPENT" || state === "REFUSED";
      const update = { $set: changes, ...(isOver ? { $unset: { sealedBody: 1 as const } } : {}) };
      const { modifiedCount } = await model.updateOne({ _id: id, version: version - 1 }, update);
      if (modifiedCount !== 1) {
        throw new DomainError("RECORD_CONFLICT", "the approval cannot be used: another operator has just decided");
      }
    },
  };
}
