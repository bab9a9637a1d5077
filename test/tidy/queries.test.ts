import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const root = join(__dirname, "../..");
const textOfAll = (pattern: string): string =>
  globSync(pattern, { cwd: root })
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n");

/** Stores whose queries are asked about elsewhere: by the webhook service's own tests. */
const isElsewhere = (file: string): boolean => file.startsWith("services/webhook/");

describe("the queries of stores", () => {
  const asked = textOfAll("test/integration/queries/*.test.ts");
  const stores = globSync("services/*/store/*.ts", { cwd: root }).filter((file) =>
    /export (?:function|const) make\w+[^{]*connection: Connection/s.test(readFileSync(join(root, file), "utf8")),
  );

  it.each(stores.filter((file) => !isElsewhere(file)))("are all asked about: %s", (file) => {
    expect(asked.includes(`store/${basename(file, ".ts")}"`)).toBe(true);
  });

  it("name no way of their own, so that the store of tests judges each", () => {
    const hinting = globSync("services/**/*.ts", { cwd: root }).filter((file) =>
      /\bhint\(|\bhint:|\$natural/.test(readFileSync(join(root, file), "utf8")),
    );

    expect(hinting).toEqual([]);
  });
});
