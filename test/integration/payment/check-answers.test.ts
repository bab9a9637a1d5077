import { randomUUID } from "node:crypto";
import { makeCardTokens } from "../../../services/payment/adapters/acquirer/card-tokens";
import { makeCardVerifier } from "../../../services/payment/adapters/acquirer/card-verifier";
import { makePlaidLinker } from "../../../services/payment/adapters/plaid/account-linking";
import { makeLogger } from "../../../services/shared/process/logger";
import { noTracing } from "../../../services/shared/process/tracing";
import { callTo, type StandIn, type StandInAnswer, startStandIn, strangeAnswers } from "../../support/stand-in";

describe("answers to checks", () => {
  let standIn: StandIn;
  beforeAll(async () => {
    standIn = await startStandIn();
  });
  afterAll(() => standIn.stop());

  describe("of a card", () => {
    const noAddress = { countryCode: "", stateCode: "", state: "", city: "", line1: "", line2: "", zipCode: "" };
    const order = {
      reference: "check-1",
      cardToken: "token",
      ipAddress: "203.0.113.7",
      cardholder: { firstName: "Ada", lastName: "Byron", address: noAddress },
      hasNameInquiry: false,
    };
    const verified = { reference: "check-1", status: "VERIFIED", card: { scheme: "VISA" } };
    const verdictOn = async (answer: StandInAnswer): Promise<string> => {
      standIn.say(answer);
      return (await makeCardVerifier(callTo(standIn.url)).verify(order)).kind;
    };

    it("are believed about our check, and about no other", async () => {
      expect(await verdictOn({ status: 200, body: verified })).toBe("report");
      expect(await verdictOn({ status: 200, body: { ...verified, reference: "check-2" } })).toBe("unknown");
      expect(await verdictOn({ status: 200, body: { ...verified, status: "SOMETHING_NEW" } })).toBe("unknown");
      expect(await verdictOn({ status: 200, body: { ...verified, status: "CHALLENGE" } })).toBe("unknown");
      const challenge = { ...verified, status: "CHALLENGE", redirectAcsUrl: "https://acs.example/1" };
      expect(await verdictOn({ status: 200, body: challenge })).toBe("report");
      const script = { ...challenge, redirectAcsUrl: "javascript:alert(1)" };
      expect(await verdictOn({ status: 200, body: script })).toBe("unknown");
      const refusal = { reference: "check-1", error: "unknown_token" };
      expect(await verdictOn({ status: 422, body: refusal })).toBe("unknown-token");
      expect(await verdictOn({ status: 422, body: { ...refusal, reference: "check-2" } })).toBe("unknown");
    });

    it("bring no more of the card's number than its leading and its last digits", async () => {
      const whole = "4111111111111111";
      const reportOn = async (card: object, more: object = {}) => {
        standIn.say({ status: 200, body: { ...verified, card, ...more } });
        return makeCardVerifier(callTo(standIn.url)).verify(order);
      };

      const kept = { bin: "41111111", lastFour: "1111", issuer: "Bank" };
      expect(await reportOn(kept)).toMatchObject({ report: { bin: "41111111", lastFour: "1111", issuerName: "Bank" } });
      const told = { bin: whole, lastFour: whole, issuer: `Bank, ${whole}`, scheme: "VISA" };
      expect(await reportOn(told, { avs: whole })).toMatchObject({
        report: { bin: "", lastFour: "", issuerName: "Bank, [card number]", avs: "[card number]", scheme: "VISA" },
      });
      expect(await reportOn({ bin: "411111111", lastFour: "x111" })).toMatchObject({
        report: { bin: "", lastFour: "" },
      });
    });

    it("say nothing when they are strange", async () => {
      for (const answer of strangeAnswers) expect([answer, await verdictOn(answer)]).toEqual([answer, "unknown"]);
    });
  });

  describe("about a card token", () => {
    const mayExist = (answer: StandInAnswer): Promise<boolean> => {
      standIn.say(answer);
      return makeCardTokens(callTo(standIn.url)).mayExist("token");
    };

    it("end a payment only with the acquirer's own word that it is unknown", async () => {
      expect(await mayExist({ status: 422, body: { cardToken: "token", error: "unknown_token" } })).toBe(false);
      expect(await mayExist({ status: 422, body: { cardToken: "token", error: "expired_card" } })).toBe(true);
      expect(await mayExist({ status: 422, body: { cardToken: "another", error: "unknown_token" } })).toBe(true);
      for (const answer of strangeAnswers) expect([answer, await mayExist(answer)]).toEqual([answer, true]);
    });

    it("of another token are not kept for this one", async () => {
      const tokens = makeCardTokens(callTo(standIn.url));
      standIn.say({ status: 200, body: { cardToken: "another" } });
      expect(await tokens.mayExist("token")).toBe(true);
      standIn.say({ status: 422, body: { cardToken: "token", error: "unknown_token" } });
      expect(await tokens.mayExist("token")).toBe(false);
    });
  });

  describe("of the linking provider", () => {
    const lists = {
      access_token: "access-1",
      item_id: "item-1",
      item: { item_id: "item-1" },
      accounts: [{ account_id: "a1", official_name: "Checking" }],
      numbers: { ach: [{ account_id: "a1", account: "111", routing: "222" }] },
    };
    const openLinker = () =>
      makePlaidLinker({
        baseUrl: standIn.url,
        clientId: "corridor",
        secret: "secret",
        timeoutMs: 20_000,
        uuid: randomUUID,
        logger: makeLogger("check-answers", "error"),
        tracing: noTracing,
      });
    const openAccount = async (answer: StandInAnswer): Promise<string> => {
      standIn.say(answer);
      return (await openLinker().openAccount("public", "a1")).kind;
    };

    it("bring a link token with the time at which it ends, or none", async () => {
      const body = { link_token: "link-1", expiration: "2026-12-01T10:00:00Z", request_id: "r" };
      const tokenOf = async (changes: object) => {
        standIn.say({ status: 200, body: { ...body, ...changes } });
        return (await openLinker().createLinkToken({ phoneNumber: "+13055550123" }))?.token;
      };

      expect(await tokenOf({})).toBe("link-1");
      for (const expiration of ["2026-02-30T10:00:00Z", "soon", "", 7, null, undefined]) {
        expect([expiration, await tokenOf({ expiration })]).toEqual([expiration, undefined]);
      }
      expect(await tokenOf({ link_token: 7 })).toBeUndefined();
    });

    it("link an account that both lists have, and refuse one that they do not have", async () => {
      expect(await openAccount({ status: 200, body: lists })).toBe("linked");
      expect(await openAccount({ status: 200, body: { ...lists, accounts: [] } })).toBe("refused");
      expect(await openAccount({ status: 200, body: { ...lists, numbers: { ach: [] } } })).toBe("refused");
    });

    it("say nothing about another customer's item, or about an account that cannot be read", async () => {
      const row = { account_id: "a1", account: "111", routing: "222" };
      const strange = [
        { ...lists, item: { item_id: "item-2" } },
        { ...lists, item_id: "item-2" },
        { ...lists, item_id: undefined },
        { ...lists, accounts: [{ account_id: "a1" }] },
        { ...lists, accounts: [{ account_id: "a1", official_name: "n".repeat(1_000) }] },
        { ...lists, numbers: { ach: [{ ...row, account: 111 }] } },
        { ...lists, numbers: { ach: [{ ...row, routing: null }] } },
      ];
      for (const body of strange) expect([body, await openAccount({ status: 200, body })]).toEqual([body, "unknown"]);
    });

    it("refuse by a code of Plaid's about the customer's link alone, which an error of the bank's is not", async () => {
      const said = (status: number, error_code: string) => openAccount({ status, body: { error_code } });

      expect(await said(400, "INVALID_PUBLIC_TOKEN")).toBe("refused");
      expect(await said(409, "INVALID_PUBLIC_TOKEN")).toBe("unknown");
      for (const code of ["INSTITUTION_DOWN", "INSTITUTION_NOT_RESPONDING", "PRODUCT_NOT_READY", "MISSING_FIELDS"]) {
        expect([code, await said(400, code)]).toEqual([code, "unknown"]);
      }
    });

    it("say nothing without either list, or when they are strange", async () => {
      const { accounts: _accounts, ...withoutAccounts } = lists;
      const { numbers: _numbers, ...withoutNumbers } = lists;
      for (const body of [withoutAccounts, withoutNumbers, { ...lists, numbers: {} }]) {
        expect([body, await openAccount({ status: 200, body })]).toEqual([body, "unknown"]);
      }
      for (const answer of strangeAnswers) expect([answer, await openAccount(answer)]).toEqual([answer, "unknown"]);
    });
  });
});
