import { canaryNames, makeCanaries } from "../../support/canaries";

describe("canaries", () => {
  it.each(canaryNames)("are found in clear and in any plain encoding, each with its place: %s", (kind) => {
    const canaries = makeCanaries();
    const value = canaries.plant(kind, "here");
    const bytes = Buffer.from(value);
    const forms = [
      `x${value}y`,
      encodeURIComponent(value).replaceAll("a", "%61"),
      new URLSearchParams({ value }).toString(),
      bytes.toString("hex"),
      ...["", "a", "ab"].map((before) => Buffer.from(`${before}${value} and more`).toString("base64url")),
      `s1.${Buffer.from(`{"value":"${value}"}`).toString("base64")}`,
    ];

    for (const form of forms) expect(canaries.find(form)).toEqual([{ kind, place: "here" }]);
    expect(canaries.find(JSON.stringify(makeCanaries().plant(kind, "there")).slice(2))).toEqual([]);
  });
});
