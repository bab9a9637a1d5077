import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WalletServiceService } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { Sandbox } from "../../../sandbox/app";
import { factId } from "../../../services/payment/domain/fact";
import type { Running } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { startWallet } from "../../../services/wallet/app";
import { readWalletConfig } from "../../../services/wallet/config";
import { eventually } from "../bus/bus-testbed";
import { call, order, railKey, startWorld } from "../sandbox/outside-world";
import { funded, openPaymentFacts, type PaymentFacts } from "./payment-facts";
import { startWalletWorld, type WalletWorld } from "./wallet-world";

interface Line {
  reference: string;
  movementId: string;
  kind: string;
  amount: string;
}

describe.each(["pages", "files"])("the statement of a rail of the sandbox, as %s", (form) => {
  let world: WalletWorld;
  let facts: PaymentFacts;
  let sandbox: Sandbox;
  let service: Running & { port: number };
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "corridor-sandbox-statements-"));
    [world, sandbox] = [await startWalletWorld(), await startWorld()];
    facts = await openPaymentFacts(world);
    await writeFile(join(dir, "tokens"), `pix=${railKey}\n`);
    const place = { providers: ["pix"], kind: "rail", form, url: `${sandbox.url}/statements/pix` };
    const own = {
      WALLET_STATEMENTS: JSON.stringify([place]),
      WALLET_STATEMENT_TOKENS_FILE: join(dir, "tokens"),
      WALLET_STATEMENT_SECONDS: "1",
      WALLET_STATEMENT_GRACE_SECONDS: "1",
    };
    service = await startWallet(readWalletConfig({ ...world.environment, ...own }));
  });
  afterAll(async () => {
    await service.stop();
    await facts.stop();
    await Promise.all([sandbox.stop(), world.stop()]);
    await rm(dir, { recursive: true });
  });

  it("agrees with the facts that payments tell, and shows what nobody has booked", async () => {
    const reference = randomUUID();
    for (const available of ["5000.00", "6000.00"]) {
      await call("PUT", `${sandbox.url}/rails/pix/balance`, { currency: "BRL", available });
    }
    await call("POST", `${sandbox.url}/rails/pix/instructions`, order(reference));
    await call("POST", `${sandbox.url}/rails/pix/instructions/${reference}/release`);
    const lines = async (): Promise<Line[]> =>
      (await call("GET", `${sandbox.url}/statements/pix`)).body["lines"] as Line[];
    await eventually(async () => (await lines()).some(({ kind }) => kind === "PAYOUT"));
    const paid = (await lines()).find(({ kind }) => kind === "PAYOUT");
    const fact = { role: "payout", kind: "PAID", provider: "pix", reference, movementId: paid?.movementId } as const;
    await facts.tell({ entryId: factId(fact), postings: funded(54_321n, "provider/pix/clearing", "BRL") });

    const target = `ipv4:127.0.0.1:${service.port}`;
    const options = { target, tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing };
    const client = makeRpcClient(WalletServiceService, options);
    const items = world.mongo.connection.collection("statement_items");
    await eventually(
      async () => (await items.countDocuments({ purgeAt: { $exists: true } }, { hint: { $natural: 1 } })) === 1,
    );
    await eventually(async () => (await client.listBreaks({ limit: 0 })).breaks.length === 1);
    expect((await client.listBreaks({ limit: 0 })).breaks).toMatchObject([
      { class: "MISSING_HERE", reference: "prefunding", theirs: { currency: "BRL", minor: -100_000n } },
    ]);
    await client.stop();
  });
});
