import { randomUUID } from "node:crypto";
import { toPersonAddress } from "../../../gateway/codec/person-codec";
import type { UploadDocumentRequest } from "../../../proto/gen/corridor/identity/v1/document_service";
import { detailsOf, kindOf, levelWord } from "../../support/person-intents";
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

describe("compliance", () => {
  let testbed: IdentityTestbed;
  let identity: Identity;
  beforeAll(async () => {
    testbed = await openIdentityTestbed();
    identity = await testbed.start(testbed.kindVendorUrl);
  });
  afterAll(async () => {
    await identity.stop();
    await testbed.stop();
  });

  const create = async (person: object, kind = "PERSON"): Promise<string> => {
    const { participant } = await identity.createParticipant({
      tenant,
      kind: kindOf(kind),
      details: detailsOf(person),
    });
    return participant?.participantId ?? "";
  };
  const verify = async (participantId: string, documentType: string, kind = "PERSON"): Promise<void> => {
    async function* pieces(): AsyncGenerator<UploadDocumentRequest> {
      const begin = { tenant, kind: kindOf(kind), participantId, documentType, mediaType: "" };
      yield { piece: { $case: "begin", value: begin } };
      yield { piece: { $case: "content", value: sampleFile("png") } };
      yield { piece: { $case: "end", value: { documentNumber: undefined } } };
    }
    const { document } = await identity.uploadDocument(pieces());
    await identity.decideDocument({
      tenant,
      documentId: document?.documentId ?? "",
      accept: true,
      author: "ann",
      note: "seen",
    });
  };
  const levels = async (participantId: string, owner = tenant) => {
    const found = await identity.getComplianceLevels({ tenant: owner, participantId });
    const standings = found.levels.map(({ level, missing }) => ({ level: levelWord(level), missing }));
    return { level: levelWord(found.level), levels: standings };
  };

  it("of a person rises with its data and its documents, and says what is missing", async () => {
    const poor = await create({ firstName: "Maria", lastName: "Silva", address: { countryCode: "BR" } });
    const found = await levels(poor);
    expect(found).toMatchObject({ level: "NONE", levels: [{}, {}, {}] });
    expect(found.levels[1]?.missing).toEqual(expect.arrayContaining(["birthDate", "identification"]));

    const person = await create(maria);
    expect(await levels(person)).toMatchObject({ level: "BASIC" });
    await verify(person, "PASSPORT");
    expect((await levels(person)).levels[2]?.missing).toEqual(["documents.PROOF_OF_ADDRESS"]);
    await verify(person, "PROOF_OF_ADDRESS");
    expect(await levels(person)).toMatchObject({ level: "FULL" });
    const listed = await create({ ...maria, lastName: "Listed" });
    expect((await levels(listed)).levels[1]?.missing).toEqual(["screening"]);
  });

  it("of a company asks for its registration in place of a passport, and for no birth", async () => {
    const company = await create({ companyName: "Acme", address: { countryCode: "AQ" } }, "COMPANY");
    expect(await levels(company)).toMatchObject({
      level: "BASIC",
      levels: [
        {},
        { missing: [] },
        { missing: ["documents.COMPANY_REGISTRATION", "documents.PROOF_OF_ADDRESS", "relatedParties.control"] },
      ],
    });

    await verify(company, "PASSPORT", "COMPANY");
    await verify(company, "PROOF_OF_ADDRESS", "COMPANY");
    await verify(company, "COMPANY_REGISTRATION", "COMPANY");
    expect(await levels(company)).toMatchObject({
      level: "BASIC",
      levels: [{ level: "NONE" }, { level: "BASIC" }, { level: "FULL", missing: ["relatedParties.control"] }],
    });
  });

  it("of nobody, of another tenant's and of an erased person is not there", async () => {
    const person = await create(maria);
    const notFound = { reason: "PARTICIPANT_NOT_FOUND" };

    await expect(levels(randomUUID())).rejects.toMatchObject(notFound);
    await expect(levels(person, "other")).rejects.toMatchObject(notFound);
    await identity.eraseParticipant({ tenant, participantId: person });
    await expect(levels(person)).rejects.toMatchObject(notFound);
  });

  describe("of an address", () => {
    const check = (parts: Record<string, string>) => identity.checkAddress({ address: toPersonAddress(parts) });

    it("cleans it, and says what its country misses", async () => {
      const found = await check({ city: "  Rio  de Janeiro", countryCode: "bra" });

      expect(found.normalised).toEqual(toPersonAddress({ city: "Rio de Janeiro", countryCode: "BR" }));
      expect(found.missing).toEqual(expect.arrayContaining(["addressLine1", "postalCode"]));
      expect(found).toMatchObject({ isStructured: true, structuredMissing: [], structuredTooLong: [] });
    });

    it("has nothing to say of one that is whole", async () => {
      const found = await check(maria.address);

      expect(found).toMatchObject({ missing: [], wrong: [], isStructured: true });
    });

    it("tells what is missing for payment messages, also without a country", async () => {
      const found = await check({ addressLine1: "12 Hill Road" });

      expect(found).toMatchObject({
        missing: ["countryCode"],
        isStructured: false,
        structuredMissing: ["townName", "country"],
      });
    });

    it("refuses parts that no address can have, under their own names", async () => {
      await expect(check({ city: "x".repeat(141), countryCode: "Brazil" })).rejects.toMatchObject({
        reason: "INVALID_ARGUMENT",
        violations: [
          { field: "city" },
          { field: "countryCode", message: "must be an ISO 3166-1 code, alpha-2 or alpha-3" },
        ],
      });
    });
  });
});
