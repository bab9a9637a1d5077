import { BusServiceService } from "../../../proto/gen/corridor/common/v1/bus_service";
import { messageParked } from "../../shared/bus/bus-users";
import type { Bus } from "../../shared/bus/jetstream";
import type { Clock } from "../../shared/kernel/clock";
import { makeDueNotes } from "../../shared/process/due-work";
import { type Running, stopAll } from "../../shared/process/lifecycle";
import type { Runtime } from "../../shared/process/runtime";
import type { Rpc } from "../../shared/rpc/rpc";
import { makeRpcClient } from "../../shared/rpc/rpc-client";
import { makeLease, processHolder } from "../../shared/storage/lease";
import type { Mongo } from "../../shared/storage/mongo";
import { makeParkedSource } from "../adapters/bus/parked-messages";
import type { PaymentConfig } from "../config";
import { makeOpenParkedCases } from "../operations/open-parked-cases";
import type { CaseStore } from "../store/case-store";
import { startParkedWatch } from "../workers/parked-messages";

export interface WatchParkedMessagesDeps {
  cases: CaseStore;
  /** Lists the messages that this service has parked itself. */
  own: Pick<Rpc<typeof BusServiceService>, "listParkedMessages">;
  clock: Clock;
  /** The bus on which services announce that they have parked a message. */
  bus: Pick<Bus, "onSignal">;
}

const timeoutMs = 5_000;

/** Opens cases for messages that were parked by this service, and by all others that take messages from the bus. */
export function watchParkedMessages(
  config: PaymentConfig,
  { tls, tracing, logger }: Runtime,
  { connection }: Pick<Mongo, "connection">,
  { cases, own, clock, bus }: WatchParkedMessagesDeps,
): Running {
  const targets = {
    auth: config.AUTH_TARGET,
    identity: config.IDENTITY_TARGET,
    wallet: config.WALLET_TARGET,
    webhook: config.WEBHOOK_TARGET,
  };
  const peers = Object.entries(targets).flatMap(([service, target]) => {
    if (target === undefined) return [];
    const options = { target, tls, tracing, timeoutMs, retryable: ["listParkedMessages" as const] };
    return [{ service, client: makeRpcClient(BusServiceService, options) }];
  });
  const parked = makeDueNotes();
  bus.onSignal(messageParked, () => parked.note());
  const watch = startParkedWatch({
    parked,
    sources: [
      makeParkedSource("payment", own),
      ...peers.map(({ service, client }) => makeParkedSource(service, client)),
    ],
    openParkedCases: makeOpenParkedCases({ cases, clock }),
    // The lease outlasts the longest answer of one service.
    lease: makeLease({ connection, name: "payment-parked-messages", holder: processHolder, ttlMs: 30_000 }),
    logger,
  });
  return stopAll([...peers.map(({ client }) => client), watch]);
}
