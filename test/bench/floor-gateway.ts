import express from "express";
import { PaymentServiceService } from "../../proto/gen/corridor/payment/v1/payment_service";
import { noTracing } from "../../services/shared/process/tracing";
import { makeRpcClient } from "../../services/shared/rpc/rpc-client";
import { floorSettings, makeLean, serve } from "./floor";

const { target = "" } = floorSettings();
const payment = makeRpcClient(PaymentServiceService, {
  target,
  tls: undefined,
  timeoutMs: 5_000,
  retryable: [],
  tracing: noTracing,
});

/** A gateway without any logic: Express with the gateway's settings, and the bytes of each body go to the service. */
const app = makeLean(express());
app.post("/v2/payment", express.raw({ type: "application/json" }), async (request, response) => {
  const { bodyJson } = await payment.acceptPayment({ tenant: "bench", bodyJson: request.body as Buffer });
  const body = Buffer.from(bodyJson);
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
});
serve(app);
