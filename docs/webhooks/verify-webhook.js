// Verifies a delivery at the receiver. Copy it: it needs only Node. It must give the results in vectors.json.
const { createHmac, timingSafeEqual } = require("node:crypto");

const toleranceSeconds = 300;

/**
 * Returns the event or batch of a delivery; throws when it is not from us or is too old.
 *
 * `secret` is the 44 characters as shown once, `header` the value of X-Service-Signature, `body` the raw bytes of the
 * request before any parsing, `nowSeconds` the current time in seconds since 1970.
 */
function verifyWebhook({ secret, header, body, nowSeconds = Math.floor(Date.now() / 1000) }) {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? "");
  if (match === null) throw new Error("the signature is missing or malformed");
  const [, timestamp, signature] = match;
  if (Math.abs(nowSeconds - Number(timestamp)) > toleranceSeconds) throw new Error("the signature is too old");
  const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest();
  if (!timingSafeEqual(expected, Buffer.from(signature, "hex"))) throw new Error("the signature is wrong");
  return JSON.parse(Buffer.from(body).toString("utf8"));
}

module.exports = { verifyWebhook };
