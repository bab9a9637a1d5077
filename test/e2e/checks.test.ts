import type { Platform } from "../../local/platform";
import { connectClient, freshId, type PlatformClient, type Reply } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

/** The fixed card of the sandbox world whose token repeats a digit. */
const cardToken = (digit: string): string =>
  [digit.repeat(8), digit.repeat(4), `4${digit.repeat(3)}`, `8${digit.repeat(3)}`, digit.repeat(12)].join("-");

const cardCheck = (digit: string, sender: object = {}) => ({
  externalPaymentId: freshId(),
  ipAddress: "203.0.113.7",
  sender: {
    firstName: "Ada",
    lastName: "Lovelace",
    email: "ada@example.com",
    phoneNumber: "+441632960001",
    address: {
      countryCode: "GBR",
      stateCode: "LND",
      city: "London",
      line1: "12 Hill Road",
      line2: "",
      zipCode: "N1 1AA",
    },
    paymentMethod: { type: "CARD", cardTokenId: cardToken(digit) },
    ...sender,
  },
});

const accountCheck = (changes: object = {}, externalPaymentId: string = freshId()) => ({
  externalPaymentId,
  sender: {
    paymentMethod: {
      type: "BANK_DEPOSIT",
      countryCode: "US",
      accountCheckToken: "public-sandbox-ok",
      accountCheckId: "acc-checking",
      ...changes,
    },
  },
});

const high = { capable: true, highPerforming: true, lowPerforming: false };
const none = { capable: false, highPerforming: false, lowPerforming: false };
const fieldsOf = ({ body }: Reply): string[] => (body["errors"] as { field: string }[]).map(({ field }) => field);

describe("checks through the edge", () => {
  let platform: Platform;
  let client: PlatformClient;
  const post = async (path: string, body: unknown): Promise<Reply> => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${await client.token()}` };
    return client.send("POST", path, headers, typeof body === "string" ? body : JSON.stringify(body));
  };
  const checkCard = (body: object) => post("/v2/check-card-account", body);
  const checkAccount = (body: object) => post("/check-account", body);
  const balance = async () => client.send("GET", "/payer/balance", { authorization: `Bearer ${await client.token()}` });
  const book = async (shelf: string): Promise<Record<string, unknown>[]> => {
    const answer = await fetch(`${platform.credentials.sandboxUrl}/book`).then((response) => response.json());
    return (answer as Record<string, Record<string, unknown>[]>)[shelf] ?? [];
  };

  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
  });
  afterEach(() => client.clearFaults());
  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  it("verify a card of the one network that compares names", async () => {
    const reply = await checkCard(cardCheck("1"));

    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      card: {
        created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        issuerName: "First Sandbox Bank",
        issuerCountry: "US",
        bin: "411111",
        lastFour: "1111",
      },
      verificationResults: { avs: "APPROVED", cvc: "APPROVED", aavCardholderName: "APPROVED" },
      octStatus: high,
      aftStatus: high,
      redirectAcsUrl: "",
    });
  });

  it.each([
    ["2", { aavCardholderName: "NOT_SUPPORTED", avs: "APPROVED" }, none],
    ["5", { avs: "FAILED", cvc: "APPROVED" }, high],
    ["6", { cvc: "NOT_CHECKED" }, high],
    ["7", { aavCardholderName: "NO_MATCH" }, high],
    ["8", {}, { capable: true, highPerforming: false, lowPerforming: true }],
    ["9", { aavCardholderName: "NOT_SUPPORTED" }, high],
    ["0", { aavCardholderName: "NOT_SUPPORTED" }, high],
  ])("say what is known of card %s", async (digit, results, octStatus) => {
    const { body } = await checkCard(cardCheck(digit));

    expect(body).toMatchObject({ verificationResults: results, octStatus, redirectAcsUrl: "" });
    expect(JSON.stringify(body)).not.toContain("N/A");
  });

  it("decline in the shape of a payment", async () => {
    const body = cardCheck("3");
    const reply = await checkCard(body);

    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      paymentId: expect.any(String),
      parentPaymentId: reply.body["paymentId"],
      externalPaymentId: body.externalPaymentId,
      created: expect.any(String),
      amount: 0,
      approved: false,
      status: "DECLINED",
      responseCode: "PAY_022",
      message: "Rejected by provider",
      issuerName: "First Sandbox Bank",
      issuerCountry: "US",
      avsResult: "N/A",
      cvcResult: "N/A",
      aavCardholderNameResult: "N/A",
      redirectAcsUrl: "",
    });
  });

  it("send the cardholder to a page, and have the verdict when the call is repeated", async () => {
    const body = cardCheck("4");
    const challenged = await checkCard(body);
    const again = await checkCard(body);
    const url = String(challenged.body["redirectAcsUrl"]);
    await fetch(url, { method: "POST", body: new URLSearchParams({ outcome: "pass" }) });
    const verified = await checkCard(body);

    const unsupported = { avs: "NOT_SUPPORTED", cvc: "NOT_SUPPORTED", aavCardholderName: "NOT_SUPPORTED" };
    expect(challenged.body).toMatchObject({ verificationResults: unsupported, octStatus: none, aftStatus: none });
    expect(url).toMatch(/^http/);
    expect(again.body["redirectAcsUrl"]).toBe(url);
    expect(verified.body).toMatchObject({ verificationResults: { avs: "APPROVED" }, redirectAcsUrl: "" });
  });

  it("keep a verdict by names and token, and ask afresh for another name", async () => {
    const asked = async () => (await book("verifications")).length;
    const before = await asked();
    const first = await checkCard(cardCheck("1", { firstName: "Grace", lastName: "Hopper" }));
    const repeated = await checkCard(cardCheck("1", { firstName: "Grace", lastName: "Hopper" }));
    const afterTwo = await asked();
    await checkCard(cardCheck("1", { firstName: "Grace", lastName: "Murray" }));

    expect(repeated.text).toBe(first.text);
    expect([afterTwo - before, (await asked()) - afterTwo]).toEqual([1, 1]);
  });

  it("do not compare names of more than 35 characters, and leave titles out", async () => {
    const resultFor = async (firstName: string): Promise<unknown> => {
      const { body } = await checkCard(cardCheck("1", { firstName }));
      return (body["verificationResults"] as Record<string, unknown>)["aavCardholderName"];
    };

    expect(await resultFor("A".repeat(35))).toBe("APPROVED");
    expect(await resultFor("A".repeat(36))).toBe("NOT_SUPPORTED");
    expect(await resultFor(`Dr. ${"A".repeat(35)}`)).toBe("APPROVED");
  });

  it.each<[string, string, (body: ReturnType<typeof cardCheck>) => object]>([
    [
      "an unknown token",
      "sender.paymentMethod.cardTokenId",
      (body) => withMethod(body, "12345678-1234-4234-8234-123456789012"),
    ],
    ["a token that is no UUID", "sender.paymentMethod.cardTokenId", (body) => withMethod(body, "abc")],
    ["a card number for a token", "sender.paymentMethod.cardTokenId", (body) => withMethod(body, "4111111111111111")],
    ["a card number for a name", "sender.firstName", (body) => withSender(body, { firstName: "4111 1111 1111 1111" })],
    ["an empty name", "sender.lastName", (body) => withSender(body, { lastName: "" })],
    ["octal digits in an address", "ipAddress", (body) => ({ ...body, ipAddress: "0177.0.0.1" })],
    ["a zone in an address", "ipAddress", (body) => ({ ...body, ipAddress: "fe80::1%eth0" })],
    ["an alpha-2 country", "sender.address.countryCode", (body) => withAddress(body, { countryCode: "GB" })],
    [
      "a country that does not exist",
      "sender.address.countryCode",
      (body) => withAddress(body, { countryCode: "XXX" }),
    ],
    ["no city", "sender.address.city", (body) => withAddress(body, { city: undefined })],
    ["a null line2", "sender.address.line2", (body) => withAddress(body, { line2: null })],
    ["no id", "externalPaymentId", (body) => ({ ...body, externalPaymentId: undefined })],
  ])("name the field of %s", async (_what, field, change) => {
    const reply = await checkCard(change(cardCheck("1")));

    expect(reply.status).toBe(400);
    expect(reply.body["code"]).toBe("VE_001");
    expect(fieldsOf(reply)).toEqual([field]);
  });

  it("name every failed field of an empty card check", async () => {
    expect(fieldsOf(await checkCard({}))).toEqual(["externalPaymentId", "ipAddress", "sender"]);
    expect(fieldsOf(await checkCard({ sender: { address: {}, paymentMethod: {} } }))).toEqual([
      "externalPaymentId",
      "ipAddress",
      "sender.firstName",
      "sender.lastName",
      "sender.address.countryCode",
      "sender.address.stateCode",
      "sender.address.city",
      "sender.address.line1",
      "sender.address.zipCode",
      "sender.paymentMethod.type",
      "sender.paymentMethod.cardTokenId",
    ]);
  });

  const errorOf = ({ body }: Reply): unknown => (body["errors"] as object[] | undefined)?.[0];

  it.each<[string, string, object]>([
    ["externalPaymntId", "externalPaymentId", { externalPaymntId: "x" }],
    ["sender.fristName", "firstName", { sender: { ...cardCheck("1").sender, fristName: "Ada" } }],
    [
      "sender.address.zip",
      "",
      { sender: { ...cardCheck("1").sender, address: { ...cardCheck("1").sender.address, zip: "1" } } },
    ],
  ])("take no member of a card check that they do not know: %s", async (field, meant, change) => {
    const asked = (await book("verifications")).length;

    const refused = await checkCard({ ...cardCheck("1"), ...change });

    const hint = meant === "" ? "is not known" : `is not known; did you mean ${meant}?`;
    expect([refused.status, errorOf(refused)]).toEqual([400, { field, message: hint }]);
    expect(await book("verifications")).toHaveLength(asked);
  });

  it("take no member of an account check or link flow that they do not know", async () => {
    const id = freshId();
    const refused = await checkAccount({ ...accountCheck({ accountChekId: "x" }, id), sendr: {} });
    const link = await post("/providers/plaid", { phoneNumber: "+14155550123", androidPackagName: "com.example" });

    expect(refused.status).toBe(400);
    expect(fieldsOf(refused).toSorted()).toEqual(["sender.paymentMethod.accountChekId", "sendr"]);
    expect([link.status, errorOf(link)]).toEqual([
      400,
      { field: "androidPackagName", message: "is not known; did you mean androidPackageName?" },
    ]);
    expect((await checkAccount(accountCheck({}, id))).body).toMatchObject({ status: "VERIFIED" });
  });

  it("know an id that was used, whatever is wrong with the body that names it", async () => {
    const id = freshId();
    const first = await checkAccount(accountCheck({}, id));
    const wrong = await checkAccount(accountCheck({ countryCode: "USA" }, id));
    const unknown = await checkAccount({ ...accountCheck({}, id), sendr: {} });
    const again = await checkAccount(accountCheck({}, id));

    expect([wrong.status, wrong.body["code"], wrong.body["details"]]).toEqual([422, "IDM_002", { fields: ["sender"] }]);
    expect([unknown.status, unknown.body["details"]]).toEqual([422, { fields: ["sendr"] }]);
    expect(again.text).toBe(first.text);
  });

  it("open a link flow, verify the account that was picked, and pull from it", async () => {
    const link = await post("/providers/plaid", { phoneNumber: "+14155550123" });
    const token = String(link.body["token"]);
    const picked = await fetch(`${platform.credentials.sandboxUrl}/link`, {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams({ token, account: "acc-savings" }),
    });
    const { publicToken, accountId } = (await picked.json()) as Record<string, string>;
    const checked = await checkAccount(accountCheck({ accountCheckToken: publicToken, accountCheckId: accountId }));

    expect(link.body).toEqual({ token, expiration: expect.stringMatching(/Z$/), requestId: expect.any(String) });
    expect(checked.status).toBe(200);
    expect(checked.body).toEqual({
      paymentId: expect.any(String),
      parentPaymentId: checked.body["paymentId"],
      externalPaymentId: expect.any(String),
      accountTokenId: expect.any(String),
      created: expect.any(String),
      approved: true,
      accessToken: expect.stringMatching(/^access-/),
      status: "VERIFIED",
      bankAccountName: "First Sandbox Bank Rainy Day Savings",
      accountNumberMasked: "************1111",
      routingNumberMasked: "*****0021",
    });
    expect((await pull(checked.body["accountTokenId"])).body).toMatchObject({ status: "CAPTURED" });
    expect((await pull(checked.body["accountTokenId"])).body).toMatchObject({ status: "CAPTURED" });
  });

  const pull = (accountTokenId: unknown): Promise<Reply> =>
    post("/v2/payment", {
      externalPaymentId: freshId(),
      ipAddress: "203.0.113.7",
      paymentType: "PULL",
      capture: true,
      amount: { total: 25, currency: "USD" },
      sender: { firstName: "Ada", lastName: "Lovelace", paymentMethod: { type: "BANK_DEPOSIT", accountTokenId } },
    });

  it("revoke an account token for good", async () => {
    const { body } = await checkAccount(accountCheck());
    const revoke = async (id: unknown, by: PlatformClient = client) =>
      by.send("DELETE", `/account-tokens/${String(id)}`, { authorization: `Bearer ${await by.token()}` });
    const stranger = connectClient(platform, "other");

    const foreign = await revoke(body["accountTokenId"], stranger);
    await stranger.close();

    expect(foreign.status).toBe(404);
    expect((await revoke(body["accountTokenId"])).status).toBe(204);
    expect((await revoke(body["accountTokenId"])).status).toBe(204);
    expect((await revoke("unknown")).body["code"]).toBe("PAY_404");
    expect((await pull(body["accountTokenId"])).body).toMatchObject({ status: "DECLINED" });
  });

  it("answer the same account check with the same bytes, and name what differs in another", async () => {
    const id = freshId();
    const replies = await Promise.all(Array.from({ length: 16 }, () => checkAccount(accountCheck({}, id))));
    const later = await checkAccount(accountCheck({}, id));
    const other = await checkAccount(accountCheck({ accountCheckId: "acc-savings" }, id));

    expect(new Set([...replies, later].map(({ text }) => text)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers["idempotency-replayed"] !== "true")).toHaveLength(1);
    expect(other.status).toBe(422);
    expect(other.body).toMatchObject({ code: "IDM_002", details: { fields: ["sender"] } });
  });

  it.each([
    ["token", { accountCheckToken: "public-of-nobody" }],
    ["account", { accountCheckId: "acc-of-nobody" }],
  ])("decline an unknown %s", async (_what, changes) => {
    const { status, body } = await checkAccount(accountCheck(changes));

    expect(status).toBe(200);
    expect(body).toMatchObject({ approved: false, status: "DECLINED" });
    expect(Object.keys(body)).not.toContain("accountTokenId");
  });

  it.each([
    ["sender.paymentMethod.countryCode", { countryCode: "USA" }],
    ["sender.paymentMethod.countryCode", { countryCode: "ZZ" }],
    ["sender.paymentMethod.type", { type: "CARD" }],
    ["sender.paymentMethod.accountCheckToken", { accountCheckToken: "" }],
    ["sender.paymentMethod.accountCheckId", { accountCheckId: { $gt: "" } }],
  ])("refuse a wrong %s and store nothing", async (field, changes) => {
    const id = freshId();

    const refused = await checkAccount(accountCheck(changes, id));

    expect(refused.status).toBe(400);
    expect(fieldsOf(refused)).toEqual([field]);
    expect((await checkAccount(accountCheck({}, id))).body).toMatchObject({ status: "VERIFIED" });
  });

  it.each([[{}], [{ phoneNumber: "4155550123" }], [{ phoneNumber: "+0123456789" }], [{ phoneNumber: null }]])(
    "open no link flow for %p",
    async (body) => {
      const reply = await post("/providers/plaid", body);

      expect(reply.status).toBe(400);
      expect(fieldsOf(reply)).toEqual(["phoneNumber"]);
    },
  );

  it("answer 503 while a provider is away, keep nothing, and go on afterwards", async () => {
    const id = freshId();
    await client.fault({ rail: "linker", operation: "exchange", status: 503, times: 1 });
    await client.fault({ rail: "acquirer", operation: "verify", timeoutAfterExecute: true, times: 1 });
    const card = cardCheck("1", { firstName: "Katherine" });

    const [account, checked] = [await checkAccount(accountCheck({}, id)), await checkCard(card)];

    expect([account.status, checked.status]).toEqual([503, 503]);
    expect(account.headers["retry-after"]).toBeDefined();
    expect((await checkAccount(accountCheck({}, id))).body).toMatchObject({ status: "VERIFIED" });
    expect((await checkCard(card)).status).toBe(200);
  });

  it("say what providers hold, without the one that is away", async () => {
    await client.fault({ rail: "pix", operation: "balance", status: 503 });
    const partial = await balance();
    await client.clearFaults();
    const whole = await balance();
    const providersOf = ({ text }: Reply) => JSON.parse(text) as { providerId: string; balances: object[] }[];

    expect(partial.status).toBe(200);
    expect(providersOf(partial).map(({ providerId }) => providerId)).not.toContain("pix");
    expect(providersOf(whole).find(({ providerId }) => providerId === "pix")).toEqual({
      providerId: "pix",
      balances: [{ currencyCode: "BRL", balance: expect.any(Number) }],
    });
  });
});

type Check = ReturnType<typeof cardCheck>;
const withSender = (body: Check, changes: object) => ({ ...body, sender: { ...body.sender, ...changes } });
const withMethod = (body: Check, cardTokenId: string) =>
  withSender(body, { paymentMethod: { type: "CARD", cardTokenId } });
const withAddress = (body: Check, changes: object) =>
  withSender(body, { address: { ...body.sender.address, ...changes } });
