import type { Sandbox } from "../../../sandbox/app";
import { makeKycVendor } from "../../../services/identity/adapters/kyc/kyc-vendor";
import type { Verifier } from "../../../services/identity/ports";
import { makeProviderCall } from "../../../services/shared/http/provider-call";
import { systemClock } from "../../../services/shared/kernel/clock";
import { systemIds } from "../../../services/shared/kernel/ids";
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
import { describeVendorConformance, type SentCallback, type VendorSubject } from "./vendor-conformance";

const adapterTo = (baseUrl: string): Verifier =>
  makeKycVendor({
    call: makeProviderCall({
      name: "kyc",
      baseUrl,
      apiKey: railKey,
      timeoutMs: 3_000,
      logger: makeLogger("conformance", "error"),
      tracing: noTracing,
      metrics: makeMetrics("conformance"),
    }),
    callbackSecret,
    redecisionMs: 1_000,
    clock: systemClock,
    ids: systemIds,
  });

describe("the HTTP adapter against the sandbox vendor", () => {
  let world: Sandbox;
  let receiver: Platform;
  let subject: VendorSubject;

  const callbacksOf = (sessionId: string): SentCallback[] =>
    receiver.received
      .filter(({ body }) => body.includes(sessionId))
      .map(({ headers, body }) => ({ signature: String(headers["x-signature"]), body: Buffer.from(body) }));

  beforeAll(async () => {
    receiver = await startPlatform();
    world = await startWorld({ callbackUrl: receiver.root });
    subject = {
      verifier: adapterTo(world.url),
      unreachable: adapterTo("http://127.0.0.1:9"),
      async act(url, outcome) {
        const { status } = await fetch(url, { method: "POST", body: new URLSearchParams({ outcome }) });
        if (status !== 200) throw new Error(`the page answered ${status}`);
      },
      async fault(operation, fault) {
        const effect = fault === "executed-unanswered" ? { timeoutAfterExecute: true } : { status: 503 };
        await call("POST", `${world.url}/faults`, { rail: "kyc", operation, times: 1, ...effect });
      },
      async opened(sessionId) {
        const { body } = await call("GET", `${world.url}/book`);
        return (body["captures"] as { reference: string }[]).filter(({ reference }) => reference === sessionId).length;
      },
      async callbacks(sessionId, count) {
        await eventually(() => callbacksOf(sessionId).length >= count);
        return callbacksOf(sessionId);
      },
    };
  });
  afterAll(async () => {
    await world.stop();
    await receiver.stop();
  });

  describeVendorConformance("kyc-vendor", () => subject);
});
