import { createHmac, createSecretKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { Pool } from "undici";
import { announce, floorSettings } from "./floor";

/** Posts signed events to a sink, 64 at a time, from memory and for no tenant. `POST /<count>` ends when all are acknowledged. */
const { origin = "", caFile = "" } = floorSettings();
const inFlight = 64;
const pool = new Pool(origin, { connections: inFlight, pipelining: 1, connect: { ca: readFileSync(caFile) } });
const key = createSecretKey(Buffer.alloc(32, 7));

const sendOne = async (): Promise<void> => {
  const body = JSON.stringify({
    event: "TransactionStatusChanged",
    transactionId: "7d9f2c1e-5a0b-4c3d-8e7f-001122334455",
    externalTransactionId: "ext-7d9f2c1e-5a0b-4c3d-8e7f-001122334455",
    tenantId: "bench",
    oldStatus: "ProcessingPayout",
    newStatus: "PayoutAccepted",
    newStatusMessages: [String(Date.now())],
  });
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac("sha256", key).update(`${timestamp}.${body}`).digest("hex");
  const headers = { "content-type": "application/json", "x-service-signature": `t=${timestamp},v1=${signature}` };
  const answer = await pool.request({ method: "POST", path: "/bare", headers, body });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`the sink answered ${answer.statusCode}`);
};

const server = createServer((request, response) => {
  let left = Number(request.url?.slice(1));
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await sendOne();
    }
  };
  void Promise.all(Array.from({ length: inFlight }, work)).then(() => response.writeHead(200).end("{}"));
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  announce(typeof address === "object" && address !== null ? address.port : 0);
});
