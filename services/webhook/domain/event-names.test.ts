import { eventListViolations, registeredSpelling } from "./event-names";

describe("eventListViolations", () => {
  it("accepts every event in any case, the legacy spellings too", () => {
    expect(
      eventListViolations([
        "TRANSACTIONSTATUSCHANGED",
        "TransactionComplianceStatusChangedEvent",
        "transactionPayoutStatusChanged",
        "documentUpdatedEvents",
        "agentUpdatedEvents",
      ]),
    ).toEqual([]);
  });

  it("refuses an empty list", () => {
    expect(eventListViolations([])).toEqual([
      { field: "events", message: "is required and must be a list that names at least one event" },
    ]);
  });

  it("names every wrong entry by its place", () => {
    const violations = eventListViolations(["TransactionStatusChanged", "Nope", "transactionstatuschanged", ""]);

    expect(violations.map(({ field }) => field)).toEqual(["events.1", "events.2", "events.3"]);
    expect(violations[1]?.message).toBe("must not name an event twice");
  });

  it("refuses more names than it will look at", () => {
    expect(eventListViolations(Array.from({ length: 51 }, () => "x"))).toHaveLength(1);
  });
});

describe("registeredSpelling", () => {
  it("finds the spelling of the subscription", () => {
    expect(registeredSpelling(["x", "transactionSTATUSchanged"], "TransactionStatusChanged")).toBe(
      "transactionSTATUSchanged",
    );
    expect(registeredSpelling(["AgentUpdatedEvents"], "TransactionStatusChanged")).toBeUndefined();
  });
});
