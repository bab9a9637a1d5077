import { healthy, type Subscription } from "../domain/subscription";
import { makeKnownSubscriptions } from "./known-subscriptions";

const subscription = (id: string, tenant: string): Subscription => ({
  id,
  tenant,
  url: "https://example.com/",
  events: [],
  isBatch: false,
  createdAt: new Date(0),
  secret: undefined,
  disabled: undefined,
  health: healthy,
});

/** A store that counts its reads, with a clock that the test moves. */
function open() {
  let nowMs = 0;
  const stored = new Map<string, Subscription>();
  const reads: string[][] = [];
  let gate = Promise.resolve();
  const known = makeKnownSubscriptions(
    {
      async ofTenants(tenants) {
        reads.push([...tenants]);
        const found = [...stored.values()].filter(({ tenant }) => tenants.includes(tenant));
        await gate;
        return found;
      },
    },
    () => nowMs,
  );
  return {
    known,
    reads,
    put: (...all: Subscription[]) => {
      for (const one of all) stored.set(one.id, one);
    },
    remove: (id: string) => stored.delete(id),
    pass: (ms: number) => {
      nowMs += ms;
    },
    /** Reads wait from here on until the answer is called. */
    hold() {
      let letGo = (): void => {};
      gate = new Promise((resolve) => {
        letGo = resolve;
      });
      return letGo;
    },
  };
}

describe("makeKnownSubscriptions", () => {
  it("reads a tenant's subscriptions once within a second, also when there are none", async () => {
    const { known, reads, put, pass } = open();
    put(subscription("a", "t"));

    for (let time = 0; time < 3; time += 1) {
      expect(await known.of(["t", "nobody"])).toHaveLength(1);
      expect(await known.find("t", "a")).toMatchObject({ id: "a" });
      pass(200);
    }

    expect(reads).toEqual([["t", "nobody"]]);
  });

  it("sees a change within a second without a signal", async () => {
    const { known, put, remove, pass } = open();
    put(subscription("a", "t"));
    await known.of(["t"]);
    remove("a");

    pass(899);
    expect(await known.of(["t"])).toHaveLength(1);
    pass(1);
    expect(await known.of(["t"])).toEqual([]);
  });

  it("counts the age from before the read", async () => {
    const { known, reads, hold, pass } = open();
    const letGo = hold();
    const asking = known.of(["t"]);
    await new Promise((resolve) => setImmediate(resolve));
    pass(900);
    letGo();
    await asking;

    await known.of(["t"]);

    expect(reads).toHaveLength(2);
  });

  it("reads again what has changed, and that alone", async () => {
    const { known, reads } = open();
    await known.of(["t", "u"]);

    known.forget("t");
    await known.of(["t", "u"]);
    known.forgetAll();
    await known.of(["t", "u"]);

    expect(reads).toEqual([["t", "u"], ["t"], ["t", "u"]]);
  });

  it.each(["forget", "forgetAll"] as const)(
    "keeps nothing that a change may have overtaken while it was read, by %s",
    async (how) => {
      const { known, put, remove, hold } = open();
      put(subscription("a", "t"));
      const letGo = hold();
      const asking = known.of(["t"]);
      await new Promise((resolve) => setImmediate(resolve));
      remove("a");
      known[how]("t");
      letGo();
      await asking;

      expect(await known.of(["t"])).toEqual([]);
    },
  );

  it("says only of what it has just read that it is gone or disabled", async () => {
    const { known, put } = open();
    const disabled = { ...subscription("b", "t"), disabled: { at: new Date(0), reason: "gone" as const } };
    put(disabled);
    await known.of(["t"]);
    put(subscription("a", "t"), subscription("b", "t"));

    expect(await known.find("t", "a")).toMatchObject({ id: "a" });
    put(disabled);
    known.forget("t");
    await known.of(["t"]);
    put(subscription("b", "t"));
    expect((await known.find("t", "b"))?.disabled).toBeUndefined();
    expect(await known.find("t", "c")).toBeUndefined();
  });
});
