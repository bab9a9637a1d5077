import { createHash, randomUUID } from "node:crypto";
import { connect } from "node:net";
import type { Platform } from "../../local/platform";
import { connectClient, type PlatformClient, until } from "../support/platform-client";
import { sampleFile } from "../support/sample-files";
import { startTestPlatform } from "../support/test-platform";

const mebibyte = 1024 * 1024;
type Body = Record<string, unknown>;

/** One part of a form that a test makes: a file, or a text. */
type Part = [name: string, value: string | { content: Buffer; type?: string }];

describe("documents through the edge", () => {
  let platform: Platform;
  let client: PlatformClient;
  let other: PlatformClient;
  let key: string;
  let otherKey: string;
  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
    const keyOf = (name: string): string =>
      platform.credentials.tenants.find(({ tenant }) => tenant === name)?.apiKey ?? "";
    key = keyOf("demo");
    otherKey = keyOf("other");
    other = connectClient(platform, "other");
    for (const one of [client, other]) {
      await until(() => one.subscribe("documents", ["documentUpdatedEvents"]).catch(() => ""), Boolean);
    }
  });
  afterAll(async () => {
    await Promise.all([client.close(), other.close()]);
    await platform.stop();
  });

  const json = async (method: string, path: string, body?: object, apiKey = key) => {
    const answer = await fetch(`${platform.credentials.baseUrl}${path}`, {
      method,
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: Object(await answer.json()) as Body };
  };
  const person = async (fields: object = {}, apiKey = key): Promise<string> => {
    const { body } = await json("POST", "/people", { firstName: "Maria", ...fields }, apiKey);
    return String(body["id"]);
  };
  const give = async (path: string, parts: readonly Part[], apiKey = key) => {
    const form = new FormData();
    for (const [name, value] of parts) {
      if (typeof value === "string") form.append(name, value);
      else form.append(name, new Blob([Uint8Array.from(value.content)], { type: value.type ?? "" }), "scan");
    }
    const url = `${platform.credentials.baseUrl}${path}`;
    const answer = await fetch(url, { method: "POST", headers: { "x-api-key": apiKey }, body: form });
    const body = Object(await answer.json()) as Body;
    return { status: answer.status, replayed: answer.headers.get("idempotency-replayed"), body };
  };
  const upload = (id: string, content: Buffer, more: readonly Part[] = [], type = "passport", apiKey = key) =>
    give(`/people/${id}/documents/${type}`, [["file", { content }], ...more], apiKey);
  const told = async (id: unknown): Promise<Body[]> =>
    (await client.sink("documents")).map(({ body }) => JSON.parse(body) as Body).filter((event) => event["id"] === id);

  /** Waits for so many events of a document, and then expects no other. */
  const tells = async ({ body }: { body: Body }, statuses: string[]): Promise<void> => {
    const read = async () => (await told(body["id"])).map((event) => event["verificationStatus"]);
    expect(await until(read, ({ length }) => length >= statuses.length)).toEqual(statuses);
  };
  const operate = async (method: string, path: string, body?: object) => {
    const { operatorUrl, operatorToken } = platform.credentials;
    const answer = await fetch(`${operatorUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  it("go in as a form, are told of under the spelling that was registered, and come out byte for byte", async () => {
    const id = await person();
    const content = sampleFile("pdf", 3 * mebibyte + 5);
    const given = await give(`/people/${id}/documents/driver_license`, [
      ["file", { content, type: "application/pdf" }],
      ["documentNumber", "AB 1"],
    ]);

    expect(given).toMatchObject({
      status: 200,
      replayed: null,
      body: {
        entityId: id,
        documentType: "DRIVERS_LICENSE",
        mediaType: "application/pdf",
        size: content.length,
        sha256: createHash("sha256").update(content).digest("hex"),
        documentNumber: "AB 1",
      },
    });
    const documentId = String(given.body["id"]);
    const path = `/people/${id}/documents/${documentId}`;
    expect((await json("GET", path)).body).toMatchObject({ id: documentId });
    expect((await json("GET", `/people/${id}/documents`)).body).toMatchObject({
      documents: [{ id: documentId }],
      next: null,
    });
    const file = await fetch(`${platform.credentials.baseUrl}${path}/content`, { headers: { "x-api-key": key } });
    expect(file.headers.get("content-type")).toBe("application/pdf");
    expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${documentId}.pdf"`);
    expect(Buffer.from(await file.arrayBuffer()).equals(content)).toBe(true);
    const [event] = await until(
      () => told(documentId),
      (events) => events.length > 0,
    );
    expect(event).toMatchObject({
      event: "documentUpdatedEvents",
      id: documentId,
      entityId: id,
      entityType: "Person",
      documentType: "DRIVERS_LICENSE",
      occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      tenantId: "demo",
      version: 1,
    });
  });

  it("are the same when they come again, also from two at once", async () => {
    const id = await person();
    const content = sampleFile("png", 200_000);
    const rivals = await Promise.all([upload(id, content), upload(id, content), upload(id, content)]);
    const again = await upload(id, content);

    expect(new Set([...rivals, again].map(({ body }) => body["id"])).size).toBe(1);
    expect(rivals.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    expect(again).toMatchObject({ status: 200, replayed: "true" });
  });

  const png = sampleFile("png");
  const file: Part = ["file", { content: png, type: "image/png" }];
  it.each<[string, string, Part[], number, string, string]>([
    ["two files", "PASSPORT", [file, file], 400, "VE_001", "file"],
    ["no file", "PASSPORT", [["documentNumber", "1"]], 400, "VE_001", "file"],
    ["nothing", "PASSPORT", [], 400, "VE_001", ""],
    ["a file under another name", "PASSPORT", [["scan", { content: png }]], 400, "VE_001", "scan"],
    [
      "a file of a type that is not taken",
      "PASSPORT",
      [["file", { content: sampleFile("gif") }]],
      400,
      "VE_001",
      "file",
    ],
    ["a lie", "PASSPORT", [["file", { content: png, type: "application/pdf" }]], 400, "VE_001", "file"],
    ["a page for a file", "PASSPORT", [["file", { content: png, type: "text/html" }]], 400, "VE_001", "file"],
    ["an empty file", "PASSPORT", [["file", { content: Buffer.alloc(0) }]], 400, "VE_001", "file"],
    ["a text for a file", "PASSPORT", [["file", "text"]], 400, "VE_001", "file"],
    ["an unknown text", "PASSPORT", [file, ["more", "1"]], 400, "VE_001", "more"],
    ["a misspelt text", "PASSPORT", [file, ["documentNumbr", "1"]], 400, "VE_001", "documentNumbr"],
    ["a kind that nobody knows", "LIBRARY_CARD", [file], 400, "VE_001", "document"],
    ["a number that is none", "PASSPORT", [file, ["documentNumber", "--"]], 400, "VE_001", "documentNumber"],
    ["a byte too much", "PASSPORT", [["file", { content: sampleFile("png", 10 * mebibyte + 1) }]], 413, "REQ_413", ""],
    ["far too much", "PASSPORT", [["file", { content: sampleFile("png", 12 * mebibyte) }]], 413, "REQ_413", ""],
  ])("are refused with %s, and nothing is kept", async (_case, type, parts, status, code, field) => {
    const id = await person();
    const refused = await give(`/people/${id}/documents/${type}`, parts);

    expect(refused).toMatchObject({ status, body: { code } });
    if (field !== "") expect(refused.body["errors"]).toMatchObject([{ field }]);
    expect((await json("GET", `/people/${id}/documents`)).body).toEqual({ documents: [], next: null });
  });

  it("are refused unless they are a form, and leave the connection usable", async () => {
    const path = `/people/${await person()}/documents/PASSPORT`;

    expect(await json("POST", path, {})).toMatchObject({ status: 415, body: { code: "REQ_415" } });
    expect(await json("GET", `/people/${randomUUID()}/documents`)).toMatchObject({ status: 404 });
  });

  it("are not kept when the connection is cut while they come", async () => {
    const id = await person();
    const url = new URL(platform.credentials.baseUrl);
    const socket = connect(Number(url.port), url.hostname);
    const head = `--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n`;
    socket.write(
      `POST /people/${id}/documents/PASSPORT HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\n` +
        `content-type: multipart/form-data; boundary=b\r\ncontent-length: 5000000\r\n\r\n${head}`,
    );
    await new Promise<void>((resolve) => void socket.write(sampleFile("png", 2 * mebibyte), () => resolve()));
    socket.destroy();

    expect(await upload(id, png)).toMatchObject({ status: 200 });
    expect((await json("GET", `/people/${id}/documents`)).body["documents"]).toHaveLength(1);
  });

  it("do not exist for another tenant, or under another person", async () => {
    const id = await person();
    const stranger = await person();
    const foreigner = await person({}, otherKey);
    const { body } = await upload(id, png);
    const documentId = String(body["id"]);
    const answers = await Promise.all([
      json("GET", `/people/${id}/documents/${documentId}`, undefined, otherKey),
      json("GET", `/people/${foreigner}/documents/${documentId}`, undefined, otherKey),
      json("GET", `/people/${stranger}/documents/${documentId}`),
      json("GET", `/companies/${id}/documents/${documentId}`),
      json("GET", `/people/${id}/documents/${documentId}/content`, undefined, otherKey),
      json("GET", `/people/${id}/documents/${randomUUID()}`),
    ]);
    const lists = await Promise.all([
      json("GET", `/people/${id}/documents`, undefined, otherKey),
      json("GET", `/companies/${id}/documents`),
      give(`/people/${id}/documents/PASSPORT`, [["file", { content: png }]], otherKey),
    ]);

    expect(answers.map(({ status, body: { code } }) => [status, code])).toEqual(answers.map(() => [404, "DOC_404"]));
    expect(lists.map(({ status, body: { code } }) => [status, code])).toEqual(lists.map(() => [404, "PER_404"]));
  });

  it("are looked at and decided by an operator, who is on record", async () => {
    const bodyOf = ({ bytes }: { bytes: Buffer }): Body => JSON.parse(bytes.toString()) as Body;
    const id = await person();
    const content = sampleFile("jpeg", 700_000);
    const { body } = await upload(id, content, [["documentNumber", "C-review"]]);
    const path = `/tenants/demo/documents/${String(body["id"])}`;

    expect(bodyOf(await operate("GET", "/tenants/demo/documents?limit=200"))["documents"]).toContainEqual(
      expect.objectContaining({ id: body["id"] }),
    );
    expect((await operate("GET", `${path}/content`)).bytes.equals(content)).toBe(true);
    expect(await operate("POST", `${path}/decision`, { accept: true })).toMatchObject({ status: 400 });
    const foreign = `/tenants/other/documents/${String(body["id"])}/decision`;
    expect(await operate("POST", foreign, { accept: true, note: "x" })).toMatchObject({ status: 404 });
    const decided = await operate("POST", `${path}/decision`, { accept: false, note: "it is a photo of a giraffe" });

    expect(bodyOf(decided)).toMatchObject({
      verificationStatus: "REJECTED",
      decision: { status: "REJECTED", author: expect.any(String), note: "it is a photo of a giraffe" },
    });
    const seen = await json("GET", `/people/${id}/documents/${String(body["id"])}`);
    expect(seen.body).toMatchObject({ verificationStatus: "REJECTED", decision: { status: "REJECTED" } });
    expect(JSON.stringify(seen.body)).not.toContain("giraffe");
    const audit = JSON.stringify(bodyOf(await operate("GET", "/audit?limit=200")));
    expect(audit).toContain("POST /tenants/{tenant}/documents/{documentId}/decision");
    expect(audit).not.toContain("giraffe");
  });

  it("and data raise a person's compliance level, which tells what is missing", async () => {
    const id = await person({ lastName: "Silva", birthDate: "1990-01-01", address: { countryCode: "AQ" } });
    const path = `/participants/${id}/complianceLevels`;

    expect(await json("GET", path)).toMatchObject({
      status: 200,
      body: {
        participantId: id,
        level: "BASIC",
        missing: ["documents.IDENTITY", "documents.PROOF_OF_ADDRESS"],
        levels: [{ level: "NONE" }, { level: "BASIC", missing: [] }, { level: "FULL" }],
      },
    });
    expect(await json("GET", path, undefined, otherKey)).toMatchObject({ status: 404, body: { code: "PER_404" } });
  });

  it("are not needed to check an address", async () => {
    const good = await json("GET", "/addresses/check?city=%20Lyon&countryCode=fra&addressLine1=1%20rue%20%20A");
    const bad = await json("GET", "/addresses/check?countryCode=Narnia");
    const odd = await json("GET", "/addresses/check?countryCode=BR&city=Recife&postalCode=XYZ");

    expect(good).toMatchObject({
      status: 200,
      body: {
        normalised: { city: "Lyon", countryCode: "FR", addressLine1: "1 rue A" },
        structured: { isReady: true, missing: [], tooLong: [] },
      },
    });
    expect(bad).toMatchObject({
      status: 400,
      body: {
        code: "VE_001",
        errors: [{ field: "countryCode", message: "must be an ISO 3166-1 code, alpha-2 or alpha-3" }],
      },
    });
    expect(odd).toMatchObject({
      status: 200,
      body: { wrong: [{ field: "postalCode", message: "does not look like 00000-000" }] },
    });
    expect(await json("GET", "/addresses/check")).toMatchObject({ status: 400, body: { code: "VE_001" } });
  });

  it("are read, and told of in the order of what happens to them", async () => {
    const id = await person();
    const [later, atOnce] = await Promise.all([
      upload(id, sampleFile("png"), [], "passport"),
      upload(id, sampleFile("png"), [["documentNumber", "D-reject"]], "ssn"),
    ]);

    await tells(later, ["PENDING", "VERIFIED"]);
    await tells(atOnce, ["REJECTED"]);
    expect(atOnce.body).toMatchObject({ documentType: "SSN", verificationStatus: "REJECTED" });
    expect(atOnce.body["decision"]).toMatchObject({ status: "REJECTED", reasonCode: "DOCUMENT_NOT_GENUINE" });
  });

  it("whose reader stops, or whose number is declared anew, are told of as ERRORED and SUPERSEDED", async () => {
    const id = await person({ identificationType: "PASSPORT", identification: "A-review" });
    const declared = await upload(id, png);
    const stopped = await upload(id, png, [["documentNumber", "E-error"]], "ssn");
    const renewed = await upload(await person(), png, [["documentNumber", "A-review"]]);
    await upload(String(renewed.body["entityId"]), sampleFile("png"), [["documentNumber", "B-review"]]);
    await json("PATCH", `/people/${id}`, { identification: "B-review" });

    expect(stopped.body).toMatchObject({ verificationStatus: "ERRORED", decision: null });
    await tells(stopped, ["ERRORED"]);
    await tells(declared, ["PENDING", "SUPERSEDED"]);
    await tells(renewed, ["PENDING", "SUPERSEDED"]);
  });

  it("of a tenant without document reading are told of when they come, and decided by people in silence", async () => {
    const id = await person({}, otherKey);
    const decided = await upload(id, png, [["documentNumber", "A-verify"]], "passport", otherKey);
    const replaced = await upload(id, png, [["documentNumber", "A-verify"]], "ssn", otherKey);
    expect([decided, replaced].map(({ body }) => body["verificationStatus"])).toEqual(["PENDING", "PENDING"]);
    const path = `/tenants/other/documents/${String(decided.body["id"])}/decision`;
    expect(await operate("POST", path, { accept: true, note: "seen" })).toMatchObject({ status: 200 });
    const last = await upload(id, png, [["documentNumber", "B"]], "ssn", otherKey);
    await tells(last, ["PENDING"]);

    const statusOf = async ({ body }: { body: Body }): Promise<unknown> =>
      (await json("GET", `/people/${id}/documents/${String(body["id"])}`, undefined, otherKey)).body[
        "verificationStatus"
      ];
    expect(await Promise.all([decided, replaced].map(statusOf))).toEqual(["VERIFIED", "SUPERSEDED"]);
    await tells(decided, ["PENDING"]);
    await tells(replaced, ["PENDING"]);
  });
});
