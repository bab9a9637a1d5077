import { parseEcbRates } from "./ecb-rates";

const file = (cubes: string, time = 'time="2026-11-20"'): string =>
  `<?xml version="1.0"?><gesmes:Envelope xmlns:gesmes="g"><Cube><Cube ${time}>${cubes}</Cube></Cube></gesmes:Envelope>`;
const dollar = '<Cube currency="USD" rate="1.25"/>';

describe("parseEcbRates", () => {
  it("turns units per euro into units per dollar, without withdrawn currencies", () => {
    const read = parseEcbRates(file(`${dollar}<Cube currency="BRL" rate="6.25"/><Cube currency="XYZ" rate="2"/>`));

    expect(read).toEqual({ date: "2026-11-20", perUsd: { EUR: "0.8", USD: "1", BRL: "5" } });
  });

  it("reads a file with a byte order mark, and rates of more than eighteen digits", () => {
    const read = parseEcbRates(`\uFEFF${file('<Cube currency="USD" rate="3"/><Cube currency="BRL" rate="1"/>')}`);

    expect(read.perUsd).toEqual({ EUR: "0.33333333333333333333", USD: "1", BRL: "0.33333333333333333333" });
  });

  it.each<[string, string]>([
    ["no dollar", file('<Cube currency="BRL" rate="6"/>')],
    ["no day", file(dollar, "")],
    ["a day that does not exist", file(dollar, 'time="2026-13-45"')],
    ["the file of many days", file(dollar) + file(dollar)],
    ["a rate of zero", file(`${dollar}<Cube currency="BRL" rate="0"/>`)],
    ["a negative rate", file(`${dollar}<Cube currency="BRL" rate="-6"/>`)],
    ["no rate", file(`${dollar}<Cube currency="BRL"/>`)],
    ["a currency twice", file(`${dollar}<Cube currency="USD" rate="1"/>`)],
    ["half of a file", file(dollar).slice(0, 100)],
    ["a page", "<!doctype html><html><body><h1>back soon</body></html>"],
    ["nothing", ""],
  ])("refuses %s", (_case, text) => {
    expect(() => parseEcbRates(text)).toThrow("the reference rates");
  });
});
