import { busAccounts } from "../../../services/shared/bus/bus-users";
import { shareDueNotes } from "../../../services/shared/bus/due-signals";
import { type Bus, openBus } from "../../../services/shared/bus/jetstream";
import { systemClock } from "../../../services/shared/kernel/clock";
import { type DueNotes, makeDueNotes, startDueWork } from "../../../services/shared/process/due-work";
import type { Running } from "../../../services/shared/process/lifecycle";
import { startTestTestbed, type TestTestbed } from "../../support/testbed";
import { eventually, silent } from "./bus-testbed";

describe("shareDueNotes", () => {
  let testbed: TestTestbed;
  const started: Running[] = [];
  const keep = <R extends Running>(one: R): R => {
    started.push(one);
    return one;
  };

  beforeAll(async () => {
    testbed = await startTestTestbed();
  });
  afterEach(async () => {
    for (const one of started.splice(0).toReversed()) await one.stop();
  });
  afterAll(() => testbed.stop());

  /** Work that no timer does: it is looked for at the start and when a notification comes. */
  function startWorker(notes: DueNotes) {
    let looks = 0;
    const work = async (): Promise<undefined> => {
      looks += 1;
    };
    keep(startDueWork({ work, notes, clock: systemClock, lookMs: 600_000, onError: () => {} }));
    return { looks: () => looks };
  }

  async function startReplica(url = testbed.natsUrl) {
    const bus = keep(await openBus({ url, name: "test", logger: silent }));
    await bus.client();
    const notes = { sessions: makeDueNotes(), documents: makeDueNotes() };
    const sharing = keep(shareDueNotes(bus, "identity", notes));
    await (await bus.client()).connection.flush();
    return { bus, notes, sharing, sessions: startWorker(notes.sessions), documents: startWorker(notes.documents) };
  }

  /** Both replicas have done what their start and their connection asked for. */
  const settled = async (replica: { bus: Bus }): Promise<void> => {
    await (await replica.bus.client()).connection.flush();
    await new Promise((resolve) => setTimeout(resolve, 50));
  };

  it("has the other replica look for what one has written, and only for that", async () => {
    const [one, other] = [await startReplica(), await startReplica()];
    await settled(one);
    await settled(other);
    const before = { sessions: other.sessions.looks(), documents: other.documents.looks(), own: one.sessions.looks() };

    one.notes.sessions.note(new Date(Date.now() + 3_600_000));

    await eventually(() => other.sessions.looks() > before.sessions);
    await settled(other);
    expect(other.documents.looks()).toBe(before.documents);
    // It knows the time of what it wrote itself.
    expect(one.sessions.looks()).toBe(before.own);
  });

  it("tells the last of many writes, though not each", async () => {
    const [one, other] = [await startReplica(), await startReplica()];
    await settled(one);
    await settled(other);
    const heard: string[] = [];
    const { connection } = await one.bus.client();
    connection.subscribe("corridor-due.identity", { callback: (_error, message) => void heard.push(message.string()) });
    await connection.flush();

    for (let count = 0; count < 50; count += 1) one.notes.documents.note(new Date());

    await eventually(() => heard.length === 2);
    await settled(one);
    expect(heard).toHaveLength(2);
  });

  it("tells what was written last before it stops, and nothing twice", async () => {
    const [one, other] = [await startReplica(), await startReplica()];
    await settled(one);
    const heard: string[] = [];
    const { connection } = await other.bus.client();
    connection.subscribe("corridor-due.identity", { callback: (_error, message) => void heard.push(message.string()) });
    await connection.flush();

    one.notes.documents.note(new Date());
    one.notes.documents.note(new Date());
    await one.sharing.stop();
    await settled(one);

    await eventually(() => heard.length === 2, 5_000);
    await one.sharing.stop();
    await settled(one);
    expect(heard).toHaveLength(2);
  });

  it("looks for everything when the bus is there again: any word may be lost", async () => {
    const replica = await startReplica();
    await settled(replica);
    const before = [replica.sessions.looks(), replica.documents.looks()];

    await (await replica.bus.client()).connection.reconnect();

    await eventually(() => replica.sessions.looks() > (before[0] ?? 0) && replica.documents.looks() > (before[1] ?? 0));
  });

  it("lets each service speak of its own work only", () => {
    const users = busAccounts(() => '"x"').split("\n");

    for (const name of ["auth", "identity", "payment", "wallet", "webhook"]) {
      const subjects = users.flatMap((line) =>
        line.includes(`user: "${name}"`) ? line.match(/corridor-due\.\w+/g) : [],
      );
      expect(new Set(subjects)).toEqual(new Set([`corridor-due.${name}`]));
    }
    expect(users.find((line) => line.includes('user: "gateway"'))).not.toContain("corridor-due");
  });
});
