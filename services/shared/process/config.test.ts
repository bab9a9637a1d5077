import { ConfigError, integer, oneOf, optional, readSettings, text, url, withDefault } from "./config";

const settings = {
  NAME: text,
  COUNT: integer(1, 10),
  PEER: url("https"),
  MODE: withDefault(oneOf("a", "b"), "a"),
  NOTE: optional(text),
};

describe("readSettings", () => {
  it("reports all problems at once, by variable and rule, without the values", () => {
    const read = () => readSettings(settings, { COUNT: "11", PEER: "http://secret@host", MODE: "c" });

    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/NAME is required[\s\S]*COUNT must be[\s\S]*PEER must be[\s\S]*MODE must be one of a, b/);
    expect(read).not.toThrow(/secret/);
  });

  it("counts an empty variable as missing and fills in defaults", () => {
    expect(readSettings(settings, { NAME: "n", COUNT: "10", PEER: "https://peer", MODE: "", NOTE: "" })).toEqual({
      NAME: "n",
      COUNT: 10,
      PEER: "https://peer",
      MODE: "a",
      NOTE: undefined,
    });
  });
});
