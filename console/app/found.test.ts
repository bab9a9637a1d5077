import { pageOf } from "./found";

const found = { id: "a/b", externalId: "ext 1", parentId: "hook", tenant: "demo" };

describe("pageOf", () => {
  it("leads a tenant to the payment by its own id, from any id of it", () => {
    expect(pageOf({ ...found, kind: "leg" }, false)).toBe("/payments/ext%201");
    expect(pageOf({ ...found, kind: "refund" }, false)).toBe("/payments/ext%201");
  });

  it("leads an operator to the payment of a tenant", () => {
    expect(pageOf({ ...found, kind: "trace" }, true)).toBe("/desk/payments/demo/a%2Fb");
  });

  it("leads to a delivery under its endpoint", () => {
    expect(pageOf({ ...found, kind: "delivery" }, false)).toBe("/webhooks/hook/a%2Fb");
  });

  it("leads nowhere from what has no page", () => {
    expect(pageOf({ ...found, kind: "session" }, false)).toBeUndefined();
  });
});
