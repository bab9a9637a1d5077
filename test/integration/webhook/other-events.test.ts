import { randomUUID } from "node:crypto";
import { AgentEvents } from "../../../proto/gen/corridor/auth/v1/agent_events";
import { DocumentEvents } from "../../../proto/gen/corridor/identity/v1/document_events";
import { VerificationStatus } from "../../../proto/gen/corridor/identity/v1/verification_status";
import { streamOf } from "../../../services/shared/bus/jetstream";
import { eventually } from "../bus/bus-testbed";
import { startWebhookWorld, type WebhookWorld } from "./webhook-world";

const at = new Date("2026-01-02T03:04:05.678Z");

describe("events of documents and agents", () => {
  let world: WebhookWorld;

  beforeAll(async () => {
    world = await startWebhookWorld();
    // The producers' streams come after the consumer, as with a service that is deployed later.
    await world.bus.ensureStream(streamOf("identity", 1));
    await world.bus.ensureStream(streamOf("auth", 1));
  });
  afterAll(async () => {
    await world.stop();
  });

  const bodies = (path: string): string[] => world.sink.received(path).map(({ body }) => body);

  it("are delivered in order under the legacy spelling, fields as specified", async () => {
    const [documentId, entityId] = [randomUUID(), randomUUID()];
    await world.subscribe("/documents", "demo", ["documentUpdatedEvents"]);
    const statuses = [VerificationStatus.PENDING, VerificationStatus.VERIFIED];
    const events = statuses.map((verificationStatus, index) => ({
      eventId: `${documentId}-${index}`,
      sequence: index + 1,
      occurredAt: at,
      traceparent: "",
      entityId,
      entityType: "Participant",
      documentType: "PASSPORT",
      verificationStatus,
    }));

    for (const event of events) {
      const message = { tenant: "demo", documentId, events: [event] };
      await world.publishBytes("corridor.identity.documents", DocumentEvents.encode(message).finish());
    }

    await eventually(() => bodies("/documents").length === 2);
    expect(bodies("/documents")).toEqual(
      ["PENDING", "VERIFIED"].map(
        (status) =>
          `{"event":"documentUpdatedEvents","id":"${documentId}","entityId":"${entityId}",` +
          `"entityType":"Participant","documentType":"PASSPORT","verificationStatus":"${status}",` +
          `"occurredAt":"2026-01-02T03:04:05+00:00","tenantId":"demo","version":1}`,
      ),
    );
  });

  it("tell of a new agent once, however often it is published", async () => {
    const agentId = randomUUID();
    await world.subscribe("/agents", "demo", ["AgentUpdatedEvents"]);
    const created = {
      email: "ops@example.com",
      businessName: "Ada Ltd",
      externalId: "ext-1",
      status: "PENDING_APPROVAL",
      createdAt: at,
    };
    const message = (id: string): AgentEvents => ({
      tenant: "demo",
      agentId: id,
      events: [
        {
          eventId: `${id}-1`,
          sequence: 1,
          occurredAt: at,
          traceparent: "",
          change: { $case: "created", value: created },
        },
      ],
    });

    for (let time = 0; time < 3; time += 1) {
      await world.publishBytes("corridor.auth.agents", AgentEvents.encode(message(agentId)).finish());
    }
    const second = message(randomUUID());
    await world.publishBytes("corridor.auth.agents", AgentEvents.encode(second).finish());

    await eventually(() => bodies("/agents").some((body) => body.includes(second.agentId)));
    expect(bodies("/agents").filter((body) => body.includes(agentId))).toEqual([
      `{"event":"AgentUpdatedEvents","id":"${agentId}","before":null,"after":{"id":"${agentId}",` +
        `"email":"ops@example.com","businessName":"Ada Ltd","externalId":"ext-1","status":"PENDING_APPROVAL",` +
        `"createdAt":"2026-01-02T03:04:05.678Z"},"tenantId":"demo","version":1}`,
    ]);
  });

  it("are parked when they cannot be read, and keep nothing else waiting", async () => {
    const agentId = randomUUID();
    const message: AgentEvents = { tenant: "demo", agentId, events: [] };
    await world.publishBytes("corridor.auth.agents", AgentEvents.encode(message).finish());

    const parked = world.mongo.connection.collection("parked_messages");

    await eventually(
      async () => (await parked.countDocuments({ stream: "CORRIDOR_AUTH" }, { hint: { $natural: 1 } })) === 1,
    );
  });
});
