import { type EndPlace, makeEndpointSlots } from "./endpoint-slots";

const alone = (): number => 1;
const never = new Promise<void>(() => {});
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Two places at one endpoint, both taken by first attempts. */
async function startFull() {
  const slots = makeEndpointSlots({ fewest: 2, most: 4, replicas: alone });
  const [one, two] = [await slots.beginFirst("s", never), await slots.beginFirst("s", never)];
  return { slots, endOne: one?.end ?? fail, endTwo: two?.end ?? fail, hasWaited: one?.hasWaited };
}

const fail = (): never => {
  throw new Error("there was no place");
};

describe("makeEndpointSlots", () => {
  it("gives no more places than there are, per endpoint", async () => {
    const { slots, endOne, hasWaited } = await startFull();
    const third = slots.beginFirst("s", never);
    let isIn = false;
    void third.then(() => {
      isIn = true;
    });
    await soon();

    expect(hasWaited).toBe(false);
    expect(isIn).toBe(false);
    expect((await slots.beginFirst("other", never))?.hasWaited).toBe(false);
    endOne();
    expect((await third)?.hasWaited).toBe(true);
  });

  it("gives one more place for each quick answer, up to the most, and few again after a slow one", async () => {
    const slots = makeEndpointSlots({ fewest: 1, most: 3, replicas: alone });
    const ends: EndPlace[] = [];
    const enter = (): void => void slots.beginFirst("s", never).then((place) => ends.push(place?.end ?? fail));
    for (let index = 0; index < 9; index += 1) enter();
    const inFlightAfter = async (pace: "quick" | "slow"): Promise<number> => {
      ends.shift()?.(pace);
      await soon();
      return ends.length;
    };
    await soon();
    expect(ends).toHaveLength(1);
    expect(await inFlightAfter("quick")).toBe(2);
    expect(await inFlightAfter("quick")).toBe(3);
    expect(await inFlightAfter("quick")).toBe(3);
    expect(await inFlightAfter("slow")).toBe(2);
    expect(await inFlightAfter("slow")).toBe(1);
    expect(await inFlightAfter("slow")).toBe(1);
  });

  it("gives an endpoint no more while enough is in flight at others", async () => {
    const slots = makeEndpointSlots({ fewest: 1, most: 3, replicas: alone });
    for (const other of ["a", "b", "c"]) await slots.beginFirst(other, never);
    const first = await slots.beginFirst("s", never);
    const next = [slots.beginFirst("s", never), slots.beginFirst("s", never)];
    first?.end("quick");
    await next[0];
    let isIn = false;
    void next[1]?.then(() => {
      isIn = true;
    });
    await soon();
    expect(isIn).toBe(false);
  });

  it("leaves to each replica its part of the places, and at least one", async () => {
    let replicas = 2;
    const slots = makeEndpointSlots({ fewest: 4, most: 4, replicas: () => replicas });
    const ends: EndPlace[] = [];
    for (let index = 0; index < 9; index += 1) {
      void slots.beginFirst("s", never).then((place) => ends.push(place?.end ?? fail));
    }
    await soon();
    expect(ends).toHaveLength(2);
    replicas = 9;
    for (const end of ends.splice(0)) end();
    await soon();
    expect(ends).toHaveLength(1);
  });

  it("lets the worker of the queue in before first attempts", async () => {
    const { slots, endOne, endTwo } = await startFull();
    const entered: string[] = [];
    void slots.beginFirst("s", never).then(() => entered.push("first"));
    void slots.begin("s").then(() => entered.push("worker"));

    endOne();
    await soon();
    expect(entered).toEqual(["worker"]);
    endTwo();
    await soon();
    expect(entered).toEqual(["worker", "first"]);
  });

  it("sends first attempts away when it is too late, or when the endpoint takes its time", async () => {
    const { slots, endOne } = await startFull();
    const late = slots.beginFirst("s", Promise.resolve());
    const dismissed = slots.beginFirst("s", never);
    const worker = slots.begin("s");

    expect(await late).toBeUndefined();
    slots.dismissFirsts("s");
    expect(await dismissed).toBeUndefined();
    endOne();
    expect(await worker).toBeDefined();
  });
});
