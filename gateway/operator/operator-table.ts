import type { Upstreams } from "../clients";
import { makeSendCsv, makeSendList } from "../csv";
import type { FeedWaiters } from "../feed-waiters";
import { openApiSteps, operatorWords } from "../openapi";
import { makeReadEvents } from "../read-events";
import type { Route } from "../route";
import { documentRoute } from "../routes/documents";
import { operatorLoginRoutes } from "../routes/logins";
import { type OperationRouteDeps, operationRoutes } from "../routes/operations";
import { approvalRoutes } from "./approval-routes";
import { auditRoutes } from "./audit-routes";
import { backlogRoutes } from "./backlog-routes";
import { blockedRoutes } from "./blocked-routes";
import { breakRoutes } from "./break-routes";
import { busRoutes } from "./bus-routes";
import { caseRoutes } from "./case-routes";
import { credentialBoundRoutes } from "./credential-bound-routes";
import { directoryRoutes } from "./directory-routes";
import { operatorDocumentRoutes } from "./document-routes";
import { operatorEventRoutes } from "./event-routes";
import { exposureRoutes } from "./exposure-routes";
import { journalRoutes } from "./journal-routes";
import { keyRingRoutes } from "./key-ring-routes";
import { ledgerRoutes } from "./ledger-routes";
import { withLists } from "./lists-as-text";
import { marginRoutes } from "./margin-routes";
import { participantRoutes } from "./participant-routes";
import { paymentListRoutes } from "./payment-list-routes";
import { operatorPaymentRoutes } from "./payment-routes";
import { rateRoutes } from "./rate-routes";
import { reviewRoutes } from "./review-routes";
import { operatorSearchRoutes } from "./search-routes";
import { operatorUserRoutes } from "./user-routes";

export interface OperatorTableDeps extends OperationRouteDeps {
  upstreams: Pick<Upstreams, "auth" | "fx" | "payment" | "wallet" | "identity" | "documents" | "webhook">;
  waiters: FeedWaiters;
}

/** Every route of the operator API, which has a port of its own. Each call is in the audit log. */
export function makeOperatorTable(deps: OperatorTableDeps): readonly Route[] {
  const sendCsv = makeSendCsv();
  const sendList = makeSendList(sendCsv);
  const table: readonly Route[] = withLists(
    [
      ...operatorLoginRoutes(deps.upstreams),
      ...operatorUserRoutes(deps.upstreams),
      ...directoryRoutes(deps.upstreams),
      ...credentialBoundRoutes(deps.upstreams),
      ...paymentListRoutes({ ...deps.upstreams, sendList }),
      ...operatorPaymentRoutes(deps),
      ...caseRoutes(deps),
      ...ledgerRoutes(deps.upstreams),
      ...journalRoutes(deps),
      ...breakRoutes(deps.upstreams),
      ...rateRoutes(deps),
      ...exposureRoutes(deps),
      ...marginRoutes(deps),
      ...reviewRoutes(deps),
      ...blockedRoutes({ ...deps, sendList }),
      ...participantRoutes(deps.upstreams),
      ...operatorDocumentRoutes(deps.upstreams),
      ...operatorSearchRoutes(deps.upstreams),
      ...approvalRoutes(deps.upstreams),
      ...operatorEventRoutes(makeReadEvents({ ...deps.upstreams, waiters: deps.waiters })),
      ...auditRoutes(deps.upstreams),
      ...backlogRoutes(deps.upstreams),
      ...busRoutes(deps.upstreams),
      ...keyRingRoutes(deps.upstreams),
      documentRoute(() => openApiSteps(table, operatorWords), "operator"),
      ...operationRoutes(deps),
    ],
    sendCsv,
  );
  return table;
}
