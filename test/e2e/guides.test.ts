import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { guideNames } from "../../gateway/guides/guides";
import { findProgram } from "../../local/find-program";
import type { Platform } from "../../local/platform";
import { scenarios } from "../../sandbox/scenarios";
import { verifyWebhook } from "../../sdk/src/main.ts";
import { reasonCodes } from "../../services/shared/kernel/reason-codes";
import { type CommandLine, makeCommandLine } from "../support/command-line";
import { connectClient, type PlatformClient, until } from "../support/platform-client";
import { openRealPage, type RealPage } from "../support/real-page";
import { type Receiver, runShell, startReceiver } from "../support/run-documents";
import { connectSdk } from "../support/sdk-client";
import { blocksOf, installCli, installSdk, type SdkPackage, writeFiles } from "../support/sdk-package";
import { startTestPlatform } from "../support/test-platform";

const lacking = ["bash", "curl"].filter((name) => findProgram(name, process.env["PATH"] ?? "") === undefined);
const inShell = lacking.length > 0 ? describe.skip : describe;
if (lacking.length > 0) process.stderr.write(`no ${lacking.join(", ")} on PATH: the guides are not run\n`);

const browser = findProgram("chromium", process.env["PATH"] ?? "");
const inBrowser = browser === undefined ? describe.skip : describe;
if (browser === undefined)
  process.stderr.write("no chromium on PATH: the search of the guides is not tried in a browser\n");

const secret = Buffer.alloc(32, 3).toString("base64");

/** A stranger has a folder with the two packages and the credentials that `make run` wrote, and follows the documents. */
inShell("a stranger", () => {
  let platform: Platform;
  let client: PlatformClient;
  let home: SdkPackage;
  let program: string;
  let run: CommandLine;
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
    home = installSdk();
    program = installCli(home);
    run = makeCommandLine(platform);
    mkdirSync(join(home.dir, ".local"), { recursive: true });
    writeFileSync(join(home.dir, ".local/credentials.json"), JSON.stringify(platform.credentials));
  });
  afterAll(async () => {
    await Promise.all(receivers.map((one) => one.stop()));
    home.remove();
    await client.close();
    await platform.stop();
  });

  /** Runs all that a document has for a shell, as one script. */
  const follow = (path: string, env: Readonly<Record<string, string>> = {}) => {
    writeFiles(home, path);
    const script = blocksOf(path, "bash").join("\n");
    expect(script).not.toBe("");
    const known = { CORRIDOR_CLI: program, CORRIDOR_CONFIG_DIR: join(home.dir, "config"), ...env };
    return runShell(`corridor() { node "$CORRIDOR_CLI" "$@"; }\n${script}`, known, home.dir);
  };
  const endpoint = async (): Promise<Receiver> => {
    writeFiles(home, "docs/guides/testing.md");
    const started = await startReceiver(join(home.dir, "endpoint.mjs"), { CORRIDOR_WEBHOOK_SECRET: secret }, home.dir);
    receivers.push(started);
    return started;
  };

  it.each([
    ["first-payout", /status +CAPTURED[\s\S]* CAPTURED\n/],
    ["sandbox", /Visa debit/],
    ["errors", /AC03 recipient/],
    ["reason-codes", /look for AC03 below/],
  ] as const)("follows the guide %s, twice", async (name, said) => {
    for (const time of ["first", "second"]) {
      const { stdout } = await follow(`docs/guides/${name}.md`);
      expect([time, stdout]).toEqual([time, expect.stringMatching(said)]);
    }
  });

  it("goes live by its guide, twice", async () => {
    const demo = platform.credentials.tenants.find(({ tenant }) => tenant === "demo");
    const env = {
      BASE: platform.credentials.baseUrl,
      TENANT: "demo",
      CLIENT_ID: demo?.clientId ?? "",
      CLIENT_SECRET: demo?.clientSecret ?? "",
      API_KEY: demo?.apiKey ?? "",
    };
    for (const time of ["first", "second"]) {
      const { stdout } = await follow("docs/guides/going-live.md", env);
      expect([time, stdout]).toEqual([time, expect.stringContaining("client credentials: accepted")]);
      const { externalId } = JSON.parse(readFileSync(join(home.dir, "record.json"), "utf8")) as Record<string, string>;
      expect((await client.payment(String(externalId))).status).toBe(200);
    }
  });

  it("certifies the endpoint of the guide, twice", async () => {
    const { url } = await endpoint();
    for (const time of ["first", "second"]) {
      const { stdout } = await follow("docs/guides/testing.md", {
        ENDPOINT: url,
        SEEN: `${url}seen`,
        CORRIDOR_WEBHOOK_SECRET: secret,
      });
      expect([time, stdout]).toEqual([time, expect.stringContaining("11 of 11 passed")]);
      expect(stdout).toMatch(/-> +204/);
    }
  });

  it("is told by certify what an endpoint does wrong", async () => {
    const credulous = home.write(
      "credulous.mjs",
      `import { createServer } from "node:http";
const seen = new Map();
createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  if (pathname === "/seen") return response.end(JSON.stringify(seen.get(searchParams.get("id")) ?? {}));
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const { externalTransactionId: id, newStatus: status } = JSON.parse(Buffer.concat(chunks));
    seen.set(id, { events: (seen.get(id)?.events ?? 0) + 1, status });
  } catch {}
  response.writeHead(200).end();
}).listen(Number(process.env.PORT), "127.0.0.1");
`,
    );
    const started = await startReceiver(credulous, {}, home.dir);
    receivers.push(started);
    const env = { CORRIDOR_WEBHOOK_SECRET: secret };
    const end = await run(["certify", started.url, "--seen", `${started.url}seen`, "--json"], { env });
    const { cases, failed } = end.json() as {
      failed: number;
      cases: { case: string; passed: boolean; found: string }[];
    };

    expect([end.code, failed]).toEqual([1, 6]);
    expect(cases.filter(({ passed }) => !passed).map((one) => [one.case, one.found])).toEqual([
      ["takes the same event twice, and does it once", "events is 2 and not 1"],
      ["takes events out of order, and keeps the newer state", "status is ProcessingPayout and not PayoutAccepted"],
      ["refuses a wrong signature", "answered 200 and not 4xx"],
      ["refuses a delivery without a signature", "answered 200 and not 4xx"],
      ["refuses a body that was changed on its way", "answered 200 and not 4xx"],
      ["refuses an old delivery that is played again", "answered 200 and not 4xx"],
    ]);
    const strict = home.write(
      "strict.mjs",
      'import { createServer } from "node:http";\ncreateServer((_request, response) => response.writeHead(400).end()).listen(Number(process.env.PORT));\n',
    );
    const refusing = await startReceiver(strict, {}, home.dir);
    receivers.push(refusing);
    expect((await run(["certify", refusing.url, "--json"], { env })).json()).toMatchObject({ passed: 4, failed: 7 });
    expect((await run(["certify", refusing.url])).code).toBe(2);
  });

  it("gets a webhook of its payment, verifies it, and finds why a payment failed in the guide", async () => {
    const corridor = connectSdk(platform);
    const { id } = await corridor.webhooks.create({
      url: `${platform.credentials.sinkUrl}/stranger`,
      events: ["TransactionStatusChanged"],
    });
    const { signingSecret } = await corridor.webhooks.rotateSecret(id);
    const failed = await run(["trigger", "reject-account", "--wait", "--json"]);
    const { externalId, reasonCode, whoseMove } = failed.json() as Record<string, string>;
    const told = await until(
      () => client.sink("stranger"),
      (items) => items.some(({ body }) => body.includes(String(externalId)) && body.includes("Cancelled")),
    );
    const last = told.findLast(({ body }) => body.includes(String(externalId)));
    expect(await verifyWebhook(String(last?.body), last?.headers ?? {}, signingSecret)).toMatchObject({
      externalTransactionId: externalId,
      newStatus: "Cancelled",
    });
    expect([failed.code, failed.stderr]).toEqual([5, expect.stringContaining(`reason-codes.md, ${reasonCode}`)]);
    const page = await (await fetch(`${platform.credentials.baseUrl}/docs/guides/reason-codes`)).text();
    const row = page.split("<tr>").find((one) => one.includes(`<code>${reasonCode}</code>`));
    expect(row).toContain(whoseMove);
    const everyCode = [...Object.keys(reasonCodes)].filter((code) => !page.includes(`<td><code>${code}</code></td>`));
    expect(everyCode).toEqual([]);
  });

  it("sees in the guide of the sandbox what each scenario really comes to", async () => {
    const ended = await Promise.all(
      [...scenarios].map(async ([name, { ends }]) => {
        const { json } = await run(["trigger", name, "--json"]);
        const id = String(json()["externalPaymentId"]);
        const isOver = (text: string): boolean => text === ends.split(",")[0];
        const read = async (): Promise<string> => {
          const { status, reasonCode = "" } = (await client.payment(id)).body as Record<string, string>;
          return `${status} ${reasonCode}`.trim();
        };
        return [name, ends.split(",")[0], await until(read, isOver)];
      }),
    );
    expect(ended.filter(([, wanted, found]) => wanted !== found)).toEqual([]);
  });

  it("finds every guide at /docs, from nowhere else, and anything in them by words", async () => {
    const { baseUrl } = platform.credentials;
    const reference = await (await fetch(`${baseUrl}/docs`)).text();
    for (const name of guideNames) {
      const answer = await fetch(`${baseUrl}/docs/guides/${name}`, { headers: { "accept-encoding": "br" } });
      const page = await answer.text();
      expect([name, answer.status, answer.headers.get("content-encoding")]).toEqual([name, 200, "br"]);
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(page.match(/(?:src|href)="(?!\/docs|#|data:)[^"]*"/g)).toBeNull();
      expect(page).toMatch(/<h1 id="guide-[\s\S]*<(table|pre)>/);
      expect(page).not.toMatch(/```|\]\(|<p>\|/);
      expect(reference).toContain(`/docs/guides/${name}`);
    }
    const search = await (await fetch(`${baseUrl}/docs/search.js`)).text();
    expect(search).toContain("PAY_413");
    expect(search).toContain("/docs/guides/testing#3-certify-your-endpoint");
    expect((await fetch(`${baseUrl}/docs/guides/no-such`)).status).toBe(404);
  });

  inBrowser("in a browser", () => {
    let page: RealPage;
    beforeAll(async () => {
      page = await openRealPage(String(browser));
    });
    afterAll(() => page.stop());

    /** Types words into the search as a person does, and returns what is offered. */
    async function search(words: string): Promise<string[]> {
      await page.evaluate(`(() => {
        document.getElementById("found").replaceChildren();
        const input = document.getElementById("search");
        input.focus();
        input.value = ${JSON.stringify(words)};
        input.dispatchEvent(new Event("input", { bubbles: true }));
      })()`);
      return until(
        async () =>
          (await page.evaluate('[...document.querySelectorAll("#found a")].map((one) => one.textContent)')) as string[],
        (found) => found.length > 0,
      );
    }
    it("finds guides and operations by words, under the policy of its pages and from nowhere else", async () => {
      const { baseUrl } = platform.credentials;
      await page.goTo(`${baseUrl}/docs/guides/reason-codes`);
      expect((await search("certify endpoint"))[0]).toMatch(/test your integration: .*Certify/);
      await page.evaluate('document.querySelector("#found a").click()');
      const place = await until(
        () => page.evaluate("location.pathname + location.hash").catch(() => ""),
        (at) => String(at).startsWith("/docs/guides/testing#"),
      );
      expect(place).toMatch(/certify/);
      const heading = `document.getElementById(decodeURIComponent(location.hash.slice(1)))?.textContent ?? ""`;
      expect(
        await until(
          () => page.evaluate(heading).catch(() => ""),
          (text) => text !== "",
        ),
      ).toMatch(/Certify/);

      // From the reference too, whose operations are found beside the guides.
      await page.goTo(`${baseUrl}/docs`);
      expect((await search("AC03")).join()).toContain("reason codes");
      const found = await search("POST refund");
      expect(found).toContain("POST /payments/{externalPaymentId}/refund");
      await page.evaluate(
        '[...document.querySelectorAll("#found a")].find((one) => one.textContent.endsWith("/refund")).click()',
      );
      // While the page is loaded again there is none to ask.
      const opened = await until(
        () =>
          page
            .evaluate('document.querySelector(".opblock.is-open .opblock-summary-path")?.textContent ?? ""')
            .catch(() => ""),
        (text) => text !== "",
      );
      expect(String(opened).replaceAll("\u200b", "")).toContain("/refund");
      expect(page.complaints).toEqual([]);
      expect(page.requested.filter((url) => !url.startsWith(baseUrl) && !url.startsWith("data:"))).toEqual([]);
    });
  });
});
