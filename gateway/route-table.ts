import type { Clock } from "../services/shared/kernel/clock";
import type { Upstreams } from "./clients";
import { makeSendList } from "./csv";
import type { FeedWaiters } from "./feed-waiters";
import type { KeySet } from "./key-set";
import { openApiSteps } from "./openapi";
import type { Limits, RateLimiter } from "./rate-limiter";
import { makeReadEvents } from "./read-events";
import type { Route } from "./route";
import { agentRoutes } from "./routes/agents";
import { balanceRoutes } from "./routes/balance";
import { bankRoutes } from "./routes/banks";
import { checkRoutes } from "./routes/checks";
import { complianceRoutes } from "./routes/compliance";
import { credentialRoutes } from "./routes/credentials";
import { destinationRoutes } from "./routes/destinations";
import { documentRoutes } from "./routes/documents";
import { eventRoutes } from "./routes/events";
import { tenantLoginRoutes } from "./routes/logins";
import { movementRoutes } from "./routes/movements";
import { type OperationRouteDeps, operationRoutes } from "./routes/operations";
import { participantListRoutes } from "./routes/participant-lists";
import { paymentListRoutes } from "./routes/payment-list";
import { paymentTimelineRoutes } from "./routes/payment-timeline";
import { paymentValidationRoutes } from "./routes/payment-validation";
import { paymentRoutes } from "./routes/payments";
import { payoutRoutes } from "./routes/payouts";
import { personRoutes } from "./routes/persons";
import { providerCallbackRoutes } from "./routes/provider-callbacks";
import { quoteRoutes } from "./routes/quotes";
import { schemaRoutes } from "./routes/schemas";
import { searchRoutes } from "./routes/search";
import { sessionRoutes } from "./routes/sessions";
import { tokenRoutes } from "./routes/tokens";
import { transactionStateRoutes } from "./routes/transaction-states";
import { transactionRoutes } from "./routes/transactions";
import { uploadedDocumentRoutes } from "./routes/uploaded-documents";
import { userRoutes } from "./routes/users";
import { walletRoutes } from "./routes/wallets";
import { webhookDeliveryRoutes } from "./routes/webhook-deliveries";
import { webhookRoutes } from "./routes/webhooks";
import type { StrangerBudget } from "./stranger-budget";

export interface RouteTableDeps extends OperationRouteDeps {
  upstreams: Omit<Upstreams, "stop">;
  keySet: KeySet;
  limiter: RateLimiter;
  limits: Limits;
  strangers: Pick<StrangerBudget, "attempt">;
  waiters: FeedWaiters;
  /** Puts the linking provider's name into the path. */
  linkerSegment: string;
  clock: Clock;
}

/** Every route of the gateway. A route that is not here does not exist, and the OpenAPI document is made from this table. */
export function makeRouteTable(deps: RouteTableDeps): readonly Route[] {
  const { upstreams } = deps;
  const lists = { ...upstreams, sendList: makeSendList() };
  const table: readonly Route[] = [
    ...tokenRoutes({ ...deps, auth: upstreams.auth }),
    ...tenantLoginRoutes(upstreams),
    ...userRoutes(upstreams),
    ...credentialRoutes(upstreams),
    ...agentRoutes(lists),
    ...schemaRoutes({ schema: upstreams.schema, clock: deps.clock }),
    ...bankRoutes(upstreams),
    ...destinationRoutes(upstreams),
    ...quoteRoutes(lists),
    ...paymentRoutes(upstreams),
    ...paymentListRoutes(lists),
    ...paymentTimelineRoutes(upstreams),
    ...paymentValidationRoutes(upstreams),
    ...checkRoutes({ ...deps, payment: upstreams.payment }),
    ...balanceRoutes(upstreams),
    ...providerCallbackRoutes(upstreams),
    ...payoutRoutes(upstreams),
    ...personRoutes(upstreams),
    ...participantListRoutes(lists),
    ...uploadedDocumentRoutes(upstreams),
    ...complianceRoutes(upstreams),
    ...sessionRoutes(upstreams),
    ...walletRoutes(lists),
    ...movementRoutes(lists),
    ...webhookRoutes(upstreams),
    ...webhookDeliveryRoutes(lists),
    ...eventRoutes(makeReadEvents({ ...upstreams, waiters: deps.waiters })),
    ...transactionRoutes(upstreams),
    ...searchRoutes(upstreams),
    ...transactionStateRoutes,
    ...documentRoutes(() => openApiSteps(table)),
    ...operationRoutes(deps),
  ];
  return table;
}
