import type { Connection } from "mongoose";
import type { Sealer } from "../../shared/crypto/sealing";
import { DomainError } from "../../shared/kernel/errors";
import { type KeyUse, sealedField } from "../../shared/storage/key-use";
import type { Approval, ApprovalState } from "../domain/approval";

interface ApprovalRecord extends Omit<Approval, "id" | "decidedBy" | "decidedAt" | "spentAt"> {
  _id: string;
  decidedBy?: string;
  decidedAt?: Date;
  spentAt?: Date;
  /** What the command says; gone when nobody can carry it out any more. */
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
  /** Approvals of one state that end after a moment, the oldest first. */
  page(state: ApprovalState, endAfter: Date, after: string | undefined, limit: number): Promise<ApprovalPage>;
  /** Throws RECORD_CONFLICT when somebody else has changed it since it was read. */
  save(next: Approval): Promise<void>;
}

/** Longer than the audit log is kept at least. */
const keptForSeconds = 366 * 24 * 60 * 60;

const placeOf = (id: string): string => `approvals|${id}|body`;

export const sealedCommands = (ring: string, sealer: Sealer): KeyUse => ({
  ring,
  collection: "approvals",
  fields: [sealedField("sealedBody", sealer, ({ _id }) => placeOf(String(_id)))],
});

/** Commands of operators that wait for a second person, and what became of them, by id. */
export function makeApprovalStore(connection: Connection, sealer: Sealer): ApprovalStore {
  const approvals = connection.collection<ApprovalRecord>("approvals");
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
      await connection.createCollection("approvals");
      await approvals.createIndex({ state: 1, askedAt: 1, _id: 1 });
      await approvals.createIndex({ expiresAt: 1 }, { expireAfterSeconds: keptForSeconds });
    },
    async add({ id, decidedBy: _by, decidedAt: _at, spentAt: _spent, ...rest }, body) {
      const sealed = body.length === 0 ? {} : { sealedBody: sealer.seal(body, placeOf(id)) };
      await approvals.insertOne({ _id: id, ...rest, ...sealed });
    },
    async find(id) {
      const record = await approvals.findOne({ _id: id });
      if (record === null) return undefined;
      const body =
        record.sealedBody === undefined ? Buffer.alloc(0) : sealer.open(record.sealedBody, placeOf(record._id));
      return { approval: toApproval(record), body };
    },
    async page(state, endAfter, after, limit) {
      const last = after === undefined ? null : await approvals.findOne({ _id: after });
      const behind =
        last === null
          ? {}
          : { $or: [{ askedAt: { $gt: last.askedAt } }, { askedAt: last.askedAt, _id: { $gt: last._id } }] };
      const found = await approvals
        .find({ state, expiresAt: { $gt: endAfter }, ...behind })
        .sort({ askedAt: 1, _id: 1 })
        .limit(limit + 1)
        .toArray();
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
      const update = { $set: changes, ...(isOver ? { $unset: { sealedBody: true as const } } : {}) };
      const { modifiedCount } = await approvals.updateOne({ _id: id, version: version - 1 }, update);
      if (modifiedCount !== 1) {
        throw new DomainError("RECORD_CONFLICT", "the approval cannot be used: somebody else has just decided");
      }
    },
  };
}
