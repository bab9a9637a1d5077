import { randomUUID } from "node:crypto";
import { mongo } from "mongoose";
import { AcceptPaymentRequest, PaymentServiceService } from "../../proto/gen/corridor/payment/v1/payment_service";
import { makeLogger } from "../../services/shared/process/logger";
import { makeMetrics } from "../../services/shared/process/metrics";
import { noTracing } from "../../services/shared/process/tracing";
import { serveRpc } from "../../services/shared/rpc/rpc-server";
import { openMongo } from "../../services/shared/storage/mongo";
import { announce, floorReceipt, floorSettings } from "./floor";

/**
 * A payment service without any logic, behind the platform's own gRPC server. With a store, each call is one durable
 * insert; without one, a call does nothing.
 */
async function main(): Promise<void> {
  const { mongoUri } = floorSettings();
  const insert = mongoUri === undefined ? async () => {} : await openInsert(mongoUri);
  const unused = (): never => {
    throw new Error("the floor only accepts payments");
  };
  const handlers = {
    async acceptPayment(request: AcceptPaymentRequest) {
      await insert(request.tenant, AcceptPaymentRequest.encode(request).finish());
      return { receipt: floorReceipt, replayed: false };
    },
    validatePayment: async () => unused(),
    getPayment: async () => unused(),
    getTimeline: async () => unused(),
    receiveCallback: async () => unused(),
    capturePayment: async () => unused(),
    voidPayment: async () => unused(),
    refundPayment: async () => unused(),
    cancelPayment: async () => unused(),
    decideReversal: async () => unused(),
    listTransactions: async () => unused(),
    getTransaction: async () => unused(),
    setTransactionMetadata: async () => unused(),
    getLimits: async () => unused(),
    getQuoteUse: async () => unused(),
    quotePayout: async () => unused(),
    addPayoutAccount: async () => unused(),
    listPayoutAccounts: async () => unused(),
    listHolds: async () => unused(),
    rejectHold: async () => unused(),
  };
  const server = await serveRpc(PaymentServiceService, handlers, {
    address: "127.0.0.1:0",
    tls: undefined,
    logger: makeLogger("floor", "error"),
    tracing: noTracing,
    metrics: makeMetrics("floor"),
  });
  announce(server.port);
}

async function openInsert(uri: string): Promise<(tenant: string, body: Uint8Array) => Promise<void>> {
  const { connection } = await openMongo({ uri, database: "bench_floor", profile: "local", tracing: noTracing });
  const payments = connection.getClient().db(connection.name).collection<{ _id: string }>("payments");
  return async (tenant, body) => {
    const document = { _id: randomUUID(), tenant, body: new mongo.Binary(body), createdAt: new Date() };
    await payments.insertOne(document);
  };
}

void main();
