import type { Connection } from "mongoose";
import type { BusServiceService } from "../../../proto/gen/corridor/common/v1/bus_service";
import { DomainError, invalid } from "../kernel/errors";
import type { Rpc } from "../rpc/rpc";
import { listLeases } from "../storage/lease";
import { makeReplays } from "../storage/replays";
import type { BusConsumer } from "./bus-consumer";
import { openGaps } from "./consumer-positions";
import { type KeptMessage, makeParkedMessages } from "./parked-messages";

export interface BusServiceDeps {
  connection: Connection;
  /** All consumers of this service; none when it only publishes. */
  consumers: readonly Pick<BusConsumer, "stream" | "subject" | "durable" | "replay">[];
}

const maxPage = 200;
const maxIdLength = 128;

/** Lets operators list and replay the messages that a service parked, and have it publish its own messages again. */
export function makeBusService({ connection, consumers }: BusServiceDeps): Rpc<typeof BusServiceService> {
  const parked = makeParkedMessages(connection);
  const replays = makeReplays(connection);
  const replayOne = async (message: KeptMessage): Promise<void> => {
    const { stream, subject, sequence, payload } = message;
    const consumer = consumers.find((one) => one.stream === stream && one.subject === subject);
    if (consumer === undefined) throw new DomainError("RECORD_CONFLICT", "this service no longer reads this subject");
    try {
      await consumer.replay({ stream, subject, sequence, payload });
    } catch (error) {
      if (error instanceof DomainError) throw error;
      const cause = error instanceof Error ? error.message : String(error);
      throw new DomainError("RECORD_CONFLICT", `the message still cannot be handled: ${cause}`);
    }
  };
  return {
    async listParkedMessages({ after, limit }) {
      if (limit < 1 || limit > maxPage) throw invalid([{ field: "limit", message: `must be from 1 to ${maxPage}` }]);
      const found = await parked.list(after === "" ? undefined : after, limit + 1);
      const messages = found.slice(0, limit);
      return { messages: messages.map(encode), next: found.length > limit ? (messages.at(-1)?.id ?? "") : "" };
    },
    async replayParkedMessage({ id }) {
      const message = await parked.find(id);
      if (message === undefined) throw new DomainError("RECORD_NOT_FOUND", "there is no such parked message");
      await replayOne(message);
      const isHandled = await parked.remove(message);
      const again = isHandled ? undefined : await parked.find(id);
      if (again !== undefined) throw new DomainError("RECORD_CONFLICT", `it was parked again: ${again.cause}`);
      return {};
    },
    async listGaps() {
      const names = new Map(consumers.map(({ stream, durable }) => [`${stream}/${durable}`, { stream, durable }]));
      const found = await openGaps(connection, [...names.keys()]);
      const gaps = found.flatMap(({ consumer, since }) => {
        const name = names.get(consumer);
        return name === undefined ? [] : [{ ...name, since }];
      });
      return { gaps: gaps.slice(0, maxPage) };
    },
    listLeases: async () => ({ leases: await listLeases(connection) }),
    async replaySpan({ replayId, since }) {
      if (replayId.length < 1 || replayId.length > maxIdLength)
        throw invalid([{ field: "replayId", message: `must have 1 to ${maxIdLength} characters` }]);
      if (since === undefined) throw invalid([{ field: "since", message: "is required" }]);
      const replay = await replays.ask({ id: replayId, since, subject: undefined });
      if (replay.since.getTime() !== since.getTime())
        throw new DomainError("RECORD_CONFLICT", "the replay id was used for another span of time");
      return { isDone: replay.isDone, published: BigInt(replay.published) };
    },
  };
}

const encode = ({ id, stream, sequence, subject, cause, parkedAt, payload }: KeptMessage) => ({
  id,
  stream,
  sequence: BigInt(sequence),
  subject,
  cause,
  parkedAt,
  size: payload.length,
});
