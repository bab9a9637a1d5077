import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureLocalCa, issueCertificate } from "../../../local/local-ca";
import { weaknessOfClock } from "./inspect-production";
import { weaknessesOfConfig } from "./production-config";
import { isLongSecret, looksRandom } from "./secrets";

const store = (options: string): string => `mongodb://corridor:${randomBytes(16).toString("hex")}@a,b,c/?${options}`;

describe("settings of production", () => {
  const dir = mkdtempSync(join(tmpdir(), "production-"));
  let good: Record<string, unknown>;
  let bareCertificate: string;

  beforeAll(async () => {
    await ensureLocalCa(dir);
    const { caFile, certFile, keyFile } = await issueCertificate(dir, "corridor-payment.corridor.svc");
    bareCertificate = (await issueCertificate(dir, "corridor-payment")).certFile;
    good = {
      RPC_TLS_CA_FILE: caFile,
      RPC_TLS_CERT_FILE: certFile,
      RPC_TLS_KEY_FILE: keyFile,
      MONGODB_URI: store("replicaSet=rs0&tls=true"),
      STORE_DISKS_ENCRYPTED: "yes",
      NATS_URL: "tls://bus:4222",
      NATS_PASSWORD_FILE: caFile,
      NATS_STREAM_REPLICAS: 3,
      RAIL_BASE_URL: "https://rail.example.com",
      OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.observability:4318",
      RAIL_CALLBACK_SECRET_FILE: randomBytes(32).toString("hex"),
      PAYMENT_SEALING_KEY_FILE: [randomBytes(32)],
      WALLET_SEAL_KEY_FILE: randomBytes(32),
    };
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  it("may be as they should be", () => {
    expect(weaknessesOfConfig("payment", good)).toEqual([]);
  });

  it.each<[string, Record<string, unknown>]>([
    ["RPC_TLS_KEY_FILE", { RPC_TLS_KEY_FILE: undefined }],
    ["MONGODB_URI", { MONGODB_URI: store("replicaSet=rs0") }],
    ["MONGODB_URI", { MONGODB_URI: store("tls=false") }],
    ["MONGODB_URI", { MONGODB_URI: store("ssl=false").replace("mongodb:", "mongodb+srv:") }],
    ["MONGODB_URI", { MONGODB_URI: store("tls=true&tlsAllowInvalidCertificates=true") }],
    ["MONGODB_URI", { MONGODB_URI: store("tls=true&tls=false") }],
    ["MONGODB_URI", { MONGODB_URI: store("tls=true&tlsInsecure=false&tlsinsecure=true") }],
    ["MONGODB_URI", { MONGODB_URI: "mongodb://a,b,c/?tls=true" }],
    ["MONGODB_URI", { MONGODB_URI: "mongodb://user:password@a,b,c/?tls=true" }],
    ["MONGODB_URI", { MONGODB_URI: "mongodb://user:change-me-change-me@a,b,c/?tls=true" }],
    ["STORE_DISKS_ENCRYPTED", { STORE_DISKS_ENCRYPTED: undefined }],
    ["STORE_DISKS_ENCRYPTED", { STORE_DISKS_ENCRYPTED: "no" }],
    ["NATS_URL", { NATS_URL: "nats://bus:4222" }],
    ["NATS_PASSWORD_FILE", { NATS_PASSWORD_FILE: undefined }],
    ["NATS_PASSWORD_FILE", { NATS_PASSWORD_FILE: "/nowhere" }],
    ["NATS_PASSWORD_FILE", { NATS_PASSWORD_FILE: __filename.replace(/[^/]*$/, "../../../.nvmrc") }],
    ["NATS_STREAM_REPLICAS", { NATS_STREAM_REPLICAS: 1 }],
    ["RAIL_BASE_URL", { RAIL_BASE_URL: "http://rail.example.com" }],
    ["RAIL_BASE_URL", { RAIL_BASE_URL: "https://sandbox:8090" }],
    ["LINKER_BASE_URL", { LINKER_BASE_URL: "https://sandbox.plaid.com" }],
    ["KYC_BASE_URL", { KYC_BASE_URL: "https://api.kyc-sandbox.example.com" }],
    ["FX_RATES_URL", { FX_RATES_URL: [{ url: "https://sandbox.rates.example.com" }] }],
    ["RAIL_API_KEY_FILE", { RAIL_API_KEY_FILE: "key" }],
    ["KYC_API_KEY_FILE", { KYC_API_KEY_FILE: "0".repeat(32) }],
    ["SCREENING_API_KEY_FILE", { SCREENING_API_KEY_FILE: "sk_test_3f9a1c77e05b4d28" }],
    ["LINKER_SECRET_FILE", { LINKER_SECRET_FILE: "example-of-some-length" }],
    ["WALLET_STATEMENTS", { WALLET_STATEMENTS: [{ url: "https://a.example" }, { url: "http://b.example" }] }],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }],
    ["RAIL_CALLBACK_SECRET_FILE", { RAIL_CALLBACK_SECRET_FILE: "" }],
    ["RAIL_CALLBACK_SECRET_FILE", { RAIL_CALLBACK_SECRET_FILE: "changeme-changeme-changeme-changeme" }],
    [
      "PROVIDER_CALLBACK_SECRETS_FILE",
      { PROVIDER_CALLBACK_SECRETS_FILE: new Map([["pix", "callback-secret-callback-secret-01"]]) },
    ],
    ["PAYMENT_SEALING_KEY_FILE", { PAYMENT_SEALING_KEY_FILE: [randomBytes(32), Buffer.alloc(32)] }],
    ["WALLET_SEAL_KEY_FILE", { WALLET_SEAL_KEY_FILE: Buffer.alloc(32, "1") }],
    ["CLOCK_URL", { CLOCK_URL: "https://clock" }],
  ])("are refused by %s: %j", (name, change) => {
    expect(weaknessesOfConfig("payment", { ...good, ...change })).toEqual([expect.stringContaining(name)]);
  });

  it("have no key for two uses, in whichever place of a ring", () => {
    const shared = randomBytes(32);
    const rings = { PAYMENT_SEALING_KEY_FILE: [randomBytes(32), shared], WALLET_SEAL_KEY_FILE: shared };

    expect(weaknessesOfConfig("payment", { ...good, ...rings })).toEqual([
      "WALLET_SEAL_KEY_FILE must not have a key of PAYMENT_SEALING_KEY_FILE",
    ]);
  });

  it("are refused with a certificate that does not carry release, service and namespace", () => {
    const bare = weaknessesOfConfig("payment", { ...good, RPC_TLS_CERT_FILE: bareCertificate });
    const other = weaknessesOfConfig("wallet", good);

    for (const weaknesses of [bare, other]) expect(weaknesses).toEqual([expect.stringContaining("RPC_TLS_CERT_FILE")]);
  });

  it("are all named at once, and no value is", () => {
    const weaknesses = weaknessesOfConfig("gateway", {
      ...good,
      MONGODB_URI: "mongodb://user:very-secret@a",
      OPERATOR_FOUR_EYES: "on",
      OPERATOR_TOKENS_FILE: { tokens: new Map([["ada", { token: randomBytes(32).toString("hex") }]]) },
      RAIL_CALLBACK_SECRET_FILE: "short",
    });

    expect(weaknesses.map((text) => text.split(" ")[0])).toEqual([
      "RPC_TLS_CERT_FILE",
      "MONGODB_URI",
      "MONGODB_URI",
      "RAIL_CALLBACK_SECRET_FILE",
      "GATEWAY_TLS_CERT_FILE",
      "GATEWAY_TLS_KEY_FILE",
      "GATEWAY_CLIENT_CA_FILE",
      "OPERATOR_TOKENS_FILE",
      "OPERATOR_TOKENS_FILE",
    ]);
    expect(weaknesses.join()).not.toMatch(/very-secret|short/);
  });

  it.each([
    ["no token, since operators log in", [], 0],
    ["one, who could agree with nobody while the identity provider is away", [["platform"]], 1],
    ["two, of whom one has ended", [["platform"], ["platform", "ended"]], 1],
    ["two of the same role", [["platform"], ["platform"]], 0],
    ["two of whom neither may agree with the other", [["platform"], ["treasury"]], 2],
    ["two of whom one has a role alone", [["platform"], ["platform", "treasury"]], 1],
  ])("with four eyes have tokens by which every command finds a second person: %s", (_words, lines, count) => {
    const tokens = lines.map(([...roles], index) => {
      const until = new Date(Date.now() + (roles.includes("ended") ? -1_000 : 3_600_000));
      return [`op-${index}`, { token: randomBytes(32).toString("hex"), roles: new Set(roles), until }] as const;
    });
    const config = { ...good, OPERATOR_TOKENS_FILE: { tokens: new Map(tokens) } };
    const about = (four: string) =>
      weaknessesOfConfig("gateway", { ...config, OPERATOR_FOUR_EYES: four }).filter((one) => /two operators/.test(one));

    expect(about("on")).toHaveLength(count);
    expect(about("off")).toEqual([]);
  });

  it("of fx name a source of rates", () => {
    expect(weaknessesOfConfig("fx", {})).toContainEqual(expect.stringContaining("FX_RATES_URL is required"));
    expect(weaknessesOfConfig("fx", { FX_RATES_URL: "http://rates" })).toContainEqual(
      expect.stringContaining("FX_RATES_URL must begin with https://"),
    );
  });
});

describe("a secret", () => {
  it.each(["", "short", "0".repeat(64), "ab".repeat(20), "changeme".repeat(5)])("is not long enough: %p", (text) => {
    expect(isLongSecret(text)).toBe(false);
    expect(looksRandom(text)).toBe(false);
  });

  it("is random when it was made at random, in hex, base64 or bytes", () => {
    for (let round = 0; round < 1_000; round += 1) {
      const bytes = randomBytes(32);
      for (const secret of [bytes, bytes.toString("hex"), bytes.toString("base64url")]) {
        expect(looksRandom(secret)).toBe(true);
      }
    }
    expect(looksRandom("password password password passw")).toBe(false);
    expect(looksRandom("00000000000000000000000000000000123456789")).toBe(false);
  });
});

describe("the clock of a store", () => {
  const at = (ms: number): Date => new Date(1_800_000_000_000 + ms);

  it.each<[Date | undefined, number, boolean]>([
    [at(10), 20, true],
    [at(-900), 20, true],
    [at(1_000), 20, true],
    [at(5_000), 6_000, true],
    [at(-1_100), 20, false],
    [at(1_200), 20, false],
    [undefined, 20, false],
  ])("says %p when it answers within %d ms: in step %p", (localTime, tookMs, isInStep) => {
    const found = weaknessOfClock(localTime, at(0).getTime(), at(tookMs).getTime());

    expect(found).toHaveLength(isInStep ? 0 : 1);
  });
});
