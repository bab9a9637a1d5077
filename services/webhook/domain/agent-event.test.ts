import { agentCreatedNotification } from "./agent-event";
import { bodyOf } from "./event";

describe("tellAgentCreated", () => {
  it("writes the body as specified, with nothing before and the new agent after", () => {
    const notification = agentCreatedNotification({
      tenant: "demo",
      agentId: "a-1",
      email: "ops@example.com",
      businessName: 'Ada "and" Co',
      externalId: null,
      status: "PENDING_APPROVAL",
      createdAt: new Date("2026-01-02T03:04:05.678Z"),
    });

    expect(notification.name).toBe("AgentUpdatedEvents");
    expect(bodyOf("agentUpdatedEvents", notification.fields)).toBe(
      '{"event":"agentUpdatedEvents","id":"a-1","before":null,"after":{"id":"a-1","email":"ops@example.com",' +
        '"businessName":"Ada \\"and\\" Co","externalId":null,"status":"PENDING_APPROVAL",' +
        '"createdAt":"2026-01-02T03:04:05.678Z"},"tenantId":"demo","version":1}',
    );
  });
});
