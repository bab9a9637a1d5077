import type { Connection } from "mongoose";
import { type Clock, monotonicMs, plusMs } from "../kernel/clock";
import type { Logger } from "../process/logger";
import { counter, type Metrics } from "../process/metrics";
import type { Lease } from "../storage/lease";
import { type Bus, retentionMs, type StreamSpec, type StreamState } from "./jetstream";
import type { OutboxMessage, OutboxSource } from "./outbox";
import { inPages } from "./outbox-replayer";
import type { PageOutcome, PublishPage } from "./page-publisher";
import { makeRelayPositions } from "./relay-positions";

/** Tracks how far the stream was filled, and refills it when it has lost messages. */
export interface StreamPosition<M> {
  /** Records what was acknowledged. It is written with the next `save`; a loss is written at once. */
  advance(outcome: PageOutcome<M>): Promise<void>;
  save(): Promise<void>;
  /** Makes the relay check the stream before the next publish. */
  doubt(): void;
  /** Checks the stream if the last check is old. Publishing also reveals a loss. */
  check(): Promise<void>;
}

interface Deps<M extends OutboxMessage> {
  source: Pick<OutboxSource<M>, "since">;
  bus: Bus;
  stream: StreamSpec;
  connection: Connection;
  lease: Lease;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  lookMs: number;
  publishPage: PublishPage<M>;
}

const pageSize = 500;

export function makeStreamPosition<M extends OutboxMessage>(deps: Deps<M>): StreamPosition<M> {
  const { source, bus, stream, lease, clock, logger, metrics, lookMs, publishPage } = deps;
  const positions = makeRelayPositions(deps.connection);
  const refills = counter(metrics, "corridor_relay_refills_total", "Times a stream was filled again from the outbox.");
  let present: StreamState = { created: "", lastSequence: 0 };
  let isUnsaved = false;
  let checkedMs = Number.NEGATIVE_INFINITY;

  const moveTo = async (next: StreamState): Promise<void> => {
    present = next;
    await positions.save(stream.name, next);
    isUnsaved = false;
  };
  const save = async (): Promise<void> => {
    if (!isUnsaved) return;
    const saved = present;
    await positions.advance(stream.name, saved);
    isUnsaved = present !== saved;
  };

  const refill = async (state: StreamState): Promise<void> => {
    logger.warn({ stream: stream.name, created: state.created }, "refilling the stream from the outbox");
    refills.inc();
    let { lastSequence } = state;
    for await (const page of inPages(source.since(plusMs(clock.now(), -retentionMs)), pageSize)) {
      const outcome = await publishPage(page);
      if (outcome.failure !== undefined) throw outcome.failure;
      lastSequence = Math.max(lastSequence, outcome.highest);
      await lease.hold();
    }
    await moveTo({ created: state.created, lastSequence });
  };

  return {
    async advance({ lowestNew, highest }) {
      if (lowestNew <= present.lastSequence) {
        // The stream reuses numbers, so it lost its end. No stream has this position, so it will be refilled.
        checkedMs = Number.NEGATIVE_INFINITY;
        await moveTo({ created: "", lastSequence: 0 });
      } else if (highest > present.lastSequence) {
        present = { ...present, lastSequence: highest };
        isUnsaved = true;
      }
    },
    save,
    doubt() {
      checkedMs = Number.NEGATIVE_INFINITY;
    },
    async check() {
      if (monotonicMs() - checkedMs < lookMs / 2) return;
      // Saved first, so that the stream is compared with all that this process knows of it.
      await save();
      const known = await positions.get(stream.name);
      const state = await bus.ensureStream(stream);
      if (known === undefined || known.created !== state.created || known.lastSequence > state.lastSequence) {
        await refill(state);
      } else {
        present = known;
      }
      checkedMs = monotonicMs();
    },
  };
}
