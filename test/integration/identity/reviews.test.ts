import { randomUUID } from "node:crypto";
import { type Review, ReviewKind, ReviewStatus } from "../../../proto/gen/corridor/identity/v1/review_service";
import type { Sandbox } from "../../../sandbox/app";
import { signCallback } from "../../../services/shared/crypto/callback-signature";
import { changeOf, detailsOf, inWords, kindOf } from "../../support/person-intents";
import { decisionWord, inReviewWords } from "../../support/review-words";
import { call, callbackSecret, eventually, startWorld } from "../sandbox/outside-world";
import { type Identity, type IdentityTestbed, openIdentityTestbed } from "./identity-testbed";

const tenant = "demo";
const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));
const canary = "canary-5d1c";

interface Entry {
  id: string;
  names: string[];
}
const listText = (version: string, ...entries: Entry[]): string => JSON.stringify({ version, entries });
const listed: Entry = { id: "listed", names: ["Listed"] };
const newcomer: Entry = { id: "newcomer", names: ["Ivan Newcomer"] };

describe("reviews", () => {
  let testbed: IdentityTestbed;
  let world: Sandbox;
  let identity: Identity;
  let listFile: string;

  beforeAll(async () => {
    [testbed, world] = await Promise.all([openIdentityTestbed(), startWorld()]);
    listFile = testbed.file("reviewed-list", listText("1", listed));
    identity = await testbed.start(world.url, { IDENTITY_SCREENING_LIST_FILE: listFile });
  });
  afterAll(async () => {
    await identity.stop();
    await world.stop();
    await testbed.stop();
  });
  /** The list that every test begins with. */
  beforeEach(() => useList("1", listed));

  const useList = async (version: string, ...entries: Entry[]): Promise<void> => {
    testbed.file("reviewed-list", listText(version, ...entries));
    await eventually(async () => (await decide({})).listVersion.startsWith(`${version}.`));
  };

  interface Wish {
    paymentId?: string;
    recipient?: string;
    sender?: string;
    narrative?: string;
    collects?: boolean;
  }
  const decide = async ({ paymentId, recipient, sender, narrative, collects }: Wish, by = identity) => {
    const decision = await by.decidePayment({
      tenant,
      paymentId: paymentId ?? randomUUID(),
      amount: { amountMinor: 54_321n, currency: "BRL" },
      sender: { firstName: "Ada", lastName: sender ?? "Lovelace" },
      recipient:
        collects === true
          ? undefined
          : { name: recipient ?? "Maria Souza", countryCode: "BRA", narrative: narrative ?? "" },
      isFirst: paymentId === undefined,
    });
    const { status, providerStatus } = decision;
    return { ...decision, status: decisionWord(status), providerStatus: decisionWord(providerStatus) };
  };
  const worded = (found: Review | undefined) => found && inReviewWords(found);
  const judge = async (reviewId: string, approve: boolean, author = "ada") =>
    worded(
      (await identity.decideReview({ tenant, reviewId, approve, block: false, author, note: `seen ${canary}` })).review,
    );
  const review = async (reviewId: string | undefined) =>
    worded((await identity.getReview({ reviewId: reviewId ?? "" })).review);
  const openReviewOf = async (subjectId: string) => {
    const { reviews } = await identity.listReviews({ tenant, limit: 200 });
    return worded(reviews.find((one) => one.subjectId === subjectId));
  };
  const create = async (person: object, kind = "PERSON") =>
    (await identity.createParticipant({ tenant, kind: kindOf(kind), details: detailsOf(person) })).participant
      ?.participantId ?? "";
  const participant = async (participantId: string) => {
    const found = (await identity.getParticipant({ tenant, participantId })).participant;
    return found && inWords(found);
  };
  const report = (reference: string, status: string) => {
    const body = json({ eventId: randomUUID(), reference, status, reason: "said by the provider" });
    const signature = signCallback(
      callbackSecret,
      "screening",
      randomUUID(),
      Math.floor(Date.now() / 1_000),
      body.toString(),
    );
    return identity.receiveScreeningReport({ signature, body });
  };
  const stored = async (paymentId: string) => {
    const decisions = testbed.mongo.connection.collection<{ _id: string }>("payment_decisions");
    return decisions.findOne({ _id: paymentId });
  };

  it("of a hit approves no record that lacks what its country asks for", async () => {
    const id = await create({ firstName: "Ana", lastName: "Listed", address: { countryCode: "BR" } });
    const reasonCodes = ["REQUIREMENT_NOT_MET", "SCREENING_HIT"];
    expect(await participant(id)).toMatchObject({ status: "IN_REVIEW", reasonCodes });

    await judge((await openReviewOf(id))?.reviewId ?? "", true);

    expect(await participant(id)).toMatchObject({ status: "REJECTED", reasonCodes: ["REQUIREMENT_NOT_MET"] });
  });

  describe("the decision about a payment", () => {
    it("is APPROVED when nobody has anything to say, once and for all, and rests on list and provider", async () => {
      const paymentId = randomUUID();
      const first = await decide({ paymentId });
      await call("POST", `${world.url}/faults`, { rail: "screening", operation: "screen", status: 503 });

      expect(await decide({ paymentId })).toEqual(first);
      await call("DELETE", `${world.url}/faults`);
      expect(first).toMatchObject({ status: "APPROVED", providerStatus: "APPROVED", reviewId: undefined });
      expect(await stored(paymentId)).toMatchObject({
        tenant,
        status: "APPROVED",
        listVersion: first.listVersion,
        provider: { status: "APPROVED" },
      });
    });

    it.each([
      ["recipient on the list", { recipient: "Maria Listed" }, "BLOCKED"],
      ["sender on the list", { sender: "Listed" }, "BLOCKED"],
      ["sender on the list of a payment that only collects", { sender: "Listed", collects: true }, "BLOCKED"],
      ["payment that only collects", { collects: true }, "APPROVED"],
      ["recipient that the provider refuses", { recipient: "Maria Sanctioned" }, "REJECTED"],
      ["recipient that both refuse", { recipient: "Listed Sanctioned", sender: "Listed" }, "REJECTED"],
      ["payment that the provider looks at", { narrative: "SIM:review-approve" }, "REVIEW"],
      ["one that both look at", { sender: "Listed", narrative: "SIM:review-approve" }, "BLOCKED"],
    ])("for a %s (%j) is %s", async (_name, wish, status) => {
      const decision = await decide(wish);

      expect(decision.status).toBe(status);
      const isOpen = status === "BLOCKED" || status === "REVIEW";
      expect(decision.reviewId === undefined).toBe(!isOpen);
      if (isOpen) expect(await review(decision.reviewId)).toMatchObject({ status: "OPEN", kind: "PAYMENT" });
    });

    it.each([
      ["its textbook transliterations", "Александр Вымышленный", "Aleksandr Vymyshlennyy"],
      ["another textbook", "Александр Вымышленный", "Alexander Wymyschlenny"],
      ["the scholars' one", "Александр Вымышленный", "Aleksandr Vymyšlennyj"],
      ["its own script", "Aleksandr Vymyshlenny", "Александр Вымышленный"],
      ["a control character", "Aleksandr Vymyshlenny", "Aleksandr Vymysh\u0007lenny"],
      ["a deleted character", "Aleksandr Vymyshlenny", "Aleksandr Vymyshlen\u007fny"],
      ["an annotation mark", "Aleksandr Vymyshlenny", "Aleksandr Vy\ufff9myshlenny"],
      ["no width", "Aleksandr Vymyshlenny", "Alek\u200bsandr Vymysh\u2060lenny"],
      ["its direction turned", "Aleksandr Vymyshlenny", "\u202eynnelhsymyV rdnaskelA"],
      ["letters that look like its own", "Aleksandr Vymyshlenny", "Аlеksаndr Vуmуshlеnnу"],
      ["its words turned and joined", "Aleksandr Vymyshlenny", "VYMYSHLENNYALEKSANDR"],
      ["Korean spelling", "김정은", "Kim Jong Un"],
      ["Arabic spelling", "حسن نصر الله", "Hassan Nasrallah"],
      ["Thai spelling", "ทักษิณ ชินวัตร", "Thaksin Shinawatra"],
    ])("holds a recipient whose listed name is written with %s", async (_what, name, recipient) => {
      await useList(`spelled ${name}`, { id: "spelled", names: [name] });
      const decision = await decide({ recipient });

      expect(decision.status).toBe("BLOCKED");
      expect(await review(decision.reviewId)).toMatchObject({ status: "OPEN", hits: [{ entryId: "spelled" }] });
    });

    it("is not made while the provider does not answer, and nothing of it is kept", async () => {
      const paymentId = randomUUID();
      await call("POST", `${world.url}/faults`, { rail: "screening", operation: "screen", status: 503, times: 1 });

      await expect(decide({ paymentId })).rejects.toMatchObject({ reason: "UNAVAILABLE" });
      expect(await stored(paymentId)).toBeNull();
      expect(await decide({ paymentId })).toMatchObject({ status: "APPROVED" });
    });

    it("is one, with one review, however many ask at once", async () => {
      const paymentId = randomUUID();
      const answers = await Promise.all(Array.from({ length: 16 }, () => decide({ paymentId, sender: "Listed" })));

      expect(new Set(answers.map(({ reviewId }) => reviewId)).size).toBe(1);
      const { reviews } = await identity.listReviews({ tenant, limit: 200 });
      expect(reviews.filter(({ subjectId }) => subjectId === paymentId)).toHaveLength(1);
    });

    it("follows the provider's later word, told by callback or learnt by asking, and closes the review", async () => {
      const told = randomUUID();
      const { reviewId } = await decide({ paymentId: told, narrative: "SIM:review-approve" });
      await report(told, "APPROVED");
      expect(await decide({ paymentId: told })).toMatchObject({ status: "APPROVED" });
      expect(await review(reviewId)).toMatchObject({ status: "APPROVED", author: "screening provider" });
      await report(told, "REJECTED");
      expect(await decide({ paymentId: told })).toMatchObject({ status: "APPROVED" });

      const asked = randomUUID();
      const first = await decide({ paymentId: asked, narrative: "SIM:review-reject" });
      await eventually(async () => (await decide({ paymentId: asked })).status === "REJECTED");
      expect(await review(first.reviewId)).toMatchObject({ status: "REJECTED", author: "screening provider" });
      expect(await stored(asked)).toMatchObject({ events: [{ sequence: 1, status: "REJECTED" }] });
    });

    it("needs a person for a name on the list, though the provider approves; the provider's refusal needs none", async () => {
      const paymentId = randomUUID();
      const { reviewId } = await decide({ paymentId, sender: "Listed", narrative: "SIM:review-approve" });
      expect(await review(reviewId)).toMatchObject({ awaitsProvider: true });
      await report(paymentId, "APPROVED");
      expect(await decide({ paymentId })).toMatchObject({ status: "BLOCKED", providerStatus: "APPROVED" });
      expect(await review(reviewId)).toMatchObject({ status: "OPEN", awaitsProvider: false });

      const refused = randomUUID();
      const second = await decide({ paymentId: refused, sender: "Listed", narrative: "SIM:review-reject" });
      await report(refused, "REJECTED");
      expect(await decide({ paymentId: refused })).toMatchObject({ status: "REJECTED" });
      expect(await review(second.reviewId)).toMatchObject({ status: "REJECTED" });
    });

    it("takes no report that is not signed, is none, or names a payment that nobody knows", async () => {
      await expect(identity.receiveScreeningReport({ signature: "t=1,v1=00", body: json({}) })).rejects.toMatchObject({
        reason: "UNAUTHENTICATED",
      });
      await expect(report("", "APPROVED")).rejects.toMatchObject({ reason: "INVALID_ARGUMENT" });
      await expect(report(randomUUID(), "MAYBE")).rejects.toMatchObject({ reason: "INVALID_ARGUMENT" });
      await expect(report(randomUUID(), "APPROVED")).resolves.toEqual({});
    });
  });

  describe("a person's decision", () => {
    it("approves or rejects a payment, says who and why, and is told", async () => {
      const [good, bad] = [randomUUID(), randomUUID()];
      const first = await decide({ paymentId: good, sender: "Listed" });
      const second = await decide({ paymentId: bad, sender: "Listed" });

      await judge(first.reviewId ?? "", true);
      await judge(second.reviewId ?? "", false);

      expect(await decide({ paymentId: good })).toMatchObject({ status: "APPROVED", reason: "approved by a reviewer" });
      expect(await decide({ paymentId: bad })).toMatchObject({ status: "REJECTED", reason: "refused by a reviewer" });
      const shown = await review(first.reviewId);
      expect(shown).toMatchObject({ status: "APPROVED", author: "ada", note: `seen ${canary}` });
      expect(shown?.facts).toEqual({
        $case: "payment",
        value: {
          amount: { amountMinor: 54_321n, currency: "BRL" },
          senderName: "Ada Listed",
          sender: undefined,
          recipient: { name: "Maria Souza", countryCode: "BRA", narrative: "", party: undefined },
        },
      });
      expect(await stored(good)).toMatchObject({ events: [{ sequence: 1, status: "APPROVED" }] });
    });

    it("is the same the second time, and any other meets a conflict", async () => {
      const { reviewId = "" } = await decide({ sender: "Listed" });
      const first = await judge(reviewId, true);

      expect(await judge(reviewId, true)).toEqual(first);
      await expect(judge(reviewId, false)).rejects.toMatchObject({ reason: "RECORD_CONFLICT" });
      await expect(judge(reviewId, true, "bob")).rejects.toMatchObject({ reason: "RECORD_CONFLICT" });
    });

    it("is won by one of two operators who decide at once", async () => {
      for (let round = 0; round < 10; round += 1) {
        const paymentId = randomUUID();
        const { reviewId = "" } = await decide({ paymentId, sender: "Listed" });
        const rivals = await Promise.allSettled([judge(reviewId, true, "ada"), judge(reviewId, false, "bob")]);

        expect(rivals.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
        const lost = rivals.find((one) => one.status === "rejected");
        expect(lost?.reason).toMatchObject({ reason: "RECORD_CONFLICT" });
        const won = await review(reviewId);
        expect(await decide({ paymentId })).toMatchObject({ status: won?.status });
      }
    });

    it("stands against whatever the provider says later, and ends its own question too", async () => {
      const [good, bad] = [randomUUID(), randomUUID()];
      for (const [paymentId, approve] of [
        [good, true],
        [bad, false],
      ] as const) {
        const { reviewId } = await decide({ paymentId, sender: "Listed", narrative: "SIM:review-approve" });
        await judge(reviewId ?? "", approve);
        await report(paymentId, approve ? "REJECTED" : "APPROVED");
        expect(await review(reviewId)).toMatchObject({ author: "ada", awaitsProvider: false });
      }

      expect(await decide({ paymentId: good })).toMatchObject({ status: "APPROVED" });
      expect(await decide({ paymentId: bad })).toMatchObject({ status: "REJECTED" });
    });

    it("needs an author and a note, and the review's own tenant", async () => {
      const { reviewId = "" } = await decide({ sender: "Listed" });
      const ask = (change: object) =>
        identity.decideReview({ tenant, reviewId, approve: true, block: false, author: "ada", note: "n", ...change });

      await expect(ask({ author: "", note: " " })).rejects.toMatchObject({
        reason: "INVALID_ARGUMENT",
        violations: [{ field: "author" }, { field: "note" }],
      });
      await expect(ask({ note: "n".repeat(1_001) })).rejects.toMatchObject({ violations: [{ field: "note" }] });
      await expect(ask({ tenant: "other" })).rejects.toMatchObject({ reason: "RECORD_NOT_FOUND" });
      await expect(ask({ reviewId: randomUUID() })).rejects.toMatchObject({ reason: "RECORD_NOT_FOUND" });
      expect(await review(reviewId)).toMatchObject({ status: "OPEN" });
    });

    it("approves or rejects a person, and keeps a cleared hit from being raised by the next change", async () => {
      const id = await create({ firstName: "Maria", lastName: "Listed" });
      expect(await participant(id)).toMatchObject({ status: "IN_REVIEW" });
      await judge((await openReviewOf(id))?.reviewId ?? "", true);
      expect(await participant(id)).toMatchObject({ status: "APPROVED", reasonCodes: [] });

      const change = changeOf({ gender: "F" });
      await identity.updateParticipant({ tenant, kind: kindOf("PERSON"), participantId: id, ...change });
      expect(await participant(id)).toMatchObject({ status: "APPROVED" });

      const other = await create({ companyName: "Listed" }, "COMPANY");
      const found = await openReviewOf(other);
      expect(found).toMatchObject({ kind: "COMPANY", hits: [{ entryId: "listed", likenessPercent: 100 }] });
      await judge(found?.reviewId ?? "", false);
      expect(await participant(other)).toMatchObject({ status: "REJECTED", reasonCodes: ["SCREENING_HIT"] });
    });

    it("is no longer wanted when the record has lost its hit", async () => {
      const id = await create({ lastName: "Listed" });
      const found = await openReviewOf(id);
      const change = changeOf({ lastName: "Souza" });
      await identity.updateParticipant({ tenant, kind: kindOf("PERSON"), participantId: id, ...change });

      expect(await participant(id)).toMatchObject({ status: "APPROVED" });
      expect(await review(found?.reviewId)).toMatchObject({ status: "WITHDRAWN", author: "platform" });
      await expect(judge(found?.reviewId ?? "", false)).rejects.toMatchObject({ reason: "RECORD_CONFLICT" });
    });
  });

  describe("another list", () => {
    it("raises new hits of persons, companies and waiting payments; who was rejected stays so", async () => {
      const person = await create({ firstName: "Ivan", lastName: "Newcomer" });
      const company = await create({ companyName: "Ivan Newcomer" }, "COMPANY");
      const clean = await create({ firstName: "Maria", lastName: "Souza" });
      const rejected = await create({ lastName: "Listed", firstName: "Ivan Newcomer" });
      await judge((await openReviewOf(rejected))?.reviewId ?? "", false);
      const paymentId = randomUUID();
      const { reviewId } = await decide({ paymentId, sender: "Listed", recipient: "Ivan Newcomer" });
      await useList("2", listed, newcomer);
      const bound = (await decide({})).listVersion;
      await eventually(async () => (await participant(person))?.status === "IN_REVIEW");
      await eventually(async () => (await participant(company))?.status === "IN_REVIEW");
      await eventually(async () => (await review(reviewId))?.listVersion === bound);

      expect((await openReviewOf(person))?.hits).toMatchObject([{ entryId: "newcomer" }]);
      expect((await review(reviewId))?.hits.map(({ entryId }) => entryId).toSorted()).toEqual(["listed", "newcomer"]);
      expect(await participant(rejected)).toMatchObject({ status: "REJECTED" });
      const records = testbed.mongo.connection.collection<{ _id: string; listVersion: string }>("participants");
      await eventually(async () => (await records.findOne({ _id: clean }))?.listVersion === bound);
      expect(await participant(clean)).toMatchObject({ status: "APPROVED", version: 1 });
    });

    it("adds what it finds to the review that is open, and opens no second one", async () => {
      const id = await create({ lastName: "Listed" });
      await useList("10", listed, { id: "second", names: ["Listed"] });
      const open = async () => (await identity.listReviews({ tenant, subjectId: id, limit: 10 })).reviews;
      await eventually(async () => (await open()).some(({ listVersion }) => listVersion.startsWith("10.")));

      const entries = (await open()).map(({ hits }) => hits.map(({ entryId }) => entryId).toSorted());
      expect(entries).toEqual([["listed", "second"]]);
    });

    it("does not raise a hit that was cleared, unless the entry has changed", async () => {
      const id = await create({ lastName: "Listed" });
      await judge((await openReviewOf(id))?.reviewId ?? "", true);
      const records = testbed.mongo.connection.collection<{ _id: string; listVersion: string }>("participants");
      const screenedBy = (version: string) =>
        eventually(async () => (await records.findOne({ _id: id }))?.listVersion.startsWith(version) === true);

      await useList("3", listed, newcomer);
      await screenedBy("3.");
      expect(await participant(id)).toMatchObject({ status: "APPROVED" });

      await useList("4", { ...listed, names: ["Listed", "Alias of Listed"] });
      await screenedBy("4.");
      expect(await participant(id)).toMatchObject({ status: "IN_REVIEW" });
    });

    it("stops a payment that was approved and not released, when it asks once more; cleared hits do not", async () => {
      const paymentId = randomUUID();
      expect(await decide({ paymentId, recipient: "Ivan Newcomer" })).toMatchObject({ status: "APPROVED" });
      await useList("5", listed, newcomer);

      const stopped = await decide({ paymentId, recipient: "Ivan Newcomer" });
      expect(stopped).toMatchObject({ status: "BLOCKED" });
      await judge(stopped.reviewId ?? "", true);
      await useList("6", listed, newcomer, { id: "third", names: ["Somebody Else"] });
      expect(await decide({ paymentId, recipient: "Ivan Newcomer" })).toMatchObject({ status: "APPROVED" });
    });

    it("is finished by another replica when the first one dies, and nobody gets two reviews", async () => {
      const ids: string[] = [];
      // A few at a time: the vendor is asked about each, and has so long to answer.
      while (ids.length < 120) {
        const some = Array.from({ length: 10 }, () => create({ firstName: "Ivan", lastName: "Newcomer" }));
        ids.push(...(await Promise.all(some)));
      }
      const second = await testbed.start(world.url, { IDENTITY_SCREENING_LIST_FILE: listFile });
      await useList("7", listed, newcomer);
      await eventually(async () => (await participant(ids[0] ?? ""))?.status === "IN_REVIEW");
      await identity.stop();
      identity = second;
      const isLeft = async () => {
        const left = testbed.mongo.connection.collection("participants");
        return (await left.countDocuments({ status: "APPROVED", tenant, listVersion: /^1\./ })) === 0;
      };
      await eventually(isLeft);

      const reviews = testbed.mongo.connection.collection<{ subjectId: string; status: string }>("reviews");
      const open = await reviews.find({ status: "OPEN", subjectId: { $in: ids } }).toArray();
      expect(open.map(({ subjectId }) => subjectId).toSorted()).toEqual(ids.toSorted());
    });

    it("that cannot be read leaves the one before in force", async () => {
      testbed.file("reviewed-list", "{");
      testbed.file("reviewed-list", listText("8", newcomer));
      await eventually(async () => (await decide({})).listVersion.startsWith("8."));
      testbed.file("reviewed-list", '{"version":"9"}');

      await new Promise((resolve) => setTimeout(resolve, 2_500));
      expect((await decide({})).listVersion).toMatch(/^8\./);
    });
  });

  describe("an exception", () => {
    it("is listed with its author, and once revoked its subject is in review again", async () => {
      const id = await create({ lastName: "Listed" });
      await judge((await openReviewOf(id))?.reviewId ?? "", true, "bob");
      const { exceptions } = await identity.listExceptions({ tenant, limit: 200 });
      const mine = exceptions.find(({ subjectId }) => subjectId === id);
      expect(mine).toMatchObject({ kind: ReviewKind.PERSON, entryId: "listed", author: "bob", note: `seen ${canary}` });
      const exceptionId = mine?.exceptionId ?? "";

      await expect(identity.revokeException({ tenant: "other", exceptionId })).rejects.toMatchObject({
        reason: "RECORD_NOT_FOUND",
      });
      await identity.revokeException({ tenant, exceptionId });
      await eventually(async () => (await participant(id))?.status === "IN_REVIEW");
      await expect(identity.revokeException({ tenant, exceptionId })).rejects.toMatchObject({
        reason: "RECORD_NOT_FOUND",
      });
    });
  });

  it("are listed in pages, by tenant, kind and status", async () => {
    await Promise.all(Array.from({ length: 5 }, () => decide({ sender: "Listed" })));
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await identity.listReviews({ tenant, kind: ReviewKind.PAYMENT, limit: 2, ...(after && { after }) });
      expect(page.reviews.length).toBeLessThanOrEqual(2);
      seen.push(...page.reviews.map(({ reviewId }) => reviewId));
      after = page.next;
    } while (after !== undefined);
    const { reviews } = await identity.listReviews({ tenant, kind: ReviewKind.PAYMENT, limit: 200 });

    expect(seen).toEqual(reviews.map(({ reviewId }) => reviewId));
    expect(reviews.every(({ facts, note }) => facts === undefined && note === undefined)).toBe(true);
    expect((await identity.listReviews({ tenant: "other", limit: 10 })).reviews).toEqual([]);
    await expect(identity.listReviews({ kind: ReviewKind.UNSPECIFIED, limit: 10 })).rejects.toMatchObject({
      reason: "INVALID_ARGUMENT",
    });
    await expect(identity.listReviews({ status: ReviewStatus.UNRECOGNIZED, limit: 10 })).rejects.toMatchObject({
      reason: "INVALID_ARGUMENT",
    });
    await expect(identity.listReviews({ limit: 0 })).rejects.toMatchObject({ reason: "INVALID_ARGUMENT" });
    const stranger = { limit: 1, after: randomUUID() };
    await expect(identity.listReviews(stranger)).rejects.toMatchObject({ violations: [{ field: "after" }] });
    await expect(identity.listExceptions(stranger)).rejects.toMatchObject({ violations: [{ field: "after" }] });
  });

  it("name nobody in the store, and say nothing once their person is erased", async () => {
    const id = await create({ firstName: canary, lastName: "Listed" });
    const reviewId = (await openReviewOf(id))?.reviewId ?? "";
    await judge(reviewId, true);
    await decide({ sender: "Listed", recipient: `Maria ${canary}` });
    const names = ["reviews", "payment_decisions", "exceptions", "participants"];
    const dump = await Promise.all(names.map((name) => testbed.mongo.connection.collection(name).find({}).toArray()));
    expect(JSON.stringify(dump)).not.toContain(canary);

    await identity.eraseParticipant({ tenant, participantId: id });
    const shown = await review(reviewId);
    expect(shown).toMatchObject({ status: "APPROVED", author: "ada" });
    expect(shown?.note).toBeUndefined();
    expect(shown?.facts).toBeUndefined();
    const { exceptions } = await identity.listExceptions({ tenant, limit: 200 });
    const mine = exceptions.find(({ subjectId }) => subjectId === id);
    expect(mine).toMatchObject({ author: "ada" });
    expect(mine?.note).toBeUndefined();
  });

  it("are withdrawn with the person they are about", async () => {
    const id = await create({ lastName: "Listed" });
    const reviewId = (await openReviewOf(id))?.reviewId ?? "";

    await identity.eraseParticipant({ tenant, participantId: id });
    expect(await openReviewOf(id)).toBeUndefined();
    const withdrawn = { status: "WITHDRAWN", author: "platform", decidedAt: expect.any(Date) as unknown };
    expect(await review(reviewId)).toMatchObject(withdrawn);
    await expect(judge(reviewId, true)).rejects.toMatchObject({ reason: "RECORD_CONFLICT" });
  });
});
