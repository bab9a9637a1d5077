import { JetStreamApiError } from "@nats-io/jetstream";
import { type Anchors, anchorText, parseAnchor } from "../crypto/anchor";
import type { Clock } from "../kernel/clock";
import { makeAnchorFile } from "../storage/anchor-file";
import { type Bus, streamOf } from "./jetstream";

const messageNotFound = 10_037;
const streamNotFound = 10_059;

/** Keeps anchors as messages of a service's own stream, for as long as the stream keeps messages. */
const makeAnchorBus = (
  bus: Pick<Bus, "client" | "publish">,
  { stream, subject }: { stream: string; subject: string },
  clock: Clock,
): Anchors => ({
  async add(anchor) {
    const payload = Buffer.from(anchorText(anchor));
    const id = `anchor-${anchor.number}-${anchor.signature}`;
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

/** Opens the places where a service anchors a chain: its stream on the bus, and the file that the operator names. */
export function openAnchors(service: "auth" | "wallet", file: string | undefined, bus: Bus, clock: Clock): Anchors[] {
  const place = { stream: streamOf(service, 1).name, subject: `corridor.${service}.anchors` };
  const inBus = makeAnchorBus(bus, place, clock);
  return file === undefined ? [inBus] : [inBus, makeAnchorFile(file)];
}
