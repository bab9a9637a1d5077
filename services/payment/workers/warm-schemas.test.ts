import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../../shared/process/logger";
import { makeSchemas } from "../adapters/schema/published-schemas";
import { warmSchemas } from "./warm-schemas";

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
const names = ["push", "customer", "pull", "BRA", "KEN", "person/BRA"];

/** Starts a schema service that counts its requests. */
function startSource(failing: readonly string[] = []) {
  const asked: string[] = [];
  const schemas = makeSchemas({
    checkNumbers: () => Promise.resolve({ findings: [] }),
    listSchemas: () =>
      Promise.resolve({
        schemas: names.map((name) => ({ name, title: "", version: "1.0.0", etag: "", versions: [] })),
      }),
    getSchema({ name }) {
      asked.push(name);
      if (failing.includes(name)) return Promise.reject(new Error("away"));
      return Promise.resolve({ name, version: "1.0.0", etag: "", documentJson: Buffer.from('{"type":"object"}') });
    },
  });
  return { asked, schemas };
}

const until = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await sleep(5);
};

describe("warmSchemas", () => {
  it("gets those of all payments, then every country's, and the first payment asks for nothing", async () => {
    const { asked, schemas } = startSource();
    const warming = warmSchemas(schemas, silent, 1);
    await until(() => asked.length === 5);
    await sleep(0);
    await schemas.check("KEN", {});
    await warming.stop();

    expect(asked).toEqual(["push", "customer", "pull", "BRA", "KEN"]);
  });

  it("ends at once when it is stopped", async () => {
    const { asked, schemas } = startSource();
    const warming = warmSchemas(schemas, silent, 1_000_000);
    await until(() => asked.length === 3);
    await warming.stop();

    expect(asked).toHaveLength(3);
  });

  it("leaves a busy process several pauses for each country", async () => {
    const { asked, schemas } = startSource();
    let [spins, isBusy] = [0, true];
    const spin = async (): Promise<void> => {
      while (isBusy) {
        spins += 1;
        for (const end = performance.now() + 10; performance.now() < end; );
        await sleep(1);
      }
    };
    const spinning = spin();
    const spinsAt = async (count: number): Promise<number> => {
      await until(() => asked.length === count);
      return spins;
    };
    const warming = warmSchemas(schemas, silent, 20);
    const [first, second] = [await spinsAt(4), await spinsAt(5)];
    isBusy = false;
    await Promise.all([warming.stop(), spinning]);

    // A pause is at least one of them.
    expect(second - first).toBeGreaterThanOrEqual(8);
  });

  it("says that it failed and leaves the rest to the payments", async () => {
    const { asked, schemas } = startSource(["BRA"]);
    const warnings: string[] = [];
    const warn = (_fields: object, message: string) => void warnings.push(message);
    const warming = warmSchemas(schemas, { ...silent, warn }, 1);
    await until(() => warnings.length === 1);
    await warming.stop();
    await schemas.check("KEN", {});

    expect(warnings).toEqual(["schemas could not be compiled ahead of their use"]);
    expect(asked.at(-1)).toBe("KEN");
  });
});
