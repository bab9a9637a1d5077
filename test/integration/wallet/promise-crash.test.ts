import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { freePorts } from "../../../local/free-port";
import { WalletServiceService } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { noTracing } from "../../../services/shared/process/tracing";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { eventually } from "../bus/bus-testbed";
import { startWalletWorld, type WalletWorld } from "./wallet-world";

const program = join(__dirname, "../../../dist/services/wallet/main.js");
const account = "tenant/crash/funding";
const money = 1_000n;

describe("promises of two processes, of which one is killed again and again", () => {
  let world: WalletWorld;
  const children: ChildProcess[] = [];
  const clients: { stop(): Promise<void> }[] = [];
  beforeAll(async () => {
    world = await startWalletWorld();
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.stop()));
    for (const child of children) child.kill("SIGKILL");
    await world.stop();
  });

  async function startProcess(port: number): Promise<ChildProcess> {
    const env = { ...world.environment, GRPC_PORT: String(port), PATH: process.env["PATH"] ?? "" };
    const child = spawn(process.execPath, [program], { env, stdio: "ignore" });
    children.push(child);
    const client = clientOf(port);
    await eventually(async () =>
      client.getPromises({ account, currency: "USD" }).then(
        () => true,
        () => false,
      ),
    );
    return child;
  }
  const clientOf = (port: number) => {
    const client = makeRpcClient(WalletServiceService, {
      target: `ipv4:127.0.0.1:${port}`,
      tls: undefined,
      timeoutMs: 10_000,
      retryable: ["takePromiseBlock", "getPromises"],
      tracing: noTracing,
    });
    clients.push(client);
    return client;
  };

  it("never exceed what there is, and a block that was asked for again is the same", async () => {
    await world.wallet.setFloor({ account, currency: "USD", floorMinor: -money });
    const [first = 0, second = 0] = await freePorts(2);
    let dying = await startProcess(first);
    await startProcess(second);
    const [one, two] = [clientOf(first), clientOf(second)];
    const asked = Array.from({ length: 40 }, () => ({
      blockId: randomUUID(),
      holder: "h",
      account,
      currency: "USD",
      wantedMinor: 70n,
      leastMinor: 1n,
      figure: undefined,
    }));
    const answers = new Map<string, bigint>();
    for (let round = 0; round < 3; round += 1) {
      const page = asked.slice(round * 13, round * 13 + 13);
      const taken = page.map(async (block, index) => {
        const { grantedMinor } = await (index % 2 === 0 ? one : two).takePromiseBlock(block);
        answers.set(block.blockId, grantedMinor);
      });
      // Killed as soon as one of them is answered: others are between their grant and their answer.
      await Promise.race(taken);
      dying.kill("SIGKILL");
      await once(dying, "exit");
      await Promise.allSettled(taken);
      dying = await startProcess(first);
    }
    for (const block of asked) {
      const { grantedMinor } = await two.takePromiseBlock(block);
      const earlier = answers.get(block.blockId) ?? 0n;
      if (earlier > 0n) expect(grantedMinor).toBe(earlier);
      answers.set(block.blockId, grantedMinor);
    }

    const granted = [...answers.values()].reduce((sum, minor) => sum + minor, 0n);
    expect(granted).toBe(money);
    expect(await two.getPromises({ account, currency: "USD" })).toMatchObject({
      promisedMinor: money,
      availableMinor: 0n,
    });
  });
});
