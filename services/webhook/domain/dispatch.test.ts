import { batchBody } from "./batch";
import { type Delivery, testDelivery } from "./delivery";
import { dispatchesOf } from "./dispatch";
import { healthy, type Subscription } from "./subscription";

const at = new Date("2026-01-01T00:00:00Z");
const subscription: Subscription = {
  id: "s-1",
  tenant: "demo",
  url: "https://example.com",
  events: [],
  isBatch: true,
  createdAt: at,
  secret: undefined,
  disabled: undefined,
  health: healthy,
};
const delivery = (position: number, batchId?: string): Delivery => ({
  ...testDelivery(subscription, `d-${position}`, at),
  position,
  batchId,
});
const positions = (deliveries: readonly Delivery[], isBatch: boolean): number[][] =>
  dispatchesOf(deliveries, isBatch).map((one) => one.deliveries.map(({ position }) => position));

describe("dispatchesOf", () => {
  it("sends each delivery alone where no batches are wanted", () => {
    expect(positions([delivery(1), delivery(2)], false)).toEqual([[1], [2]]);
  });

  it("keeps batches as they were made, and lets no new delivery pass one of them", () => {
    const waiting = [delivery(1, "b"), delivery(2, "b"), delivery(3), delivery(4, "c"), delivery(5), delivery(6)];

    expect(positions(waiting, true)).toEqual([[1, 2], [3], [4], [5, 6]]);
  });

  it("makes batches of at most 50", () => {
    const waiting = Array.from({ length: 120 }, (_, index) => delivery(index + 1));

    expect(positions(waiting, true).map(({ length }) => length)).toEqual([50, 50, 20]);
  });
});

describe("batchBody", () => {
  it("repeats each event byte for byte", () => {
    expect(batchBody("b-1", ['{"a":1.0}', '{"é":"\\u00e9"}'])).toBe(
      '{"batchId":"b-1","isBatch":true,"events":[{"a":1.0},{"é":"\\u00e9"}]}',
    );
  });
});
