import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./platform-client";

/** A page in a real browser, under its own origin and its own policy. */
export interface RealPage {
  goTo(url: string): Promise<void>;
  /** The value of an expression on the page; promises are awaited. */
  evaluate(expression: string): Promise<unknown>;
  /** Complaints of the page: errors of scripts, refusals by its policy, failed requests. */
  complaints: string[];
  /** Addresses that it requested. */
  requested: string[];
  stop(): Promise<void>;
}

interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** Opens a browser without a window and speaks its own protocol with it. */
export async function openRealPage(browser: string): Promise<RealPage> {
  const profile = mkdtempSync(join(tmpdir(), "corridor-page-"));
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0"];
  const child = spawn(browser, [...flags, `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await until(
      async () => said,
      (text) => text.includes("DevTools listening") || child.exitCode !== null,
      60_000,
    );
    const [, port = ""] = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(said) ?? [];
    const list = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as Record<string, string>[];
    const address = list.find(({ type }) => type === "page")?.["webSocketDebuggerUrl"] ?? "";
    return { ...(await attach(address)), stop };
  } catch (error) {
    await stop();
    throw new Error(`the browser did not open: ${said}`, { cause: error });
  }
}

async function attach(address: string): Promise<Omit<RealPage, "stop">> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (message: Message) => void>();
  const complaints: string[] = [];
  const requested: string[] = [];
  const notice: Readonly<Record<string, (params: Record<string, unknown>) => void>> = {
    "Runtime.exceptionThrown": (params) => complaints.push(JSON.stringify(params["exceptionDetails"])),
    "Log.entryAdded": ({ entry }) => {
      const { level, text, url } = entry as Record<string, string>;
      if (level === "error") complaints.push(`${text} ${url ?? ""}`);
    },
    "Network.requestWillBeSent": ({ request }) => requested.push((request as { url: string }).url),
  };
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    else notice[message.method ?? ""]?.(message.params ?? {});
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", reject, { once: true });
  });
  let asked = 0;
  const send = (method: string, params: object = {}): Promise<Record<string, unknown>> => {
    asked += 1;
    const id = asked;
    return new Promise((resolve, reject) => {
      waiting.set(id, ({ result = {}, error }) => {
        if (error === undefined) resolve(result);
        else reject(new Error(`${method}: ${error.message}`));
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
  };
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await send(`${domain}.enable`);
  const evaluate = async (expression: string): Promise<unknown> => {
    const answer = await send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (answer["exceptionDetails"] !== undefined) throw new Error(JSON.stringify(answer["exceptionDetails"]));
    return (answer["result"] as { value?: unknown }).value;
  };
  return {
    complaints,
    requested,
    evaluate,
    async goTo(url) {
      // Answered when the new document has arrived, which is parsed and run after that.
      await send("Page.navigate", { url });
      await until(
        () => evaluate("document.readyState"),
        (state) => state === "complete",
      );
    },
  };
}
