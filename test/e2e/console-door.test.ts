import type { Platform } from "../../local/platform";
import { type ConsoleBrowser, openConsole } from "../support/console-browser";
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
});
