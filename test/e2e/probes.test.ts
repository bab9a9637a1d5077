import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { ManagedProcess } from "../../local/managed-process";
import type { Platform } from "../../local/platform";
import { connectClient, freshId, type PlatformClient, pushBody, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

const onStore = ["auth", "schema", "fx", "webhook", "payment", "wallet", "identity"];
const probes = ["livez", "startupz", "readyz"] as const;

interface Probed {
  /** Status of a probe; 0 when nothing answered within 3 s, as the kubelet waits. */
  status: number;
  text: string;
}

const portOf = ({ logFile }: ManagedProcess): string =>
  [...readFileSync(logFile, "utf8").matchAll(/"port":(\d+)[^\n]*"message":"serving metrics"/g)].at(-1)?.[1] ?? "";

async function probe(one: ManagedProcess, path: string): Promise<Probed> {
  try {
    const answer = await fetch(`http://127.0.0.1:${portOf(one)}/${path}`, { signal: AbortSignal.timeout(3_000) });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return { status: 0, text: "" };
  }
}

describe("probes of the processes of a platform", () => {
  let platform: Platform;
  let client: PlatformClient;
  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
  });
  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  const statuses = async (name: string): Promise<number[]> =>
    Promise.all(probes.map(async (path) => (await probe(platform.process(name), path)).status));
  const all = [...onStore, "gateway"];
  const everywhere = async (): Promise<Record<string, number[]>> =>
    Object.fromEntries(await Promise.all(all.map(async (name) => [name, await statuses(name)])));
  /** Waits until probes are as they should be: a process that a busy machine keeps waiting may answer one of them late. */
  const become = async <T>(look: () => Promise<T>, wanted: T): Promise<void> => {
    await until(look, (found) => isDeepStrictEqual(found, wanted));
  };
  const good = Object.fromEntries(all.map((name) => [name, [200, 200, 200]]));
  const signal = (name: string, word: NodeJS.Signals): void => {
    process.kill(platform.process(name).pid() ?? 0, word);
  };

  it("are all good once everything serves", async () => {
    await become(everywhere, good);
  });

  it("tell a process that hangs from the others, and the gateway stays ready and serves what it can", async () => {
    signal("webhook", "SIGSTOP");
    try {
      const hung = await statuses("webhook");
      await become(() => statuses("gateway"), [200, 200, 200]);
      const paid = await client.pay(pushBody(freshId(), await client.quote()));
      const apiKey = platform.credentials.tenants[0]?.apiKey ?? "";
      const refused = await client.send("GET", "/organizations/demo/webhooks", {
        "x-api-key": apiKey,
      });

      expect(hung).toEqual([0, 0, 0]);
      expect(paid.status).toBe(200);
      expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "1" }, body: { code: "SYS_503" } });
    } finally {
      signal("webhook", "SIGCONT");
    }
    await become(everywhere, good);
  });

  it("tell a store that hangs from a process that hangs: alive, not ready, with all metrics", async () => {
    // A store that was here before is not ours to stop.
    if (!platform.processes.some(({ name }) => name === "store")) return;
    for (const name of all) await probe(platform.process(name), "metrics");
    signal("store", "SIGSTOP");
    try {
      for (const name of onStore) await become(() => statuses(name), [200, 200, 503]);
      await become(() => statuses("gateway"), [200, 200, 200]);
      const { text } = await probe(platform.process("payment"), "readyz");
      expect(JSON.parse(text)).toEqual({ status: "not ok", missing: ["store"] });
      const figures = await until(
        () => probe(platform.process("payment"), "metrics"),
        (found) => /^corridor_figures_age_seconds\{[^}]*\} [1-9]/m.test(found.text),
      );
      expect(figures.text).toMatch(/^corridor_payments_overdue\{[^}]*\} \d/m);
    } finally {
      signal("store", "SIGCONT");
    }
    await become(everywhere, good);
  });
});
