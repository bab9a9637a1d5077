import type { Platform } from "../../local/platform";
import { connectClient, type PlatformClient, type Reply } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

const maria = {
  type: "INDIVIDUAL",
  identificationType: "NATIONAL_ID",
  identification: "39053344705",
  firstName: "Maria",
  lastName: "Silva",
  address: { addressLine1: "Rua 1", city: "Rio", state: "RJ", postalCode: "20000-000", countryCode: "BR" },
};

describe("persons through the edge", () => {
  let platform: Platform;
  let client: PlatformClient;
  let token: string;
  let apiKey: string;
  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
    token = await client.token();
    apiKey = platform.credentials.tenants[0]?.apiKey ?? "";
  });
  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  const person = (path: string, body: object): Promise<Reply> =>
    client.send(
      "POST",
      path,
      { authorization: `Bearer ${token}`, "content-type": "application/json" },
      JSON.stringify(body),
    );
  const keyed = (method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Reply> => {
    const content = body === undefined ? {} : { "content-type": "application/json" };
    const text = body === undefined ? undefined : JSON.stringify(body);
    return client.send(method, path, { "x-api-key": apiKey, ...content, ...headers }, text);
  };

  it("registers one that passes, rejects one that does not, and keeps nothing when asked to validate", async () => {
    const approved = await person("/person", maria);
    const { id, ...validated } = approved.body;
    expect(approved).toMatchObject({ status: 200, body: { type: "INDIVIDUAL", status: "APPROVED" } });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect((await person("/person/validate", maria)).body).toEqual(validated);
    expect((await person("/person/validate", { ...maria, identification: "39053344706" })).body).toEqual({
      ...validated,
      advice: [{ field: "identification", message: "does not look like a CPF" }],
    });
    const address = { ...maria.address, postalCode: "XYZ" };
    expect((await person("/person/validate", { ...maria, address })).body).toEqual({
      ...validated,
      advice: [{ field: "address.postalCode", message: "does not look like 00000-000" }],
    });

    const rejected = await person("/person", { ...maria, lastName: "Sanctioned" });
    expect(rejected).toMatchObject({ status: 200, body: { status: "REJECTED", reasonCodes: ["SCREENING_HIT"] } });
    expect(rejected.body).not.toHaveProperty("id");
    const { identification: _identification, ...unnamed } = maria;
    expect(await person("/person", unnamed)).toMatchObject({
      status: 200,
      body: {
        status: "REJECTED",
        reasonCodes: ["REQUIREMENT_NOT_MET"],
        message: expect.stringContaining("identification is required"),
      },
    });
    expect(await person("/person", { gender: "?", address: { countryCode: "BRA" } })).toMatchObject({
      status: 400,
      body: { code: "VE_001", errors: [{ field: "gender" }, { field: "address.countryCode" }] },
    });
  });

  it("keeps who stands behind a company, and judges it by them", async () => {
    const party = async (lastName: string) => (await keyed("POST", "/people", { ...maria, lastName })).body["id"];
    const owner = { participantId: await party("Silva"), roles: ["OWNER", "DIRECTOR"], share: 62.5 };
    const acme = { companyName: "Quiet Harbour", address: { countryCode: "AQ" }, relatedParties: [owner] };

    const kept = await keyed("POST", "/companies", acme);
    expect(kept).toMatchObject({ status: 200, body: { ...acme, status: "APPROVED" } });
    const id = String(kept.body["id"]);
    expect(await keyed("GET", `/organizations/demo/companies/${id}`)).toMatchObject({ body: acme });
    const levels = await keyed("GET", `/participants/${id}/complianceLevels`);
    expect(levels.body["missing"]).toEqual(
      expect.arrayContaining([`relatedParties.${String(owner.participantId)}`, "relatedParties.control"]),
    );
    const listed = { participantId: await party("Sanctioned"), roles: ["OWNER"], share: 50 };
    expect(await keyed("PATCH", `/companies/${id}`, { relatedParties: [listed] })).toMatchObject({
      status: 200,
      body: { status: "IN_REVIEW", reasonCodes: ["SCREENING_HIT"], relatedParties: [listed] },
    });
    expect(await keyed("PATCH", `/companies/${id}`, { relatedParties: [{ ...listed, share: 101 }] })).toMatchObject({
      status: 400,
      body: { code: "VE_001", errors: [{ field: "relatedParties.0.share" }] },
    });
  });

  it("answers in the fields of the specification alone, and keeps a business as a company", async () => {
    const fields = async (body: object): Promise<string[]> => Object.keys((await person("/person", body)).body);
    expect(await fields(maria)).toEqual(["id", "type", "firstName", "lastName", "status"]);
    expect(await fields({ ...maria, lastName: "Rejected" })).toEqual([
      ...["type", "firstName", "lastName", "status", "message", "reasonCodes"],
    ]);

    const acme = { type: "BUSINESS", companyName: "Acme", address: { countryCode: "AQ" } };
    const { status, body } = await person("/person", acme);
    expect({ status, body }).toEqual({ status: 200, body: { id: body["id"], type: "BUSINESS", status: "APPROVED" } });
    expect(await keyed("GET", `/organizations/demo/companies/${String(body["id"])}`)).toMatchObject({
      status: 200,
      headers: { etag: '"1"' },
      body: { id: body["id"], ...acme, status: "APPROVED", reasonCodes: [] },
    });
  });

  it.each([
    ["/person", { birthDate: "2999-01-01", address: { countryCode: "ZZ" } }, ["birthDate", "address.countryCode"]],
    ["/person/validate", { birthDate: "2023-02-30", type: "ROBOT" }, ["type", "birthDate"]],
    ["/people", { firstName: "x".repeat(141), type: "BUSINESS", address: [] }, ["type", "firstName", "address"]],
    ["/people", { type: "BUSINESS" }, ["type"]],
    ["/companies", { type: "INDIVIDUAL" }, ["type"]],
  ])("refuses by %s every malformed field at once", async (path, body, fields) => {
    const refused = path.startsWith("/person") ? await person(path, body) : await keyed("POST", path, body);

    expect(refused).toMatchObject({ status: 400, body: { code: "VE_001" } });
    expect((refused.body["errors"] as { field: string }[]).map(({ field }) => field)).toEqual(fields);
  });

  it.each([
    ["/person", { fristName: "Maria" }, [["fristName", "is not known; did you mean firstName?"]]],
    ["/person/validate", { address: { citty: "Rio" } }, [["address.citty", "is not known; did you mean city?"]]],
    ["/people", { ...maria, relatedParties: [] }, [["relatedParties", "is not known"]]],
    ["/companies", { relatedParties: "x" }, [["relatedParties", "must be a list of at most 100"]]],
    [
      "/companies",
      { relatedParties: [{ participantId: "me", roles: ["DIRECTOR"], since: "2020" }] },
      [
        ["relatedParties.0.participantId", "must be the id of a person or company"],
        ["relatedParties.0.since", "is not known"],
      ],
    ],
  ] as const)(
    "refuses by %s the members of %j that it does not know, and keeps nothing",
    async (path, body, errors) => {
      const refused = path.startsWith("/person") ? await person(path, body) : await keyed("POST", path, body);

      expect(refused).toMatchObject({ status: 400, body: { code: "VE_001" } });
      expect(refused.body["errors"]).toEqual(errors.map(([field, message]) => ({ field, message })));
    },
  );

  it("names beside a misspelt member what only identity can see", async () => {
    const refused = await keyed("POST", "/people", { fristName: "Maria", birthDate: "2999-01-01" });

    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: "fristName" }, { field: "birthDate" }] } });
  });

  it("takes away the part of an address that a change makes null, and no other", async () => {
    const created = await keyed("POST", "/people", maria);
    const path = `/people/${String(created.body["id"])}`;
    const { state: _state, ...address } = maria.address;

    expect((await keyed("PATCH", path, { address: { state: null } })).body["address"]).toEqual(address);
    expect((await keyed("PATCH", path, { address: null })).body).not.toHaveProperty("address");
    expect(await keyed("PATCH", path, { adress: null })).toMatchObject({
      status: 400,
      body: { errors: [{ field: "adress" }] },
    });
  });

  it("keeps a person of the list in review, until its name is mended", async () => {
    const listed = await keyed("POST", "/people", { ...maria, lastName: "Sanctioned" });
    expect(listed).toMatchObject({ status: 200, body: { status: "IN_REVIEW", reasonCodes: ["SCREENING_HIT"] } });
    const path = `/people/${String(listed.body["id"])}`;

    expect(await keyed("PATCH", path, { address: { city: 7 } })).toMatchObject({
      status: 400,
      body: { code: "VE_001", errors: [{ field: "address.city" }] },
    });
    const change = { lastName: "Souza", address: { city: "Niterói" } };
    const mended = await keyed("PATCH", path, change, { "if-match": "*" });
    expect(mended).toMatchObject({ status: 200, headers: { etag: '"2"' } });
    expect(mended.body).toEqual({
      ...{ ...listed.body, lastName: "Souza", address: { ...maria.address, city: "Niterói" } },
      ...{ status: "APPROVED", reasonCodes: [], updatedAt: mended.body["updatedAt"] },
    });
    const bare = await keyed("PATCH", path, { identification: null }, { "if-match": "*" });
    expect(bare.body).toMatchObject({ status: "REJECTED", reasonCodes: ["REQUIREMENT_NOT_MET"] });
    expect(bare.body).not.toHaveProperty("identification");
  });

  it.each([
    ["people", { ...maria }, { lastName: "Souza" }],
    ["companies", { companyName: "Acme" }, { companyName: "Acme Ltd" }],
  ])("keeps, merges into and reads %s, under the tag that the caller has seen", async (path, body, change) => {
    const created = await keyed("POST", `/${path}`, body);
    const id = String(created.body["id"]);
    expect(created).toMatchObject({ status: 200, headers: { etag: '"1"' }, body: { ...body, status: "APPROVED" } });

    const stale = { "if-match": '"7"' };
    expect(await keyed("PATCH", `/${path}/${id}`, change, stale)).toMatchObject({
      status: 412,
      body: { code: "PER_412" },
    });
    expect(await keyed("PATCH", `/${path}/${id}`, change, { "if-match": "1" })).toMatchObject({
      status: 400,
      body: { errors: [{ field: "If-Match" }] },
    });
    const changed = await keyed("PATCH", `/${path}/${id}`, change, { "if-match": '"1"' });
    expect(changed).toMatchObject({ status: 200, headers: { etag: '"2"' }, body: { ...body, ...change } });
    expect((await keyed("GET", `/organizations/demo/${path}/${id}`)).body).toEqual(changed.body);
  });

  it("take each change of twelve writers at once, or refuse it with 412 where its writer has seen another version", async () => {
    const created = await keyed("POST", "/people", maria);
    const path = `/people/${String(created.body["id"])}`;
    const seen = { "if-match": '"1"' };
    const names = ["addressLine1", "addressLine2", "city", "state", "postalCode", "emailAddress"];
    const patches = names.flatMap((name, index) => [
      { change: { address: { [name]: `a@${index}` } }, headers: {} },
      { change: { lastName: `Silva ${index}` }, headers: seen },
    ]);

    const answers = await Promise.all(patches.map(({ change, headers }) => keyed("PATCH", path, change, headers)));
    const taken = patches.filter((_, index) => answers[index]?.status === 200);

    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 412)).toEqual([]);
    expect(taken.filter(({ headers }) => headers !== seen)).toHaveLength(names.length);
    expect(taken.filter(({ headers }) => headers === seen).length).toBeLessThanOrEqual(1);
    const final = await keyed("GET", `/organizations/demo${path}`);
    expect(final.headers["etag"]).toBe(`"${1 + taken.length}"`);
    for (const { change } of taken) expect(final.body).toMatchObject(change);
  });

  it("knows no other tenant's and no other kind's", async () => {
    const { body } = await keyed("POST", "/people", maria);
    const id = String(body["id"]);
    const other = { "x-api-key": platform.credentials.tenants[1]?.apiKey ?? "" };
    const answers = [
      await keyed("GET", `/organizations/other/people/${id}`, undefined, other),
      await keyed("GET", `/organizations/demo/people/${id}`, undefined, other),
      await keyed("GET", `/organizations/demo/companies/${id}`),
      await keyed("PATCH", `/people/${id}`, {}, other),
      await keyed("PATCH", `/companies/${id}`, {}),
    ];

    expect(answers.map(({ status, body: { code } }) => [status, code])).toEqual(answers.map(() => [404, "PER_404"]));
  });
});
