import { SubscriptionEvents } from "../../../proto/gen/corridor/webhook/v1/subscription_events";
import { decodeSubscriptionEvents } from "../../../services/auth/consumers/subscription-events";
import { auditKeysOf } from "../../../services/auth/domain/audit-chain";
import { makeAppendAuditRecords } from "../../../services/auth/operations/append-audit-records";
import { makeCompareAnchors } from "../../../services/auth/operations/compare-anchors";
import {
  makeRecordReported,
  type RecordReported,
  type ReportedEntries,
} from "../../../services/auth/operations/record-reported";
import { makeVerifyAudit } from "../../../services/auth/operations/verify-audit";
import { type AuditStore, makeAuditStore } from "../../../services/auth/store/audit-store";
import { type Inbox, makeInbox } from "../../../services/shared/bus/inbox";
import { noTracing } from "../../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";

const keys = auditKeysOf([Buffer.alloc(32, 1)]);
const at = new Date("2026-03-01T12:00:00Z");

const message = (subscriptionId: string, ...sequences: number[]): Uint8Array =>
  SubscriptionEvents.encode({
    tenant: "demo",
    subscriptionId,
    events: sequences.map((sequence) => ({
      sequence,
      occurredAt: at,
      requestId: `request-${sequence}`,
      change: sequence % 2 === 1 ? { $case: "disabled", value: { reason: "gone" } } : { $case: "enabled", value: {} },
    })),
  }).finish();
const reported = (subscriptionId: string, ...sequences: number[]): ReportedEntries => ({
  stream: "CORRIDOR_WEBHOOK",
  ...decodeSubscriptionEvents(message(subscriptionId, ...sequences)),
});

describe("events that other services report to the audit log", () => {
  let store: TestStore;
  let mongo: Mongo;
  let audit: AuditStore;
  let inbox: Inbox;
  let recordReported: RecordReported;
  let runs = 0;

  beforeAll(async () => {
    store = await startTestStore();
  });
  afterAll(() => store.stop());
  beforeEach(async () => {
    runs += 1;
    const database = store.database(`reported-${runs}`);
    mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
    audit = makeAuditStore(mongo.connection);
    inbox = makeInbox(mongo.connection);
    await Promise.all([audit.init(), inbox.init()]);
    recordReported = makeRecordReported({ ...mongo, inbox, audit, keys });
  });
  afterEach(() => mongo.stop());

  const objects = async (): Promise<string[]> =>
    (await audit.page(0, 500)).map(({ object, requestId }) => `${object} ${requestId}`);
  const verify = () =>
    makeVerifyAudit({ audit, keys, compareAnchors: makeCompareAnchors({ audit, keys, anchors: [] }) })(undefined);

  it("are recorded with actor, action and reason", async () => {
    await recordReported(reported("one", 1, 2));

    const facts = { at, tenant: "demo", object: "webhookId=one", outcome: "done", address: "" };
    expect(await audit.page(0, 10)).toEqual([
      expect.objectContaining({
        ...facts,
        actor: "service:webhook",
        action: "disable webhook: gone",
        requestId: "request-1",
      }),
      expect.objectContaining({ ...facts, actor: "tenant:demo", action: "enable webhook", requestId: "request-2" }),
    ]);
  });

  it("are recorded once, however often they are delivered, in turn or concurrently", async () => {
    await recordReported(reported("one", 1));
    await recordReported(reported("one", 1));
    await Promise.all(Array.from({ length: 5 }, () => recordReported(reported("one", 1, 2, 3))));

    expect(await objects()).toEqual(["webhookId=one request-1", "webhookId=one request-2", "webhookId=one request-3"]);
  });

  it("wait for the events missing before them", async () => {
    await expect(recordReported(reported("one", 2))).rejects.toMatchObject({ reason: "VERSION_CONFLICT" });
    expect(await objects()).toEqual([]);

    await recordReported(reported("one", 1));
    await recordReported(reported("one", 2));

    expect(await objects()).toEqual(["webhookId=one request-1", "webhookId=one request-2"]);
  });

  it("are recorded by the next attempt after one that ended between its steps", async () => {
    const crash = new Error("crash");
    const append = async (): Promise<void> => {
      throw crash;
    };
    await expect(
      makeRecordReported({ ...mongo, inbox, audit: { ...audit, append }, keys })(reported("one", 1)),
    ).rejects.toBe(crash);
    expect(await objects()).toEqual([]);

    await recordReported(reported("one", 1));

    expect(await objects()).toEqual(["webhookId=one request-1"]);
  });

  it("make one whole chain with concurrent calls", async () => {
    const append = makeAppendAuditRecords({ ...mongo, audit, keys });
    const entry = { at, actor: "operator:ada", tenant: "demo", action: "GET /audit", object: "by a caller" };
    const subjects = Array.from({ length: 10 }, (_unused, index) => `subject-${index}`);

    await Promise.all(
      subjects.flatMap((subject) => [
        recordReported(reported(subject, 1, 2)),
        append([{ ...entry, outcome: "done", requestId: "", address: "", count: 1, session: "" }]),
      ]),
    );

    expect(await verify()).toMatchObject({ count: 30, brokenAt: undefined });
    for (const subject of subjects) {
      const own = (await objects()).filter((object) => object.startsWith(`webhookId=${subject} `));
      expect(own).toEqual([`webhookId=${subject} request-1`, `webhookId=${subject} request-2`]);
    }
  });

  it.each<[string, Partial<SubscriptionEvents>]>([
    ["tenant", { tenant: "" }],
    ["subscription", { subscriptionId: "" }],
    ["event", { events: [] }],
    ["time", { events: [{ sequence: 1, occurredAt: undefined, requestId: "", change: undefined }] }],
    ["change", { events: [{ sequence: 1, occurredAt: at, requestId: "", change: undefined }] }],
  ])("are refused without their %s", (_part, lacking) => {
    const whole = SubscriptionEvents.decode(message("one", 1));

    expect(() => decodeSubscriptionEvents(SubscriptionEvents.encode({ ...whole, ...lacking }).finish())).toThrow();
  });
});
