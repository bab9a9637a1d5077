import { filesIn } from "./tree";

const services = "payment fx schema wallet identity webhook auth".split(" ");
const files = "main.ts config.ts app.ts ports.ts telemetry.ts README.md".split(" ");
/** `app` holds the parts of a composition that is too long for one file. */
const rooms = "app handlers consumers operations domain store adapters workers".split(" ");
const sharedRooms = "kernel process crypto storage rpc http bus".split(" ");
/** What a service has beside its rooms, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  "schema/packs": "the countries' rules, which are data",
  "schema/banks": "the bank directories, which are data",
  "schema/published-versions.json": "the record of what was published",
  "wallet/cli": "the ledger's verification by hand",
};

/** First and second part of every path of the services: `payment/domain`. */
const present = [...new Set(filesIn("services").map((path) => path.split("/").slice(1, 3).join("/")))];
const allowedIn = (service: string): readonly string[] => (service === "shared" ? sharedRooms : [...files, ...rooms]);

describe("the folder of each service", () => {
  it("holds the rooms that all services have, and nothing else", () => {
    const strange = present.filter((path) => {
      const [service = "", name = ""] = path.split("/");
      return exceptions[path] === undefined && !allowedIn(service).includes(name);
    });

    expect(strange).toEqual([]);
  });

  it("is one of the seven services or what they share", () => {
    const found = new Set(present.map((path) => path.split("/")[0] ?? ""));

    expect(found).toEqual(new Set([...services, "shared"]));
  });

  it("needs every exception", () => {
    expect(Object.keys(exceptions).filter((path) => !present.includes(path))).toEqual([]);
  });
});
