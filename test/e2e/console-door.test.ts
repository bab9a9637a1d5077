import type { Platform } from "../../local/platform";
import { type ConsoleBrowser, openConsole } from "../support/console-browser";
import { fieldOf } from "../support/log-in";
import { visitIssuer } from "../support/sandbox-login";
import { startTestPlatform } from "../support/test-platform";

describe("the console's door of a local platform", () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await startTestPlatform();
  }, 300_000);
  afterAll(() => platform?.stop());

  const browser = (): ConsoleBrowser => openConsole(platform.credentials.consoleUrl);

  it("logs in by each button, and shows the rows of the tenant or of operators", async () => {
    const { people } = (await browser().get("/api/auth/options")).json as {
      people: { person: string; tenant: string | null }[];
    };
    expect(people.map(({ person }) => person)).toEqual(
      expect.arrayContaining(["demo-developer", "demo-finance", "demo-admin", "demo-viewer", "demo-second"]),
    );
    for (const { person, tenant } of people) {
      const user = await browser().click(person);
      const me = await user.get("/api/me");
      expect(me).toMatchObject({ status: 200, json: { isOperator: tenant === null, profile: "local" } });
      const list = await user.get(tenant === null ? "/api/o/session" : `/api/t/${tenant}/v2/payments`);
      expect({ person, status: list.status }).toEqual({ person, status: 200 });
    }
  });

  it("logs in at the sandbox's issuer, and comes back to the page that was asked for", async () => {
    const user = browser();
    const begun = await user.send("POST", "/api/auth/login", { tenant: "demo", returnTo: "/payments" });
    const back = new URLSearchParams({ ...(await visitIssuer(fieldOf(begun, "authorizationUrl"), "demo-finance")) });
    const came = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    const answer = await user.get(`/api/auth/callback?${back.toString()}`, came);
    expect(answer).toMatchObject({ status: 303, headers: { location: "/payments" } });
    expect((await user.reload()).json).toMatchObject({ tenants: [{ tenant: "demo", roles: ["finance"] }] });
    expect((await user.send("POST", "/api/auth/logout")).status).toBe(204);
    expect((await user.get("/api/me")).status).toBe(401);
  });

  it("quotes for who may, refuses who may not, and shows payments to an operator", async () => {
    const finance = await browser().click("demo-finance");
    const quote = { baseCurrency: "USD", quoteCurrency: "BRL", country: "BRA" };
    const asked = await finance.send("POST", "/api/t/demo/v2/foreign-exchange", quote);
    expect(String(Reflect.get(Object(asked.json) as object, "code"))).not.toMatch(/^AUTH_/);
    const viewer = await browser().click("demo-viewer");
    const refused = await viewer.send("POST", "/api/t/demo/v2/foreign-exchange", quote);
    expect(refused).toMatchObject({ status: 403, json: { code: "AUTH_005" } });
    const operator = await browser().click("operator");
    expect((await operator.get("/api/o/payments?tenant=demo")).status).toBe(200);
  });
});
