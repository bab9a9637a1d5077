import { sandboxValues } from "../../sandbox/values";
import { filesIn, pathsOf, placesOf, platformCode, textOf } from "./tree";

/** Files that may do what a rule forbids, each with the reason. An entry that is no longer needed fails too. */
type Exceptions = Readonly<Record<string, string>>;

function expectOnly(places: readonly string[], exceptions: Exceptions): void {
  expect(places.filter((place) => pathsOf([place]).every((path) => exceptions[path] === undefined))).toEqual([]);
  expect(Object.keys(exceptions).filter((path) => !pathsOf(places).includes(path))).toEqual([]);
}

describe("time", () => {
  it("is read from the clock alone", () => {
    expectOnly(placesOf(/\bnew Date\b|\bDate\.now\b|\bDate\(\)/, platformCode()), {
      "services/shared/kernel/clock.ts": "it is the clock",
    });
  });
});

describe("numbers", () => {
  it("become floats in few places, none of which sees money", () => {
    expectOnly(placesOf(/\bNumber\(|\bparseFloat\(|\.toFixed\(|\.toPrecision\(/, platformCode()), {
      "services/shared/process/runtime.ts": "the share of traces that is kept",
      "services/shared/kernel/json.ts": "the value that schemas judge; amounts are read from the text beside it",
      "services/payment/adapters/schema/intent-view.ts":
        "the value that schemas judge; amounts are never read back from it",
      "services/payment/domain/payment-columns.ts":
        "what filters of lists look at first; within a tolerance, and each hit is compared again as it is stored",
      "services/shared/process/outages.ts": "the code of a fault that the store tells",
      "services/shared/rpc/rpc-server.ts": "the deadline of a call",
    });
  });
});

describe("services and gateway", () => {
  /** Test values of the contract's sandbox world that are no ordinary words. */
  const scenarioWords = [
    "hold-release hold-reject reject-account return-after-paid review-approve review-reject timeout-then-paid",
    "timeout-then-absent duplicate-callback out-of-order public-sandbox acc-checking Sanctioned SANDBOX_",
  ]
    .join(" ")
    .split(" ");
  const cardToken = String.raw`(\d)\1{7}-\1{4}-4\1{3}-8\1{3}-\1{12}`;
  const magic = new RegExp(["SIM:", ...scenarioWords, cardToken].join("|"));
  const everything = filesIn("services", "gateway");

  it("know nothing of the values that the sandbox world reacts to", () => {
    expect(placesOf(magic, everything)).toEqual([]);
  });

  it("would be caught if they did: the rule knows what the world says of itself", () => {
    const world = JSON.stringify(sandboxValues());

    expect(world).toMatch(magic);
    expect("33333333-3333-4333-8333-333333333333").toMatch(magic);
  });
});

describe("files", () => {
  it("have at most 400 lines", () => {
    const code = filesIn("services", "gateway", "sandbox").filter((path) => path.endsWith(".ts"));
    const long = code.filter((path) => textOf(path).trimEnd().split("\n").length > 400);

    expect(long).toEqual([]);
  });

  it("name no place of the machine that they were written on", () => {
    const readable = filesIn(".").filter((path) => !textOf(path).includes("\0"));
    const own = "test/tidy/source-rules.test.ts";
    const places = readable
      .filter((path) => path !== own)
      .flatMap((path) => (/(?<![\w./-])\/(work|root|home|tmp)\/\w/.test(textOf(path)) ? path : []));

    expect(places).toEqual([]);
  });
});
