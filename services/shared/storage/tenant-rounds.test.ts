import { makeTenantRounds } from "./tenant-rounds";

describe("rounds of tenants", () => {
  it("asks about all tenants that there are, those of before at once and those that have come since behind them", async () => {
    const present = ["a", "b"];
    const inRounds = makeTenantRounds({ tenants: async () => [...present] });
    const asked: string[][] = [];
    const ask = async (tenants: string[]): Promise<string[]> => {
      asked.push(tenants);
      return tenants;
    };

    expect(await inRounds("all tenants", ask)).toEqual(["a", "b"]);
    present.push("c");
    expect(await inRounds("all tenants", ask)).toEqual(["a", "b", "c"]);
    expect(await inRounds("all tenants", ask)).toEqual(["a", "b", "c"]);
    expect(asked).toEqual([["a", "b"], ["a", "b"], ["c"], ["a", "b", "c"]]);
  });

  it("asks about one tenant alone, and reads no list for it", async () => {
    const inRounds = makeTenantRounds({ tenants: () => Promise.reject(new Error("not asked")) });
    expect(await inRounds({ tenant: "b" }, async (tenants) => tenants)).toEqual(["b"]);
  });

  it("asks about a hundred at once", async () => {
    const many = Array.from({ length: 250 }, (_, at) => String(at));
    const inRounds = makeTenantRounds({ tenants: async () => many });
    expect(await inRounds("all tenants", async (tenants) => [tenants.length])).toEqual([100, 100, 50]);
  });
});
