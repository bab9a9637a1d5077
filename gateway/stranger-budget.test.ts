import { neighbourhood } from "./callers";
import { makeStrangerBudget } from "./stranger-budget";

describe("neighbourhood", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8::ffff:0:0:9", "2001:db8:0:0::/64"],
    ["2001:db8:0:1::1", "2001:db8:0:1::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%lo", "fe80:0:0:0::/64"],
    ["", ""],
    ["unknown", "unknown"],
  ])("of %j is %j", (address, named) => {
    expect(neighbourhood(address)).toBe(named);
  });
});

describe("the budget of strangers", () => {
  const addressOf = (index: number): string => `2001:db8::${index.toString(16)}`;
  const times = (count: number, work: (address: string) => unknown): void => {
    for (let index = 0; index < count; index += 1) work(addressOf(index));
  };

  it.each([
    ["requests", 100, "ask"],
    ["wrong credentials", 200, "fail"],
    ["places", 32, "enter"],
    ["bodies", 32, "receive"],
  ] as const)("has %s for an IPv6 network, whichever of its addresses they come from", (_what, most, act) => {
    const budget = makeStrangerBudget({ factor: 1 });
    times(most, budget[act]);

    expect(() => budget[act](addressOf(most))).toThrow("too many requests of this address");
    expect(() => budget[act]("2001:db8:0:1::1")).not.toThrow();
  });
});
