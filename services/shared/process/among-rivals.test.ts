import { amongRivals, beaten } from "./among-rivals";

describe("a write among rivals", () => {
  it("is done again from what they left, until it is the first", async () => {
    let stored = 0;
    let rivals = 3;

    const written = await amongRivals("number", async () => {
      const read = stored;
      if (rivals > 0) stored += 10;
      rivals -= 1;
      if (stored !== read) return beaten;
      stored = read + 1;
      return stored;
    });

    expect(written).toBe(31);
  });

  it("is UNAVAILABLE when they were faster 32 times, and not done once more", async () => {
    let tries = 0;

    const writing = amongRivals("number", async () => {
      tries += 1;
      return beaten;
    });

    await expect(writing).rejects.toMatchObject({
      reason: "UNAVAILABLE",
      message: "the number is being changed by others",
    });
    expect(tries).toBe(32);
  });

  it("fails as it fails for any other reason, at once", async () => {
    let tries = 0;

    const writing = amongRivals("number", async () => {
      tries += 1;
      throw new Error("no store");
    });

    await expect(writing).rejects.toThrow("no store");
    expect(tries).toBe(1);
  });
});
