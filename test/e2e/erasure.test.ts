import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Platform } from "../../local/platform";
import { makeCanaries } from "../support/canaries";
import { connectClient, freshId, type PlatformClient, pushBody, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

interface Known {
  person: string;
  session: string;
  document: string;
}

describe("a person who is erased", () => {
  const canaries = makeCanaries();
  let platform: Platform;
  let client: PlatformClient;
  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
  }, 120_000);
  afterAll(async () => {
    await client.close();
    await platform.stop();
  }, 60_000);

  const call = async (method: string, path: string, body?: object | FormData, isOperator = false) => {
    const { baseUrl, operatorUrl, operatorToken, tenants } = platform.credentials;
    const bearer = isOperator ? operatorToken : await client.token();
    const isForm = body instanceof FormData;
    const response = await fetch(`${isOperator ? operatorUrl : baseUrl}${path}`, {
      method,
      headers: {
        ...(path.startsWith("/v") || isOperator
          ? { authorization: `Bearer ${bearer}` }
          : { "x-api-key": tenants[0]?.apiKey ?? "" }),
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? null : isForm ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: (text.startsWith("{") ? JSON.parse(text) : {}) as Record<string, unknown> };
  };
  /** The same, once the platform is quite there. */
  const insistent = (...request: Parameters<typeof call>) =>
    until(
      () => call(...request),
      ({ status }) => status < 500,
      60_000,
    );

  async function make(): Promise<Known> {
    const person = await insistent("POST", "/people", {
      firstName: canaries.plant("name", "person"),
      identificationType: "PASSPORT",
      identification: canaries.plant("document", "person"),
      address: { emailAddress: canaries.plant("email", "person") },
    });
    const id = String(person.body["id"]);
    const userRef = canaries.plant("phone", "session");
    const session = await insistent("POST", "/v1/sessions", { userRef, personId: id });
    const form = new FormData();
    form.set("documentNumber", canaries.plant("document", "document"));
    form.set("file", new Blob([`%PDF-1.4 ${canaries.plant("name", "file")}`], { type: "application/pdf" }), "a.pdf");
    const document = await insistent("POST", `/people/${id}/documents/passport`, form);
    expect([person.status, session.status, document.status]).toEqual([200, 201, 200]);
    return { person: id, session: String(session.body["sessionId"]), document: String(document.body["id"]) };
  }
  const seen = async ({ person, session, document }: Known): Promise<number[]> => {
    const paths = [
      `/organizations/demo/people/${person}`,
      `/v1/sessions/${session}`,
      `/people/${person}/documents/${document}`,
      `/people/${person}/documents/${document}/content`,
    ];
    return Promise.all(paths.map(async (path) => (await call("GET", path)).status));
  };

  it("is readable nowhere; everybody else is, payments go on and the ledger is whole", async () => {
    const [gone, other] = [await make(), await make()];
    const id = freshId();
    expect((await client.pay(pushBody(id, await client.quote()))).status).toBe(200);
    expect(await seen(gone)).toEqual([200, 200, 200, 200]);

    const erase = `/tenants/demo/participants/${gone.person}`;
    expect((await call("DELETE", erase, undefined, true)).status).toBe(204);
    expect((await call("DELETE", erase, undefined, true)).status).toBe(204);

    expect(await seen(gone)).toEqual([404, 404, 404, 404]);
    expect(await seen(other)).toEqual([200, 200, 200, 200]);
    expect((await call("PATCH", `/people/${gone.person}`, { firstName: "Ana" })).status).toBe(404);
    const late = await call("POST", "/v1/sessions", { userRef: "u", personId: gone.person });
    expect(late).toMatchObject({ status: 404, body: { code: "PER_404" } });

    const paid = await until(
      () => client.payment(id),
      ({ body }) => body["status"] !== "PENDING",
      60_000,
    );
    expect(paid.body).toMatchObject({ status: "CAPTURED" });
    const walk = await call("POST", "/ledger/verifications", undefined, true);
    const path = `/ledger/verifications/${String(walk.body["verificationId"])}`;
    const end = await until(
      () => call("GET", path, undefined, true),
      ({ body }) => body["finishedAt"] !== null,
      60_000,
    );
    expect(end.body).toMatchObject({ findings: [] });
    await client.close();
    for (const one of platform.processes.toReversed()) await one.end(one.stopSignal);
    const files = readdirSync(platform.dir, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(platform.dir, "sandbox")))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
    expect(files.flatMap((text) => canaries.find(text))).toEqual([]);
  }, 200_000);
});
