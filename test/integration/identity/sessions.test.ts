import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { UploadDocumentRequest } from "../../../proto/gen/corridor/identity/v1/document_service";
import type { Session } from "../../../proto/gen/corridor/identity/v1/kyc_service";
import { VerificationStatus } from "../../../proto/gen/corridor/identity/v1/verification_status";
import type { Sandbox } from "../../../sandbox/app";
import type { SessionFacts, SessionStatus } from "../../../services/identity/domain/session";
import { makePersonalData } from "../../../services/identity/store/personal-data";
import { makeSessionStore } from "../../../services/identity/store/session-store";
import { signCallback } from "../../../services/shared/crypto/callback-signature";
import { hasReason } from "../../../services/shared/kernel/errors";
import { systemIds } from "../../../services/shared/kernel/ids";
import { sessionCells, sessionGraph } from "../../data/sessions/graph";
import { detailsOf, kindOf } from "../../support/person-intents";
import { sampleFile } from "../../support/sample-files";
import { aboutDocument, aboutSession, sessionOf, verificationWord } from "../../support/session-intents";
import { call, callbackSecret, eventually, startWorld } from "../sandbox/outside-world";
import { type Identity, type IdentityTestbed, openIdentityTestbed } from "./identity-testbed";

const tenant = "demo";
const day = 24 * 60 * 60 * 1_000;
const shown = (status: SessionStatus): string => (status === "CAPTURING" ? "PENDING" : status);

interface StoredSession {
  _id: string;
  status: SessionStatus;
  events: { sequence: number; status: string }[];
  dueAt?: Date;
}

/** A door to the vendor that counts how often each session was asked about. */
async function countingDoor(to: string): Promise<{ url: string; asked: Map<string, number>; server: Server }> {
  const asked = new Map<string, number>();
  const forward = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const id = req.url?.split("/").at(-1) ?? "";
    if (req.method === "GET") asked.set(id, (asked.get(id) ?? 0) + 1);
    const chunks: Buffer[] = [];
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
    const headers = { authorization: req.headers.authorization ?? "", "content-type": "application/json" };
    const body = chunks.length === 0 ? null : Buffer.concat(chunks);
    const answer = await fetch(`${to}${req.url}`, { method: req.method ?? "GET", headers, body });
    res.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  };
  const server = createServer((req, res) => {
    forward(req, res).catch(() => res.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
}

describe("KYC sessions", () => {
  let testbed: IdentityTestbed;
  let world: Sandbox;
  let door: Awaited<ReturnType<typeof countingDoor>>;
  let identity: Identity;
  let second: Identity;

  beforeAll(async () => {
    testbed = await openIdentityTestbed();
    world = await startWorld();
    door = await countingDoor(world.url);
    [identity, second] = await Promise.all([testbed.start(door.url), testbed.start(door.url)]);
  });
  afterAll(async () => {
    await Promise.all([identity.stop(), second.stop()]);
    await testbed.stop();
    await world.stop();
    door.server.closeAllConnections();
    await new Promise((resolve) => door.server.close(resolve));
  });

  /** Opens a session; a vendor that is slow today is asked again. */
  const open = (userRef: string = randomUUID(), more: object = {}): Promise<Session & { userRef: string }> =>
    tryOpen(userRef, more).catch((error: unknown) => {
      if (hasReason(error, "UNAVAILABLE")) return tryOpen(userRef, more);
      throw error;
    });
  const tryOpen = async (userRef: string = randomUUID(), more: object = {}): Promise<Session & { userRef: string }> => {
    const { session } = await identity.createSession({ tenant, session: sessionOf({ userRef, ...more }) });
    if (session === undefined) throw new Error("no session");
    return { ...session, userRef: session.details?.userRef ?? "" };
  };
  const read = async (sessionId: string): Promise<string | undefined> =>
    verificationWord((await identity.getSession({ tenant, sessionId })).session?.status);
  const ask = async (sessionId: string): Promise<string | undefined> =>
    verificationWord((await identity.createVerification({ tenant, ...aboutSession(sessionId) })).verification?.status);
  const hear = (reference: string, status: string, revision: number, from = identity) => {
    const body = JSON.stringify({ reference, status, attempts: 1, revision, occurredAt: new Date().toISOString() });
    const signature = signCallback(callbackSecret, "kyc", randomUUID(), Math.floor(Date.now() / 1_000), body);
    return from.receiveKycReport({ signature, body: Buffer.from(body) });
  };
  const stored = async (sessionId: string): Promise<StoredSession> => {
    const found = await testbed.mongo.connection.collection<StoredSession>("sessions").findOne({ _id: sessionId });
    if (found === null) throw new Error("no such session is stored");
    return found;
  };
  const show = (url: string, outcome: string) =>
    fetch(url, { method: "POST", body: new URLSearchParams({ outcome }), redirect: "manual" });
  const fault = (rule: object) => call("POST", `${world.url}/faults`, { rail: "kyc", ...rule });

  const advance = async (ms: number): Promise<void> => {
    await call("POST", `${world.url}/clock`, { advance: ms / 1_000 });
    testbed.advance(ms);
  };

  /** A new session in the status, and the user that it is of. */
  async function sessionIn(status: SessionStatus): Promise<{ sessionId: string; userRef: string }> {
    const { sessionId, userRef } = await open();
    if (status === "SUPERSEDED") await open(userRef);
    else if (status !== "CAPTURING") await hear(sessionId, status === "PENDING" ? "IN_REVIEW" : status, 10);
    expect((await stored(sessionId)).status).toBe(status);
    return { sessionId, userRef };
  }

  it.each(sessionCells)("that are %s and meet %s are %s, however often they meet it", async (from, what, to) => {
    const { sessionId, userRef } = await sessionIn(from);
    const before = (await stored(sessionId)).events.length;

    for (let turn = 0; turn < 2; turn += 1) {
      if (what === "newer") await open(userRef);
      else if (what === "day") {
        await advance(turn === 0 ? day + 1_000 : 0);
        await ask(sessionId);
      } else await hear(sessionId, what, 20);
    }

    const { status, events } = await stored(sessionId);
    expect(status).toBe(to);
    expect(events.slice(before).map((event) => event.status)).toEqual(from === to ? [] : [to]);
  });

  const states = Object.keys(sessionGraph) as SessionStatus[];
  it.each(states)(
    "that are %s are read and verified as that, by nobody else, until they are erased",
    async (status) => {
      const { participant } = await identity.createParticipant({
        tenant,
        kind: kindOf("PERSON"),
        details: detailsOf({}),
      });
      const personId = participant?.participantId ?? "";
      const { sessionId } = await open(randomUUID(), { personId });
      if (status === "SUPERSEDED") await open(randomUUID(), { personId });
      else if (status !== "CAPTURING") await hear(sessionId, status === "PENDING" ? "IN_REVIEW" : status, 10);
      const verification = { tenant, ...aboutSession(sessionId) };
      const verificationId = (await identity.createVerification(verification)).verification?.verificationId ?? "";

      expect([await read(sessionId), await ask(sessionId)]).toEqual([shown(status), shown(status)]);
      expect(await identity.getVerification({ tenant, verificationId })).toMatchObject({
        verification: {
          status: `VERIFICATION_STATUS_${shown(status)}`,
          subject: { $case: "sessionId", value: sessionId },
        },
      });
      const refusals = (who: string) => [
        identity.getSession({ tenant: who, sessionId }),
        identity.createVerification({ ...verification, tenant: who }),
        identity.getVerification({ tenant: who, verificationId }),
      ];
      for (const refusal of refusals("other"))
        await expect(refusal).rejects.toMatchObject({ reason: "SESSION_NOT_FOUND" });

      await identity.eraseParticipant({ tenant, participantId: personId });
      for (const refusal of refusals(tenant))
        await expect(refusal).rejects.toMatchObject({ reason: "SESSION_NOT_FOUND" });
      await hear(sessionId, "VERIFIED", 30);
      const left = await stored(sessionId);
      expect(left).toMatchObject({ dataKey: null, sealed: "", claim: "" });
      expect(left.dueAt).toBeUndefined();
    },
  );

  /** An upload of a person's document of one type. */
  async function upload(participantId: string, documentType: string): Promise<string> {
    const owner = { tenant, kind: kindOf("PERSON"), participantId, documentType, mediaType: "" };
    async function* pieces(): AsyncGenerator<UploadDocumentRequest> {
      yield { piece: { $case: "begin", value: owner } };
      yield { piece: { $case: "content", value: sampleFile("png") } };
      yield { piece: { $case: "end", value: { documentNumber: undefined } } };
    }
    return (await identity.uploadDocument(pieces())).document?.documentId ?? "";
  }
  const person = async (): Promise<string> => {
    const { participant } = await identity.createParticipant({
      tenant,
      kind: kindOf("PERSON"),
      details: detailsOf({}),
    });
    return participant?.participantId ?? "";
  };
  const fileStatus = async (documentId: string): Promise<string | undefined> =>
    verificationWord((await identity.getDocument({ tenant, documentId })).document?.status);

  it("end what the person has uploaded of the same document and nobody has decided, in any spelling of its kind", async () => {
    const personId = await person();
    const [licence, passport, decided] = [
      await upload(personId, "DRIVERS_LICENSE"),
      await upload(personId, "PASSPORT"),
      await upload(personId, "DRIVERS_LICENSE"),
    ];
    const stranger = await upload(await person(), "DRIVERS_LICENSE");
    const decision = { tenant, documentId: decided, accept: true, author: "op", note: "seen" };
    await identity.decideDocument(decision);

    await open(randomUUID(), { personId, documentTypes: ["DRIVER_LICENSE"] });

    expect(await Promise.all([licence, passport, decided, stranger].map(fileStatus))).toEqual([
      "SUPERSEDED",
      "PENDING",
      "VERIFIED",
      "PENDING",
    ]);
  });

  it("and uploads are verified by the id that events give them", async () => {
    const documentId = await upload(await person(), "PASSPORT");
    const { sessionId } = await open();

    const { verification: ofFile } = await identity.createVerification({ tenant, ...aboutDocument(documentId) });
    const { verification: ofSession } = await identity.createVerification({
      tenant,
      ...aboutDocument(sessionId),
    });

    expect(ofFile).toMatchObject({
      subject: { $case: "documentId", value: documentId },
      status: VerificationStatus.PENDING,
    });
    expect(ofSession).toMatchObject({
      subject: { $case: "sessionId", value: sessionId },
      status: VerificationStatus.PENDING,
    });
    const verificationId = ofFile?.verificationId ?? "";
    expect((await identity.getVerification({ tenant, verificationId })).verification).toEqual(ofFile);
    const refusal = { reason: "SESSION_NOT_FOUND" };
    const asked = identity.createVerification({ tenant: "other", ...aboutDocument(documentId) });
    await expect(asked).rejects.toMatchObject(refusal);
    await expect(identity.getVerification({ tenant: "other", verificationId })).rejects.toMatchObject(refusal);
  });

  it("learn of a decision made again whose report was lost, for as long as the vendor may decide again", async () => {
    const { sessionId, url } = await open();
    await show(url, "verify");
    expect(await ask(sessionId)).toBe("VERIFIED");
    await show(url, "reject");
    expect(await read(sessionId)).toBe("VERIFIED");

    await advance(16 * 60_000);
    await eventually(async () => (await read(sessionId)) === "REJECTED");
    expect((await stored(sessionId)).events.map(({ status }) => status)).toEqual(["VERIFIED", "REJECTED"]);

    await show(url, "verify");
    await advance(31 * day);
    await eventually(async () => (await read(sessionId)) === "VERIFIED");
    await advance(31 * day);
    await eventually(async () => (await stored(sessionId)).dueAt === undefined);
    await show(url, "reject");
    await advance(31 * day);
    await open();
    expect(await read(sessionId)).toBe("VERIFIED");
  });

  it("are asked about by one of several services, and again when one cannot be opened", async () => {
    const { sessionId } = await open();
    const broken = await open();
    const sessions = testbed.mongo.connection.collection<StoredSession & { sealed: string }>("sessions");
    await sessions.updateOne({ _id: broken.sessionId }, { $set: { sealed: "s1.nothing.nothing" } });
    door.asked.clear();
    await advance(2_500);

    await eventually(() => (door.asked.get(sessionId) ?? 0) > 0);
    await eventually(() => (door.asked.get(broken.sessionId) ?? 0) > 0);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(door.asked.get(sessionId)).toBe(1);
    await advance(11_000);
    await eventually(() => (door.asked.get(broken.sessionId) ?? 0) > 1);
    await sessions.deleteOne({ _id: broken.sessionId });
  });

  it("are not opened when the vendor's answer is lost, whether it opened them or not", async () => {
    const count = () => testbed.mongo.connection.collection("sessions").countDocuments();
    const captures = async () => ((await call("GET", `${world.url}/book`)).body["captures"] as object[]).length;
    for (const [rule, opened] of [
      [{ timeoutAfterExecute: true }, 1],
      [{ status: 503 }, 0],
    ] as const) {
      const [stands, books] = [await count(), await captures()];
      await fault({ operation: "open", times: 1, ...rule });

      await expect(tryOpen()).rejects.toMatchObject({ reason: "UNAVAILABLE" });
      expect([(await count()) - stands, (await captures()) - books]).toEqual([0, opened]);
    }
  });

  it("leave an older one of the document alone when the vendor does not open the newer", async () => {
    const { sessionId, userRef } = await open();
    await fault({ operation: "open", times: 1, timeoutAfterExecute: true });

    await expect(tryOpen(userRef)).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    expect((await stored(sessionId)).status).toBe("CAPTURING");
  });

  it("stay as they are while the vendor is silent, and are asked about again", async () => {
    const { sessionId, url } = await open();
    await show(url, "verify");
    // Sessions of other tests are asked about too.
    await fault({ operation: "query", times: 1_000, timeoutAfterExecute: true });
    expect(await ask(sessionId)).toBe("PENDING");

    await call("DELETE", `${world.url}/faults`);
    await advance(11_000);
    await eventually(async () => (await read(sessionId)) === "VERIFIED");
  });

  it("are not disturbed by a report of a session that nobody knows", async () => {
    await expect(hear(randomUUID(), "VERIFIED", 1)).resolves.toBeDefined();
  });

  it("take every report once, whichever of two services hears it, and whatever else happens meanwhile", async () => {
    const { sessionId, userRef } = await open();
    const reports = ["IN_REVIEW", "VERIFIED", "REJECTED", "VERIFIED"].flatMap((status, index) => [
      () => hear(sessionId, status, 10 + index, identity),
      () => hear(sessionId, status, 10 + index, second),
    ]);
    const others = [() => open(userRef), () => ask(sessionId), () => ask(sessionId)];
    const results = await Promise.allSettled([...reports, ...others].map((start) => start()));
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ reason: "UNAVAILABLE" });
    }

    const { status, events } = await stored(sessionId);
    const told = events.map((event) => event.status);
    expect(told.at(-1)).toBe(status);
    const path: SessionStatus[] = ["CAPTURING", ...(told as SessionStatus[])];
    for (const [index, to] of path.slice(1).entries()) {
      const from = path[index] ?? "CAPTURING";
      expect(Object.values(sessionGraph[from] ?? {})).toContain(to);
      expect(to).not.toBe(from);
    }
  });

  it("are not left behind by a person that is erased while they are opened", async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const { participant } = await identity.createParticipant({
        tenant,
        kind: kindOf("PERSON"),
        details: detailsOf({}),
      });
      const personId = participant?.participantId ?? "";
      await Promise.allSettled([
        open(randomUUID(), { personId }),
        second.eraseParticipant({ tenant, participantId: personId }),
      ]);

      const left = testbed.mongo.connection.collection("sessions").find({ tenant, personId });
      for (const session of await left.toArray()) expect(session).toMatchObject({ dataKey: null, sealed: "" });
    }
  });

  it("cannot be brought on by somebody who read one before its person was erased", async () => {
    const { connection, transact } = testbed.mongo;
    const data = makePersonalData<SessionFacts>([Buffer.alloc(32, 0x11)], "sessions", systemIds);
    const sessions = makeSessionStore(connection, transact, data);
    const { participant } = await identity.createParticipant({
      tenant,
      kind: kindOf("PERSON"),
      details: detailsOf({}),
    });
    const personId = participant?.participantId ?? "";
    const before = await sessions.find((await open(randomUUID(), { personId })).sessionId);
    if (before === undefined) throw new Error("no session");

    await sessions.eraseOf(tenant, personId);

    expect(await sessions.replace(before, { ...before, dueAt: new Date() })).toBe(false);
    expect((await stored(before.id)).dueAt).toBeUndefined();
  });
});
