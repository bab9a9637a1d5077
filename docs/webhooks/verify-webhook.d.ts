/** Returns the event, or the batch, that a delivery carries; throws when it is not from us, or too old. */
export function verifyWebhook(delivery: {
  secret: string;
  header: string | undefined;
  body: string | Uint8Array;
  nowSeconds?: number;
}): unknown;
