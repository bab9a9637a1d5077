import { ApprovalServiceService } from "../proto/gen/corridor/auth/v1/approval_service";
import { AuditServiceService } from "../proto/gen/corridor/auth/v1/audit_service";
import { AuthServiceService } from "../proto/gen/corridor/auth/v1/auth_service";
import { DirectoryServiceService } from "../proto/gen/corridor/auth/v1/directory_service";
import { PeopleServiceService } from "../proto/gen/corridor/auth/v1/people_service";
import { BusServiceService } from "../proto/gen/corridor/common/v1/bus_service";
import { KeyServiceService } from "../proto/gen/corridor/common/v1/key_service";
import { SearchServiceService } from "../proto/gen/corridor/common/v1/search_service";
import { ExposureServiceService } from "../proto/gen/corridor/fx/v1/exposure_service";
import { FxServiceService } from "../proto/gen/corridor/fx/v1/fx_service";
import { MarginServiceService } from "../proto/gen/corridor/fx/v1/margin_service";
import { RateServiceService } from "../proto/gen/corridor/fx/v1/rate_service";
import { DecisionServiceService } from "../proto/gen/corridor/identity/v1/decision_service";
import { DocumentServiceService } from "../proto/gen/corridor/identity/v1/document_service";
import { IdentityServiceService } from "../proto/gen/corridor/identity/v1/identity_service";
import { KycServiceService } from "../proto/gen/corridor/identity/v1/kyc_service";
import { ReviewServiceService } from "../proto/gen/corridor/identity/v1/review_service";
import { CaseServiceService } from "../proto/gen/corridor/payment/v1/case_service";
import { CheckServiceService } from "../proto/gen/corridor/payment/v1/check_service";
import { PaymentListServiceService } from "../proto/gen/corridor/payment/v1/payment_list_service";
import { PaymentServiceService } from "../proto/gen/corridor/payment/v1/payment_service";
import { SchemaServiceService } from "../proto/gen/corridor/schema/v1/schema_service";
import { MovementServiceService } from "../proto/gen/corridor/wallet/v1/movement_service";
import { WalletServiceService } from "../proto/gen/corridor/wallet/v1/wallet_service";
import { WebhookServiceService } from "../proto/gen/corridor/webhook/v1/webhook_service";
import { type Running, stopAll } from "../services/shared/process/lifecycle";
import type { RpcTls } from "../services/shared/process/rpc-certificates";
import type { Tracing } from "../services/shared/process/tracing";
import type { Rpc } from "../services/shared/rpc/rpc";
import { makeRpcClient } from "../services/shared/rpc/rpc-client";
import type { GatewayConfig } from "./config";

/** Clients of everything that the auth service serves, on one connection. */
export const authServices = {
  ...AuthServiceService,
  ...DirectoryServiceService,
  ...AuditServiceService,
  ...ApprovalServiceService,
  ...PeopleServiceService,
  ...BusServiceService,
  ...KeyServiceService,
};

/** Clients of everything that the fx service serves, on one connection. */
const fxServices = {
  ...FxServiceService,
  ...RateServiceService,
  ...ExposureServiceService,
  ...MarginServiceService,
  ...SearchServiceService,
};

/** Clients of everything that the payment service serves, on one connection. */
const paymentServices = {
  ...PaymentServiceService,
  ...PaymentListServiceService,
  ...CheckServiceService,
  ...CaseServiceService,
  ...BusServiceService,
  ...KeyServiceService,
};

/** Clients of everything that the wallet service serves, on one connection. */
const walletServices = {
  ...WalletServiceService,
  ...MovementServiceService,
  ...BusServiceService,
  ...KeyServiceService,
  ...SearchServiceService,
};

/** Clients of everything that the webhook service serves, on one connection. */
const webhookServices = {
  ...WebhookServiceService,
  ...BusServiceService,
  ...KeyServiceService,
  ...SearchServiceService,
};

/** Clients of everything that the identity service serves, on one connection. */
export const identityServices = {
  ...IdentityServiceService,
  ...KycServiceService,
  ...DecisionServiceService,
  ...ReviewServiceService,
  ...BusServiceService,
  ...KeyServiceService,
  ...SearchServiceService,
};

/** The upstream services of the gateway. */
export interface Upstreams extends Running {
  auth: Rpc<typeof authServices>;
  schema: Rpc<typeof SchemaServiceService>;
  fx: Rpc<typeof fxServices>;
  payment: Rpc<typeof paymentServices>;
  wallet: Rpc<typeof walletServices>;
  identity: Rpc<typeof identityServices>;
  documents: Rpc<typeof DocumentServiceService>;
  webhook: Rpc<typeof webhookServices>;
}

const timeoutMs = 5_000;

const authRetries = [
  "issueToken",
  "revokeToken",
  "getKeySet",
  "authenticateKey",
  "getAccessRules",
  "authenticatePerson",
  "endSession",
  "listSessions",
  "listUsers",
  "listAgents",
  "listApprovals",
  "getApproval",
] as const;

const paymentRetries = [
  "acceptPayment",
  "validatePayment",
  "getPayment",
  "getTimeline",
  "listPayments",
  "findPayments",
  "receiveCallback",
] as const;

const fxRetries = [
  "createQuote",
  "listQuotes",
  "listRates",
  "releaseRate",
  "getExposure",
  "setExposureLimit",
  "getMargin",
  "listConversions",
  "find",
] as const;

const walletRetries = [
  "find",
  "getWallet",
  "listWallets",
  "getTransaction",
  "getTransfer",
  "listMovements",
  "getBalance",
  "getStatement",
  "createTransaction",
  "checkTransaction",
  "confirmTransaction",
  "voidTransaction",
  "createTransfer",
  "checkTransfer",
  "voidTransfer",
] as const;

const identityRetries = [
  "find",
  "validatePerson",
  "checkPerson",
  "getParticipant",
  "findParticipants",
  "listParticipants",
  "eraseParticipant",
  "getComplianceLevels",
  "checkAddress",
  "getSession",
  "getVerification",
  "receiveKycReport",
  "receiveScreeningReport",
  "listReviews",
  "listReports",
  "getReview",
  "decideReview",
  "listExceptions",
  "revokeException",
] as const;

/** A repeat of a running payment waits 5 s for the first answer, so its caller must wait a little longer. */
const paymentTimeoutMs = 8_000;

/** Time for the work that remains once the last byte of a file has arrived, its reader's first answer included. */
const uploadedMs = 10_000;

const openDocuments = (config: GatewayConfig, common: { tls: RpcTls | undefined; tracing: Tracing }) =>
  makeRpcClient(DocumentServiceService, {
    ...common,
    target: config.IDENTITY_TARGET,
    timeoutMs: config.GATEWAY_UPLOAD_MS + uploadedMs,
    retryable: [
      "listDocuments",
      "listPendingDocuments",
      "getDocument",
      "readDocumentPart",
      "decideDocument",
      "receiveDocumentReport",
    ],
  });

/** Connects to every upstream. Only calls that are keyed by their content or change nothing are ever sent twice. */
export function openUpstreams(config: GatewayConfig, tls: RpcTls | undefined, tracing: Tracing): Upstreams {
  const common = { tls, tracing, timeoutMs };
  const auth = makeRpcClient(authServices, {
    ...common,
    target: config.AUTH_TARGET,
    retryable: authRetries,
  });
  const schema = makeRpcClient(SchemaServiceService, {
    ...common,
    target: config.SCHEMA_TARGET,
    retryable: [
      "getSchema",
      "listSchemas",
      "getPersonSchema",
      "getForm",
      "listDestinations",
      "getBank",
      "listBanks",
      "listBankDirectories",
    ],
  });
  const fx = makeRpcClient(fxServices, {
    ...common,
    target: config.FX_TARGET,
    retryable: fxRetries,
  });
  const payment = makeRpcClient(paymentServices, {
    ...common,
    target: config.PAYMENT_TARGET,
    timeoutMs: paymentTimeoutMs,
    retryable: paymentRetries,
  });
  const identity = makeRpcClient(identityServices, {
    ...common,
    target: config.IDENTITY_TARGET,
    retryable: identityRetries,
  });
  const documents = openDocuments(config, { tls, tracing });
  const wallet = makeRpcClient(walletServices, {
    ...common,
    target: config.WALLET_TARGET,
    retryable: walletRetries,
  });
  const webhook = makeRpcClient(webhookServices, {
    ...common,
    target: config.WEBHOOK_TARGET,
    retryable: [
      "listSubscriptions",
      "deleteSecret",
      "listDeliveries",
      "getDelivery",
      "redeliver",
      "recover",
      "listEvents",
    ],
  });
  return {
    auth,
    schema,
    fx,
    payment,
    wallet,
    identity,
    documents,
    webhook,
    stop: stopAll([auth, schema, fx, payment, wallet, identity, documents, webhook]).stop,
  };
}
