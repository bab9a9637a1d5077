import { parse } from "csv-parse/sync";
import { csvOf } from "./csv.ts";

describe("a table for spreadsheets", () => {
  it("has a column for each member of any row, and nothing where a row has none", () => {
    expect(
      csvOf([
        { id: "a", amount: { total: "1.10", currency: "USD" } },
        { id: "b", note: null, list: [1, 2] },
      ]),
    ).toBe('id,amount.total,amount.currency,note,list\r\na,1.10,USD,,\r\nb,,,,"[1,2]"\r\n');
    expect([csvOf([]), csvOf(["x", 'a "b"\n'])]).toEqual(["", 'value\r\nx\r\n"a ""b""\n"\r\n']);
  });

  it("runs nothing in a spreadsheet, and leaves numbers what they are", () => {
    const texts = ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\tx", "\rx", "-5.10", "+7", "ok", "a=b"];
    const rows = parse<{ value: string }>(csvOf(texts), { columns: true });
    expect(rows.map(({ value }) => value)).toEqual([
      "'=1+1",
      "'+cmd",
      "'-2+3",
      "'@SUM(A1)",
      "'\tx",
      "'\rx",
      "-5.10",
      "+7",
      "ok",
      "a=b",
    ]);
  });
});
