import { text } from "node:stream/consumers";
import { DomainError } from "../../services/shared/kernel/errors";
import { defineRoute } from "../contract/define-route";
import { answer, closedQuery, integer, listOf, orNull, text as textSchema } from "../contract/parts";
import { makeSendCsv } from "../csv";
import type { Answer, OperatorCall, OperatorRoute, Route } from "../route";
import { withLists } from "./lists-as-text";
import { pageMembers } from "./page";

const row = answer("Row", "A row.", { name: textSchema("Its name."), minor: integer("Digits.") });
const page = answer("Rows", "A page.", { rows: listOf("The rows.", row), next: orNull(textSchema("The next page.")) });
const common = { scheme: "operator", tag: "Tests", method: "GET", summary: "List.", refusals: [] } as const;
const response = { status: 200, description: "A page.", schema: page };
const json = (body: string): { madeElsewhere: Answer } => ({
  madeElsewhere: { status: 200, headers: { "content-type": "application/json" }, body: Buffer.from(body) },
});

describe("lists of operators as text", () => {
  const asked: string[] = [];
  const pages: Readonly<Record<string, string>> = {
    "": '{"rows":[{"name":"=1+1","minor":12345678901234567890}],"next":"b"}',
    b: '{"rows":[],"next":"c"}',
    c: '{"rows":[{"name":"a,b","minor":0.10}],"next":null}',
  };
  const rows = defineRoute({
    ...common,
    path: "/tenants/{tenant}/rows",
    params: { tenant: "Slug." },
    query: closedQuery("Which page.", pageMembers),
    response,
    async handle({ params: { tenant }, query: { after = "", limit } }) {
      if (tenant === "nobody") throw new DomainError("RECORD_NOT_FOUND", "there is no such tenant");
      asked.push(`${tenant} ${after} ${limit}`);
      return json(pages[after] ?? "{}");
    },
  });
  const listed = (route: Route): OperatorRoute => withLists([route], makeSendCsv())[0] as OperatorRoute;
  const callOf = (accept: string, query = "", tenant = "demo") =>
    ({
      params: { tenant },
      headers: { accept },
      query,
      body: Buffer.alloc(0),
      operator: "o",
    }) as unknown as OperatorCall;
  const bodyOf = async ({ body }: Answer): Promise<string> => {
    if (body === undefined) return "";
    return Buffer.isBuffer(body) ? body.toString("utf8") : text(body.content);
  };
  beforeEach(() => {
    asked.length = 0;
  });

  it("have all pages, the digits of their numbers, and nothing that a spreadsheet runs", async () => {
    const answered = await listed(rows).handle(callOf("text/csv", "limit=1"));

    expect(answered.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="rows.csv"',
    });
    expect(await bodyOf(answered)).toBe('name,minor\r\n\'=1+1,12345678901234567890\r\n"a,b",0.10\r\n');
    expect(asked).toEqual(["demo  200", "demo b 200", "demo c 200"]);
  });

  it("go on where the caller says, and are a page as JSON for who does not ask for text", async () => {
    expect(await bodyOf(await listed(rows).handle(callOf("text/csv", "after=c")))).toBe('name,minor\r\n"a,b",0.10\r\n');
    expect(await bodyOf(await listed(rows).handle(callOf("application/json")))).toBe(pages[""]);
    expect(asked).toEqual(["demo c 200", "demo  50"]);
  });

  it("are refused before anything of them is sent", async () => {
    const refused = listed(rows).handle(callOf("text/csv", "", "nobody"));
    await expect(refused).rejects.toMatchObject({ reason: "RECORD_NOT_FOUND" });
    await expect(listed(rows).handle(callOf("text/csv", "limt=1"))).rejects.toMatchObject({
      reason: "INVALID_ARGUMENT",
    });
  });

  it("are described where they are, and not where an answer is no list or has no end", () => {
    const endless = answer("Feed", "A feed.", { rows: listOf("Rows.", row), next: textSchema("Where to go on.") });
    const more = answer("Both", "More than a list.", { rows: listOf("Rows.", row), count: integer("How many.") });
    const formsOf = (schema: typeof page | typeof endless | typeof more) =>
      listed(defineRoute({ ...common, path: "/x", response: { ...response, schema }, handle: async () => json("{}") }))
        .success.also?.mediaType;

    expect([page, endless, more].map(formsOf)).toEqual(["text/csv", undefined, undefined]);
  });
});
