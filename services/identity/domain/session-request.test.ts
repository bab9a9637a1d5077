import { readSession, readVerification } from "./session-request";

describe("readSession", () => {
  it("asks for a passport where no kind of document is named", () => {
    expect(readSession({ userRef: "u", documentTypes: [] })).toEqual({
      facts: { userRef: "u", documentTypes: ["PASSPORT"] },
      personId: undefined,
    });
  });

  it("keeps what is said, text in composed form and ids in small letters", () => {
    const given = {
      userRef: "Zoe\u0308",
      type: "identity",
      documentTypes: ["SSN"],
      countryCode: "BRA",
      personId: "0195B2A0-0000-7000-8000-000000000001",
      redirectUrl: "https://example.com/back",
      metadata: '{"a":1}',
    };

    const { personId, ...said } = given;
    expect(readSession(given)).toEqual({ facts: { ...said, userRef: "Zo\u00eb" }, personId: personId.toLowerCase() });
  });

  it.each([
    "https://me@example.com/",
    "https://me:secret@example.com",
    "https://example.com\\@evil.example/",
    "https:///x",
    "https://a b/",
  ])("sends nobody back to %s", (redirectUrl) => {
    expect(() => readSession({ userRef: "u", documentTypes: [], redirectUrl })).toThrow(
      expect.objectContaining({ violations: [expect.objectContaining({ field: "redirectUrl" })] }),
    );
  });

  it("names every malformed field at once", () => {
    const wrong = { documentTypes: ["?"], type: "!", countryCode: "b", personId: "me", redirectUrl: "http://a" };

    expect(() => readSession(wrong)).toThrow(
      expect.objectContaining({
        violations: ["userRef", "type", "countryCode", "redirectUrl", "documentTypes", "personId"].map((field) =>
          expect.objectContaining({ field }),
        ),
      }),
    );
  });
});

describe("readVerification", () => {
  it("needs a session or a document, and short names of checks", () => {
    expect(readVerification({ subjectId: "s", checks: ["document"] })).toEqual({
      subjectId: "s",
      checks: ["document"],
    });
    expect(() => readVerification({ subjectId: "", checks: ["x".repeat(65)] })).toThrow(
      expect.objectContaining({
        violations: [expect.objectContaining({ field: "sessionId" }), expect.objectContaining({ field: "checks" })],
      }),
    );
  });
});
