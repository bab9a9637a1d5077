import type { ListCasesRequest, ListCasesResponse } from "../../../proto/gen/corridor/payment/v1/case_service";
import type { CaseStore } from "../store/case-store";
import { decodeKind, decodeState, encodeCase } from "./case-codec";
import { readCursor, writeCursor } from "./cursor-codec";

const maxLimit = 200;

/** Asks for one more than the page holds, to know whether there is a next one. */
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
    const found = await cases.list(filter, position, size + 1);
    const last = found.length > size ? found[size - 1] : undefined;
    return {
      cases: found.slice(0, size).map(encodeCase),
      next: last === undefined ? undefined : writeCursor({ id: last.id, createdAt: last.openedAt }),
    };
  };
