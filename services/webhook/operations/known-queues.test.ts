import { makeKnownQueues } from "./known-queues";

describe("known queues", () => {
  let open: string[];
  let reads: string[][];
  let now: number;
  let known: ReturnType<typeof makeKnownQueues>;

  beforeEach(() => {
    [open, reads, now] = [["b"], [], 0];
    known = makeKnownQueues(
      {
        async opened(ids) {
          if (ids.length > 0) reads.push([...ids]);
          return ids.filter((id) => open.includes(id));
        },
      },
      () => now,
    );
  });

  const opened = async (ids: string[], mayBeOld: boolean): Promise<string[]> => [
    ...(await known.opened(ids, mayBeOld)),
  ];

  it("are read each time unless they may be old", async () => {
    expect(await opened(["a", "b"], false)).toEqual(["b"]);
    open = ["a"];
    expect(await opened(["a", "b"], false)).toEqual(["a"]);
    expect(reads).toHaveLength(2);
  });

  it("are read again after less than a second where they may be old, and only those", async () => {
    await opened(["a", "b"], true);
    open = ["a"];
    now = 500;
    expect(await opened(["a", "b", "c"], true)).toEqual(["b"]);
    now = 900;
    expect(await opened(["a", "b", "c"], true)).toEqual(["a"]);
    expect(reads).toEqual([["a", "b"], ["c"], ["a", "b"]]);
  });

  it("know at once what this process opens", async () => {
    await opened(["a"], true);
    known.noteOpened(["a"]);
    expect(await opened(["a"], true)).toEqual(["a"]);
  });

  it("know it also when a read that began before ends behind it", async () => {
    const reading = opened(["a"], true);
    now = 1;
    known.noteOpened(["a"]);
    await reading;
    expect(await opened(["a"], true)).toEqual(["a"]);
  });
});
