import { fingerprintOf, makeSecret } from "./secret";
import { signatureHeaders, signingKeysOf } from "./signature";

/** The base64 of the bytes 0 to 31. The signatures below were made with Python's hmac. */
const secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const body = Buffer.from('{"event":"TransactionStatusChanged","transactionId":"t","note":"é"}');

describe("signatureHeaders", () => {
  it("signs in both schemes as the published vector says", () => {
    const headers = signatureHeaders(signingKeysOf(secret), { eventId: "evt-1", timestamp: 1_767_225_600, body });

    expect(headers).toEqual({
      "x-service-signature": "t=1767225600,v1=1e877c87e5b5afa61b21cf681a9e41bc5130a60407d60e7ce398e4dc5e4c0be3",
      "webhook-id": "evt-1",
      "webhook-timestamp": "1767225600",
      "webhook-signature": "v1,IFgc+t1pIsLWmChI4QTnYBqn9TUJ3keXRNbi0BvQV9E=",
    });
  });

  it("changes with the time and with any byte of the body", () => {
    const keys = signingKeysOf(secret);
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
