import { readFileSync } from "node:fs";
import { withdrawals } from "../../gateway/withdrawals";

/** Handlers of the auth service that report a change of somebody's access, by the wrapper of their operation. */
const reporting = /(\w+): \w+Handler\([^;]*?(?:toldAtOnce\(|tellAccessChanged\))/g;

describe("calls that may take away access", () => {
  it("are all followed by a new look in the gateway that makes them", () => {
    const handlers = ["services/auth/app.ts", "services/auth/app/people.ts"].flatMap((file) =>
      readFileSync(file, "utf8").split("\n"),
    );
    const found = handlers.flatMap((line) => [...line.matchAll(reporting)].map(([, name]) => name));

    expect(new Set(found)).toEqual(new Set(withdrawals));
  });
});
