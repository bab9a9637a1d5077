import { createHash } from "node:crypto";
import { type Arrivals, eventIdOf, inSubscription, inTransaction, recordArrivals } from "./arrivals";
import type { Received } from "./sink";
import type { WebhookWorld } from "./webhook-world";

const paths = { steady: "/steady", unsteady: "/unsteady", batch: "/batch" } as const;
/** Fewer refusals in a row than an endpoint is left alone after. */
const refusalsInOutage = 4;

/** Endpoints of one tenant that get every event: one that works, one that fails now and then, and one in batches that does too. */
export interface ThreeEndpoints {
  /** Every event was accepted by each endpoint. */
  haveAll(): boolean;
  /** Events that the first endpoint has accepted. */
  count(): number;
  /** How far each of them is, in words. */
  progress(): string;
  /** What came out of order, within its transaction or among the batches. */
  overtakings(): string[];
  /** Ids of events and batches that were accepted more than once. */
  repeated(): string[];
  /** Attempts that were made twice, as far as any arrived. */
  repeatedAttempts(): string[];
  /** Ids that came with more than one body, and events that are in two batches. */
  altered(): string[];
}

/** A number from 0 to 99 that follows from the words. */
const chance = (...words: readonly string[]): number =>
  createHash("sha256").update(words.join("/")).digest().readUInt16BE() % 100;

const isFirst = ({ headers }: Received): boolean => headers["x-service-delivery-attempt"] === "1";

/** Registers them for a tenant, to get `total` events; the second and third do not work for a while in between. */
export async function openThreeEndpoints(world: WebhookWorld, total: number): Promise<ThreeEndpoints> {
  /** Events of the batches that were accepted, in the order of their arrival. */
  const batched: string[] = [];
  const open = (path: string, placeOf: typeof inTransaction, refuses: boolean): Arrivals => {
    let refusals = 0;
    const isDown = (): boolean => {
      const isOut = arrivals.accepted.size > 3 && progress() >= total / 3 && refusals < refusalsInOutage;
      if (isOut) refusals += 1;
      return isOut;
    };
    const isRefused = (received: Received): boolean =>
      refuses && isFirst(received) && (chance(path, eventIdOf(received)) < 8 || isDown());
    const arrivals: Arrivals = recordArrivals({
      placeOf,
      statusOf: (received) => (isRefused(received) ? 503 : 200),
      delayOf,
    });
    world.sink.respond(path, arrivals.respond);
    return arrivals;
  };
  const progress = (): number => steady.accepted.size;
  const steady = open(paths.steady, inTransaction, false);
  const unsteady = open(paths.unsteady, inTransaction, true);
  const batches = open(paths.batch, inSubscription, true);
  world.sink.respond(paths.batch, (received, response) => {
    const before = batches.accepted.size;
    batches.respond(received, response);
    if (batches.accepted.size > before) batched.push(...eventsOf(received.body));
  });
  await world.subscribe(paths.steady);
  await world.subscribe(paths.unsteady);
  await world.subscribe(paths.batch, undefined, undefined, true);

  const all = [steady, unsteady, batches];
  const received = (): Received[] => Object.values(paths).flatMap((path) => world.sink.received(path));
  return {
    haveAll: () => steady.accepted.size >= total && unsteady.accepted.size >= total && batched.length >= total,
    count: progress,
    progress: () =>
      `steady ${steady.accepted.size}, unsteady ${unsteady.accepted.size}, in batches ${batched.length}, requests ${received().length}`,
    overtakings: () => [...all.flatMap((one) => one.overtakings()), ...outOfOrder(batched)],
    repeated: () => all.flatMap((one) => one.repeated()),
    repeatedAttempts: () =>
      repeatedIn(received().map((one) => `${one.path} ${eventIdOf(one)} ${one.headers["x-service-delivery-attempt"]}`)),
    altered: () => [...manyBodies(received()), ...repeatedIn(batched)],
  };
}

/** Now and then longer than an answer is waited for before its event is stored. */
const delayOf = ({ path, headers, body }: Received): number =>
  path === paths.steady && Number(headers["x-service-sequence"]) % 7 === 0 && /"transactionId":"a/.test(body)
    ? 1_500
    : 2;

/** `<transaction> <place>` of each event of a batch. */
const eventsOf = (body: string): string[] =>
  (JSON.parse(body) as { events: { transactionId: string; newStatus: string }[] }).events.map(
    ({ transactionId, newStatus }) => `${transactionId} ${newStatus.slice(1)}`,
  );

function outOfOrder(events: readonly string[]): string[] {
  const last = new Map<string, number>();
  return events.flatMap((event) => {
    const [transaction = "", place] = event.split(" ");
    const before = last.get(transaction) ?? 0;
    last.set(transaction, Number(place));
    return Number(place) === before + 1 ? [] : [`${event} came in a batch behind ${before}`];
  });
}

function repeatedIn(words: readonly string[]): string[] {
  return [...Map.groupBy(words, (word) => word)].flatMap(([word, same]) => (same.length > 1 ? [word] : []));
}

function manyBodies(all: readonly Received[]): string[] {
  const byId = Map.groupBy(all, (one) => `${one.path} ${eventIdOf(one)}`);
  return [...byId].flatMap(([id, same]) => (new Set(same.map(({ body }) => body)).size > 1 ? [id] : []));
}
