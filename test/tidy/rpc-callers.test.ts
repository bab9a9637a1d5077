import { rpcCallers } from "../../services/shared/process/rpc-callers";
import { filesIn, protoFiles, textOf } from "./tree";

/** Every method of the proto files, as `<service>/<method>`. The stream of calls is open to all: each call in it is not. */
const common = ["bus", "key", "search"].map((name) => `proto/corridor/common/v1/${name}_service.proto`);
const methods = [...protoFiles(), ...common].flatMap((path) => {
  const text = textOf(path);
  const [, home = ""] = /^package ([\w.]+);/m.exec(text) ?? [];
  const [, service = ""] = /^service (\w+) /m.exec(text) ?? [];
  return [...text.matchAll(/^ {2}rpc (\w+)\(/gm)].map(([, name = ""]) => `${home}.${service}/${name}`);
});
const listed = Object.entries(rpcCallers).flatMap(([service, callers]) =>
  Object.keys(callers).map((method) => `${service}/${method}`),
);

describe("services/shared/process/rpc-callers.ts", () => {
  it("says of every method of the proto files who may call it, and of no other", () => {
    expect(methods.length).toBeGreaterThan(0);
    expect(listed.toSorted()).toEqual(methods.toSorted());
  });

  it("names processes that exist", () => {
    const folders = filesIn("services").map((path) => path.split("/")[1] ?? "");
    const callers = new Set(Object.values(rpcCallers).flatMap((service) => Object.values(service).flat()));

    expect([...callers].filter((name) => !["gateway", "console"].includes(name) && !folders.includes(name))).toEqual(
      [],
    );
  });
});
