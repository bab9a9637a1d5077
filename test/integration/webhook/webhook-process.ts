import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compiled } from "../../../local/compiled";
import { freePorts } from "../../../local/free-port";
import { manageProcess } from "../../../local/managed-process";
import type { WebhookWorld } from "./webhook-world";

/** The compiled service as a process of its own, on the store and bus of a world. */
export interface WebhookProcess {
  start(): Promise<void>;
  isRunning(): boolean;
  /** Ends it with no chance to finish anything. */
  kill(): Promise<void>;
  /** Has it stand still, and go on, as if nothing had been. */
  freeze(): void;
  thaw(): void;
  /** Attempts of this process that delivered. */
  delivered(): Promise<number>;
  /** Resident memory in bytes; Linux only. */
  residentBytes(): Promise<number>;
  /** Ends it in order, and removes what it wrote. */
  stop(): Promise<void>;
}

/** As the platform on one machine starts its processes. */
const heapLimits = ["--max-semi-space-size=8", "--max-old-space-size=256"];

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });

export async function makeWebhookProcess({ config, sink }: WebhookWorld): Promise<WebhookProcess> {
  const dir = await mkdtemp(join(tmpdir(), "corridor-webhook-process-"));
  const sealingKeyFile = join(dir, "sealing");
  await writeFile(sealingKeyFile, config.WEBHOOK_SEALING_KEY_FILE.map((key) => key.toString("hex")).join("\n"), {
    mode: 0o600,
  });
  const [port = 0, metricsPort = 0] = await freePorts(2);
  const service = manageProcess({
    name: "webhook",
    command: process.execPath,
    args: [...heapLimits, compiled("services/webhook/main")],
    env: {
      PROFILE: "local",
      LOG_LEVEL: "error",
      GRPC_PORT: String(port),
      METRICS_PORT: String(metricsPort),
      MONGODB_URI: config.MONGODB_URI,
      MONGODB_DATABASE: config.MONGODB_DATABASE,
      NATS_URL: config.NATS_URL,
      NATS_PASSWORD_FILE: config.NATS_PASSWORD_FILE ?? "",
      WEBHOOK_SEALING_KEY_FILE: sealingKeyFile,
      WEBHOOK_CA_FILE: sink.ca.caFile,
    },
    logFile: join(dir, "webhook.log"),
    isReady: () => accepts(port),
  });
  const signal = (name: NodeJS.Signals): void => {
    const pid = service.pid();
    if (pid === undefined) throw new Error("the process does not run");
    process.kill(pid, name);
  };
  return {
    start: service.start,
    isRunning: () => service.pid() !== undefined,
    async kill() {
      await service.end("SIGKILL");
    },
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    async delivered() {
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const [, count = "0"] = /^corridor_webhook_attempts_total\{.*outcome="delivered".*\} (\d+)$/m.exec(metrics) ?? [];
      return Number(count);
    },
    async residentBytes() {
      const status = await readFile(`/proc/${service.pid()}/status`, "utf8");
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
    },
    async stop() {
      await service.end("SIGTERM");
      await rm(dir, { recursive: true });
    },
  };
}
