import { Configuration, CountryCode, PlaidApi, Products } from "plaid";
import type { Sandbox } from "../../../sandbox/app";
import { call, eventually, railKey, startWorld } from "./outside-world";

describe("the linker", () => {
  let world: Sandbox;
  const plaid = (secret = railKey) =>
    new PlaidApi(
      new Configuration({
        basePath: `${world.url}/plaid`,
        baseOptions: { headers: { "PLAID-CLIENT-ID": "corridor", "PLAID-SECRET": secret } },
      }),
    );
  const linkToken = async (): Promise<string> => {
    const { data } = await plaid().linkTokenCreate({
      client_name: "Corridor",
      language: "en",
      country_codes: [CountryCode.Us],
      products: [Products.Auth],
      user: { client_user_id: "u1", phone_number: "+14155550123" },
    });
    return data.link_token;
  };
  const visit = (token: string, account: string) =>
    fetch(`${world.url}/link`, {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams({ token, account }),
    });
  const exchange = async (publicToken: string): Promise<string> =>
    (await plaid().itemPublicTokenExchange({ public_token: publicToken })).data.access_token;
  const failure = (error: string) =>
    expect.objectContaining({
      response: expect.objectContaining({ data: expect.objectContaining({ error_code: error }) }),
    });

  beforeAll(async () => {
    world = await startWorld();
  });
  afterEach(() => call("DELETE", `${world.url}/faults`));
  afterAll(() => world.stop());

  it("speaks to the official SDK: link token, page, public token, access token, numbers", async () => {
    const token = await linkToken();
    const form = await fetch(`${world.url}/link?token=${token}`).then((response) => response.text());
    const { publicToken, accountId } = (await visit(token, "acc-savings").then((response) =>
      response.json(),
    )) as Record<string, string>;
    const accessToken = await exchange(publicToken ?? "");
    const { data } = await plaid().authGet({ access_token: accessToken });

    expect(form).toContain("acc-checking");
    expect(accountId).toBe("acc-savings");
    expect(data.accounts).toMatchObject([{ account_id: "acc-savings", name: "Rainy Day Savings", subtype: "savings" }]);
    expect(data.numbers.ach).toMatchObject([{ account: "1111222233331111", routing: "021000021" }]);
    expect(await exchange(publicToken ?? "")).toBe(accessToken);
  });

  it("exchanges the fixed public token each time for a new item with every account", async () => {
    const [first, second] = [await exchange("public-sandbox-ok"), await exchange("public-sandbox-ok")];

    expect(first).not.toBe(second);
    const { data } = await plaid().accountsGet({ access_token: first });
    expect(data.accounts.map((account) => account.account_id)).toContain("acc-checking");
  });

  it("refuses in Plaid's words what it does not know", async () => {
    const accessToken = await exchange("public-sandbox-ok");

    await expect(exchange("public-of-nobody")).rejects.toEqual(failure("INVALID_PUBLIC_TOKEN"));
    await expect(plaid().authGet({ access_token: "none" })).rejects.toEqual(failure("INVALID_ACCESS_TOKEN"));
    await expect(plaid("wrong").authGet({ access_token: accessToken })).rejects.toEqual(failure("INVALID_API_KEYS"));
    await expect(plaid().authGet({ access_token: accessToken, options: { account_ids: ["other"] } })).rejects.toEqual(
      failure("INVALID_ACCOUNT_ID"),
    );
    expect((await visit("link-of-nobody", "acc-savings")).status).toBe(404);
  });

  it("lets tokens expire by the world's clock", async () => {
    const token = await linkToken();
    const { publicToken } = (await visit(token, "acc-savings").then((response) => response.json())) as Record<
      string,
      string
    >;

    await call("POST", `${world.url}/clock`, { advance: 4 * 3_600 + 1 });

    await expect(exchange(publicToken ?? "")).rejects.toEqual(failure("INVALID_PUBLIC_TOKEN"));
    expect((await fetch(`${world.url}/link?token=${token}`)).status).toBe(404);
  });

  it("is debited by its access tokens until the item is removed", async () => {
    const accessToken = await exchange("public-sandbox-ok");
    const debit = (reference: string, accountId: string) =>
      call("POST", `${world.url}/debits`, { reference, amount: "10", currency: "USD", accessToken, accountId });

    expect((await debit("linked", "acc-checking")).body["status"]).toBe("ACCEPTED");
    expect((await debit("closed", "acc-closed")).body["status"]).toBe("REJECTED");
    await debit("empty", "acc-empty");
    await eventually(async () => (await call("GET", `${world.url}/debits/empty`)).body["status"] === "RETURNED");
    await plaid().itemRemove({ access_token: accessToken });

    await expect(plaid().authGet({ access_token: accessToken })).rejects.toEqual(failure("INVALID_ACCESS_TOKEN"));
    expect((await debit("removed", "acc-checking")).status).toBe(400);
  });

  it("obeys faults", async () => {
    await call("POST", `${world.url}/faults`, { rail: "linker", operation: "exchange", status: 503, times: 1 });

    await expect(exchange("public-sandbox-ok")).rejects.toThrow("503");
    expect(await exchange("public-sandbox-ok")).toMatch(/^access-sandbox-/);
  });
});
