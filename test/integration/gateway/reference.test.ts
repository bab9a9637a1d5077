import { DomainError } from "../../../services/shared/kernel/errors";
import { httpCall } from "./http-call";
import { unboundKeys } from "./peers";
import { startTestGateway, type TestGateway } from "./test-gateway";

const document = Buffer.from('{ "title": "Person of Brazil" }\n');
const agent = { "x-api-key": "key", "x-agent-id": "agent-1", "x-agent-api-key": "agent-key" };

let platform: TestGateway;
let asked: unknown[] = [];

beforeAll(async () => {
  platform = await startTestGateway({
    auth: {
      authenticateKey: ({ agentId }) =>
        Promise.resolve({ tenant: "demo", ...unboundKeys, ...(agentId !== undefined && { agentId }) }),
    },
    schema: {
      getPersonSchema(request) {
        asked.push(request);
        return request.countryCode.startsWith("BR")
          ? Promise.resolve({ version: "1", etag: '"p-1"', documentJson: document })
          : Promise.reject(new DomainError("COUNTRY_UNSUPPORTED", "there is no schema for this country"));
      },
      getSchema: ({ name }) =>
        Promise.reject(new DomainError("COUNTRY_UNSUPPORTED", `there is no schema of ${name.length} letters`)),
      listSchemas: () =>
        Promise.resolve({
          schemas: ["BRA", "person/BRA", "pull", "push"].map((name) => ({
            name,
            title: name,
            version: "1.1.0",
            versions: ["1.0.0", "1.1.0"],
            etag: '"e"',
          })),
        }),
      listDestinations: () =>
        Promise.resolve({
          destinations: [
            {
              countryCode: "BR",
              countryCodeAlpha3: "BRA",
              name: "Brazil",
              currencies: ["BRL"],
              methods: [
                {
                  type: "PIX",
                  expectedMinutes: 1,
                },
                { type: "CARD", expectedMinutes: undefined },
              ],
            },
          ],
        }),
    },
  });
});
beforeEach(() => {
  asked = [];
});

describe("GET /schema/person", () => {
  const get = async (query: string, headers: Record<string, string> = {}) =>
    httpCall(platform.port, `/schema/person${query}`, { headers: { ...(await platform.bearer()), ...headers } });

  it.each(["BR", "BRA"])("serves the document of %s as it is, from memory the second time", async (code) => {
    const first = await get(`?countryCode=${code}`);
    const second = await get(`?countryCode=${code}`);

    expect(first).toMatchObject({ status: 200, headers: { "content-type": "application/schema+json", etag: '"p-1"' } });
    expect([first.body, second.body]).toEqual([document, document]);
    expect(asked).toEqual([{ countryCode: code }]);
  });

  it("answers 304 to a copy that is still good", async () => {
    expect(await get("?countryCode=BR", { "if-none-match": '"p-1"' })).toMatchObject({ status: 304, text: "" });
    expect(await get("?countryCode=BR", { "if-none-match": '"p-0"' })).toMatchObject({ status: 200 });
  });

  it.each(["ZZ", "ZZZ", "br", "bra", "BRAZ", "B", "B%20", "BR/A", "076", "push"])(
    "answers PAY_271 for %s",
    async (code) => {
      expect(await get(`?countryCode=${code}`)).toMatchObject({ status: 400, json: { code: "PAY_271" } });
    },
  );

  it.each(["", "?countryCode=", "?countryCode=%00", "?countryCode=BR%0A", "?countryCode=BR&countryCode=BR"])(
    "asks for one country: %s",
    async (query) => {
      expect(await get(query)).toMatchObject({
        status: 400,
        json: { code: "VE_001", errors: [{ field: "countryCode" }] },
      });
    },
  );

  it("refuses a parameter that it does not name, with the one that is near", async () => {
    expect(await get("?countryCod=BR&vresion=1.0.0")).toMatchObject({
      status: 400,
      json: {
        code: "VE_001",
        errors: [
          { field: "countryCode", message: "is required and must be a string" },
          { field: "countryCod", message: "is not known; did you mean countryCode?" },
          { field: "vresion", message: "is not known; did you mean version?" },
        ],
      },
    });
  });

  it("serves an older version, and refuses what is no version", async () => {
    expect(await get("?countryCode=BR&version=0.9.0")).toMatchObject({ status: 200 });
    expect(asked).toEqual([{ countryCode: "BR", version: "0.9.0" }]);
    expect(await get("?countryCode=BR&version=latest")).toMatchObject({
      status: 400,
      json: { code: "VE_001", errors: [{ field: "version" }] },
    });
  });

  it("is not reached under the name of a payment's schema", async () => {
    const headers = await platform.bearer();

    expect(await httpCall(platform.port, "/schema/person%2FBRA", { headers })).toMatchObject({
      status: 400,
      json: { code: "PAY_271" },
    });
    expect(asked).toEqual([]);
  });
});

describe("GET /reference/schemas", () => {
  it("lists the documents that have an address, with their versions", async () => {
    const answer = await httpCall(platform.port, "/reference/schemas", { headers: agent });
    const facts = { version: "1.1.0", versions: ["1.0.0", "1.1.0"], etag: '"e"' };

    expect(answer.json).toEqual({
      schemas: [
        { name: "BRA", title: "BRA", ...facts, href: "/schema/BRA" },
        { name: "person/BRA", title: "person/BRA", ...facts, href: "/schema/person?countryCode=BRA" },
        { name: "push", title: "push", ...facts, href: "/schema/push" },
      ],
    });
  });
});

describe("GET /reference/destinations", () => {
  it("tells what can be paid to which country, amounts as exact numbers", async () => {
    const answer = await httpCall(platform.port, "/reference/destinations", { headers: agent });

    expect(answer.status).toBe(200);
    expect(answer.text).toBe(
      '{"destinations":[{"countryCode":"BR","countryCodeAlpha3":"BRA","name":"Brazil","currencies":["BRL"],"methods":[' +
        '{"type":"PIX","expectedMinutes":1},' +
        '{"type":"CARD","expectedMinutes":null}]}]}',
    );
  });

  it("asks for the agent beside the key", async () => {
    const keyOnly = await httpCall(platform.port, "/reference/destinations", { headers: { "x-api-key": "key" } });
    const bearer = await httpCall(platform.port, "/reference/destinations", { headers: await platform.bearer() });

    expect(keyOnly).toMatchObject({ status: 403, json: { code: "AUTH_002" } });
    expect(bearer).toMatchObject({ status: 401, json: { code: "AUTH_001" } });
  });
});
