import { decisionCollection, makeDecisionStore } from "../../../services/identity/store/decision-store";
import { makeDocumentFiles } from "../../../services/identity/store/document-files";
import { documentCollection, makeDocumentStore } from "../../../services/identity/store/document-store";
import { erasureCollection, makeErasureStore } from "../../../services/identity/store/erasure-store";
import { makeExceptionStore } from "../../../services/identity/store/exception-store";
import { makeParticipantStore } from "../../../services/identity/store/participant-store";
import { makePersonalData } from "../../../services/identity/store/personal-data";
import { makeRecordOutbox } from "../../../services/identity/store/record-outbox";
import { makeReviewStore } from "../../../services/identity/store/review-store";
import { makeSessionStore, sessionCollection } from "../../../services/identity/store/session-store";
import { makeVerificationStore } from "../../../services/identity/store/verification-store";
import { systemClock } from "../../../services/shared/kernel/clock";
import { systemIds } from "../../../services/shared/kernel/ids";
import { makeTenantKey } from "../../../services/shared/storage/data-keys";
import { callsOf, describeQueries } from "../../support/served-by-index";

const at = new Date(0);
const fileId = "0".repeat(24);
const place = { id: "d", createdAt: at };
const timed = { tenant: "t", version: 2, updatedAt: at, createdAt: at };
const plain = { ...timed, events: [] };
const document = { ...plain, id: "d", entityId: "e", status: "VERIFIED", dueAt: undefined } as never;
const session = {
  ...plain,
  id: "s",
  entityId: "e",
  documentType: "PASSPORT",
  attempts: 0,
  revision: 0,
  expiresAt: at,
  claim: "c",
  facts: {},
  status: "VERIFIED",
  personId: "p",
  dueAt: undefined,
} as never;
const judged = { status: "APPROVED", reasonCodes: [], listVersion: "1" };
const participant = { ...timed, ...judged, id: "p", kind: "PERSON", fields: {} } as never;
const asked = { subjectId: "p", kind: "PAYMENT", status: "OPEN", hits: [], listVersion: "1", awaitsProvider: false };
const review = { ...asked, tenant: "t", id: "r", openedAt: at, version: 2 };

describeQueries("identity", async ({ connection, tx }) => {
  const dataOf = <T extends object>(collection: string) =>
    makePersonalData<T>([Buffer.alloc(32, 1)], collection, systemIds);
  const sessions = makeSessionStore(connection, (work) => work(tx), dataOf("sessions"));
  const participants = makeParticipantStore(connection, dataOf("participants"), {
    of: async () => makeTenantKey(Buffer.alloc(32, 2), systemIds),
  });
  const reviews = makeReviewStore(connection, dataOf("reviews"));
  const exceptions = makeExceptionStore(connection);
  const outboxes = [sessionCollection, decisionCollection, documentCollection, erasureCollection].map((collection) => {
    const options = { collection, subject: "s", fields: [], encode: () => Buffer.alloc(0) };
    const calls = callsOf(makeRecordOutbox(connection, options), {
      pending: async (pending) => [await pending(5), await pending(5, { waitingSince: at, recordId: "r" } as never)],
      markPublished: (markPublished) => markPublished([{ recordId: "r", eventCount: 1 } as never]),
      since: (since) => since(at),
    });
    return [`outbox of ${collection}`, calls] as const;
  });
  return {
    decisions: callsOf(makeDecisionStore(connection), {
      init: "inserts",
      add: "inserts",
      find: async (find) => [await find("t", "p"), await find(undefined, "p")],
      save: (save) => save({ ...plain, paymentId: "p" } as never, tx),
    }),
    files: callsOf(makeDocumentFiles(connection, { pieceBytes: 1_024, clock: systemClock }), {
      init: "inserts",
      write: (write) => write(fileId, (async function* () {})()),
      settle: (settle) => settle(fileId, tx),
      piece: (piece) => piece(fileId, 0),
      remove: (remove) => remove(fileId),
      giveUp: (giveUp) => giveUp(fileId),
      unsettled: (unsettled) => unsettled(at, 5),
    }),
    documents: callsOf(makeDocumentStore(connection), {
      init: "inserts",
      find: (find) => find("d"),
      findRepeated: (findRepeated) => findRepeated("k"),
      list: async (list) => [await list("t", "e", 5), await list("t", "e", 5, place)],
      verifiedTypes: (verifiedTypes) => verifiedTypes("t", "e"),
      idsOf: (idsOf) => idsOf("t", "e"),
      pending: async (pending) => [await pending("t", 5), await pending("t", 5, place)],
      add: "inserts",
      declare: (declare) => declare({ tenant: "t", entityId: "e" }, { claim: "c", number: "n" }, tx),
      undecided: (undecided) => undecided("c", "n", tx),
      replace: (replace) => replace(document, document, tx),
      upcoming: (upcoming) => upcoming(5),
      take: (take) => take({ id: "d", dueAt: at }, at),
      eraseOf: (eraseOf) => eraseOf("t", "e"),
    }),
    erasures: callsOf(makeErasureStore(connection), {
      init: "inserts",
      note: (note) => note({ participantId: "p", tenant: "t", erasedAt: at, tries: 0 } as never, "", tx),
      find: (find) => find("p"),
      upcoming: (upcoming) => upcoming(5),
      take: (take) => take({ id: "p", dueAt: at }, at),
      save: (save) => save({ participantId: "p", tries: 1 } as never),
      listOutstanding: (listOutstanding) => listOutstanding(5),
      outstanding: (outstanding) => outstanding(),
    }),
    exceptions: callsOf(exceptions, {
      init: "inserts",
      add: (add) => add([{ id: "x", tenant: "t", subjectId: "p", entryId: "e", createdAt: at } as never], tx),
      of: (of) => of("t", "p"),
      list: async (list) => [
        await list(undefined, undefined, 5),
        await list("t", undefined, 5),
        await list(undefined, "x", 5),
        await list("t", "x", 5),
      ],
      remove: (remove) => remove("t", "x", tx),
    }),
    participants: callsOf(participants, {
      init: (init) => init(),
      add: "inserts",
      find: async (find) => [await find("t", "PERSON", "p"), await find("t", undefined, "p")],
      findByDocument: async (findByDocument) => [
        await findByDocument("t", { identification: "1" }, undefined, 5),
        await findByDocument("t", { identification: "1" }, "p", 5),
      ],
      findByNumber: async (findByNumber) => [
        await findByNumber({ tenant: "t" }, "12345"),
        await findByNumber("all tenants", "12345"),
      ],
      list: async (list) => {
        for (const status of [undefined, "REJECTED" as const])
          for (const after of [undefined, { createdAt: at, id: "a" }])
            await list("t", { kind: "PERSON", status }, { after, limit: 5 });
      },
      keyOf: (keyOf) => keyOf("t", "p"),
      replace: async (replace) => [await participants.add(participant), await replace(participant)],
      listScreenedByOther: (listScreenedByOther) => listScreenedByOther("1", 5),
      setAside: (setAside) => setAside(["p"]),
      countSetAside: (countSetAside) => countSetAside(),
      noteScreened: (noteScreened) => noteScreened(participant),
      noteEachScreened: (noteEachScreened) => noteEachScreened([participant], "2"),
      findEach: (findEach) => findEach("t", ["p", "q"]),
      companiesOf: (companiesOf) => companiesOf("t", ["p", "q"]),
      relyOn: (relyOn) => relyOn("t", [{ id: "p", version: 1 }], tx),
      forgetScreening: (forgetScreening) => forgetScreening("t", "p", tx),
      erase: (erase) => erase("t", "p", at, tx),
    }),
    reviews: callsOf(reviews, {
      init: (init) => init(),
      add: (add) => add(review as never, tx),
      save: (save) => save({ ...review, version: 3 } as never, tx),
      find: (find) => find("r"),
      findOpen: (findOpen) => findOpen("t", "p", tx),
      list: async (list) => {
        await reviews.add({ ...review, id: "last", subjectId: "last" } as never, tx);
        for (const tenant of [undefined, "t"])
          for (const subjectId of tenant === undefined ? [undefined] : [undefined, "p"])
            for (const kind of [undefined, "PAYMENT" as const])
              for (const after of [undefined, "last"])
                await list({ tenant, subjectId, kind, status: "OPEN" }, after, 5);
      },
      listScreenedByOther: (listScreenedByOther) => listScreenedByOther("1", 5),
      setAside: (setAside) => setAside(["r"]),
      countSetAside: (countSetAside) => countSetAside(),
      notesOf: (notesOf) => notesOf(["r"]),
      countOpen: (countOpen) => countOpen(),
      listReports: async (listReports) => {
        const report = { dueAt: at };
        await reviews.add({ ...review, id: "owed", subjectId: "owed" } as never, tx);
        await reviews.save(
          { ...review, id: "owed", subjectId: "owed", status: "BLOCKED", report, version: 3 } as never,
          tx,
        );
        for (const after of [undefined, "owed"]) await listReports(after, 5);
      },
      countReports: (countReports) => countReports(at),
      eraseOf: (eraseOf) => eraseOf("t", "p", at),
    }),
    sessions: callsOf(sessions, {
      init: "inserts",
      add: async (add) => [await add(session, "", { supersede: (older) => older, alongside: async () => {} })],
      find: (find) => find("s"),
      replace: (replace) => replace(session, session),
      upcoming: (upcoming) => upcoming(5),
      take: (take) => take({ id: "s", dueAt: at }, at),
      verifiedTypes: (verifiedTypes) => verifiedTypes("t", "p"),
      idsOf: (idsOf) => idsOf("t", "p"),
      eraseOf: (eraseOf) => eraseOf("t", "p"),
    }),
    verifications: callsOf(makeVerificationStore(connection), {
      init: "inserts",
      add: "inserts",
      find: (find) => find("t", "v"),
    }),
    ...Object.fromEntries(outboxes),
  };
});
