import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeSecrets } from "../../../cluster/sandbox-secrets/make-secrets";
import { freePorts } from "../../../local/free-port";
import { manageProcess } from "../../../local/managed-process";
import { ensureNatsServer } from "../../../local/nats";
import { openBus, streamOf } from "../../../services/shared/bus/jetstream";
import { eventually, silent } from "../bus/bus-testbed";

describe("the Secrets of a sandbox release", () => {
  it("configure a NATS server that takes each service with its password and nobody else", async () => {
    const dir = await mkdtemp(join(tmpdir(), "corridor-secrets-"));
    const [port = 0] = await freePorts(1);
    const secrets = await makeSecrets({
      prefix: "corridor",
      publicHost: "corridor.localhost",
      mongodbUri: "mongodb://corridor-mongodb:27017/?replicaSet=corridor",
      natsUrl: `nats://127.0.0.1:${port}`,
    });
    // Its port, and a word that the server of this machine does not know yet.
    const configuration = secrets["corridor-nats"]?.["nats.conf"]
      ?.replace("port: 4222", `listen: "127.0.0.1:${port}"`)
      .replace("sync_interval: always", "");
    await writeFile(join(dir, "nats.conf"), configuration ?? "");
    const { command } = await ensureNatsServer();
    const server = manageProcess({
      name: "nats",
      command,
      args: ["--config", join(dir, "nats.conf"), "--store_dir", join(dir, "streams")],
      env: {},
      logFile: join(dir, "nats.log"),
      isReady: async () => true,
    });
    await server.start();
    const open = async (password: string) => {
      const passwordFile = join(dir, `password-${password.slice(0, 8)}`);
      await writeFile(passwordFile, password);
      return openBus({
        url: secrets["corridor-payment"]?.["nats-url"] ?? "",
        name: "payment",
        passwordFile,
        logger: silent,
      });
    };
    const payment = await open(secrets["corridor-payment"]?.["nats-password"] ?? "");
    const rival = await open(secrets["corridor-wallet"]?.["nats-password"] ?? "");
    try {
      await eventually(async () => (await payment.client().catch(() => undefined)) !== undefined, 60_000);

      await expect(payment.ensureStream(streamOf("payment", 1))).resolves.toMatchObject({ lastSequence: 0 });
      await expect(rival.client()).rejects.toThrow("does not answer");
    } finally {
      await Promise.all([payment.stop(), rival.stop()]);
      await server.end("SIGTERM");
      await rm(dir, { recursive: true, force: true });
    }
  });
});
