import { readFileSync } from "node:fs";
import { join } from "node:path";
import { call, freshDir, startWorld } from "./outside-world";

const typed = (number: string, changes: object = {}) => ({ number, expMonth: 12, expYear: 2999, ...changes });

describe("the card tokenizer", () => {
  const dataDir = freshDir();
  const running = startWorld({ dataDir });
  const url = async () => (await running).url;
  const tokenize = async (body: object) => call("POST", `${await url()}/card-tokens`, body, "no key");
  const verify = async (cardToken: unknown, firstName: string, lastName: string) =>
    call("POST", `${await url()}/acquirer/verifications`, {
      reference: `${firstName}-${lastName}-${String(cardToken)}`,
      cardToken,
      firstName,
      lastName,
      address: { countryCode: "GBR", city: "London", line1: "12 Hill Road", zipCode: "N1" },
    });

  afterAll(async () => (await running).stop());

  it("gives each test number a token that behaves as its card, and keeps no number", async () => {
    const visa = await tokenize(typed("4111 1111 1111 1111"));
    const declined = await tokenize(typed("4000000000000002"));

    expect(visa).toMatchObject({
      status: 201,
      body: { bin: "411111", lastFour: "1111", cardTokenId: expect.any(String) },
    });
    expect((await verify(visa.body["cardTokenId"], "Ada", "Lovelace")).body).toMatchObject({
      status: "VERIFIED",
      nameResult: "APPROVED",
    });
    expect((await verify(declined.body["cardTokenId"], "Ada", "Lovelace")).body["status"]).toBe("DECLINED");
    const files = ["sandbox.db", "sandbox.db-wal"].map((file) => readFileSync(join(dataDir, file), "latin1"));
    expect(files.some((content) => content.includes("4111111111111111"))).toBe(false);
  });

  it("compares the name of a check with the name on the card", async () => {
    const { body } = await tokenize(typed("4242424242424242", { name: "Grace Hopper" }));

    expect((await verify(body["cardTokenId"], "grace", "HOPPER")).body["nameResult"]).toBe("APPROVED");
    expect((await verify(body["cardTokenId"], "Ada", "Hopper")).body["nameResult"]).toBe("NO_MATCH");
  });

  it.each([
    ["a number that is no test card", typed("4539148803436467"), 422],
    ["no number", { expMonth: 1, expYear: 2999 }, 400],
    ["a card that is over", typed("4242424242424242", { expYear: 2020 }), 400],
    ["a month that does not exist", typed("4242424242424242", { expMonth: 13 }), 400],
  ])("refuses %s", async (_what, body, status) => {
    expect((await tokenize(body)).status).toBe(status);
  });

  it("has a page for people", async () => {
    const page = await fetch(`${await url()}/tokenizer`).then((response) => response.text());
    const form = new URLSearchParams({ number: "5555555555554444", expMonth: "1", expYear: "2999", name: "<b>" });
    const done = await fetch(`${await url()}/tokenizer`, { method: "POST", body: form });
    const wrong = await fetch(`${await url()}/tokenizer`, {
      method: "POST",
      body: new URLSearchParams({ number: "1" }),
    });

    expect(page).toContain("<form");
    expect(await done.text()).toMatch(/id="cardTokenId">[0-9a-f-]{36}</);
    expect(wrong.status).toBe(400);
  });

  it("is listed with everything else", async () => {
    const { body } = await call("GET", `${await url()}/values`);

    expect(body).toMatchObject({
      cardNumbers: expect.arrayContaining([{ number: "4000000000003220", likeCard: "4" }]),
      linkFlow: { accountCheckToken: "public-sandbox-ok" },
    });
    expect(body["cardTokens"]).toHaveLength(14);
  });
});
