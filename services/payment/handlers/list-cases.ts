import type { ListCasesRequest, ListCasesResponse } from "../../../proto/gen/corridor/payment/v1/case_service";
import type { CaseStore } from "../store/case-store";
import { decodeKind, decodeState, encodeCase } from "./case-codec";
import { readCursor, writeCursor } from "./cursor-codec";

const maxLimit = 200;

/** Reads straight from the store; no decision is involved. */
export const listCasesHandler =
  (cases: Pick<CaseStore, "list">) =>
  async ({ after, limit, ...wanted }: ListCasesRequest): Promise<ListCasesResponse> => {
    const size = Math.min(Math.max(limit, 1), maxLimit);
    const filter = {
      state: decodeState(wanted.state),
      kind: decodeKind(wanted.kind),
      tenant: wanted.tenant || undefined,
      provider: wanted.provider || undefined,
      paymentId: wanted.paymentId || undefined,
    };
    const behind = after === undefined ? undefined : readCursor(after);
    const position = behind === undefined ? undefined : { at: behind.createdAt, id: behind.id };
    const { cases: found, next } = await cases.list(filter, position, size);
    return { cases: found.map(encodeCase), next: next && writeCursor({ id: next.id, createdAt: next.at }) };
  };
