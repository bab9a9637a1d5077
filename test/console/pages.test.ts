import { statSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import type { Platform } from "../../local/platform";
import {
  type ConsolePage,
  describeInBrowser,
  findingsOf,
  logInAs,
  openBrowser,
  openPage,
  sidewaysOf,
  variants,
} from "../support/chromium-page";
import { connectClient, freshId, type PlatformClient, pushBody } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

/** Far more than a page takes: whatever else the machine does, the outcome is decided by what a page shows. */
const timeoutMs = 600_000;
/** Pictures are made anew where this is set, and looked at by whoever sets it. */
const pictures = process.env["CONSOLE_PICTURES"];
const folder = join(__dirname, "../../docs/console");
const tenantPages = [
  "/home",
  "/payments",
  "/payments?status=DECLINED",
  "/payments/PAID",
  "/payments/PAID?tab=postings",
  "/payments/PAID?tab=deliveries",
  "/payments/PAID?tab=raw",
  "/payments/no-such-payment",
  "/payouts/new",
  "/payouts/new?country=BRA",
  "/quotes",
  "/quotes/QUOTE",
  "/wallets",
  "/wallets/WALLET",
  "/people",
  "/people/PERSON",
  "/webhooks",
  "/webhooks/HOOK",
  "/webhooks/HOOK/DELIVERY",
  "/developers",
  "/keys",
  "/team",
  "/no/such/page",
];
const operatorPages = [
  "/desk",
  "/desk/payments",
  "/desk/payments?held=true",
  "/desk/payments/demo/PAYMENT",
  "/desk/payments/demo/PAYMENT?tab=facts",
  "/desk/cases",
  "/desk/reviews",
  "/desk/reviews/REVIEW",
  "/desk/documents?tenant=demo",
  "/desk/documents/demo/DOCUMENT",
  "/desk/approvals",
  "/desk/ledger",
  "/desk/ledger?tab=entries&account=tenant/demo/funding&currency=USD",
  "/desk/ledger?tab=breaks",
  "/desk/tenants",
  "/desk/tenants/demo",
  "/desk/audit",
  "/desk/health",
];

let platform: Platform;
let client: PlatformClient;
let browser: Browser;
const ids: Record<string, string> = {};

beforeAll(async () => {
  platform = await startTestPlatform({ failpoints: false, refusesScans: false });
  client = connectClient(platform);
  browser = await openBrowser();
  await makeWorld();
}, timeoutMs);

afterAll(async () => {
  await browser?.close();
  await client?.close();
  await platform?.stop();
}, timeoutMs);

/** A paid payout with its deliveries, a wallet with movements, and a person who is like an entry of a list. */
async function makeWorld(): Promise<void> {
  await client.subscribe("console");
  const bearer = { authorization: `Bearer ${await client.token()}`, "content-type": "application/json" };
  const send = async (path: string, body: object): Promise<Record<string, unknown>> =>
    (await client.send("POST", path, bearer, JSON.stringify(body))).body;
  for (let at = 0; at < 6; at += 1) {
    const quote = await client.quote();
    const id = `order-${freshId()}`;
    const changes = at === 1 ? { dynamicDescriptor: "SIM:reject-account" } : {};
    const paid = await client.pay(pushBody(id, quote, changes));
    Object.assign(ids, at === 0 ? { PAID: id, QUOTE: quote.fxId, PAYMENT: String(paid.body["paymentId"]) } : {});
  }
  await makePerson();
  const wallet = await send("/wallets", {
    ownerId: "customer-1",
    beneficiaryId: "customer-1",
    accountAsset: "USD",
    type: "STORED_VALUE",
  });
  ids["WALLET"] = String(wallet["walletId"]);
}

/** A person who has handed in a picture of a passport. */
async function makePerson(): Promise<void> {
  const apiKey = platform.credentials.tenants.find(({ tenant }) => tenant === "demo")?.apiKey ?? "";
  const key = { "x-api-key": apiKey };
  const json = { ...key, "content-type": "application/json" };
  const person = JSON.stringify({ firstName: "Maria", lastName: "Souza" });
  const made = await client.send("POST", "/people", json, person);
  const id = String(made.body["id"]);
  const form = new FormData();
  form.append("file", new Blob([picture], { type: "image/png" }), "passport.png");
  const address = `${platform.credentials.baseUrl}/people/${id}/documents/passport`;
  const sent = await fetch(address, { method: "POST", headers: key, body: form });
  const { id: document } = (await sent.json()) as { id: string };
  Object.assign(ids, { PERSON: id, DOCUMENT: document });
}

/** A picture of one pixel. */
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Waits until nothing loads and no skeleton is left. */
async function settle({ page }: ConsolePage): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
}

const filled = (path: string): string => path.replace(/[A-Z]{4,}/g, (name) => ids[name] ?? name);

async function findHook(shown: ConsolePage): Promise<void> {
  const { page } = shown;
  const { consoleUrl } = platform.credentials;
  await page.goto(`${consoleUrl}/webhooks`);
  await page.locator("[data-row]").first().click();
  await page.waitForURL(/\/webhooks\/[^/]+$/);
  const hook = new URL(page.url()).pathname.split("/")[2] ?? "";
  ids["HOOK"] = hook;
  // The list before stays until the page of the endpoint has come.
  await page.locator(`[data-row][href^="/webhooks/${hook}/"]`).first().click();
  await page.waitForURL(/\/webhooks\/[^/]+\/[^/]+$/);
  ids["DELIVERY"] = new URL(page.url()).pathname.split("/")[3] ?? "";
}

/** True for an answer that a page of nothing looks for, also when it comes after the page was left. */
const isAboutMissing = (text: string): boolean => text.includes("404") && text.includes("/no-such-");

async function takePictures({ page }: ConsolePage, path: string): Promise<void> {
  if (pictures === undefined || page.viewportSize()?.width !== 1_280) return;
  const name =
    path
      .replace(/[?=&]/g, "-")
      .replace(/[^a-zA-Z-]+/g, "-")
      .replace(/^-|-$/g, "")
      .toLowerCase() || "first";
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    const file = join(folder, `${name}-${colorScheme}.jpg`);
    await page.screenshot({ path: file, type: "jpeg", quality: 70 });
    expect([file, statSync(file).size < 100_000]).toEqual([file, true]);
  }
}

describeInBrowser.each(variants)("every page, $name", (variant) => {
  it.each([
    ["of a tenant", "Admin of demo", tenantPages],
    ["of operators", "Operator with every role", operatorPages],
  ] as const)(
    "%s can be read by everybody, and breaks no rule",
    async (_whose, who, paths) => {
      const shown = await openPage(browser, variant);
      const { page, complaints } = shown;
      const { consoleUrl } = platform.credentials;
      await logInAs(page, consoleUrl, who);
      if (who === "Admin of demo") await findHook(shown);
      const found: Record<string, readonly string[]> = {};
      for (const path of paths) {
        // A review stands for what this platform has none of.
        if (path.includes("REVIEW") && ids["REVIEW"] === undefined) continue;
        complaints.length = 0;
        await page.goto(consoleUrl + filled(path));
        await settle(shown);
        const sideways = await sidewaysOf(page);
        const all = [
          ...(await findingsOf(page)),
          ...complaints.filter((text) => !isAboutMissing(text)),
          ...(sideways > 0 ? [`scrolls sideways by ${sideways}`] : []),
        ];
        if (all.length > 0) found[path] = all;
        await takePictures(shown, path);
      }
      await page.context().close();

      expect(found).toEqual({});
    },
    timeoutMs,
  );

  it("the way in can be read by everybody, too", async () => {
    const shown = await openPage(browser, variant);
    await shown.page.goto(platform.credentials.consoleUrl);
    await shown.page.getByRole("button", { name: /^Finance of demo/ }).waitFor();
    await takePictures(shown, "login");

    expect([...(await findingsOf(shown.page)), ...shown.complaints, await sidewaysOf(shown.page)]).toEqual([0]);
    await shown.page.context().close();
  });
});

describeInBrowser("the check of pages", () => {
  it("sees a button without a name, a style in the page, and code made of a text", async () => {
    const shown = await openPage(browser, variants[0] ?? { theme: "light", width: 1_280 });
    await shown.page.goto(platform.credentials.consoleUrl);
    await shown.page.getByRole("button", { name: /^Finance of demo/ }).waitFor();
    const told = shown.page.waitForEvent("console", (message) => message.text().startsWith("policy:"));
    await shown.page.evaluate(`{
      const button = document.createElement("button");
      button.setAttribute("style", "color: red");
      document.body.append(button);
    }`);
    await told;
    const findings = await findingsOf(shown.page);

    expect(findings.some((text) => text.startsWith("button-name"))).toBe(true);
    expect(shown.complaints.some((text) => text.includes("policy:"))).toBe(true);
    await shown.page.context().close();
  });
});
