import { makeFigures } from "./figures";

const never = (): Promise<never> => new Promise(() => {});

describe("figures that are read from elsewhere", () => {
  it("are read anew for each asker", async () => {
    let value = 0;
    const read = makeFigures().of("counted", () => Promise.resolve(++value));

    expect([await read(), await read()]).toEqual([1, 2]);
  });

  it("report the last value and its age while the source does not answer", async () => {
    const figures = makeFigures(5);
    let ask = (): Promise<number> => Promise.resolve(7);
    const read = figures.of("stored", () => ask());
    await read();
    ask = never;

    expect(await read()).toBe(7);
    expect(await read()).toBe(7);
    expect(figures.oldestAgeSeconds()).toBeGreaterThan(0.008);
  });

  it("grow old from the first question when none was ever answered, and show nothing", async () => {
    const figures = makeFigures(5);
    const read = figures.of("stored", () => Promise.reject(new Error("away")));

    expect(figures.oldestAgeSeconds()).toBe(0);
    expect(await read()).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(figures.oldestAgeSeconds()).toBeGreaterThan(0.005);
  });

  it("ask once at a time", async () => {
    let asked = 0;
    const read = makeFigures(5).of("stored", () => {
      asked += 1;
      return never();
    });

    await Promise.all([read(), read()]);
    await read();

    expect(asked).toBe(1);
  });
});
