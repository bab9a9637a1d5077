import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { compiled } from "../../local/compiled";
import type { Platform } from "../../local/platform";
import { httpCall } from "../integration/gateway/http-call";
import { fieldOf, redirectUri, sendTo } from "../support/log-in";
import { runOperator } from "../support/operator-command";
import { until } from "../support/platform-client";
import { logInAtSandbox, visitIssuer } from "../support/sandbox-login";
import { startTestPlatform } from "../support/test-platform";

describe("people on a local platform", () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await startTestPlatform();
  }, 300_000);
  afterAll(() => platform?.stop());

  const operate = sendTo(() => Number(new URL(platform.credentials.operatorUrl).port));
  const call = sendTo(() => Number(new URL(platform.credentials.baseUrl).port));

  it("log in at the sandbox's issuer as operators, and out again", async () => {
    const answer = await logInAtSandbox(operate, "operator");
    expect(answer).toMatchObject({ status: 201, json: { roles: ["support", "compliance", "treasury", "platform"] } });
    const session = fieldOf(answer, "session");
    expect((await operate("GET", "/tenants", undefined, session)).status).toBe(200);
    expect((await operate("DELETE", "/session", undefined, session)).status).toBe(204);
    expect((await operate("GET", "/tenants", undefined, session)).status).toBe(401);
    const support = fieldOf(await logInAtSandbox(operate, "support"), "session");
    expect((await operate("POST", "/signing-keys", {}, support)).status).toBe(403);
  });

  it("are refused with one factor, without a role and at another's tenant", async () => {
    expect((await logInAtSandbox(operate, "operator", { factors: "one" })).json).toMatchObject({ code: "AUTH_006" });
    expect((await logInAtSandbox(operate, "newcomer")).json).toMatchObject({ code: "AUTH_005" });
    expect((await logInAtSandbox(operate, "demo-admin")).json).toMatchObject({ code: "AUTH_005" });
    expect((await logInAtSandbox(call, "demo-admin", { tenant: "other" })).json).toMatchObject({ code: "AUTH_001" });
  });

  it("work for their tenant, and a newcomer comes by invitation and is gone at once", async () => {
    const admin = fieldOf(await logInAtSandbox(call, "demo-admin", { tenant: "demo" }), "session");
    const users = "/organizations/demo/users";
    const invitation = { email: "newcomer@people.example", roles: ["viewer"] };
    expect((await call("POST", users, invitation, admin)).status).toBe(201);
    const newcomer = await logInAtSandbox(call, "newcomer", { tenant: "demo" });
    expect(newcomer.json).toMatchObject({ tenant: "demo", roles: ["viewer"] });
    const session = fieldOf(newcomer, "session");
    const list = async () => (await call("GET", "/v2/payments", undefined, session)).status;
    expect(await list()).toBe(200);
    expect((await call("POST", "/v2/payment", {}, session)).json).toMatchObject({ code: "AUTH_005" });
    const userId = fieldOf(newcomer, "userId");
    expect((await call("PATCH", `${users}/${userId}`, { isDisabled: true }, admin)).status).toBe(200);
    expect(await until(list, (status) => status === 401, 2_000)).toBe(401);
  });

  it("log in at the command line, by a browser that comes back to it, and out again", async () => {
    const env = { CORRIDOR_DIR: platform.dir, CORRIDOR_CONFIG_DIR: platform.dir };
    const login = spawn(process.execPath, [compiled("local/cli/operator"), "login", "--no-browser"], {
      env: { ...process.env, ...env },
    });
    const [said] = (await once(login.stderr, "data")) as [Buffer];
    const [address = ""] = /http:\S+/.exec(said.toString()) ?? [];
    const ended = once(login, "exit");
    const { code, state, iss } = await visitIssuer(address, "support");
    const back = new URL(new URL(address).searchParams.get("redirect_uri") ?? "");
    const page = await httpCall(Number(back.port), `/callback?${new URLSearchParams({ code, state, iss }).toString()}`);
    expect(page.status).toBe(200);
    expect(await ended).toEqual([0, null]);

    expect(JSON.parse((await runOperator(["session", "show"], env)).stdout)).toMatchObject({ roles: ["support"] });
    expect((await runOperator(["operators", "invite", "x@people.example", "support"], env)).stderr).toContain(
      "AUTH_005",
    );
    // The session is shown only where it was opened.
    const elsewhere = await runOperator(["tenants", "list"], { ...env, OPERATOR_URL: platform.credentials.sandboxUrl });
    expect(elsewhere.stderr).toContain("log in");
    expect((await runOperator(["logout"], env)).code).toBe(0);
    const roles = ["support", "compliance", "treasury", "platform"];
    expect(JSON.parse((await runOperator(["session", "show"], env)).stdout)).toMatchObject({ userId: null, roles });
  });

  it("may show an access token of the issuer", async () => {
    const verifier = "v".repeat(43);
    const issuer = `${platform.credentials.sandboxUrl}/oidc`;
    const asked = new URLSearchParams({
      ...{
        client_id: "corridor-console",
        response_type: "code",
        redirect_uri: redirectUri,
        scope: "openid",
        state: "s",
      },
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    const { code } = await visitIssuer(`${issuer}/auth?${asked.toString()}`, "demo-finance");
    const answer = await httpCall(Number(new URL(issuer).port), "/oidc/token", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        ...{ grant_type: "authorization_code", client_id: "corridor-console", code },
        ...{ redirect_uri: redirectUri, code_verifier: verifier },
      }).toString(),
    });
    const shown = await call("GET", "/session", undefined, fieldOf(answer, "access_token"));
    expect(shown.json).toMatchObject({ tenant: "demo", roles: ["finance"] });
    expect((await call("GET", "/session", undefined, fieldOf(answer, "id_token"))).status).toBe(401);
  });
});
