import { documentNotification } from "./document-event";
import { bodyOf } from "./event";

describe("tellDocument", () => {
  it("writes the body as specified, in whole seconds with an offset and under the registered spelling", () => {
    const notification = documentNotification({
      tenant: "demo",
      documentId: "d-1",
      entityId: "p-1",
      entityType: "Participant",
      documentType: "DRIVERS_LICENSE",
      verificationStatus: "PENDING",
      occurredAt: new Date("2026-01-02T03:04:05.999Z"),
    });

    expect(notification.name).toBe("DocumentUpdatedEvents");
    expect(bodyOf("documentUpdatedEvents", notification.fields)).toBe(
      '{"event":"documentUpdatedEvents","id":"d-1","entityId":"p-1","entityType":"Participant",' +
        '"documentType":"DRIVERS_LICENSE","verificationStatus":"PENDING","occurredAt":"2026-01-02T03:04:05+00:00",' +
        '"tenantId":"demo","version":1}',
    );
  });
});
