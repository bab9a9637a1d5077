import { readFileSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { findProgram } from "../../local/find-program";

/** A page of the console, and a record of everything that it must not do. */
export interface ConsolePage {
  page: Page;
  /** Complaints of the browser: errors of scripts, of the console and of the policy. */
  complaints: string[];
}

export interface Variant {
  name: string;
  theme: "light" | "dark";
  width: number;
  /** English, or long and accented texts in its place, which reveal texts that are cut off or not translated. */
  language: "en" | "pseudo";
}

const every = (["light", "dark"] as const).flatMap((theme) =>
  (["en", "pseudo"] as const).flatMap((language) =>
    [1_280, 320].map((width): Variant => ({ name: `${theme}, ${language}, ${width} px`, theme, language, width })),
  ),
);

/** All eight if there is much time; otherwise the two that have each theme, language and width once. */
export const variants: readonly Variant[] =
  Number(process.env["RANDOM_FACTOR"] ?? 1) > 1
    ? every
    : every.filter(({ theme, language, width }) =>
        theme === "light" ? language === "en" && width === 1_280 : language === "pseudo" && width === 320,
      );

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

const executablePath = findProgram("chromium", process.env["PATH"] ?? "");
if (executablePath === undefined) {
  process.stderr.write(
    "no chromium on PATH: the console is not tested in a browser; `make setup` installs one as root\n",
  );
}
/** Tests that need the browser: skipped, and counted, if there is none. */
export const describeInBrowser = executablePath === undefined ? describe.skip : describe;

/** The browser of the system. `make setup` installs it. */
export async function openBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error("there is no browser");
  // The sandbox of the browser needs privileges that a container does not have.
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** Opens a page that notes every complaint. */
export async function openPage(
  browser: Browser,
  { theme, width, language = "en" }: Pick<Variant, "theme" | "width"> & Partial<Pick<Variant, "language">>,
): Promise<ConsolePage> {
  const context = await browser.newContext({
    viewport: { width, height: 820 },
    colorScheme: theme,
    acceptDownloads: true,
    // Moving elements are checked once they are at rest.
    reducedMotion: "reduce",
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await noteViolations(context);
  await context.addInitScript(`localStorage.setItem("corridor.language", "${language}")`);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`script: ${error.message}`));
  page.on("console", (message) => {
    const isError = message.type() === "error" || message.text().startsWith("policy:");
    // A visitor without a session gets 401 for the first request.
    if (isError && !message.location().url.endsWith("/api/me"))
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  return { page, complaints };
}

const noteViolations = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(`document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
    console.error("policy: " + violatedDirective + " " + blockedURI);
  });`);

/** Logs in by a click, as one of the people of a local platform. */
export async function logInAs(page: Page, consoleUrl: string, name: string, path = "/"): Promise<void> {
  await page.goto(consoleUrl + path);
  await page.getByRole("button", { name: new RegExp(`^${name}`) }).click();
  await page.locator(".frame").waitFor();
}

/** Returns the findings of axe, each with its place. It runs under the page's policy, which is not lifted for it. */
export async function findingsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const run = `axe.run(document, { runOnly: { type: "tag", values: ${JSON.stringify(tags)} } })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + " " + target.join(" ") + " " + failureSummary)))`;
  return page.evaluate<string[]>(run);
}

/** Returns how far the page can be scrolled sideways. */
export const sidewaysOf = (page: Page): Promise<number> =>
  page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
