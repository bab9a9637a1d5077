import { createAgent, moveAgent } from "./agent";
import { type AgentStatus, agentStatuses } from "./directory";

const at = new Date("2026-01-01T00:00:00Z");
const request = { tenant: "demo", email: "a@example.com", businessName: "Partner", externalId: "p-1" };

describe("createAgent", () => {
  it("makes an agent that waits for approval", () => {
    expect(createAgent(request, "id", at)).toEqual({
      ...request,
      id: "id",
      status: "PENDING_APPROVAL",
      createdAt: at,
      version: 1,
    });
  });

  it("names every failed field at once", () => {
    const wrong = { tenant: "demo", email: "nobody", businessName: " ", externalId: "a b" };

    expect(() => createAgent(wrong, "id", at)).toThrow(
      expect.objectContaining({
        reason: "INVALID_ARGUMENT",
        violations: [{ field: "email" }, { field: "businessName" }, { field: "externalId" }].map((one) =>
          expect.objectContaining(one),
        ),
      }),
    );
  });
});

describe("moveAgent", () => {
  const allowed: Record<AgentStatus, string> = {
    PENDING_APPROVAL: "ACTIVE REJECTED CLOSED",
    ACTIVE: "SUSPENDED CLOSED",
    SUSPENDED: "ACTIVE CLOSED",
    REJECTED: "",
    CLOSED: "",
  };
  const pairs = agentStatuses.flatMap((from) => [...agentStatuses, "OPEN"].map((to) => [from, to] as const));

  it.each(pairs)("from %s to %s follows the table", (from, to) => {
    const agent = { ...createAgent(request, "id", at), status: from };
    const move = () => moveAgent(agent, to);

    if (from === to) expect(move()).toBe(agent);
    else if (allowed[from].split(" ").includes(to)) expect(move()).toMatchObject({ status: to, version: 2 });
    else expect(move).toThrow(expect.objectContaining({ reason: "RECORD_CONFLICT" }));
  });
});
