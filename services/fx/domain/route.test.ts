import { parseRoutePolicy, type QuoteRequest, type RoutePolicy, requireRoute } from "./route";

const agent = "11111111-1111-4111-9111-111111111111";
const policy: RoutePolicy = { sourceCurrencies: ["USD"], closed: [] };
const brazil = { currencies: ["BRL"], paymentMethods: ["BANK_ACCOUNT"] } as const;
const offered: QuoteRequest = {
  tenant: "demo",
  agentId: agent,
  sourceCurrency: "USD",
  destinationCurrency: "BRL",
  paymentMethod: "BANK_ACCOUNT",
  destinationCountry: "BRA",
  amountMinor: undefined,
};
const closing = (...closed: RoutePolicy["closed"]): RoutePolicy => ({ ...policy, closed });

describe("requireRoute", () => {
  it("accepts the corridor's currencies, and any pair when no country is named", () => {
    expect(() => requireRoute(policy, offered, brazil)).not.toThrow();
    expect(() => requireRoute(policy, { ...offered, sourceCurrency: "BRL" }, brazil)).not.toThrow();
    const anywhere = { ...offered, sourceCurrency: "JPY", destinationCountry: undefined };
    expect(() => requireRoute(policy, anywhere, undefined)).not.toThrow();
  });

  it.each<Partial<QuoteRequest>>([
    { sourceCurrency: "JPY" },
    { destinationCurrency: "EUR" },
    { paymentMethod: "CARD" },
  ])("refuses %j", (change) => {
    expect(() => requireRoute(policy, { ...offered, ...change }, brazil)).toThrow("no route");
  });

  it("refuses a country without a corridor", () => {
    expect(() => requireRoute(policy, offered, undefined)).toThrow("no route");
  });

  it.each<RoutePolicy["closed"][number]>([
    { tenant: "demo", country: "BRA", paymentMethod: "BANK_ACCOUNT" },
    { tenant: "demo" },
    { agent },
    { country: "BRA" },
    { paymentMethod: "BANK_ACCOUNT" },
    {},
  ])("refuses what %j closes", (closed) => {
    expect(() => requireRoute(closing(closed), offered, brazil)).toThrow("no route");
  });

  it.each<RoutePolicy["closed"][number]>([
    { tenant: "other" },
    { agent: agent.replaceAll("1", "2") },
    { country: "MEX" },
    { paymentMethod: "CARD" },
    { tenant: "demo", country: "MEX" },
  ])("is not touched by %j", (closed) => {
    expect(() => requireRoute(closing(closed), offered, brazil)).not.toThrow();
  });
});

describe("parseRoutePolicy", () => {
  it("reads a policy", () => {
    const text = '{"sourceCurrencies":["USD"],"closed":[{"tenant":"demo","country":"BRA","paymentMethod":"CARD"},{}]}';

    expect(parseRoutePolicy(text)).toEqual({
      sourceCurrencies: ["USD"],
      closed: [{ tenant: "demo", country: "BRA", paymentMethod: "CARD" }, {}],
    });
  });

  it.each([
    "{}",
    "[]",
    '{"sourceCurrencies":["usd"],"closed":[]}',
    '{"sourceCurrencies":["USD"],"closed":{}}',
    '{"sourceCurrencies":["USD"],"closed":[{"country":"BR"}]}',
    '{"sourceCurrencies":["USD"],"closed":[{"method":"CARD"}]}',
    '{"sourceCurrencies":["USD"],"closed":[{"agent":"a"}]}',
    '{"sourceCurrencies":["USD"],"closed":[["BRA"]]}',
    '{"sourceCurrencies":["USD"],"closed":[],"open":[]}',
  ])("refuses %s", (text) => {
    expect(() => parseRoutePolicy(text)).toThrow();
  });
});
