import { DomainError } from "./errors";
import { listName, readListCursor, writeListCursor } from "./list-cursor";

const place = { createdAt: new Date("2026-03-01T12:00:00.000Z"), id: "5b2f5d4e-1c3a-4a57-9c11-2f4d5e6a7b8c" };
const own = listName("payments", { tenant: "demo" }, { status: "CAPTURED", isOverdue: false });

describe("the cursor of a list", () => {
  it("goes on where its page ended", () => {
    expect(readListCursor(own, writeListCursor(own, place))).toEqual(place);
    expect(listName("payments", { tenant: "demo" }, { status: "CAPTURED", currency: undefined })).toBe(own);
  });

  it.each([
    ["of another kind", listName("wallets", { tenant: "demo" }, { status: "CAPTURED" })],
    ["of another tenant", listName("payments", { tenant: "other" }, { status: "CAPTURED" })],
    ["of all tenants", listName("payments", "all tenants", { status: "CAPTURED" })],
    ["with other filters", listName("payments", { tenant: "demo" }, { status: "VOIDED" })],
  ])("is refused in a list %s", (_which, other) => {
    expect(() => readListCursor(other, writeListCursor(own, place))).toThrow(DomainError);
  });

  it.each(["", "x", Buffer.from("2026-03-01T12:00:00.000Z x").toString("base64url")])(
    "is no other text: %p",
    (text) => {
      expect(() => readListCursor(own, text)).toThrow("must be the cursor of a page");
    },
  );
});
