import { adviceOn, compareVersions, documentsOfTree, readVersions, sourceOf } from "../../local/schema-versions";
import { untitledSchemas } from "../support/untitled-schemas";

const document = (name: string, version: string, text = "{}") => ({ name, version, bytes: Buffer.from(text) });

describe("the published schemas", () => {
  it("give every field a title, which forms show", async () => {
    const untitled = (await documentsOfTree()).flatMap(({ name, bytes }) =>
      untitledSchemas(JSON.parse(bytes.toString()) as object).map((path) => `${name}${path}`),
    );

    expect(untitled).toEqual([]);
  });
});

describe("the recorded versions of schemas", () => {
  it("have every document of the tree as it is, so that no database has published another", async () => {
    const { changed, added } = compareVersions(readVersions(), await documentsOfTree());

    expect(adviceOn(changed)).toEqual([]);
    expect({ "recorded by make schema-versions": Object.keys(added) }).toEqual({
      "recorded by make schema-versions": [],
    });
  });

  it("take a new version and a new name, and no other content for an old version", () => {
    const { added: recorded } = compareVersions({}, [document("BRA", "1.0.0"), document("push", "1.0.0")]);
    const next = [document("BRA", "1.0.1", "[]"), document("ATA", "1.0.0"), document("push", "1.0.0", "[]")];
    const { changed, added } = compareVersions(recorded, next);

    expect(Object.keys(added)).toEqual(["BRA@1.0.1", "ATA@1.0.0"]);
    expect(changed).toEqual(["push@1.0.0"]);
    expect(compareVersions(recorded, [document("BRA", "1.0.0")])).toEqual({ changed: [], added: {} });
  });

  it("tell where the version is raised", () => {
    expect(adviceOn(["BRA@1.3.0"])).toEqual([
      "BRA@1.3.0 is published with other content: raise version in services/schema/packs/BRA.json",
    ]);
    expect(sourceOf("person/KEN@1.2.0")).toBe("services/schema/packs/KEN.json");
    expect(sourceOf("push@1.1.0")).toBe("services/schema/domain/push-schema.ts");
  });
});
