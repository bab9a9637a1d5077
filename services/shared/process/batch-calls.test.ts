import { systemClock } from "../kernel/clock";
import { batchCalls, type GroupLimits, type ItemResult } from "./batch-calls";
import { runInCall } from "./call-context";

/** Handles groups and records them; each waits until the test releases it. */
function startHandler(
  answer: (items: readonly number[]) => ItemResult<string>[],
  limits: GroupLimits<number> = { most: 3 },
) {
  const groups: number[][] = [];
  const gates: (() => void)[] = [];
  const handle = batchCalls(async (items: readonly number[]) => {
    groups.push([...items]);
    await new Promise<void>((resolve) => gates.push(resolve));
    return answer(items);
  }, limits);
  const letGo = async (): Promise<void> => {
    gates.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  /** The first item is being handled when the others come. */
  const behindFirst = async (first: number, others: readonly number[]): Promise<Promise<string>[]> => {
    const one = handle(first);
    await new Promise((resolve) => setImmediate(resolve));
    return [one, ...others.map(handle)];
  };
  return { groups, handle, letGo, behindFirst };
}

const fine = (items: readonly number[]): ItemResult<string>[] => items.map((item) => ({ value: `${item} is done` }));

describe("batchCalls", () => {
  it("handles a lone item at once, and what comes meanwhile in groups of limited size", async () => {
    const { groups, letGo, behindFirst } = startHandler(fine);

    const done = Promise.all(await behindFirst(1, [2, 3, 4, 5]));
    for (let group = 0; group < 3; group += 1) await letGo();

    expect(await done).toEqual(["1 is done", "2 is done", "3 is done", "4 is done", "5 is done"]);
    expect(groups).toEqual([[1], [2, 3, 4], [5]]);
  });

  it("handles what comes in one turn of the event loop together", async () => {
    const { groups, handle, letGo } = startHandler(fine);

    const done = Promise.all([1, 2, 3].map(handle));
    await new Promise((resolve) => setImmediate(resolve));
    await letGo();

    await done;
    expect(groups).toEqual([[1, 2, 3]]);
  });

  it("fails only the items that the answer names", async () => {
    const { letGo, behindFirst } = startHandler((items) =>
      items.map((item) => (item === 3 ? { error: new Error("no") } : { value: "" })),
    );

    const results = Promise.allSettled(await behindFirst(1, [2, 3, 4]));
    for (let group = 0; group < 2; group += 1) await letGo();

    expect((await results).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  });

  it("handles the items of a failed group one by one, so that one alone fails", async () => {
    const { groups, letGo, behindFirst } = startHandler((items) => {
      if (items.includes(3)) throw new Error("the group cannot be stored");
      return fine(items);
    });

    const results = Promise.allSettled(await behindFirst(1, [2, 3, 4]));
    for (let group = 0; group < 5; group += 1) await letGo();

    expect((await results).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(groups).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
  });

  it("fails all items of a group when the store is away, and retries none", async () => {
    const { groups, letGo, behindFirst } = startHandler((items) => {
      if (items.length > 1) throw Object.assign(new Error("gone"), { name: "MongoNetworkError" });
      return fine(items);
    });

    const results = Promise.allSettled(await behindFirst(1, [2, 3]));
    for (let group = 0; group < 2; group += 1) await letGo();

    expect((await results).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(groups).toEqual([[1], [2, 3]]);
  });

  it("lets owners take turns, however much one of them brings", async () => {
    const { groups, letGo, behindFirst } = startHandler(fine, {
      most: 3,
      ownerOf: (item) => (item < 10 ? "busy" : "quiet"),
    });

    const done = Promise.all(await behindFirst(1, [2, 3, 4, 5, 6, 10, 11]));
    for (let group = 0; group < 4; group += 1) await letGo();

    await done;
    expect(groups).toEqual([[1], [2, 10, 3], [11, 4, 5], [6]]);
  });

  it("ends a group before it has more bytes than it may, and takes a larger item alone", async () => {
    const limits = { most: 3, mostBytes: 10, bytesOf: (item: number) => item };
    const { groups, letGo, behindFirst } = startHandler(fine, limits);

    const done = Promise.all(await behindFirst(1, [6, 4, 1, 50, 2]));
    for (let group = 0; group < 5; group += 1) await letGo();

    await done;
    expect(groups).toEqual([[1], [6, 4], [1], [50], [2]]);
  });

  it("does not begin an item whose caller has stopped waiting", async () => {
    const { groups, handle, letGo } = startHandler(fine);
    const past = { requestId: "late", deadlineMs: systemClock.now().getTime() - 1 };

    const results = Promise.allSettled([handle(1), runInCall(past, () => handle(2)), handle(3)]);
    await new Promise((resolve) => setImmediate(resolve));
    await letGo();

    expect((await results).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(groups).toEqual([[1, 3]]);
  });

  it("refuses an item when too many wait, and takes more when they have gone", async () => {
    const { groups, handle, letGo, behindFirst } = startHandler(fine, { most: 3, mostWaiting: 2 });

    const results = Promise.allSettled(await behindFirst(1, [2, 3, 4]));
    for (let group = 0; group < 2; group += 1) await letGo();

    expect((await results)[3]).toMatchObject({ status: "rejected", reason: { reason: "UNAVAILABLE" } });
    const next = handle(5);
    await new Promise((resolve) => setImmediate(resolve));
    await letGo();
    expect(await next).toBe("5 is done");
    expect(groups).toEqual([[1], [2, 3], [5]]);
  });

  it("begins the next group beside one that hangs, where groups need not follow each other", async () => {
    const { groups, handle, letGo, behindFirst } = startHandler(fine, { most: 3, slowMs: 1 });

    const [hanging, ...others] = await behindFirst(1, [2, 3]);
    while (groups.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const late = handle(4);
    while (groups.length < 3) await new Promise((resolve) => setImmediate(resolve));

    expect(groups).toEqual([[1], [2, 3], [4]]);
    for (let group = 0; group < 3; group += 1) await letGo();
    expect(await Promise.all([hanging, ...others, late])).toHaveLength(4);
  });

  it("does not begin ever more groups beside those that hang", async () => {
    const { groups, letGo, behindFirst } = startHandler(fine, { most: 1, slowMs: 1 });
    const all = Promise.all(
      await behindFirst(
        1,
        Array.from({ length: 20 }, (_none, index) => index + 2),
      ),
    );
    while (groups.length < 16) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setTimeout(resolve, 20));

    expect(groups).toHaveLength(16);
    while (groups.length < 21) await letGo();
    for (let group = 0; group < 16; group += 1) await letGo();
    expect(await all).toHaveLength(21);
  });
});
