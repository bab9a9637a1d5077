import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { ensureNatsServer, type RunningNats, startNats } from "../../../local/nats";

const freshDir = (): string => mkdtempSync(join(tmpdir(), "corridor-nats-"));
const running: RunningNats[] = [];

async function start(options: { dir: string; port?: number }): Promise<RunningNats> {
  const server = await startNats(options);
  running.push(server);
  return server;
}

const connectTo = (url: string) => {
  const { host, username: user, password: pass } = new URL(url);
  return connect({ servers: host, user, pass, reconnect: false, timeout: 20_000 });
};

describe("startNats", () => {
  afterEach(() => Promise.all(running.splice(0).map((server) => server.stop())));

  it("keeps streams over a kill and a restart, at the same address", async () => {
    const dir = freshDir();
    const first = await start({ dir });
    const writer = await connectTo(first.url);
    await (await jetstreamManager(writer)).streams.add({ name: "KEPT", subjects: ["kept.>"], storage: "file" });
    await jetstream(writer).publish("kept.one", "payload", { msgID: "1" });
    process.kill(first.pid, "SIGKILL");
    await writer.closed();

    const second = await start({ dir, port: first.port });
    const reader = await connectTo(second.url);
    const message = await (await jetstreamManager(reader)).streams.getMessage("KEPT", { last_by_subj: "kept.one" });
    await reader.close();

    expect(second.url).toBe(first.url);
    expect(message?.string()).toBe("payload");
  });

  it("refuses whoever does not have its password", async () => {
    const server = await start({ dir: freshDir() });
    const wrong = server.url.replace(/:[0-9a-f]+@/, ":wrong@");

    await expect(connectTo(`nats://127.0.0.1:${server.port}`)).rejects.toThrow(/authorization/i);
    await expect(connectTo(wrong)).rejects.toThrow(/authorization/i);
  });

  it("gives each folder a password of its own, which its owner alone can read", async () => {
    const dirs = [freshDir(), freshDir()];
    await Promise.all(dirs.map((dir) => start({ dir })));
    const passwords = dirs.map((dir) => readFileSync(join(dir, "password"), "utf8"));

    expect(passwords[0]).toMatch(/^[0-9a-f]{48}$/);
    expect(passwords[0]).not.toBe(passwords[1]);
    for (const file of ["password", "nats.conf", "nats.log"]) {
      expect(statSync(join(dirs[0] ?? "", file)).mode & 0o777).toBe(0o600);
    }
  });

  it("says why the server did not start", async () => {
    const { port } = await start({ dir: freshDir() });

    await expect(startNats({ dir: freshDir(), port })).rejects.toThrow("address already in use");
  });
});

describe("ensureNatsServer", () => {
  const program = (name: string): string => {
    const file = join(freshDir(), name);
    writeFileSync(file, "#!/bin/sh\n");
    chmodSync(file, 0o755);
    return file;
  };

  it("prefers the named program, then PATH", async () => {
    const named = program("my-nats");
    const onPath = program("nats-server");
    const PATH = join(onPath, "..");

    expect(await ensureNatsServer({ NATS_SERVER_BIN: named, PATH })).toMatchObject({ command: named });
    expect(await ensureNatsServer({ PATH })).toMatchObject({ command: onPath });
  });

  it("refuses a named program that is not there", async () => {
    await expect(ensureNatsServer({ NATS_SERVER_BIN: "/no/such/program", PATH: "" })).rejects.toThrow(
      "NATS_SERVER_BIN",
    );
  });

  it("installs what is nowhere, and says so when that does not help", async () => {
    const found = [undefined, "/usr/sbin/nats-server"];
    const install = jest.fn(async () => undefined);

    expect(await ensureNatsServer({}, { find: () => found.shift(), install })).toEqual({
      command: "/usr/sbin/nats-server",
      why: "installed with apt-get",
    });
    await expect(ensureNatsServer({}, { find: () => undefined, install })).rejects.toThrow("NATS_SERVER_BIN");
    expect(install).toHaveBeenCalledTimes(2);
  });
});
