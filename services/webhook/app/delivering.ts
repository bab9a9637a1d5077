import { batchCalls } from "../../shared/process/batch-calls";
import type { Running } from "../../shared/process/lifecycle";
import { type AttemptDeps, makeMakeOneAttempt } from "../operations/attempt";
import { type EndpointLimits, makeEndpointSlots } from "../operations/endpoint-slots";
import { type FanOutEventsDeps, makeFanOutEvents } from "../operations/fan-out-events";
import { type FirstAttemptsDeps, makeFirstAttempts } from "../operations/first-attempts";
import { makeKnownQueues } from "../operations/known-queues";
import { type MakeAttemptDeps, makeMakeAttempt, makeRemember } from "../operations/make-attempt";
import { makeTakeMessage, type TakeMessage } from "../operations/take-message";
import { makeTryAtOnce, type TryAtOnceDeps } from "../operations/try-at-once";
import { makeWorkQueue, type WorkQueueDeps } from "../operations/work-queue";
import type { DeliveryStore } from "../store/delivery-store";
import type { QueueStore } from "../store/queue-store";
import { type DispatcherOptions, startDispatcher } from "../workers/dispatcher";

type AllDeps = AttemptDeps &
  FanOutEventsDeps &
  TryAtOnceDeps &
  FirstAttemptsDeps &
  MakeAttemptDeps &
  WorkQueueDeps &
  DispatcherOptions;

/** The parts of delivery that are built here. */
type Parts = "slots" | "knownQueues" | "makeOneAttempt" | "remember" | "makeAttempt" | "workQueue" | "wakeWorkers";

export type DeliveringDeps = Omit<AllDeps, Parts | "handOver"> & {
  deliveries: Pick<DeliveryStore, "settle">;
  queues: Pick<QueueStore, "opened">;
  replicas: EndpointLimits["replicas"];
};

export interface Delivering extends Running {
  takeMessage: TakeMessage;
  /** Wakes the workers because queues may be due. */
  wakeWorkers(): void;
}

/** Most messages that are stored in one transaction. */
const largestGroup = 128;
/** Concurrent attempts at one endpoint, over all replicas: at first, and at an endpoint that answers quickly. */
const attemptsPerEndpoint = { fewest: 8, most: 64 };

/** Starts delivery: first attempts when a message arrives, and all others from the queues. */
export function startDelivering(given: DeliveringDeps): Delivering {
  const wakeWorkers = (): void => given.due.note();
  const deps = {
    ...given,
    slots: makeEndpointSlots({ ...attemptsPerEndpoint, replicas: given.replicas }),
    knownQueues: makeKnownQueues(given.queues),
    makeOneAttempt: makeMakeOneAttempt(given),
    remember: makeRemember(given),
  };
  const firstAttempts = makeFirstAttempts({ ...deps, wakeWorkers });
  const dispatcher = startDispatcher({
    ...deps,
    workQueue: makeWorkQueue({ ...deps, makeAttempt: makeMakeAttempt(deps) }),
  });
  const handOver = (subscriptionIds: readonly string[]): void => {
    deps.knownQueues.noteOpened(subscriptionIds);
    dispatcher.handOver(subscriptionIds);
  };
  const fanOut = makeFanOutEvents({ ...given, handOver });
  return {
    takeMessage: makeTakeMessage({
      firstAttempts,
      tryAtOnce: makeTryAtOnce(deps),
      fanOut: batchCalls(fanOut, { most: largestGroup }),
    }),
    wakeWorkers,
    async stop() {
      await firstAttempts.allEnd();
      await dispatcher.stop();
    },
  };
}
