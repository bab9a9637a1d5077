import { refusalOfStore, weaknessesOfBus, weaknessesOfStore, weaknessOfStream } from "./production-checks";

const hello = { setName: "rs0", hosts: ["a:1", "b:1", "c:1"] };
const build = { version: "8.0.13", modules: [] };

describe("a store of production", () => {
  it("is a replica set of three members of a version that is still mended", () => {
    expect(weaknessesOfStore(hello, build)).toEqual([]);
    expect(weaknessesOfStore({ ...hello, hosts: ["a:1", "b:1"], passives: ["c:1"] }, build)).toEqual([]);
  });

  it.each([
    ["not a replica set", {}, build],
    ["1 members", { setName: "rs0", hosts: ["a:1"] }, build],
    ["2 members", { setName: "rs0", hosts: ["a:1", "b:1"] }, build],
    ["arbiter", { ...hello, arbiters: ["d:1"] }, build],
    ["embedded store", hello, { ...build, modules: ["corridor-embedded-store"] }],
    ["older than 7.0.0", hello, { version: "6.0.24" }],
    ["older than 7.0.0", hello, {}],
  ])("is refused: %s", (words, answer, info) => {
    expect(weaknessesOfStore(answer, info)).toEqual([expect.stringContaining(words)]);
  });

  it("reports all of its weaknesses at once", () => {
    expect(weaknessesOfStore({}, { version: "4.2.6" })).toHaveLength(2);
  });
});

describe("a store of any profile", () => {
  it("is of the lowest version that is supported, or newer", () => {
    expect(refusalOfStore({ version: "7.0.0" })).toBeUndefined();
    expect(refusalOfStore({ version: "8.2.1" })).toBeUndefined();
    expect(refusalOfStore({ version: "6.0.24" })).toMatch("MongoDB 6.0.24, and the lowest supported version is 7.0.0");
    expect(refusalOfStore({})).toBeDefined();
  });
});

describe("a bus of production", () => {
  it("is of a version that keeps what it acknowledged, and in an account of its own", () => {
    expect(weaknessesOfBus({ version: "2.12.3", account: "CORRIDOR" })).toEqual([]);
    expect(weaknessesOfBus({ version: "3.0.0-preview.1", account: "CORRIDOR" })).toEqual([]);
  });

  it.each([
    ["older than 2.12.3", { version: "2.12.2", account: "CORRIDOR" }],
    ["older than 2.12.3", { version: "2.9.10", account: "CORRIDOR" }],
    ["older than 2.12.3", { version: "", account: "CORRIDOR" }],
    ["$G", { version: "2.12.3", account: "$G" }],
    ["does not report", { version: "2.12.3", account: undefined }],
  ])("is refused: %s", (words, facts) => {
    expect(weaknessesOfBus(facts)).toEqual([expect.stringContaining(words)]);
  });

  it("keeps three replicas of a stream", () => {
    expect(weaknessOfStream("CORRIDOR_PAYMENT", 3)).toBeUndefined();
    expect(weaknessOfStream("CORRIDOR_PAYMENT", 1)).toContain("1 replicas");
  });
});
