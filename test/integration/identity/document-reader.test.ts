import type { Sandbox } from "../../../sandbox/app";
import { makeDocumentReader } from "../../../services/identity/adapters/kyc/document-reader";
import type { DocumentReader } from "../../../services/identity/ports";
import { makeProviderCall } from "../../../services/shared/http/provider-call";
import { systemClock } from "../../../services/shared/kernel/clock";
import { makeLogger } from "../../../services/shared/process/logger";
import { makeMetrics } from "../../../services/shared/process/metrics";
import { noTracing } from "../../../services/shared/process/tracing";
import {
  call,
  callbackSecret,
  eventually,
  type Platform,
  railKey,
  startPlatform,
  startWorld,
} from "../sandbox/outside-world";
import { describeReaderConformance, type ReaderSubject, type Reading } from "./reader-conformance";
import type { SentCallback } from "./vendor-conformance";

jest.setTimeout(60_000);

const silent = { debug() {}, info() {}, warn() {}, error() {} };

const adapterTo = (baseUrl: string): DocumentReader =>
  makeDocumentReader({
    call: makeProviderCall({
      name: "documents",
      baseUrl,
      apiKey: railKey,
      timeoutMs: 3_000,
      logger: makeLogger("conformance", "error"),
      tracing: noTracing,
      metrics: makeMetrics("conformance"),
    }),
    baseUrl,
    apiKey: railKey,
    timeoutMs: 3_000,
    callbackSecret,
    clock: systemClock,
    logger: silent,
  });

const numbers: Readonly<Record<Reading, string>> = {
  verified: "C1-verify",
  rejected: "C1-reject",
  review: "C1-review",
  errored: "C1-error",
  "verified later": "C1",
};

describe("the HTTP adapter against the sandbox vendor", () => {
  let world: Sandbox;
  let receiver: Platform;
  let subject: ReaderSubject;

  const callbacksOf = (documentId: string): SentCallback[] =>
    receiver.received
      .filter(({ body }) => body.includes(documentId))
      .map(({ headers, body }) => ({ signature: String(headers["x-signature"]), body: Buffer.from(body) }));

  beforeAll(async () => {
    receiver = await startPlatform();
    world = await startWorld({ callbackUrl: receiver.root });
    subject = {
      reader: adapterTo(world.url),
      unreachable: adapterTo("http://127.0.0.1:9"),
      numberFor: (reading) => numbers[reading],
      async fault(operation, fault) {
        const effect = fault === "executed-unanswered" ? { timeoutAfterExecute: true } : { status: 503 };
        await call("POST", `${world.url}/faults`, { rail: "documents", operation, times: 1, ...effect });
      },
      async taken(documentId) {
        const { body } = await call("GET", `${world.url}/book`);
        const readings = body["readings"] as { reference: string; sha256: string }[];
        return readings.filter(({ reference }) => reference === documentId);
      },
      async callbacks(documentId, count) {
        await eventually(() => callbacksOf(documentId).length >= count);
        return callbacksOf(documentId);
      },
    };
  });
  afterAll(async () => {
    await world.stop();
    await receiver.stop();
  });

  describeReaderConformance("document-reader", () => subject);
});
