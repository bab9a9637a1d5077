import { grouped, type ItemResult } from "./grouped";

/** Handles groups and keeps what they were; each waits until it is let go. */
function startHandler(answer: (items: readonly number[]) => ItemResult<string>[]) {
  const groups: number[][] = [];
  const gates: (() => void)[] = [];
  const handle = grouped(async (items: readonly number[]) => {
    groups.push([...items]);
    await new Promise<void>((resolve) => gates.push(resolve));
    return answer(items);
  }, 3);
  const letGo = async (): Promise<void> => {
    gates.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { groups, handle, letGo };
}

const fine = (items: readonly number[]): ItemResult<string>[] => items.map((item) => ({ value: `${item} is done` }));

describe("grouped", () => {
  it("handles a lone item at once, and what comes meanwhile in groups of limited size", async () => {
    const { groups, handle, letGo } = startHandler(fine);

    const done = Promise.all([1, 2, 3, 4, 5].map(handle));
    for (let group = 0; group < 3; group += 1) await letGo();

    expect(await done).toEqual(["1 is done", "2 is done", "3 is done", "4 is done", "5 is done"]);
    expect(groups).toEqual([[1], [2, 3, 4], [5]]);
  });

  it("fails only the items that the answer names", async () => {
    const { handle, letGo } = startHandler((items) =>
      items.map((item) => (item === 3 ? { error: new Error("no") } : { value: "" })),
    );

    const results = Promise.allSettled([1, 2, 3, 4].map(handle));
    for (let group = 0; group < 2; group += 1) await letGo();

    expect((await results).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  });

  it("handles the items of a failed group one by one, so that one alone fails", async () => {
    const { groups, handle, letGo } = startHandler((items) => {
      if (items.includes(3)) throw new Error("the group cannot be stored");
      return fine(items);
    });

    const results = Promise.allSettled([1, 2, 3, 4].map(handle));
    for (let group = 0; group < 5; group += 1) await letGo();

    expect((await results).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(groups).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
  });
});
