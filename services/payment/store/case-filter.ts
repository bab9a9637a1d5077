import { beginningOfTime } from "../../shared/kernel/clock";
import type { CaseKind } from "../domain/case-note";
import type { CaseRecord } from "./case-record";

export interface CaseFilter {
  state: "OPEN" | "CLOSED" | undefined;
  kind: CaseKind | undefined;
  tenant: string | undefined;
  provider: string | undefined;
  paymentId: string | undefined;
}

export interface CasePosition {
  at: Date;
  id: string;
}

/** Returns the part of a filter that an index serves. The rest must not be put to the store, which would read on and on to satisfy it. */
export function queryOf({ state, paymentId }: CaseFilter, after: CasePosition | undefined): object {
  return {
    ...(paymentId !== undefined ? { paymentIds: paymentId } : state === undefined ? {} : { state }),
    ...(after === undefined
      ? { openedAt: { $gt: beginningOfTime } }
      : { $or: [{ openedAt: { $gt: after.at } }, { openedAt: after.at, _id: { $gt: after.id } }] }),
  };
}

/** Checks the rest of a filter. */
export const isWantedCase =
  ({ state, kind, tenant, provider }: CaseFilter) =>
  (record: CaseRecord): boolean =>
    (state === undefined || record.state === state) &&
    (kind === undefined || record.kinds.includes(kind)) &&
    (tenant === undefined || record.tenant === tenant) &&
    (provider === undefined || record.provider === provider);
