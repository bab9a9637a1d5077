import { createPublicKey, createSecretKey, verify } from "node:crypto";
import { Webhook } from "standardwebhooks";
import vectors from "../../docs/webhooks/vectors.json";
import { verifyWebhook } from "../../docs/webhooks/verify-webhook";
import { fingerprintOf, publicKeyOf, signerOf } from "../../services/webhook/domain/secret";
import { signatureHeaders, signingKeysOf } from "../../services/webhook/domain/signature";

const { secret, seed, publicKey, body, signedAt, headers } = vectors;
const header = headers["x-service-signature"];
const given = { secret, header, body, nowSeconds: signedAt };

describe("the signature", () => {
  it("is that of the published vector, in both forms", () => {
    const signed = signatureHeaders(signingKeysOf(secret, seed), {
      eventId: headers["webhook-id"],
      timestamp: signedAt,
      body: Buffer.from(body),
    });

    expect({ "x-service-event-id": headers["webhook-id"], ...signed }).toEqual(headers);
    expect(fingerprintOf(secret)).toBe(vectors.fingerprint);
    expect(signingKeysOf(secret, seed).standard.equals(createSecretKey(Buffer.from(secret, "base64")))).toBe(true);
  });

  it("verifies by the public key alone", () => {
    const x = Buffer.from(publicKey.replace("whpk_", ""), "base64").toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const signature = Buffer.from(/ v1a,(.+)$/.exec(headers["webhook-signature"])?.[1] ?? "", "base64");
    const content = (text: string): Buffer => Buffer.from(`${headers["webhook-id"]}.${signedAt}.${text}`);

    expect(verify(null, content(body), key, signature)).toBe(true);
    expect(verify(null, content(`${body} `), key, signature)).toBe(false);
    expect(publicKeyOf(signerOf(seed))).toBe(publicKey);
  });

  it("verifies with the official library of Standard Webhooks", () => {
    const now = Math.floor(Date.now() / 1_000);
    const signed = signatureHeaders(signingKeysOf(secret, seed), {
      eventId: "evt-1",
      timestamp: now,
      body: Buffer.from(body),
    });

    expect(new Webhook(secret).verify(body, signed)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret).verify(`${body} `, signed)).toThrow("No matching signature found");
  });
});

describe("the verifier for receivers", () => {
  it.each(vectors.accepted)("accepts the vector at $nowSeconds", ({ nowSeconds }) => {
    expect(verifyWebhook({ ...given, nowSeconds })).toEqual(JSON.parse(body));
  });

  it.each(vectors.refused)("refuses: $why", ({ why: _why, ...change }) => {
    expect(() => verifyWebhook({ ...given, ...change })).toThrow("the signature is");
  });

  it("refuses a flip of any bit of the header and of the body", () => {
    const bytes = Buffer.from(body);
    const flipped = (buffer: Buffer, bit: number): Buffer => {
      const copy = Buffer.from(buffer);
      copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      return copy;
    };

    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      expect(() => verifyWebhook({ ...given, body: flipped(bytes, bit) })).toThrow("the signature is");
    }
    for (let bit = 0; bit < header.length * 8; bit += 1) {
      const wrong = flipped(Buffer.from(header, "latin1"), bit).toString("latin1");
      expect(() => verifyWebhook({ ...given, header: wrong })).toThrow("the signature is");
    }
  });
});
