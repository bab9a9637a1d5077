import { filesIn, protoFiles, textOf } from "./tree";

const kebab = (name: string): string => name.replace(/(?<!^)([A-Z])/g, "-$1").toLowerCase();

/** Every RPC as the handler file that answers it: `proto/corridor/fx/v1/…` → `services/fx/handlers/claim-quote.ts`. */
const expected = protoFiles().flatMap((path) => {
  const service = path.split("/")[2];
  return [...textOf(path).matchAll(/^ {2}rpc (\w+)\(/gm)].map(
    ([, name = ""]) => `services/${service}/handlers/${kebab(name)}.ts`,
  );
});

describe("the handlers", () => {
  it("are one file for each RPC of the proto files, named after it", () => {
    const handlers = filesIn("services").filter((path) =>
      /\/handlers\/(?!.*codec|fingerprint)[\w-]+(?<!\.test)\.ts$/.test(path),
    );

    expect(expected.length).toBeGreaterThan(0);
    expect(handlers.toSorted()).toEqual(expected.toSorted());
  });

  it("are served: the composition of each service names them", () => {
    const unserved = expected.filter((path) => {
      const [, service, , file = ""] = path.split("/");
      const composition = [...filesIn(`services/${service}/app.ts`), ...filesIn(`services/${service}/app`)];
      const named = `/handlers/${file.replace(/\.ts$/, "")}"`;
      return !composition.some((at) => textOf(at).includes(named));
    });

    expect(unserved).toEqual([]);
  });
});
