import { makeKycVendor } from "../../../services/identity/adapters/kyc/kyc-vendor";
import { makeScreeningProvider } from "../../../services/identity/adapters/screening/screening-provider";
import { systemClock } from "../../../services/shared/kernel/clock";
import { hasReason } from "../../../services/shared/kernel/errors";
import { systemIds } from "../../../services/shared/kernel/ids";
import { callTo, type StandIn, type StandInAnswer, startStandIn, strangeAnswers } from "../../support/stand-in";

describe("answers of those who judge", () => {
  let standIn: StandIn;
  beforeAll(async () => {
    standIn = await startStandIn();
  });
  afterAll(() => standIn.stop());

  /** What came of it: the word, `nothing`, or `away`. */
  const wordOf = async (answer: StandInAnswer, ask: () => Promise<string | undefined>): Promise<string> => {
    standIn.say(answer);
    try {
      return (await ask()) ?? "nothing";
    } catch (error) {
      if (hasReason(error, "UNAVAILABLE")) return "away";
      throw error;
    }
  };
  const common = { callbackSecret: "s".repeat(32), clock: systemClock };

  describe("on a payment", () => {
    const payment = {
      paymentId: "p-1",
      tenant: "demo",
      amount: { minor: 100n, currency: "BRL" },
      recipientName: "Maria",
      recipientCountry: "BRA",
      narrative: "rent",
    };
    const approved = { reference: "p-1", decision: "APPROVED" };
    const screener = () => makeScreeningProvider({ ...common, call: callTo(standIn.url) });
    const screen = (answer: StandInAnswer) => wordOf(answer, async () => (await screener().screen(payment)).status);
    const ask = (answer: StandInAnswer) => wordOf(answer, async () => (await screener().ask("p-1"))?.status);

    it("are believed about that payment, and about no other", async () => {
      expect(await screen({ status: 200, body: approved })).toBe("APPROVED");
      expect(await ask({ status: 200, body: approved })).toBe("APPROVED");
      const other = { status: 200, body: { ...approved, reference: "p-2" } };
      expect(await screen(other)).toBe("away");
      expect(await ask(other)).toBe("nothing");
      expect(await screen({ status: 200, body: { ...approved, decision: "SOMETHING_NEW" } })).toBe("away");
    });

    it("let nothing pass when they are strange", async () => {
      for (const answer of strangeAnswers) {
        expect([answer, await screen(answer), await ask(answer)]).toEqual([answer, "away", "nothing"]);
      }
    });
  });

  describe("on a person", () => {
    const report = {
      reference: "s-1",
      status: "VERIFIED",
      occurredAt: "2026-01-01T00:00:00.000Z",
      attempts: 1,
      revision: 1,
    };
    const ids = { ...systemIds, uuid: () => "person-1" };
    const vendor = () => makeKycVendor({ ...common, ids, call: callTo(standIn.url), redecisionMs: 1_000 });
    const ask = (answer: StandInAnswer) => wordOf(answer, async () => (await vendor().ask("s-1"))?.status);
    const person = { type: "INDIVIDUAL" } as unknown as Parameters<ReturnType<typeof vendor>["objectionTo"]>[0];
    const judge = (answer: StandInAnswer) => wordOf(answer, () => vendor().objectionTo(person));

    it("are believed about that session, and about no other", async () => {
      expect(await ask({ status: 200, body: report })).toBe("VERIFIED");
      expect(await ask({ status: 200, body: { ...report, reference: "s-2" } })).toBe("nothing");
      expect(await ask({ status: 200, body: { ...report, status: "SOMETHING_NEW" } })).toBe("nothing");
    });

    it("accept or reject in their own word alone", async () => {
      const said = (decision: string, reference = "person-1") => ({ reference, decision });
      expect(await judge({ status: 200, body: said("APPROVED") })).toBe("nothing");
      expect(await judge({ status: 200, body: said("REJECTED") })).toContain("does not accept");
      expect(await judge({ status: 200, body: said("MAYBE") })).toBe("away");
      expect(await judge({ status: 422, body: said("APPROVED") })).toBe("away");
      expect(await judge({ status: 200, body: said("APPROVED", "person-2") })).toBe("away");
      expect(await judge({ status: 200, body: { decision: "APPROVED" } })).toBe("away");
    });

    it("send the person to the page of their own session alone", async () => {
      const facts = { userRef: "u", documentTypes: ["PASSPORT"], countryCode: "GBR", redirectUrl: "" };
      const opened = { id: "s-1", facts, expiresAt: new Date(0) } as unknown as Parameters<
        ReturnType<typeof vendor>["open"]
      >[0];
      const open = (body: object) => wordOf({ status: 201, body }, async () => (await vendor().open(opened)).url);
      const page = { reference: "s-1", url: "https://vendor.example/capture/1" };

      expect(await open(page)).toBe(page.url);
      expect(await open({ ...page, reference: "s-2" })).toBe("away");
      expect(await open({ url: page.url })).toBe("away");
      expect(await open({ ...page, url: "javascript:alert(1)" })).toBe("away");
    });

    it("let nobody pass when they are strange", async () => {
      for (const answer of strangeAnswers) {
        expect([answer, await judge(answer), await ask(answer)]).toEqual([answer, "away", "nothing"]);
      }
    });
  });
});
