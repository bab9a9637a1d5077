import { mongo } from "mongoose";
import type { Browser, Page } from "playwright-core";
import type { Platform } from "../../local/platform";
import { describeInBrowser, findingsOf, logInAs, openBrowser, openPage } from "../support/chromium-page";
import { connectClient, freshId, type PlatformClient, pushBody, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

const timeoutMs = 240_000;
const plain = { theme: "light", width: 1_280 } as const;
/** Countries of different rules: aliases, wallets, purposes, documents, one currency of no decimals. */
const corridors = ["BRA", "MEX", "IND", "PHL", "KOR", "GBR", "KEN", "POL", "JPN", "USA"];

let platform: Platform;
let client: PlatformClient;
let browser: Browser;

beforeAll(async () => {
  platform = await startTestPlatform({ failpoints: false, refusesScans: false, fourEyes: true });
  client = connectClient(platform);
  browser = await openBrowser();
}, timeoutMs);

afterAll(async () => {
  await browser?.close();
  await client?.close();
  await platform?.stop();
}, timeoutMs);

/** A page of somebody who is logged in; it is closed after the story, which must not have made the browser complain. */
async function as(name: string, path: string, story: (page: Page) => Promise<void>, isRefused = false): Promise<void> {
  const { page, complaints } = await openPage(browser, plain);
  await logInAs(page, platform.credentials.consoleUrl, name, path);
  await story(page);
  await page.context().close();
  if (!isRefused) expect(complaints).toEqual([]);
}

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function makeWallet(): Promise<void> {
  const headers = { authorization: `Bearer ${await client.token()}`, "content-type": "application/json" };
  const owner = `owner-${freshId()}`;
  const wallet = { ownerId: owner, beneficiaryId: owner, accountAsset: "USD", type: "STORED_VALUE" };
  await client.send("POST", "/wallets", headers, JSON.stringify(wallet));
}

async function paidPayment(): Promise<string> {
  const id = `story-${freshId()}`;
  await client.pay(pushBody(id, await client.quote()));
  return id;
}

describeInBrowser("a payout through the form", () => {
  it.each(corridors)(
    "to %s goes from the country's published rules to the recipient",
    async (country) => {
      await as("Finance of demo", `/payouts/new?country=${country}`, async (page) => {
        await button(page, "Fill in an example").click();
        await page.getByLabel("You pay", { exact: true }).fill("100");
        await page.getByText("The platform would take it as it stands.").waitFor();
        await button(page, "Review and send").click();
        await button(page, "Send").click();
        await page.getByText("Captured", { exact: true }).first().waitFor();
        await page.locator("[aria-current=step]", { hasText: "Completed" }).waitFor();

        expect(decodeURIComponent(new URL(page.url()).pathname)).toMatch(/^\/payments\/payout-/);
      });
    },
    timeoutMs,
  );

  it(
    "is filled in and sent without a mouse, and sent once though Enter is pressed twice",
    async () => {
      await as("Finance of demo", "/payouts/new?country=BRA", async (page) => {
        await button(page, "Fill in an example").press("Enter");
        await page.getByLabel("You pay", { exact: true }).focus();
        await page.keyboard.type("12.50");
        await page.getByText("The platform would take it as it stands.").waitFor();
        const id = await page.getByLabel("Your id of the payment").inputValue();
        await page.keyboard.press("Enter");
        await button(page, "Send").focus();
        await page.keyboard.press("Enter");
        await page.keyboard.press("Enter");
        await page.locator("[aria-current=step]", { hasText: "Completed" }).waitFor();
        const { body } = await client.payment(id);

        expect(body).toMatchObject({ externalId: id, amount: 12.5 });
        const list = await page.evaluate<number>(
          `fetch("/api/t/demo/v2/payments?idPrefix=${id}").then((answer) => answer.json()).then(({ payments }) => payments.length)`,
        );
        expect(list).toBe(1);
      });
    },
    timeoutMs,
  );

  it(
    "says at each field what is wrong, and leads to the first",
    async () => {
      await as("Finance of demo", "/payouts/new?country=BRA", async (page) => {
        await page.getByLabel("Bank deposit").check();
        await page.getByLabel("Bank code").fill("not a code");
        await button(page, "Review and send").click();

        await page.getByText("“Bank code” does not have the right form.").first().waitFor();
        expect(await page.getByText(/^Enter “/).count()).toBeGreaterThan(3);
        expect(await page.evaluate("document.activeElement.getAttribute('aria-invalid')")).toBe("true");
      });
    },
    timeoutMs,
  );

  it(
    "keeps what was typed when the session ends",
    async () => {
      await as(
        "Finance of demo",
        "/payouts/new?country=BRA",
        async (page) => {
          await button(page, "Fill in an example").click();
          await page.context().clearCookies();
          await page.getByLabel("You pay", { exact: true }).fill("7");
          await heading(page, "Your session has ended").waitFor();
          await page
            .getByRole("dialog")
            .getByRole("button", { name: /^Finance of demo/ })
            .click();
          await page.getByRole("dialog").waitFor({ state: "detached" });

          expect(await page.getByLabel("You pay", { exact: true }).inputValue()).toBe("7");
          expect(await page.getByLabel("Last name").first().inputValue()).not.toBe("");
        },
        true,
      );
    },
    timeoutMs,
  );
});

/** Notes how often a page has asked for what happens. */
function countAsks(page: Page): { readonly events: number; readonly others: number } {
  const asked = { events: 0, others: 0 };
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith("/events")) asked.events += 1;
    else if (pathname.startsWith("/api/t/")) asked.others += 1;
  });
  return asked;
}

describeInBrowser("what happens", () => {
  it(
    "is shown as it happens, and asked for by one page of the browser alone",
    async () => {
      await as("Finance of demo", "/payments", async (first) => {
        await first.getByText("Live", { exact: true }).waitFor();
        const second = await first.context().newPage();
        const asked = countAsks(second);
        await second.goto(`${platform.credentials.consoleUrl}/payments`);
        await second.getByText("Live", { exact: true }).waitFor();
        const id = await paidPayment();
        const isPaid = (page: Page) =>
          page.getByRole("row").filter({ hasText: id }).getByText("Captured", { exact: true }).waitFor();
        await Promise.all([isPaid(first), isPaid(second)]);

        expect(asked.events).toBe(0);
        await first.close();
        await second.waitForRequest((request) => request.url().includes("/events?"));
        const next = await paidPayment();
        await second.getByRole("row").filter({ hasText: next }).getByText("Captured", { exact: true }).waitFor();
      });
    },
    timeoutMs,
  );
});

describeInBrowser("payments", () => {
  it(
    "are found by any id from the palette, and filtered by the address",
    async () => {
      const id = await paidPayment();
      await as("Finance of demo", "/payments", async (page) => {
        await page.getByText(id).waitFor();
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox", { name: "Find any id, or a page" }).waitFor();
        await page.keyboard.type(id);
        await page.getByRole("option", { name: new RegExp(id) }).waitFor();
        await page.keyboard.press("Enter");
        await page.locator("[aria-current=step]").waitFor();
        await page.goBack();
        await page.getByLabel("Status").selectOption("DECLINED");
        await page.getByText("No payment fits these filters.").waitFor();

        expect(new URL(page.url()).search).toBe("?status=DECLINED");
      });
    },
    timeoutMs,
  );

  it(
    "are saved as CSV",
    async () => {
      await paidPayment();
      await as("Finance of demo", "/payments", async (page) => {
        const saved = page.waitForEvent("download");
        await button(page, "CSV").click();

        expect((await saved).suggestedFilename()).toBe("payments.csv");
      });
    },
    timeoutMs,
  );

  it(
    "tell their deliveries, which are sent again from there",
    async () => {
      await client.subscribe(`again-${freshId()}`);
      const id = await paidPayment();
      await as("Admin of demo", `/payments/${id}?tab=deliveries`, async (page) => {
        await page.getByText("Delivered").first().waitFor();
        await page.getByRole("button", { name: "Redeliver" }).first().click();
        await page.getByText("It is sent again").waitFor();
        await page
          .getByRole("row")
          .filter({ hasText: /Delivered\s*2/ })
          .first()
          .waitFor();
      });
    },
    timeoutMs,
  );

  it(
    "by card are captured, and given back after a question that repeats the amount",
    async () => {
      const id = `card-${freshId()}`;
      const address = { countryCode: "GBR", city: "London", line1: "12 Hill Road" };
      const paymentMethod = { type: "CARD", cardTokenId: "11111111-1111-4111-8111-111111111111" };
      await client.pay({
        paymentType: "PULL",
        externalPaymentId: id,
        ipAddress: "203.0.113.7",
        capture: false,
        amount: { total: 2450.5, currency: "USD" },
        sender: { firstName: "Ada", lastName: "Lovelace", address, paymentMethod },
      });
      await as("Finance of demo", `/payments/${id}`, async (page) => {
        await button(page, "Capture").click();
        await heading(page, "Capture USD 2,450.50?").waitFor();
        await page.getByRole("dialog").getByRole("button", { name: "Capture" }).click();
        await button(page, "Refund").click();
        await page.getByLabel(/^Amount/).fill("50.50");
        await page.getByRole("dialog").getByRole("button", { name: "Refund" }).click();
        await page.getByRole("definition").filter({ hasText: "USD50.50" }).waitFor();
      });
    },
    timeoutMs,
  );
});

/** What each key has to do, written from the brief and not from the code. */
const effects: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  "Ctrl K": async (page) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Find any id, or a page" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  },
  Esc: async (page) => {
    await page.keyboard.press("?");
    await heading(page, "Keys").waitFor();
    await page.keyboard.press("Escape");
    await heading(page, "Keys").waitFor({ state: "detached" });
  },
  "?": (page) => effects["Esc"]?.(page) ?? Promise.reject(new Error("no such key")),
  s: async (page) => {
    await page.keyboard.press("s");
    await page.getByRole("combobox", { name: "Find any id, or a page" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  },
  j: async (page) => {
    await page.keyboard.press("j");
    expect(await page.evaluate("document.activeElement === document.querySelectorAll('[data-row]')[0]")).toBe(true);
    await page.keyboard.press("j");
    expect(await page.evaluate("document.activeElement === document.querySelectorAll('[data-row]')[1]")).toBe(true);
  },
  k: async (page) => {
    await page.evaluate("document.querySelectorAll('[data-row]')[1].focus()");
    await page.keyboard.press("k");
    expect(await page.evaluate("document.activeElement === document.querySelectorAll('[data-row]')[0]")).toBe(true);
  },
  c: async (page) => {
    await page.goto(`${platform.credentials.consoleUrl}/wallets`);
    await page.locator("[data-copy]").first().waitFor();
    await page.keyboard.press("c");
    await page.getByText("Copied").waitFor();
    await page.goto(`${platform.credentials.consoleUrl}/payments`);
    await page.locator("[data-row]").first().waitFor();
  },
  t: async (page) => {
    await page.keyboard.press("t");
    await page.getByRole("button", { name: "Local", exact: true }).waitFor();
  },
  d: async (page) => {
    await page.keyboard.press("d");
    await page.locator("html[data-theme=light]").waitFor();
    await page.keyboard.press("d");
    await page.locator("html[data-theme=dark]").waitFor();
  },
  "~": async (page) => {
    await page.keyboard.press("~");
    const panel = page.getByRole("region", { name: "API calls of this page" });
    await panel.getByText("GET /v2/payments").first().click();
    await panel.locator("pre").filter({ hasText: "/v2/payments?limit=50" }).first().waitFor();
    await panel.getByText("Request", { exact: false }).first().waitFor();
    await page.keyboard.press("~");
    await panel.waitFor({ state: "detached" });
  },
  "/": async (page) => {
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("SELECT");
    // A single key does nothing in a field.
    await page.keyboard.press("?");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.evaluate("document.activeElement.blur()");
  },
};

/** Where the pairs that begin with g lead an admin. */
const places: Readonly<Record<string, string>> = {
  o: "/home",
  p: "/payments",
  n: "/payouts/new",
  q: "/quotes",
  w: "/wallets",
  e: "/people",
  h: "/webhooks",
  d: "/developers",
  k: "/keys",
  u: "/team",
};

describeInBrowser("keys", () => {
  it(
    "are all listed, and each does what the list says; switched off, none does anything",
    async () => {
      await paidPayment();
      await paidPayment();
      await makeWallet();
      await as("Admin of demo", "/payments", async (page) => {
        await page.locator("[data-row]").nth(1).waitFor();
        await page.keyboard.press("?");
        await heading(page, "Keys").waitFor();
        const listed = await page.evaluate<string[]>(
          "[...document.querySelectorAll('dialog dd')].map((one) => [...one.querySelectorAll('kbd')].map((key) => key.textContent).join(' '))",
        );
        await page.keyboard.press("Escape");
        const known = [...Object.keys(effects), ...Object.keys(places).map((key) => `g ${key}`)];
        expect(listed.toSorted()).toEqual(known.toSorted());
        for (const press of Object.values(effects)) await press(page);
        for (const [key, path] of Object.entries(places)) {
          await page.keyboard.press("g");
          await page.keyboard.press(key);
          await page.waitForURL((url) => url.pathname === path);
          await page.locator("h1").first().waitFor();
        }

        await page.keyboard.press("?");
        await page.getByLabel("Single keys are on").uncheck();
        await page.keyboard.press("Escape");
        await page.keyboard.press("?");
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox", { name: "Find any id, or a page" }).waitFor();
        expect(await heading(page, "Keys").count()).toBe(0);
      });
    },
    timeoutMs,
  );
});

describeInBrowser("the language", () => {
  it(
    "is the browser's own, and another one once it is chosen",
    async () => {
      const context = await browser.newContext({ locale: "de-DE", viewport: { width: 1_280, height: 820 } });
      const page = await context.newPage();
      await logInAs(page, platform.credentials.consoleUrl, "Admin of demo", "/keys");
      await heading(page, "Schlüssel und Clients").waitFor();
      expect(await page.evaluate("document.documentElement.lang")).toBe("de");
      await page.locator(".who summary").press("Enter");
      await page.getByLabel("Sprache").selectOption("Português");
      await heading(page, "Chaves e clientes").waitFor();
      await page.goto(`${platform.credentials.consoleUrl}/payments`);
      await page.getByText("Os mais novos primeiro").first().waitFor();
      expect(await findingsOf(page)).toEqual([]);
      await context.close();
    },
    timeoutMs,
  );
});

describeInBrowser("a view", () => {
  it(
    "keeps filters by a name in this browser, and is forgotten again",
    async () => {
      await as("Finance of demo", "/payments?status=DECLINED", async (page) => {
        await button(page, "Save view").click();
        await page.getByLabel("Name").fill("Lost");
        await page.getByRole("dialog").getByRole("button", { name: "Save view" }).click();
        await page.getByLabel("Status").selectOption("CAPTURED");
        await page.waitForURL(/status=CAPTURED/);
        await page.reload();
        await button(page, "Lost").press("Enter");
        await page.waitForURL(/status=DECLINED/);
        await button(page, "Forget the view Lost").click();
        await button(page, "Lost").waitFor({ state: "detached" });
      });
    },
    timeoutMs,
  );
});

/** As if nobody had worked with any session for 29 minutes. */
async function letSessionsAge(): Promise<void> {
  const driver = await new mongo.MongoClient(platform.mongoUri).connect();
  const sessions = driver.db(platform.database("auth")).collection("sessions");
  await sessions.updateMany({}, { $set: { seenAt: new Date(Date.now() - 29 * 60_000) } }, { hint: "_id_" });
  await driver.close();
}

describeInBrowser("a session", () => {
  it(
    "says that it is about to end, and goes on by one press",
    async () => {
      await as("Finance of demo", "/payments", async (page) => {
        await page.clock.install();
        await page.reload();
        await heading(page, "Payments").waitFor();
        const warned = heading(page, "Your session is about to end");
        await until(async () => {
          await letSessionsAge();
          await page.clock.runFor(31_000);
          return warned.isVisible();
        }, Boolean);
        await button(page, "Stay logged in").press("Enter");
        await warned.waitFor({ state: "detached" });
        await heading(page, "Payments").waitFor();
      });
    },
    timeoutMs,
  );
});

const every = "Operator with every role";

/** Sends the command of the open dialogue; returns the page of the approval that it waits for. */
async function ask(page: Page, name: string, why: string): Promise<string> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Why/).fill(why);
  await dialog.getByRole("button", { name, exact: true }).click();
  await page.waitForURL(/\/desk\/approvals\/[0-9a-f-]{36}$/);
  await page.getByText("another operator has to agree to it").waitFor();
  expect(await button(page, "Agree").count()).toBe(0);
  return new URL(page.url()).pathname;
}

/** A second operator agrees to a command, and the first one carries it out. */
async function byTwo(waiting: string): Promise<void> {
  await as("Second operator with every role", waiting, async (page) => {
    await button(page, "Agree").click();
    await page.getByRole("dialog").getByRole("button", { name: "Agree" }).click();
    await page.getByText("Approved", { exact: true }).waitFor();
  });
  await as(every, waiting, async (page) => {
    await button(page, "Carry out").click();
    await page.getByRole("dialog").getByRole("button", { name: "Carry out" }).click();
    await page.getByText("Spent", { exact: true }).waitFor();
  });
}

/** Reads the secret of the open dialogue, and closes it. */
async function keepSecret(page: Page): Promise<string> {
  await heading(page, "Keep this secret now").waitFor();
  const secret = (await page.locator("dialog .secret code").textContent()) ?? "";
  await button(page, "I have kept it").click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  return secret;
}

const statusWith = async (apiKey: string): Promise<number> => {
  const address = `${platform.credentials.baseUrl}/organizations/demo/webhooks`;
  return (await fetch(address, { headers: { "x-api-key": apiKey } })).status;
};

describeInBrowser("keys and clients", () => {
  it(
    "are made, rotated and ended by the admin, and each is shown once",
    async () => {
      await as("Admin of demo", "/keys", async (page) => {
        await button(page, "New client").click();
        await page.getByLabel("Name").fill("billing");
        await page.getByText("demo.billing").waitFor();
        await page.getByRole("dialog").getByRole("button", { name: "New client" }).click();
        const client = page.getByRole("row").filter({ hasText: "demo.billing" });
        await client.getByRole("button", { name: "New secret" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "New secret" }).click();
        const secret = await keepSecret(page);
        const parameters = { grant_type: "client_credentials", client_id: "demo.billing", client_secret: secret };
        const token = await fetch(`${platform.credentials.baseUrl}/oauth/token`, {
          method: "POST",
          body: new URLSearchParams(parameters),
        });
        expect(token.status).toBe(200);

        const row = page.getByRole("row").filter({ hasText: secret.slice(0, 16) });
        await row.getByRole("button", { name: "Rotate" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
        const next = await keepSecret(page);
        expect(next).not.toBe(secret);
        await row.getByText("in 23 hr").waitFor();
        await row.getByRole("button", { name: "End" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "End" }).click();
        await row.waitFor({ state: "detached" });
        expect(await page.content()).not.toContain(next);
      });
    },
    timeoutMs,
  );

  it(
    "are made without a mouse, and do what was ticked",
    async () => {
      await as("Admin of demo", "/home", async (page) => {
        await heading(page, "Home").waitFor();
        await page.keyboard.press("g");
        await page.keyboard.press("k");
        await button(page, "New API key").press("Enter");
        await page.getByLabel("webhooks").press("Space");
        await page.getByRole("dialog").getByRole("button", { name: "New API key" }).press("Enter");
        const key = await keepSecret(page);
        await page
          .getByRole("row")
          .filter({ hasText: key.slice(0, 16) })
          .getByText("webhooks")
          .waitFor();
        expect(await statusWith(key)).toBe(200);
        expect(await page.evaluate("document.activeElement.textContent")).toBe("New API key");
      });
    },
    timeoutMs,
  );

  it(
    "are seen by a developer, who makes none",
    async () => {
      await as("Developer of demo", "/keys", async (page) => {
        await page.getByText("API key", { exact: true }).first().waitFor();
        expect(await button(page, "New API key").count()).toBe(0);
        expect(await button(page, "End").count()).toBe(0);
      });
    },
    timeoutMs,
  );
});

describeInBrowser("roles", () => {
  it(
    "see of persons what they may: a viewer no name, no account and no page of persons",
    async () => {
      const id = await paidPayment();
      const seenBy = async (who: string): Promise<string> => {
        let seen = "";
        await as(
          who,
          "/payments",
          async (page) => {
            await page.getByText(id).first().waitFor();
            seen += await page.content();
            for (const tab of ["", "?tab=postings", "?tab=deliveries", "?tab=raw"]) {
              await page.goto(`${platform.credentials.consoleUrl}/payments/${id}${tab}`);
              await page.locator("[aria-current=step]").waitFor();
              await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
              seen += await page.content();
            }
          },
          true,
        );
        return seen;
      };
      const [viewer, finance] = [await seenBy("Viewer of demo"), await seenBy("Finance of demo")];
      const shownTo = (seen: string): string[] =>
        ["Souza", "Lovelace", "maria.souza", "390.533.447-05"].filter((words) => seen.includes(words));
      // Everybody reads the first letters of names; the payer's name in the record is for those who may see persons.
      expect([shownTo(viewer), shownTo(finance)]).toEqual([[], ["Lovelace"]]);
      await as(
        "Viewer of demo",
        "/people",
        async (page) => {
          await page.getByText("None of your roles allows this").first().waitFor();
          expect(await page.getByRole("link", { name: "People", exact: true }).count()).toBe(0);
        },
        true,
      );
    },
    timeoutMs,
  );

  it(
    "see what they may do, and nothing else",
    async () => {
      await as("Viewer of demo", "/payments", async (page) => {
        await heading(page, "Payments").waitFor();
        expect(await page.getByRole("link", { name: "New payout" }).count()).toBe(0);
        expect(await page.getByRole("link", { name: "Team" }).count()).toBe(0);
      });
    },
    timeoutMs,
  );

  it(
    "of operators: a command waits for a second one, who agrees to it, and is carried out once",
    async () => {
      let waiting = "";
      await as(every, "/desk/tenants/other", async (page) => {
        await button(page, "Disable").click();
        await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
        await heading(page, /PATCH \/tenants/).waitFor();
        waiting = new URL(page.url()).pathname;
      });
      await byTwo(waiting);
      await as(every, "/desk/tenants/other", (page) => page.getByText("Suspended", { exact: true }).waitFor());
    },
    timeoutMs,
  );
});

/** A collection by card, of which the cardholder's bank has taken back a part. */
async function chargedBack(): Promise<{ id: string; paymentId: string }> {
  const id = `hostile-${freshId()}`;
  const address = { countryCode: "GBR", city: "London", line1: "12 Hill Road" };
  const reply = await client.pay({
    paymentType: "PULL",
    externalPaymentId: id,
    ipAddress: "203.0.113.7",
    amount: { total: 100, currency: "USD" },
    sender: {
      firstName: "Ada",
      lastName: "Lovelace",
      address,
      paymentMethod: { type: "CARD", cardTokenId: "11111111-1111-4111-8111-111111111111" },
    },
  });
  const paymentId = String(reply.body["paymentId"]);
  await until(
    () => client.payment(id),
    ({ body }) => body["status"] === "CAPTURED",
  );
  await fetch(`${platform.credentials.sandboxUrl}/acts`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ provider: "acquirer", reference: paymentId, act: "CHARGEBACK", amount: "30.00" }),
  });
  return { id, paymentId };
}

describeInBrowser("a case", () => {
  it(
    "is resolved from the search to closed books: what was collected goes back, by two operators, and the books add up",
    async () => {
      const { id, paymentId } = await chargedBack();
      let asked = "";
      let caseAt = "";
      await as(every, "/desk", async (page) => {
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox", { name: "Find any id, or a page" }).waitFor();
        await page.keyboard.type(id);
        await page.getByRole("option", { name: new RegExp(id) }).waitFor();
        await page.keyboard.press("Enter");
        const parts = page.getByRole("navigation", { name: "Parts of the payment" });
        await parts.getByRole("link", { name: "Cases" }).click();
        await page.getByRole("link", { name: "Unexpected fact" }).click();
        await button(page, "Begin a step").click();
        await page.getByLabel(/^Amount/).fill("70.00");
        await page.getByLabel("Currency").fill("USD");
        caseAt = new URL(page.url()).pathname;
        asked = await ask(page, "Begin a step", "The cardholder’s bank took 30; the rest goes back.");
      });
      await byTwo(asked);
      await as(every, `/desk/payments/demo/${paymentId}`, async (page) => {
        await page.locator("[aria-current=step]", { hasText: "Refunded" }).waitFor();
        await page.goto(platform.credentials.consoleUrl + caseAt);
        await button(page, "Close").click();
        asked = await ask(page, "Close", "All of it went back.");
      });
      await byTwo(asked);
      await as(every, caseAt, async (page) => {
        await page.getByText("Closed", { exact: true }).first().waitFor();
        await page.goto(`${platform.credentials.consoleUrl}/desk/ledger`);
        await heading(page, "The books add up").waitFor();
      });
    },
    timeoutMs,
  );
});

describeInBrowser("a review", () => {
  it(
    "shows the person beside the entry, with the words that both have, and lets the payment go on",
    async () => {
      const id = `listed-${freshId()}`;
      const body = pushBody(id, await client.quote());
      const recipient = { ...(body["recipient"] as object), firstName: "Aleksandr", lastName: "Vymyshlenny" };
      await client.pay({ ...body, recipient });
      let asked = "";
      await as(every, "/desk/reviews", async (page) => {
        await page.getByRole("link", { name: /^Payment [0-9a-f]{8}/ }).click();
        await page.locator("mark", { hasText: "Vymyshlenny" }).first().waitFor();
        await button(page, "Approve").click();
        asked = await ask(page, "Approve", "Another person of that name.");
      });
      await byTwo(asked);
      await as("Finance of demo", `/payments/${id}`, (page) =>
        page.locator("[aria-current=step]", { hasText: "Completed" }).waitFor(),
      );
    },
    timeoutMs,
  );
});

describeInBrowser("the books", () => {
  it(
    "add up, and are proven by a button",
    async () => {
      await paidPayment();
      await as("Operator with every role", "/desk/ledger", async (page) => {
        await heading(page, "The books add up").waitFor();
        await page.goto(`${platform.credentials.consoleUrl}/desk/audit`);
        await button(page, "Verify the chain").click();
        await heading(page, "Every record is what was written").waitFor();
      });
    },
    timeoutMs,
  );
});
