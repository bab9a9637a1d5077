import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { startWalletWorld, type WalletWorld } from "./wallet-world";

const run = promisify(execFile);
const program = join(__dirname, "../../../dist/services/wallet/cli/verify.js");

describe("ledger verify on the command line", () => {
  let world: WalletWorld;
  beforeAll(async () => {
    world = await startWalletWorld();
  });
  afterAll(() => world.stop());

  const verify = async (): Promise<{ code: number; findings: { fault: string; record: string }[] }> => {
    // It opens nothing that is sealed, so it is not given the key.
    const { WALLET_SEALING_KEY_FILE: _key, ...settings } = world.environment;
    const env = { ...settings, PATH: process.env["PATH"] ?? "" };
    const { stdout, code } = await run(process.execPath, [program], { env }).then(
      (done) => ({ ...done, code: 0 }),
      (error: { stdout: string; code: number }) => error,
    );
    return { code, findings: (JSON.parse(stdout) as { findings: { fault: string; record: string }[] }).findings };
  };

  it("exits with 0 on a sound ledger, and with 1 and the record's name on another", async () => {
    const walletId = await world.funded("10");
    await world.move({ walletId, externalId: "e-1", amount: 1, paymentType: "CREDIT", description: "words" });
    expect(await verify()).toEqual({ code: 0, findings: [] });

    const accounts = world.mongo.connection.collection<{ _id: string }>("accounts");
    await accounts.updateOne({ _id: walletId }, { $set: { "settled.minor": 9_999n } });
    const { code, findings } = await verify();
    expect([code, findings]).toMatchObject([1, [{ fault: "disagrees", record: `account ${walletId}` }]]);
  });
});
