import { makeScreenAgain, type ScreenAgain } from "../../../services/identity/operations/screen-again";
import { makeUpdateParticipant } from "../../../services/identity/operations/update-participant";
import type { Screening } from "../../../services/identity/ports";
import { makeDecisionStore } from "../../../services/identity/store/decision-store";
import { makeDocumentStore } from "../../../services/identity/store/document-store";
import { makeExceptionStore } from "../../../services/identity/store/exception-store";
import { makeParticipantStore } from "../../../services/identity/store/participant-store";
import { makePersonalData } from "../../../services/identity/store/personal-data";
import { makeReviewStore } from "../../../services/identity/store/review-store";
import { systemClock } from "../../../services/shared/kernel/clock";
import { systemIds } from "../../../services/shared/kernel/ids";
import { makeDataKeys } from "../../../services/shared/storage/data-keys";
import { detailsOf, kindOf, statusWord } from "../../support/person-intents";
import { eventually } from "../sandbox/outside-world";
import { type Identity, type IdentityTestbed, openIdentityTestbed } from "./identity-testbed";

const tenant = "demo";

/** Another process acts between what a screening has read and what it writes. */
describe("a record that others change while it is screened", () => {
  let testbed: IdentityTestbed;
  let identity: Identity;
  let listVersion: string;
  let entryDigest: string;
  beforeAll(async () => {
    testbed = await openIdentityTestbed();
    identity = await testbed.start(testbed.kindVendorUrl);
    const id = await listed();
    await approve(id);
    const [review] = await reviewsOf(id, ReviewStatus.APPROVED);
    listVersion = review?.listVersion ?? "";
    const exception = await testbed.mongo.connection.collection("exceptions").findOne({ tenant, subjectId: id });
    entryDigest = String(exception?.["entryDigest"]);
  });
  afterAll(async () => {
    await identity.stop();
    await testbed.stop();
  });

  /** The stores of the running service, and operations on them in which `rival` runs once. */
  function open(rival: () => Promise<unknown>) {
    const { connection, transact } = testbed.mongo;
    const key = Buffer.alloc(32, 0x11);
    const index = makeDataKeys({ connection, sealingKeys: [Buffer.alloc(32, 0x22)], ids: systemIds });
    const participants = makeParticipantStore(connection, makePersonalData([key], "participants", systemIds), index);
    const exceptions = makeExceptionStore(connection);
    let turn = async (): Promise<void> => {
      turn = async () => {};
      await rival();
    };
    const found = () => ({ hits: [{ entryId: "e", entryDigest, likeness: 1 }], listVersion });
    const screening: Screening = {
      version: () => listVersion,
      screen: found,
      screenFor: found,
      screenChanges: () => undefined,
      embargo: () => undefined,
      ownershipRule: () => undefined,
      tooOld: () => undefined,
    };
    const deps = {
      transact,
      participants,
      reviews: makeReviewStore(connection, makePersonalData([key], "reviews", systemIds)),
      decisions: makeDecisionStore(connection),
      documents: makeDocumentStore(connection),
      exceptions: {
        async of(owner: string, subjectId: string) {
          const found = await exceptions.of(owner, subjectId);
          await turn();
          return found;
        },
      },
      index,
      screening,
      schemas: { check: () => Promise.resolve([]) },
      verifier: { objectionTo: () => Promise.resolve(undefined) },
      clock: systemClock,
      ids: systemIds,
      nudgeRelay: () => {},
    };
    const again: ScreenAgain = makeScreenAgain(deps);
    return { participants, again, update: makeUpdateParticipant(deps) };
  }

  const listed = async (): Promise<string> => {
    const details = detailsOf({ firstName: "Ana", lastName: "Listed" });
    const { participant } = await identity.createParticipant({ tenant, kind: kindOf("PERSON"), details });
    return participant?.participantId ?? "";
  };
  const reviewsOf = async (subjectId: string, status: ReviewStatus) =>
    (await identity.listReviews({ tenant, limit: 10, subjectId, status })).reviews;
  const approve = async (id: string): Promise<void> => {
    const [review] = await reviewsOf(id, ReviewStatus.OPEN);
    const decision = { approve: true, block: false, author: "ada", note: "another Ana" };
    await identity.decideReview({ tenant, reviewId: review?.reviewId ?? "", ...decision });
  };
  const revoke = async (id: string): Promise<void> => {
    const { exceptions } = await identity.listExceptions({ tenant, limit: 200 });
    const exceptionId = exceptions.find(({ subjectId }) => subjectId === id)?.exceptionId ?? "";
    await identity.revokeException({ tenant, exceptionId });
  };
  const statusOf = async (participantId: string): Promise<string | undefined> =>
    statusWord((await identity.getParticipant({ tenant, participantId })).participant?.status);
  const read = async (stores: ReturnType<typeof open>, id: string) => {
    const before = await stores.participants.find(tenant, "PERSON", id);
    if (before === undefined) throw new Error("there is no such record");
    return before;
  };

  it("is screened again when its exception is revoked meanwhile", async () => {
    for (const screen of ["again", "update"] as const) {
      const id = await listed();
      await approve(id);
      const parts = open(() => revoke(id));
      if (screen === "again") await parts.again.participant(await read(parts, id));
      else {
        const change = { given: { gender: "F" }, paths: ["gender"] as const };
        await parts.update({ tenant, kind: "PERSON", id, ...change, expectedVersion: undefined });
      }

      await eventually(async () => (await statusOf(id)) === "IN_REVIEW");
      expect(await reviewsOf(id, ReviewStatus.OPEN)).toHaveLength(1);
    }
  });

  it("gets no second review when the first is decided meanwhile", async () => {
    const id = await listed();
    const parts = open(() => approve(id));
    await parts.again.participant(await read(parts, id));

    expect(await statusOf(id)).toBe("APPROVED");
    expect(await reviewsOf(id, ReviewStatus.OPEN)).toEqual([]);
  });

  it("stays forgotten when it is erased meanwhile", async () => {
    const id = await listed();
    await approve(id);
    const parts = open(() => identity.eraseParticipant({ tenant, participantId: id }));
    await parts.again.participant(await read(parts, id));

    const records = testbed.mongo.connection.collection<{ _id: string }>("participants");
    expect(await records.findOne({ _id: id })).toMatchObject({ dataKey: null, listVersion: "" });
  });
});

import { ReviewStatus } from "../../../proto/gen/corridor/identity/v1/review_service";
