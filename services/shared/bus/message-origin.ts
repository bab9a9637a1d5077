import type { JsMsg } from "@nats-io/jetstream";

/** Headers that the server gives to a message that it copies out of a stream. */
const copyHeaders = ["Nats-Stream", "Nats-Stream-Source"];

/**
 * Says why a message is not its producer's: a stream's configuration can have the server copy its messages to subjects on which the owner
 * of the stream may not publish. Undefined for a message that was published.
 */
export function foreignOrigin({ headers }: Pick<JsMsg, "headers">): string | undefined {
  const copied = copyHeaders.find((name) => headers?.has(name) === true);
  return copied === undefined ? undefined : `the message was copied from stream ${headers?.get(copied)}`;
}
