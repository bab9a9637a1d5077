import { enumCodec } from "./enum-codec";

type Wire = "UNSPECIFIED" | "DEBIT" | "CREDIT" | "UNRECOGNIZED";

describe("enumCodec", () => {
  const codec = enumCodec<Wire, "out" | "in" | "both">({
    UNSPECIFIED: undefined,
    DEBIT: "out",
    CREDIT: "in",
    UNRECOGNIZED: undefined,
  });

  it("translates both ways", () => {
    expect([codec.decode("DEBIT"), codec.decode("CREDIT")]).toEqual(["out", "in"]);
    expect([codec.encode("out"), codec.encode("in")]).toEqual(["DEBIT", "CREDIT"]);
  });

  it("has no word for a value that may not be sent, and throws for a word without a value", () => {
    expect([codec.decode("UNSPECIFIED"), codec.decode("UNRECOGNIZED")]).toEqual([undefined, undefined]);
    expect(() => codec.encode("both")).toThrow("both");
  });
});
