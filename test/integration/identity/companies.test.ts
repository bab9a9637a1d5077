import { randomUUID } from "node:crypto";
import { renameSync } from "node:fs";
import type { UploadDocumentRequest } from "../../../proto/gen/corridor/identity/v1/document_service";
import { ReviewStatus } from "../../../proto/gen/corridor/identity/v1/review_service";
import { changeOf, detailsOf, inWords, kindOf, levelWord, shownFields } from "../../support/person-intents";
import { until } from "../../support/platform-client";
import { sampleFile } from "../../support/sample-files";
import { type Identity, type IdentityTestbed, openIdentityTestbed } from "./identity-testbed";

const tenant = "demo";
const maria = {
  identificationType: "NATIONAL_ID",
  identification: "39053344705",
  firstName: "Maria",
  lastName: "Silva",
  birthDate: "1990-01-01",
  address: { addressLine1: "Rua 1", city: "Rio", state: "RJ", postalCode: "20000-000", countryCode: "BR" },
};
interface Party {
  participantId: string;
  roles: string[];
  share?: number;
}
const owner = (participantId: string, share: number): Party => ({ participantId, roles: ["OWNER"], share });
const director = (participantId: string): Party => ({ participantId, roles: ["DIRECTOR"] });

describe("a company and those behind it", () => {
  let testbed: IdentityTestbed;
  let identity: Identity;
  const entry = (id: string, name: string) => ({ id, names: [name] });
  const listFile = (file: string, version: string, entries: object[]): string =>
    testbed.file(file, JSON.stringify({ version, entries }));

  beforeAll(async () => {
    testbed = await openIdentityTestbed();
    const half = listFile("half.json", "1", [entry("h-1", "Ludmila Vranovskaya"), entry("h-2", "Taavi Rebasekivi")]);
    const above = listFile("above.json", "1", [entry("a-1", "Oyelaran Adebisi Fakunle")]);
    const policy = {
      lists: [
        { name: "half", format: "own", file: half },
        { name: "above", format: "own", file: above, ownership: { above: true, control: true } },
      ],
    };
    const IDENTITY_SCREENING_LIST_FILE = testbed.file("policy.json", JSON.stringify(policy));
    identity = await testbed.start(testbed.kindVendorUrl, { IDENTITY_SCREENING_LIST_FILE });
  });
  afterAll(async () => {
    await identity.stop();
    await testbed.stop();
  });

  const person = async (fields: object = maria, owned = tenant): Promise<string> => {
    const { participant } = await identity.createParticipant({
      tenant: owned,
      kind: kindOf("PERSON"),
      details: detailsOf(fields),
    });
    return participant?.participantId ?? "";
  };
  const named = (name: string): Promise<string> => {
    const [firstName, ...rest] = name.split(" ");
    return person({ firstName, lastName: rest.join(" "), address: { countryCode: "AQ" } });
  };
  const create = async (relatedParties: unknown, name = "Quiet Harbour Ltd") => {
    const { participant } = await identity.createParticipant({
      tenant,
      kind: kindOf("COMPANY"),
      details: detailsOf({ companyName: name, address: { countryCode: "AQ" }, relatedParties }),
    });
    return { participant: participant && inWords(participant) };
  };
  const company = async (...parties: Party[]): Promise<string> =>
    (await create(parties)).participant?.participantId ?? "";
  const patch = (participantId: string, change: object, kind = "COMPANY") =>
    identity.updateParticipant({ tenant, kind: kindOf(kind), participantId, ...changeOf(change) });
  const show = async (participantId: string) => {
    const { participant } = await identity.getParticipant({ tenant, participantId });
    return participant && { ...participant, ...inWords(participant) };
  };
  const statusOf = async (id: string): Promise<string | undefined> => (await show(id))?.status;
  const becomes = (id: string, status: string) =>
    until(
      () => statusOf(id),
      (found) => found === status,
    );
  const fullMissing = async (participantId: string): Promise<string[]> =>
    (await identity.getComplianceLevels({ tenant, participantId })).levels[2]?.missing ?? [];
  const levelOf = async (participantId: string): Promise<string> =>
    levelWord((await identity.getComplianceLevels({ tenant, participantId })).level);
  const verify = async (participantId: string, kind: string, ...documentTypes: string[]): Promise<void> => {
    for (const documentType of documentTypes) {
      async function* pieces(): AsyncGenerator<UploadDocumentRequest> {
        const begin = { tenant, kind: kindOf(kind), participantId, documentType, mediaType: "" };
        yield { piece: { $case: "begin", value: begin } };
        yield { piece: { $case: "content", value: sampleFile("png") } };
        yield { piece: { $case: "end", value: { documentNumber: undefined } } };
      }
      const { document } = await identity.uploadDocument(pieces());
      const documentId = document?.documentId ?? "";
      await identity.decideDocument({ tenant, documentId, accept: true, author: "ann", note: "seen" });
    }
  };
  const known = async (): Promise<string> => {
    const id = await person();
    await verify(id, "PERSON", "PASSPORT", "PROOF_OF_ADDRESS");
    return id;
  };
  const openReviewOf = async (subjectId: string) => {
    const { reviews } = await identity.listReviews({
      tenant,
      kind: undefined,
      status: ReviewStatus.OPEN,
      after: undefined,
      subjectId,
      limit: 5,
    });
    return reviews[0];
  };
  const decide = async (subjectId: string, approve: boolean): Promise<void> => {
    const reviewId = (await openReviewOf(subjectId))?.reviewId ?? "";
    await identity.decideReview({ tenant, reviewId, approve, block: false, author: "ann", note: "looked at it" });
  };

  it("keeps its related parties as they were sent, replaces them whole, and takes them away", async () => {
    const [one, two] = [await person(), await person()];
    const parties = [owner(one, 33.3333), { participantId: two, roles: ["DIRECTOR", "SIGNATORY"] }];
    const id = await company(...parties);
    const fieldsOf = async () =>
      shownFields((await identity.getParticipant({ tenant, participantId: id })).participant);

    expect(await fieldsOf()).toMatchObject({ relatedParties: parties });
    await patch(id, { companyName: "Still Harbour Ltd" });
    expect(await fieldsOf()).toMatchObject({ relatedParties: parties });
    await patch(id, { relatedParties: [director(one)] });
    expect(await fieldsOf()).toMatchObject({ relatedParties: [director(one)] });
    await patch(id, { relatedParties: null });
    expect(await fieldsOf()).not.toHaveProperty("relatedParties");
  });

  describe("refuses", () => {
    const nobody = randomUUID();
    it.each<[string, unknown, string]>([
      ["an owner without a share", [{ participantId: nobody, roles: ["OWNER"] }], "relatedParties.0.share"],
      ["a share of nothing", [owner(nobody, 0)], "relatedParties.0.share"],
      ["more than everything", [owner(nobody, 100.0001)], "relatedParties.0.share"],
      ["five decimals", [owner(nobody, 33.33333)], "relatedParties.0.share"],
      ["a share of a director", [{ ...director(nobody), share: 5 }], "relatedParties.0.share"],
      ["an unknown role", [{ participantId: nobody, roles: ["KING"] }], "relatedParties.0.roles"],
      ["no role", [{ participantId: nobody, roles: [] }], "relatedParties.0.roles"],
      ["no id", [{ participantId: "me", roles: ["DIRECTOR"] }], "relatedParties.0.participantId"],
      ["somebody twice", [director(nobody), director(nobody)], "relatedParties"],
      ["101 per cent", [owner(nobody, 51), owner(randomUUID(), 50)], "relatedParties"],
      ["101 parties", Array.from({ length: 101 }, () => director(randomUUID())), "relatedParties"],
      ["somebody who is not there", [director(nobody)], "relatedParties.0.participantId"],
    ])("%s, by its field, and keeps nothing", async (_case, parties, field) => {
      await expect(create(parties)).rejects.toMatchObject({
        reason: "INVALID_ARGUMENT",
        violations: [expect.objectContaining({ field }) as unknown],
      });
    });

    it("another tenant's people, a company that signs, itself, and related parties of a person", async () => {
      const foreign = await person(maria, "other");
      const firm = await company();
      const refusal = (field: string) => ({ reason: "INVALID_ARGUMENT", violations: [{ field }] });

      await expect(create([director(foreign)])).rejects.toMatchObject(refusal("relatedParties.0.participantId"));
      const signing = [{ participantId: firm, roles: ["SIGNATORY"] }];
      await expect(create(signing)).rejects.toMatchObject(refusal("relatedParties.0.roles"));
      const own = patch(firm, { relatedParties: [owner(firm, 10)] });
      await expect(own).rejects.toMatchObject(refusal("relatedParties.0.participantId"));
      await expect(person({ ...maria, relatedParties: [director(firm)] })).rejects.toMatchObject(
        refusal("relatedParties"),
      );
    });
  });

  it("comes to FULL when everybody with a quarter is FULL, through the chain too, and somebody who acts for it", async () => {
    const [direct, small, behind, head] = [await person(), await person(), await person(), await person()];
    const holding = await company(owner(behind, 50), owner(small, 10));
    const id = await company(owner(direct, 25), owner(small, 20), owner(holding, 50), director(head));
    await verify(id, "COMPANY", "COMPANY_REGISTRATION", "PROOF_OF_ADDRESS");
    const waiting = (...people: string[]) => people.map((one) => `relatedParties.${one}`);

    // The small one has 20 % and a tenth of a half: 25 % over both paths.
    expect(new Set(await fullMissing(id))).toEqual(
      new Set([...waiting(direct, small, behind), "relatedParties.control"]),
    );
    for (const one of [direct, small, behind]) await verify(one, "PERSON", "PASSPORT", "PROOF_OF_ADDRESS");
    expect(await fullMissing(id)).toEqual(["relatedParties.control"]);
    await verify(head, "PERSON", "PASSPORT", "PROOF_OF_ADDRESS");
    expect(await levelOf(id)).toBe("FULL");

    await patch(direct, { birthDate: null }, "PERSON");
    expect(await fullMissing(id)).toEqual(waiting(direct));
    await patch(direct, { birthDate: "1990-01-01" }, "PERSON");
    await identity.eraseParticipant({ tenant, participantId: behind });
    expect(await fullMissing(id)).toEqual(waiting(behind));
  });

  it("is seen through circles of companies that own each other", async () => {
    const hidden = await person();
    const one = await company(owner(hidden, 10));
    const two = await company(owner(one, 90), owner(hidden, 10));
    await patch(one, { relatedParties: [owner(hidden, 10), owner(two, 90)] });
    const id = await company(owner(one, 30), director(await known()));

    expect(await fullMissing(id)).toContain(`relatedParties.${hidden}`);
  });

  it("is in review with half of it in listed hands, in sum, and shows the entries and the part", async () => {
    const [one, two] = [await named("Ludmila Vranovskaya"), await named("Taavi Rebasekivi")];
    const clean = await person();

    expect((await create([owner(one, 49.9999), owner(clean, 50)])).participant?.status).toBe("APPROVED");
    const { participant } = await create([owner(one, 25), owner(two, 25), owner(clean, 50)]);
    expect(participant).toMatchObject({ status: "IN_REVIEW", reasonCodes: ["SCREENING_HIT"] });
    const review = await openReviewOf(participant?.participantId ?? "");
    expect(review?.hits.map(({ entryId }) => entryId).toSorted()).toEqual(["half:h-1", "half:h-2"]);
    const shown = (await identity.getReview({ reviewId: review?.reviewId ?? "" })).review;
    expect(shown?.hits[0]?.factors).toEqual([expect.objectContaining({ factor: "ownership", points: 50 })]);
    expect(await fullMissing(participant?.participantId ?? "")).toContain("screening");
  });

  it("goes by the rule of each list: above a half, and control", async () => {
    const listed = await named("Oyelaran Adebisi Fakunle");
    const statusWith = async (...parties: Party[]) => (await create(parties)).participant?.status;

    expect(await statusWith(owner(listed, 50))).toBe("APPROVED");
    expect(await statusWith(owner(listed, 50.0001))).toBe("IN_REVIEW");
    expect(await statusWith({ participantId: listed, roles: ["CONTROLLER"] })).toBe("IN_REVIEW");
    const byHalf = { participantId: await named("Ludmila Vranovskaya"), roles: ["CONTROLLER"] };
    expect(await statusWith(byHalf)).toBe("APPROVED");
  });

  it("is screened again when somebody behind it changes, through all companies above", async () => {
    const who = await person({ firstName: "Ludmila", lastName: "Ordinary", address: { countryCode: "AQ" } });
    const holding = await company(owner(who, 60));
    const top = await company(owner(holding, 80));
    expect([await statusOf(holding), await statusOf(top)]).toEqual(["APPROVED", "APPROVED"]);

    await patch(who, { lastName: "Vranovskaya" }, "PERSON");
    expect([await becomes(holding, "IN_REVIEW"), await becomes(top, "IN_REVIEW")]).toEqual(["IN_REVIEW", "IN_REVIEW"]);
  });

  it("is cleared by a review for the part that was seen, and raised again for another", async () => {
    const listed = await named("Taavi Rebasekivi");
    const clean = await person();
    const id = await company(owner(listed, 50), owner(clean, 50));
    await decide(id, true);
    expect(await statusOf(id)).toBe("APPROVED");
    await patch(id, { companyName: "Quieter Harbour Ltd" });
    expect(await statusOf(id)).toBe("APPROVED");

    await patch(id, { relatedParties: [owner(listed, 70), owner(clean, 30)] });
    expect(await statusOf(id)).toBe("IN_REVIEW");
    await patch(id, { relatedParties: [owner(clean, 100)] });
    expect(await statusOf(id)).toBe("APPROVED");
  });

  it("is no hit through an owner whose own hit was cleared, until that is taken back", async () => {
    const listed = await named("Taavi Rebasekivi");
    await decide(listed, true);
    const { participant } = await create([owner(listed, 100)]);
    const id = participant?.participantId ?? "";
    expect(participant?.status).toBe("APPROVED");

    const { exceptions } = await identity.listExceptions({ tenant, after: undefined, limit: 100 });
    const exceptionId = exceptions.find(({ subjectId }) => subjectId === listed)?.exceptionId ?? "";
    await identity.revokeException({ tenant, exceptionId });
    expect(await becomes(id, "IN_REVIEW")).toBe("IN_REVIEW");
  });

  it("is screened again when a new list names an owner", async () => {
    const who = await named("Zdenka Hrubiskova");
    const top = await company(owner(await company(owner(who, 100)), 100));
    expect(await statusOf(top)).toBe("APPROVED");
    const next = listFile("next.json", "2", [entry("h-9", "Zdenka Hrubiskova")]);
    renameSync(next, next.replace("next.json", "half.json"));

    expect(await becomes(top, "IN_REVIEW")).toBe("IN_REVIEW");
  });

  it("is judged by what its owners are at its commit, however many change at once", async () => {
    const rounds = Array.from({ length: 6 }, async () => {
      const who = await person({ firstName: "Oyelaran", lastName: "Ordinary", address: { countryCode: "AQ" } });
      const [id] = await Promise.all([company(owner(who, 100)), patch(who, { lastName: "Adebisi Fakunle" }, "PERSON")]);
      return becomes(id, "IN_REVIEW");
    });

    expect(await Promise.all(rounds)).toEqual(rounds.map(() => "IN_REVIEW"));
  });
});
