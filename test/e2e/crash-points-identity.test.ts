import { randomUUID } from "node:crypto";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Platform } from "../../local/platform";
import { noTracing } from "../../services/shared/process/tracing";
import { type Mongo, openMongo } from "../../services/shared/storage/mongo";
import { type OutsideWorld, outsideWorld } from "../support/outside-world";
import { connectClient, insist, type PlatformClient, type Reply, until } from "../support/platform-client";
import { sampleFile } from "../support/sample-files";
import { startTestPlatform } from "../support/test-platform";

type Body = Record<string, unknown>;
const patienceMs = 90_000;
const sink = "crashes";

/** A form with a file that is sent. */
interface Upload {
  personId: string;
  content: Buffer;
  number: string;
  apiKey?: string;
  /** Bytes after which nothing more comes. */
  stopAfter?: number;
}

describe("sessions and documents whose service is killed", () => {
  let platform: Platform;
  let client: PlatformClient;
  let other: PlatformClient;
  let world: OutsideWorld;
  let mongo: Mongo;
  let token: string;
  let keys: Readonly<Record<string, string>>;

  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
    other = connectClient(platform, "other");
    world = outsideWorld(platform);
    mongo = await openMongo({
      uri: platform.mongoUri,
      database: platform.database("identity"),
      profile: "local",
      tracing: noTracing,
    });
    token = await client.token();
    keys = Object.fromEntries(platform.credentials.tenants.map(({ tenant, apiKey }) => [tenant, apiKey]));
    const events = ["DocumentUpdatedEvents"];
    for (const one of [client, other]) await until(() => one.subscribe(sink, events).catch(() => ""), Boolean);
  });
  afterEach(() => client.clearFaults());
  afterAll(async () => {
    await mongo.stop();
    await Promise.all([client.close(), other.close()]);
    await platform.stop();
  });

  const json = { "content-type": "application/json" };
  const keyed = (method: "GET" | "POST" | "PATCH", path: string, body?: object, apiKey = keys["demo"] ?? "") =>
    client.send(method, path, { ...json, "x-api-key": apiKey }, body === undefined ? undefined : JSON.stringify(body));
  const idOf = ({ status, body, text }: Reply): string => {
    if (status >= 300) throw new Error(`refused: ${status} ${text}`);
    return String(body["id"]);
  };
  const person = async (fields: object = {}, tenant = "demo"): Promise<string> =>
    idOf(await insist(() => keyed("POST", "/people", { firstName: "Maria", ...fields }, keys[tenant])));
  const tryOpen = (userRef: string): Promise<Reply> =>
    client.send("POST", "/v1/sessions", { ...json, authorization: `Bearer ${token}` }, JSON.stringify({ userRef }));
  const open = async (userRef: string): Promise<{ id: string; url: string; userRef: string }> => {
    const { body } = await insist(() => tryOpen(userRef), patienceMs);
    return { id: String(body["sessionId"]), url: String(body["url"]), userRef };
  };
  const session = (id: string): Promise<Reply> =>
    client.send("GET", `/v1/sessions/${id}`, { authorization: `Bearer ${token}` });
  const show = async ({ url }: { url: string }, ...outcomes: string[]): Promise<void> => {
    for (const outcome of outcomes) await fetch(url, { method: "POST", body: new URLSearchParams({ outcome }) });
  };
  const upload = ({ personId, content, number, apiKey = keys["demo"] ?? "", stopAfter }: Upload): Promise<Reply> =>
    new Promise((resolve) => {
      const headers = { "x-api-key": apiKey, "content-type": "multipart/form-data; boundary=b" };
      const url = `${platform.credentials.baseUrl}/people/${personId}/documents/PASSPORT`;
      const lost = { status: 599, headers: {}, text: "", body: {} };
      const read = async (answer: IncomingMessage): Promise<Reply> => {
        const text = Buffer.concat(await answer.toArray()).toString();
        return { ...lost, status: answer.statusCode ?? 0, text, body: JSON.parse(text) as Body };
      };
      const sending = httpRequest(url, { method: "POST", headers, agent: false }, (answer) => {
        read(answer).then(resolve, () => resolve(lost));
      });
      sending.on("error", () => resolve(lost));
      const part = (name: string): string => `--b\r\ncontent-disposition: form-data; name="${name}"`;
      sending.write(`${part("documentNumber")}\r\n\r\n${number}\r\n${part("file")}; filename="a"\r\n`);
      sending.write("content-type: image/png\r\n\r\n");
      sending.write(content.subarray(0, stopAfter));
      if (stopAfter === undefined) sending.end("\r\n--b--\r\n");
    });
  /** Sent again until it is kept; the id of the document. */
  const kept = async (file: Upload): Promise<string> => idOf(await insist(() => upload(file), patienceMs));
  const decide = async (documentId: string): Promise<number> => {
    const { operatorUrl, operatorToken } = platform.credentials;
    const url = `${operatorUrl}/tenants/demo/documents/${documentId}/decision`;
    const headers = { ...json, authorization: `Bearer ${operatorToken}` };
    const body = JSON.stringify({ accept: true, note: "seen" });
    return (await fetch(url, { method: "POST", headers, body })).status;
  };
  const told = async (): Promise<Map<string, string[]>> => {
    const seen = new Set<string>();
    const byId = new Map<string, string[]>();
    for (const { headers, body } of await client.sink(sink)) {
      const { id, verificationStatus: status } = JSON.parse(body) as { id: string; verificationStatus: string };
      const eventId = headers["x-service-event-id"] ?? "";
      if (!seen.has(eventId)) byId.set(id, [...(byId.get(id) ?? []), status]);
      seen.add(eventId);
    }
    return byId;
  };
  const tells = (id: string, ...statuses: string[]) =>
    until(
      async () => (await told()).get(id) ?? [],
      (found) => found.length >= statuses.length,
      patienceMs,
    );
  const endsAs = (id: string, status: string) =>
    until(
      async () => (await told()).get(id) ?? [],
      (found) => found.at(-1) === status,
      patienceMs,
    );
  const books = async (shelf: string, field: string, value: string): Promise<number> =>
    ((await world.book())[shelf] ?? []).filter((entry) => entry[field] === value).length;
  const all = async (collection: string): Promise<Body[]> => mongo.connection.collection(collection).find({}).toArray();
  const pieces = async (): Promise<number> => (await all("documentFiles.chunks")).length;
  const identity = () => platform.process("identity");

  /** One session or document at each step that takes time, so that one kill meets all of them. */
  async function prepare() {
    const [reviewed, decided, rejected, redecided, failing, older] = await Promise.all(
      ["reviewed", "decided", "rejected", "redecided", "failing", "older"].map((name) =>
        open(`${name}-${randomUUID()}`),
      ),
    );
    if (!reviewed || !decided || !rejected || !redecided || !failing || !older) throw new Error("no sessions");
    const holder = await person({ identificationType: "PASSPORT", identification: "A-review" });
    const judged = await kept({ personId: await person(), content: sampleFile("png"), number: "J-review" });
    const renamed = await kept({ personId: holder, content: sampleFile("png"), number: "A-review" });
    await Promise.all([show(rejected, "review"), show(redecided, "reject"), show(failing, "unreadable", "unreadable")]);
    await Promise.all([
      tells(rejected.id, "PENDING"),
      tells(redecided.id, "REJECTED"),
      tells(judged, "PENDING"),
      tells(renamed, "PENDING"),
      until(
        () => session(failing.id),
        ({ body }) => body["attemptsRemaining"] === 1,
      ),
    ]);
    return { reviewed, decided, rejected, redecided, failing, older, holder, judged, renamed };
  }

  it.each([0, 30])(
    "come to their end once, killed %i ms after what happens to them",
    async (delayMs) => {
      const ready = await prepare();
      const fresh = `fresh-${randomUUID()}-verify`;
      const half = { personId: await person(), content: sampleFile("png", 1_500_000), number: "H-reject" };
      const held = { personId: await person(), content: sampleFile("png", 700_000), number: "R-verify" };
      const unreadOwner = { personId: await person({}, "other"), apiKey: keys["other"] ?? "" };
      const unread = { ...unreadOwner, content: sampleFile("png", 600_000), number: "U" };
      const before = await pieces();

      // The vendor opens both pages and takes the file; its answers are still on their way, and half of another file is there.
      await client.fault({ rail: "kyc", operation: "open", latencyMs: 10_000, times: 2 });
      await client.fault({ rail: "documents", operation: "submit", latencyMs: 10_000, times: 1 });
      const lost = [
        tryOpen(fresh),
        tryOpen(ready.older.userRef),
        upload(held),
        upload({ ...half, stopAfter: 1_300_000 }),
      ];
      await until(
        async () => [
          await books("captures", "userRef", fresh),
          await books("captures", "userRef", ready.older.userRef),
          (await pieces()) - before,
        ],
        (seen) => seen.join() === "1,2,4",
      );
      const acts = Promise.allSettled([
        show(ready.reviewed, "review"),
        show(ready.decided, "verify"),
        show(ready.rejected, "reject"),
        show(ready.redecided, "verify"),
        show(ready.failing, "unreadable"),
        keyed("PATCH", `/people/${ready.holder}`, { identification: "B-review" }),
        decide(ready.judged),
        upload(unread),
      ]);
      await sleep(delayMs);
      await identity().end("SIGKILL");
      await Promise.allSettled([...lost, acts]);
      // What the process left behind is old by the time that another one looks.
      const long = new Date(Date.now() - 6 * 60_000);
      await mongo.connection.collection("documentUploads").updateMany({}, { $set: { startedAt: long } });
      await identity().start();

      const [opened, newer] = await Promise.all([open(fresh), open(ready.older.userRef)]);
      const ids = await Promise.all([kept(held), kept(half), kept(unread)]);
      await insist(() => keyed("PATCH", `/people/${ready.holder}`, { identification: "B-review" }), patienceMs);
      await until(
        () => decide(ready.judged).catch(() => 599),
        (status) => status === 200,
        patienceMs,
      );
      const expected: [string, string[]][] = [
        [ready.reviewed.id, ["PENDING"]],
        [ready.decided.id, ["VERIFIED"]],
        [ready.rejected.id, ["PENDING", "REJECTED"]],
        [ready.redecided.id, ["REJECTED", "VERIFIED"]],
        [ready.failing.id, ["FAILED"]],
        [ready.older.id, ["SUPERSEDED"]],
        [opened.id, ["VERIFIED"]],
        [ready.renamed, ["PENDING", "SUPERSEDED"]],
        [ready.judged, ["PENDING", "VERIFIED"]],
        [ids[2], ["PENDING"]],
      ];
      for (const [id, statuses] of expected) expect([id, await tells(id, ...statuses)]).toEqual([id, statuses]);
      // Tenants know of a document that the vendor is slow with before it is read.
      const read: [string, string][] = [
        [ids[0], "VERIFIED"],
        [ids[1], "REJECTED"],
      ];
      for (const [id, status] of read) expect([[status], ["PENDING", status]]).toContainEqual(await endsAs(id, status));

      // The vendor has a second page for each, which no caller ever learns of.
      expect(await books("captures", "userRef", fresh)).toBe(2);
      const known = new Set([...expected.map(([id]) => id), ...ids, newer.id, ...earlier]);
      expect([...(await told()).keys()].filter((id) => !known.has(id))).toEqual([]);
      expect(await session(newer.id)).toMatchObject({ status: 200, body: { status: "PENDING" } });
      for (const id of known) earlier.add(id);
      await expectNoOrphans();
    },
    400_000,
  );
  /** Events of earlier rounds. */
  const earlier = new Set<string>();

  /** Every piece that is stored is of a file that a document names, and no upload is waited for. */
  async function expectNoOrphans(): Promise<void> {
    await until(
      () => all("documentUploads"),
      (found) => found.length === 0,
      patienceMs,
    );
    expect(await all("documentUploads")).toEqual([]);
    const named = new Set((await all("documents")).map(({ fileId }) => String(fileId)));
    const files = (await all("documentFiles.files")).map(({ _id }) => String(_id));
    const owners = (await all("documentFiles.chunks")).map(({ files_id: id }) => String(id));
    expect(new Set(files)).toEqual(named);
    expect(new Set(owners)).toEqual(named);
  }

  it("are told of once each, killed between what is stored, what is published and what is marked so", async () => {
    const one = await open(`published-${randomUUID()}`);
    await platform.process("bus").end("SIGKILL");
    await show(one, "review");
    await until(
      () => mongo.connection.collection<{ _id: string; status: string }>("sessions").findOne({ _id: one.id }),
      (found) => found?.status === "PENDING",
    );
    await identity().end("SIGKILL");
    await platform.process("bus").start();
    await identity().start();
    expect(await tells(one.id, "PENDING")).toEqual(["PENDING"]);

    await identity().end("SIGKILL");
    const unmarked = { $set: { published: 0, relayDue: new Date() } };
    await mongo.connection.collection<{ _id: string }>("sessions").updateOne({ _id: one.id }, unmarked);
    await show(one, "verify");
    await identity().start();

    expect(await tells(one.id, "PENDING", "VERIFIED")).toEqual(["PENDING", "VERIFIED"]);
    const deliveries = (await client.sink(sink)).filter(({ body }) => body.includes(one.id));
    expect(deliveries).toHaveLength(2);
    earlier.add(one.id);
  });

  it("end with their day once, killed as it ends", async () => {
    const one = await open(`lapsing-${randomUUID()}`);
    await world.advance(24 * 60 * 60 - 1);
    await Promise.all([world.advance(2), identity().end("SIGKILL")]);
    await identity().start();

    expect(await tells(one.id, "EXPIRED")).toEqual(["EXPIRED"]);
  });
});
