import fc from "fast-check";
import { DomainError } from "../../../services/shared/kernel/errors";
import { httpCall } from "./http-call";
import { unboundKeys } from "./peers";
import { startTestGateway, type TestGateway } from "./test-gateway";

const bank = { bankCode: "001", bankName: "Banco do Brasil", countryCode: "BR", swift: "BRASBRRJ" };
/** Percent-encoded, however broken the text is. */
const percentEncoded = (value: string): string =>
  [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const unknown = new DomainError("BANK_NOT_FOUND", "there is no bank with this code");

describe("bank look-ups", () => {
  let platform: TestGateway;
  let asked: unknown[] = [];

  beforeAll(async () => {
    platform = await startTestGateway({
      auth: {
        authenticateKey: ({ agentId }) =>
          Promise.resolve({ tenant: "demo", ...unboundKeys, ...(agentId !== undefined && { agentId }) }),
      },
      schema: {
        getBank(request) {
          asked.push(request);
          const { bankCode } = request;
          if (bankCode === "000") return Promise.reject(unknown);
          return Promise.resolve({ bank: { ...bank, bankCode, swift: bankCode === "047" ? undefined : bank.swift } });
        },
        listBanks(request) {
          asked.push(request);
          return Promise.resolve({ banks: request.page === 0 ? [bank] : [], total: 1 });
        },
        listBankDirectories(request) {
          asked.push(request);
          const facts = { countryCode: "BR", codeScheme: "COMPE", published: true, sources: ["A list"], banks: [bank] };
          return Promise.resolve({
            directories: [facts, { ...facts, countryCode: "GM", published: false, banks: [] }],
          });
        },
      },
    });
  });
  beforeEach(() => {
    asked = [];
  });

  const get = async (path: string) =>
    httpCall(platform.port, path, { headers: await platform.bearer({ scope: "banks" }) });

  describe("GET /bank", () => {
    it("answers the four fields of a bank, null for a BIC that is not known", async () => {
      expect(await get("/bank?bankNumber=001&countryCode=BR")).toMatchObject({ status: 200, json: bank });
      expect((await get("/bank?countryCode=BR&bankNumber=047")).text).toBe(
        '{"bankCode":"047","bankName":"Banco do Brasil","countryCode":"BR","swift":null}',
      );
      expect(asked[0]).toEqual({ bankCode: "001", countryCode: "BR" });
    });

    it("answers BNK_404 for an unknown bank", async () => {
      expect(await get("/bank?bankNumber=000&countryCode=BR")).toMatchObject({
        status: 404,
        json: { code: "BNK_404" },
      });
    });

    it.each([
      ["no parameter", "", ["bankNumber", "countryCode"]],
      ["an empty number", "?bankNumber=&countryCode=BR", ["bankNumber"]],
      ["no country", "?bankNumber=001", ["countryCode"]],
      ["an alpha-3 country", "?bankNumber=001&countryCode=BRA", ["countryCode"]],
      ["a country in lower case", "?bankNumber=001&countryCode=br", ["countryCode"]],
      ["an operator in the number", "?bankNumber[$ne]=1&countryCode=BR", ["bankNumber", "bankNumber[$ne]"]],
      ["a misspelt parameter", "?bankNumber=001&countryCode=BR&pgae=1", ["pgae"]],
      ["an array", "?bankNumber[]=1&bankNumber[]=2&countryCode[]=BR", ["bankNumber[]"]],
      ["a number with other characters", "?bankNumber=0%2F1&countryCode=BR", ["bankNumber"]],
      ["a number with NUL", "?bankNumber=001%00&countryCode=BR", ["bankNumber"]],
      ["a number of bad UTF-8", "?bankNumber=%FF&countryCode=BR", ["bankNumber"]],
      ["a number of 35 characters", `?bankNumber=${"1".repeat(35)}&countryCode=BR`, ["bankNumber"]],
      ["a country with a space", "?bankNumber=001&countryCode=BR%20", ["countryCode"]],
      ["parameters without names", "?bankNumber=001&countryCode=BR&=1&=2", ["query"]],
      ["a parameter twice", "?bankNumber=001&countryCode=BR&countryCode=DE", ["countryCode"]],
    ])("refuses %s and names every failed field", async (_case, query, fields) => {
      const answer = await get(`/bank${query}`);

      expect(answer).toMatchObject({ status: 400, json: { code: "VE_001" } });
      expect((answer.json as { errors: { field: string }[] }).errors.map(({ field }) => field)).toEqual(fields);
      expect(asked).toEqual([]);
    });

    it("asks for the scope banks", async () => {
      const headers = await platform.bearer({ scope: "payments schemas fx" });
      const answer = await httpCall(platform.port, "/bank?bankNumber=001&countryCode=BR", { headers });

      expect(answer).toMatchObject({ status: 403, json: { code: "AUTH_004", details: { scope: "banks" } } });
    });
  });

  describe("GET /bank/list", () => {
    it("begins with page 0 of 50 banks", async () => {
      expect(await get("/bank/list?countryCode=BR")).toMatchObject({
        status: 200,
        json: { banks: [bank], page: 0, resultsPerPage: 50, totalResults: 1 },
      });
      expect(asked).toEqual([{ countryCode: "BR", page: 0, pageSize: 50 }]);
    });

    it.each([
      ["page=0&resultsPerPage=1", 0, 1],
      ["page=2147483647&resultsPerPage=500", 2_147_483_647, 500],
    ])("takes %s", async (query, page, resultsPerPage) => {
      const answer = await get(`/bank/list?countryCode=BR&${query}`);

      expect(answer).toMatchObject({ status: 200, json: { page, resultsPerPage, totalResults: 1 } });
    });

    it("is empty beyond the end, and still tells the total", async () => {
      expect((await get("/bank/list?countryCode=BR&page=9")).text).toBe(
        '{"banks":[],"page":9,"resultsPerPage":50,"totalResults":1}',
      );
    });

    it.each([
      ["page=-1", ["page"]],
      ["page=1e9", ["page"]],
      ["page=2147483648", ["page"]],
      ["page=1.5", ["page"]],
      ["page=", ["page"]],
      ["page=0x1", ["page"]],
      ["resultsPerPage=0", ["resultsPerPage"]],
      ["resultsPerPage=501", ["resultsPerPage"]],
      ["resultsPerPage=1e6", ["resultsPerPage"]],
      ["page=a&resultsPerPage=b", ["page", "resultsPerPage"]],
      ["page=1&page=2", ["page"]],
    ])("refuses %s", async (query, fields) => {
      const answer = await get(`/bank/list?countryCode=BR&${query}`);

      expect(answer).toMatchObject({ status: 400, json: { code: "VE_001" } });
      expect((answer.json as { errors: { field: string }[] }).errors.map(({ field }) => field)).toEqual(fields);
    });
  });

  it("answers whatever is asked with a bank, a page or a refusal that names a field", async () => {
    const word = fc.constantFrom(
      "bankNumber",
      "countryCode",
      "page",
      "resultsPerPage",
      "BR",
      "001",
      "=",
      "&",
      "[]",
      "%",
      "%00",
      "$ne",
    );
    const text = fc.oneof(
      word,
      fc.string({ unit: "binary", maxLength: 8 }).map(percentEncoded),
      fc.webQueryParameters(),
    );
    const query = fc.array(text, { maxLength: 12 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("/bank", "/bank/list"), query, async (path, query) => {
        const { status, json } = await get(`${path}?${query}`);

        expect([200, 400]).toContain(status);
        const { errors = [] } = Object(json) as { errors?: { field: string }[] };
        expect(errors.every(({ field }) => field !== "")).toBe(true);
        expect(errors.length > 0).toBe(status === 400);
      }),
      { seed: 20_260_411 },
    );
  });

  describe("GET /reference/banks", () => {
    const agent = { "x-api-key": "key", "x-agent-id": "agent-1", "x-agent-api-key": "agent-key" };
    const list = (query: string, headers: Record<string, string> = agent) =>
      httpCall(platform.port, `/reference/banks${query}`, { headers });

    it("answers whole directories with their provenance", async () => {
      const facts = { codeScheme: "COMPE", sources: ["A list"] };

      expect((await list("")).json).toEqual({
        directories: [
          { countryCode: "BR", ...facts, codeBasis: "published", banks: [bank] },
          { countryCode: "GM", ...facts, codeBasis: "convention", banks: [] },
        ],
      });
      expect(await list("?countryCode=BR")).toMatchObject({ status: 200 });
      expect(asked).toEqual([{ countryCode: undefined }, { countryCode: "BR" }]);
    });

    it("refuses an alpha-3 country", async () => {
      expect(await list("?countryCode=BRA")).toMatchObject({ status: 400, json: { code: "VE_001" } });
    });

    it("asks for the agent beside the key", async () => {
      expect(await list("", { "x-api-key": "key" })).toMatchObject({ status: 403, json: { code: "AUTH_002" } });
      expect(await list("", {})).toMatchObject({ status: 401, json: { code: "AUTH_001" } });
    });
  });
});
