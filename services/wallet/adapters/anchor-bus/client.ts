import { JetStreamApiError } from "@nats-io/jetstream";
import type { Bus } from "../../../shared/bus/jetstream";
import type { Clock } from "../../../shared/kernel/clock";
import { anchorText, parseAnchor } from "../../domain/anchor";
import type { Anchors } from "../../ports";

/** Where checkpoints are anchored, in the wallet's own stream. */
const subject = "corridor.wallet.anchors";
const messageNotFound = 10_037;
const streamNotFound = 10_059;

/** Anchors as messages of the wallet's stream. The last one is kept as long as the stream keeps messages. */
export const makeAnchorBus = (bus: Bus, stream: string, clock: Clock): Anchors => ({
  async add(anchor) {
    const payload = Buffer.from(anchorText(anchor));
    const id = `anchor-${anchor.number}-${anchor.seal}`;
    await bus.publish({ id, subject, payload, traceparent: undefined, committedAt: clock.now() });
  },
  async latest() {
    const { manager } = await bus.client();
    try {
      const message = await manager.streams.getMessage(stream, { last_by_subj: subject });
      return message === null ? [] : [parseAnchor(message.string())];
    } catch (error) {
      const isEmpty = error instanceof JetStreamApiError && [messageNotFound, streamNotFound].includes(error.code);
      if (isEmpty) return [];
      throw error;
    }
  },
});
