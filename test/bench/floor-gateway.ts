import express from "express";
import { toIntent } from "../../gateway/codec/payment-intent";
import { receiptForm, renderReceipt } from "../../gateway/codec/render-receipt";
import { bodyReader } from "../../gateway/contract/compile";
import { paymentRequest } from "../../gateway/contract/payments";
import { PaymentServiceService } from "../../proto/gen/corridor/payment/v1/payment_service";
import { noTracing } from "../../services/shared/process/tracing";
import { makeRpcClient } from "../../services/shared/rpc/rpc-client";
import { floorSettings, makeLean, serve } from "./floor";

const { target = "" } = floorSettings();
const read = bodyReader(paymentRequest);
const payment = makeRpcClient(PaymentServiceService, {
  target,
  tls: undefined,
  timeoutMs: 5_000,
  retryable: [],
  tracing: noTracing,
});

/** A gateway without any checks: Express with the gateway's settings; of each body a message goes to the service, and its receipt back. */
const app = makeLean(express());
app.post("/v2/payment", express.raw({ type: "application/json" }), async (request, response) => {
  const { value } = read(request.body as Buffer);
  if (value === undefined) throw new Error("the floor takes good bodies only");
  const { receipt } = await payment.acceptPayment({
    tenant: "bench",
    intent: toIntent(value),
    answerForm: receiptForm,
  });
  const body = Buffer.from(JSON.stringify(renderReceipt(receipt)));
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
});
serve(app);
