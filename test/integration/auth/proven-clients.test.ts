import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AuthServiceService } from "../../../proto/gen/corridor/auth/v1/auth_service";
import { DirectoryServiceService } from "../../../proto/gen/corridor/auth/v1/directory_service";
import { startAuth } from "../../../services/auth/app";
import { readAuthConfig } from "../../../services/auth/config";
import { makeCredential } from "../../../services/shared/crypto/credential";
import { systemIds } from "../../../services/shared/kernel/ids";
import type { Running } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { startTestTestbed, type TestTestbed } from "../../support/testbed";

const services = { ...AuthServiceService, ...DirectoryServiceService };
const demo = {
  tenant: "demo",
  apiKey: makeCredential("key", "local", systemIds),
  clientId: "demo-client",
  clientSecret: makeCredential("secret", "local", systemIds),
  agents: [],
};
const own = { clientId: demo.clientId, clientSecret: demo.clientSecret, address: "127.0.0.1" };
const client = { tenant: demo.tenant, clientId: demo.clientId };

describe("a client that proved itself a moment ago", () => {
  const folder = mkdtempSync(join(tmpdir(), "proven-"));
  const running: Running[] = [];
  const replicas: Rpc<typeof services>[] = [];
  let testbed: TestTestbed;
  let now = new Date();
  const pass = (seconds: number): void => {
    now = new Date(now.getTime() + seconds * 1_000);
  };

  beforeAll(async () => {
    testbed = await startTestTestbed();
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const config = readAuthConfig({
      PROFILE: "local",
      LOG_LEVEL: "error",
      GRPC_PORT: "0",
      MONGODB_URI: testbed.mongoUri,
      MONGODB_DATABASE: testbed.database("proven"),
      ...testbed.busOf("auth"),
      AUTH_ISSUER: "http://127.0.0.1:8080",
      AUTH_AUDIENCE: "corridor",
      AUTH_PEPPER_FILE: file("pepper", "1".repeat(64)),
      AUTH_SEALING_KEY_FILE: file("sealing", "2".repeat(64)),
      AUTH_BOOTSTRAP_FILE: file("bootstrap.json", JSON.stringify({ tenants: [demo] })),
    });
    for (let count = 0; count < 2; count += 1) {
      const service = await startAuth(config, { clock: { now: () => now } });
      const target = `ipv4:127.0.0.1:${service.port}`;
      const rpc = makeRpcClient(services, {
        target,
        tls: undefined,
        timeoutMs: 20_000,
        retryable: [],
        tracing: noTracing,
      });
      running.push(service, rpc);
      replicas.push(rpc);
    }
  });
  afterAll(async () => {
    for (const part of running.toReversed()) await part.stop();
    await testbed.stop();
    rmSync(folder, { recursive: true });
  });

  const [issued, refused] = ["issued", "OAUTH_INVALID_CLIENT"];
  /** What both replicas answer. */
  const ask = (request: typeof own = own): Promise<string[]> =>
    Promise.all(
      replicas.map((replica) =>
        replica.issueToken(request).then(
          () => issued,
          ({ reason }: { reason: string }) => reason,
        ),
      ),
    );
  const first = (): Rpc<typeof services> => {
    const [replica] = replicas;
    if (replica === undefined) throw new Error("there is no replica");
    return replica;
  };

  it("is let in by its own secret alone, whatever was remembered", async () => {
    expect(await ask()).toEqual([issued, issued]);

    const clientSecret = makeCredential("secret", "local", systemIds);
    expect(await ask({ ...own, clientSecret })).toEqual([refused, refused]);
    expect(await ask({ ...own, clientId: "other" })).toEqual([refused, refused]);
    expect(await ask()).toEqual([issued, issued]);
  });

  it.each<[string, (isOff: boolean) => Promise<unknown>]>([
    ["client", (isDisabled) => first().changeClient({ ...client, isDisabled, scopes: undefined })],
    ["tenant", (isDisabled) => changeTenant(isDisabled)],
  ])("is refused at once where its %s is disabled, and ten seconds later everywhere", async (_name, change) => {
    expect(await ask()).toEqual([issued, issued]);

    await change(true);
    expect((await ask())[0]).toBe(refused);
    pass(10);
    expect(await ask()).toEqual([refused, refused]);

    await change(false);
    expect(await ask()).toEqual([issued, issued]);
  });

  const changeTenant = (isDisabled: boolean) =>
    first().changeTenant({ tenant: demo.tenant, isDisabled, allowlist: undefined, certificates: undefined });
});
