import { randomUUID } from "node:crypto";
import { eventually } from "../bus/bus-testbed";
import type { Received } from "./sink";
import { makeWebhookProcess, type WebhookProcess } from "./webhook-process";
import { deliveredIn, startWebhookWorld, statusEvents, type WebhookWorld } from "./webhook-world";

const paths = ["/first", "/second"];
const transactions = 100;
const eventsOfRound = paths.length * transactions;
/** Rounds of one event per transaction before one replica is killed, at least; it does not matter which replica takes which. */
const firstRounds = 5;
/** Rounds after which two that share have both had a part: an endpoint that was slow once is one replica's for a while. */
const mostFirstRounds = 60;
const lastRounds = 5;

const eventIdOf = ({ headers }: Received): string => String(headers["x-service-event-id"]);
const fieldsOf = ({ body }: Received) => JSON.parse(body) as { transactionId: string; newStatus: string };

describe("two replicas", () => {
  let world: WebhookWorld;
  let replicas: WebhookProcess[] = [];
  /** Path and event of all that arrived. */
  const arrived = new Set<string>();

  beforeAll(async () => {
    world = await startWebhookWorld();
    replicas = [await makeWebhookProcess(world), await makeWebhookProcess(world)];
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.stop();
    await world.stop();
  });

  it("share first attempts as messages come, in order, and one takes over what the other leaves when it is killed", async () => {
    for (const path of paths) {
      await world.subscribe(path);
      world.sink.respond(path, (received, response) => {
        arrived.add(`${path} ${eventIdOf(received)}`);
        setTimeout(() => response.writeHead(200).end(), 5);
      });
    }
    await world.stopService();
    const [killed, survivor] = replicas;
    if (killed === undefined || survivor === undefined) throw new Error("there are two");
    await Promise.all(replicas.map((replica) => replica.start()));
    const ids = Array.from({ length: transactions }, () => randomUUID());
    let rounds = 0;
    const publishRound = async (): Promise<void> => {
      rounds += 1;
      await Promise.all(ids.map((id) => world.publish(statusEvents(id, rounds, rounds))));
    };
    const sharesOf = () => Promise.all(replicas.map((replica) => replica.delivered()));
    const haveShared = async () => (await sharesOf()).every((share) => share > 0);

    while (rounds < firstRounds || (rounds < mostFirstRounds && !(await haveShared()))) {
      await publishRound();
      if (rounds >= firstRounds) await eventually(() => arrived.size === rounds * eventsOfRound, 120_000);
    }
    const shares = await sharesOf();
    const before = arrived.size;
    for (let round = 0; round < lastRounds; round += 1) await publishRound();
    await eventually(() => arrived.size >= before + (lastRounds * eventsOfRound) / 2, 120_000);
    await killed.kill();
    const total = rounds * eventsOfRound;
    await eventually(() => arrived.size === total, 120_000);

    for (const share of shares) expect(share).toBeGreaterThan(0);
    await eventually(async () => (await deliveredIn(world)) === total, 60_000);
    expect(await survivor.delivered()).toBeGreaterThan(shares[1] ?? 0);
    const wanted = Array.from({ length: rounds }, (_, index) => `S${index + 1}`);
    for (const path of paths) {
      const told = Map.groupBy(world.sink.received(path), (received) => fieldsOf(received).transactionId);
      expect(told.size).toBe(transactions);
      for (const [, received] of told) {
        expect([...new Set(received.map((one) => fieldsOf(one).newStatus))]).toEqual(wanted);
      }
    }
  }, 400_000);
});
