import { fingerprintOf, makeSecret, publicKeyOf, signerOf } from "./secret";
import { signatureHeaders, signingKeysOf } from "./signature";

/** The base64 of the bytes 0 to 31. The signatures below were made with Python's hmac. */
const secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
/** The private key of the first test of RFC 8032 section 7.1. */
const seed = Buffer.from("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", "hex").toString("base64");
const body = Buffer.from('{"event":"TransactionStatusChanged","transactionId":"t","note":"é"}');

describe("signatureHeaders", () => {
  it("signs in both schemes as the published vector says", () => {
    const headers = signatureHeaders(signingKeysOf(secret, seed), { eventId: "evt-1", timestamp: 1_767_225_600, body });

    expect(headers).toEqual({
      "x-service-signature": "t=1767225600,v1=1e877c87e5b5afa61b21cf681a9e41bc5130a60407d60e7ce398e4dc5e4c0be3",
      "webhook-id": "evt-1",
      "webhook-timestamp": "1767225600",
      "webhook-signature": `v1,IFgc+t1pIsLWmChI4QTnYBqn9TUJ3keXRNbi0BvQV9E= v1a,k34U2GQnUv27ChZwO0uAFWlf2yXKgZwdOqxeOFTuvZEXf5LnzEHNDoJpNi4EtHnjlfRX2HAiFs2sgnXKKSv/CQ==`,
    });
  });

  it("names the public key of a private one as RFC 8032 has it", () => {
    const known = Buffer.from("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "hex");

    expect(publicKeyOf(signerOf(seed))).toBe(`whpk_${known.toString("base64")}`);
  });

  it("changes with the time and with any byte of the body", () => {
    const keys = signingKeysOf(secret, seed);
    const signatures = [
      signatureHeaders(keys, { eventId: "evt-1", timestamp: 1, body }),
      signatureHeaders(keys, { eventId: "evt-1", timestamp: 2, body }),
      signatureHeaders(keys, { eventId: "evt-1", timestamp: 1, body: Buffer.concat([body, Buffer.from(" ")]) }),
    ].map((headers) => headers["x-service-signature"]);

    expect(new Set(signatures).size).toBe(3);
  });
});

describe("makeSecret", () => {
  it("is the base64 of 32 bytes, with a fingerprint of its characters", () => {
    const made = makeSecret((count) => Buffer.from(Array.from({ length: count }, (_, index) => index)));

    expect(made).toBe(secret);
    expect(made).toHaveLength(44);
    expect(fingerprintOf(made)).toBe("905f28de");
  });
});
