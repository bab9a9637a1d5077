import { generateKeyPairSync, sign } from "node:crypto";
import { Webhook } from "standardwebhooks";
import vectors from "../../docs/webhooks/vectors.json" with { type: "json" };
import { verifyWebhook, type WebhookHeaders } from "./webhooks.ts";

const { secret, publicKey, body, signedAt, headers } = vectors;
const own = { "x-service-signature": headers["x-service-signature"] };
const standard = {
  "webhook-id": headers["webhook-id"],
  "webhook-timestamp": headers["webhook-timestamp"],
  "webhook-signature": headers["webhook-signature"],
};
const [v1 = "", v1a = ""] = headers["webhook-signature"].split(" ");
const at = { nowSeconds: signedAt };
const event = JSON.parse(body) as unknown;
const otherSecret = "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=";
const otherPublic = `whpk_${generateKeyPairSync("ed25519").publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64")}`;

const check = (given: WebhookHeaders, keys: string | string[], text: string | Uint8Array = body) =>
  verifyWebhook(text, given, keys, at);

describe("a delivery", () => {
  it.each<[string, WebhookHeaders, string | string[]]>([
    ["all headers and the secret", headers, secret],
    ["all headers and the public key", headers, publicKey],
    ["the platform's own header alone", own, secret],
    ["Standard Webhooks alone, by the secret", standard, secret],
    ["Standard Webhooks alone, by the public key", standard, publicKey],
    ["a secret with the prefix of Standard Webhooks", standard, `whsec_${secret}`],
    ["v1a alone", { ...standard, "webhook-signature": v1a }, publicKey],
    [
      "several signatures, the last of them right",
      { ...standard, "webhook-signature": `v1,${"A".repeat(43)}= v2,xyz ${v1}` },
      secret,
    ],
    [
      "a header of two secrets, while one replaces the other",
      { "x-service-signature": `t=${signedAt},v1=${"0".repeat(64)},${own["x-service-signature"].split(",")[1]}` },
      secret,
    ],
    ["two secrets, one of them old", headers, [otherSecret, secret]],
    ["a public key and a secret", own, [publicKey, secret]],
    ["Headers of a fetch handler", new Headers(headers), secret],
    [
      "names in capitals, values in lists, as Node may give them",
      { "X-Service-Signature": [own["x-service-signature"]] },
      secret,
    ],
  ])("is verified by %s", async (_name, given, keys) => {
    expect(await check(given, keys)).toEqual(event);
    expect(await check(given, keys, new TextEncoder().encode(body))).toEqual(event);
  });

  it.each<[string, WebhookHeaders, string | string[], string?]>([
    ["another secret", headers, otherSecret],
    ["another public key", headers, otherPublic],
    ["the secret where only v1a stands", { ...standard, "webhook-signature": v1a }, secret],
    ["the public key where only v1 stands", { ...standard, "webhook-signature": v1 }, publicKey],
    ["no header", {}, secret],
    ["no key at all", headers, []],
    ["a changed body", headers, secret, `${body} `],
    ["a changed body, by the public key", headers, publicKey, `${body} `],
    ["another id", { ...standard, "webhook-id": "evt-2" }, secret],
    ["another time that is near", { ...standard, "webhook-timestamp": String(signedAt + 1) }, secret],
  ])("is refused with %s", async (...[, given, keys, text]) => {
    await expect(check(given, keys, text)).rejects.toThrow("the signature is");
  });

  it.each(vectors.accepted)("is in time at $nowSeconds", async ({ nowSeconds }) => {
    expect(await verifyWebhook(body, headers, secret, { nowSeconds })).toEqual(event);
  });

  it.each(vectors.refused)("of the published vectors is refused: $why", async (vector) => {
    const {
      header = own["x-service-signature"],
      secret: key = secret,
      body: text = body,
      nowSeconds = signedAt,
    } = vector;

    await expect(verifyWebhook(text, { "x-service-signature": header }, key, { nowSeconds })).rejects.toThrow(
      "the signature is",
    );
  });

  it("is in time in one form although another form is too old", async () => {
    const old = {
      ...own,
      ...standard,
      "x-service-signature": own["x-service-signature"].replace(`t=${signedAt}`, "t=5"),
    };

    expect(await check(old, secret)).toEqual(event);
  });

  it("has amounts with their digits", async () => {
    const text = '{"event":"TransactionPayoutStatusChanged","amount":{"total":543.10,"currency":"BRL"}}';
    const now = Math.floor(Date.now() / 1_000);
    const signed = new Webhook(secret).sign("evt-1", new Date(now * 1_000), text);
    const given = { "webhook-id": "evt-1", "webhook-timestamp": String(now), "webhook-signature": signed };

    expect(await verifyWebhook(text, given, secret)).toMatchObject({ amount: { total: "543.10" } });
  });

  it("is verified by any key pair of Ed25519", async () => {
    const { privateKey, publicKey: made } = generateKeyPairSync("ed25519");
    const raw = made.export({ format: "der", type: "spki" }).subarray(-32).toString("base64");
    const signature = sign(null, Buffer.from(`evt-9.${signedAt}.{}`), privateKey).toString("base64");
    const given = {
      "webhook-id": "evt-9",
      "webhook-timestamp": String(signedAt),
      "webhook-signature": `v1a,${signature}`,
    };

    expect(await check(given, `whpk_${raw}`, "{}")).toEqual({});
  });
});
