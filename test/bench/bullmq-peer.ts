import { createHmac, createSecretKey } from "node:crypto";
import { createServer } from "node:http";
import { Queue, Worker } from "bullmq";
import { announce, floorSettings } from "./floor";

/**
 * Delivers events as a BullMQ worker on Redis does, 64 at a time: each job signs its body, posts it with fetch and is
 * kept as completed. `POST /<count>` fills the queue, works it off, and answers with the milliseconds of the work alone.
 */
const { origin = "", redisPort = "" } = floorSettings();
const connection = { host: "127.0.0.1", port: Number(redisPort), maxRetriesPerRequest: null };
const concurrency = 64;
const largestBulk = 500;
const queueName = "webhooks";
const queue = new Queue(queueName, { connection });
const key = createSecretKey(Buffer.alloc(32, 7));

interface WebhookJob {
  data: { newStatusMessages: string[] };
}

async function deliver({ data }: WebhookJob): Promise<void> {
  const body = JSON.stringify(data);
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac("sha256", key).update(`${timestamp}.${body}`).digest("hex");
  const headers = { "content-type": "application/json", "x-service-signature": `t=${timestamp},v1=${signature}` };
  const signal = AbortSignal.timeout(10_000);
  const answer = await fetch(`${origin}/bullmq`, { method: "POST", headers, body, signal });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`the sink answered ${answer.status}`);
}

const jobOf = () => ({
  name: "webhook",
  data: {
    event: "TransactionStatusChanged",
    transactionId: "7d9f2c1e-5a0b-4c3d-8e7f-001122334455",
    externalTransactionId: "ext-7d9f2c1e-5a0b-4c3d-8e7f-001122334455",
    tenantId: "bench",
    oldStatus: "ProcessingPayout",
    newStatus: "PayoutAccepted",
    newStatusMessages: [String(Date.now())],
  },
  opts: { attempts: 5, backoff: { type: "exponential", delay: 1_000 } },
});

async function workOff(count: number): Promise<number> {
  for (let left = count; left > 0; left -= largestBulk) {
    await queue.addBulk(Array.from({ length: Math.min(left, largestBulk) }, jobOf));
  }
  const startedAt = performance.now();
  const worker = new Worker(queueName, deliver, { connection, concurrency });
  await new Promise<void>((resolve, reject) => {
    let completed = 0;
    worker.on("completed", () => {
      completed += 1;
      if (completed === count) resolve();
    });
    worker.on("failed", (_job, error) => reject(error));
  });
  const workedMs = performance.now() - startedAt;
  await worker.close();
  return workedMs;
}

const server = createServer((request, response) => {
  workOff(Number(request.url?.slice(1))).then(
    (workedMs) => response.writeHead(200).end(String(workedMs)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  announce(typeof address === "object" && address !== null ? address.port : 0);
});
