import { currentCall } from "../process/call-context";
import type { Tracing } from "../process/tracing";
import type { Bus, Published, StreamSpec } from "./jetstream";
import type { OutboxMessage } from "./outbox";

/** The outcome of publishing several messages. */
export interface PageOutcome<M> {
  published: M[];
  /** Lowest sequence that the stream gave to a new message. */
  lowestNew: number;
  highest: number;
  failure: Error | undefined;
}

export type PublishPage<M> = (page: readonly M[], onPublished?: (message: M) => void) => Promise<PageOutcome<M>>;

const inFlight = 64;

export const nothingYet = <M>(): PageOutcome<M> => ({
  published: [],
  lowestNew: Number.POSITIVE_INFINITY,
  highest: 0,
  failure: undefined,
});

interface Deps {
  bus: Pick<Bus, "publish">;
  tracing: Tracing;
  stream: Pick<StreamSpec, "name">;
}

/** Publishes one page with a bounded number in flight, in order. After a failure the rest of the page is not sent. */
export function makePagePublisher<M extends OutboxMessage>({ bus, tracing, stream }: Deps): PublishPage<M> {
  const publish = (message: M): Promise<Published> =>
    tracing.isOn
      ? tracing.span(`${message.subject} publish`, { kind: "producer", parent: message.traceparent }, () =>
          bus.publish({ ...message, traceparent: currentCall()?.traceparent }),
        )
      : bus.publish(message);

  return async (page, onPublished = () => {}) => {
    const outcome = nothingYet<M>();
    const left = page.values();
    const send = async (): Promise<void> => {
      for (const message of left) {
        if (outcome.failure !== undefined) return;
        try {
          const { sequence, isRepeat } = await publish(message);
          outcome.published.push(message);
          outcome.highest = Math.max(outcome.highest, sequence);
          if (!isRepeat) outcome.lowestNew = Math.min(outcome.lowestNew, sequence);
          onPublished(message);
        } catch (error) {
          outcome.failure = new Error(`a message for ${stream.name} was not acknowledged`, { cause: error });
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(inFlight, page.length) }, send));
    return outcome;
  };
}
