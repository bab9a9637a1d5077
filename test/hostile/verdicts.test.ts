import { accountCheckOf, cardCheckOf, textOfAccountCheck, textOfCardCheck } from "../support/check-intents";
import { answerClasses } from "../support/hostile-cases";
import { type HostileWorld, startHostileWorld } from "../support/hostile-world";
import { cardToken } from "../support/payment-bodies";
import { detailsOf } from "../support/person-intents";
import { sessionOf, verificationWord } from "../support/session-intents";

const tenant = "demo";

/** Who is asked for an opinion: no money moves there, but a wrong answer locks a person out, or lets one in. */
interface Question {
  provider: string;
  step: string;
  truth: string;
  ask(world: HostileWorld, id: string): Promise<unknown>;
}

const checkAccount: Question["ask"] = async ({ payment }, id) => {
  const { receipt } = await payment.checkAccount({ tenant, check: accountCheckOf(id), answerForm: 1 });
  return JSON.parse(textOfAccountCheck(receipt)).status;
};
const checkCard: Question["ask"] = async ({ payment }, id) => {
  const sender = {
    firstName: "Ada",
    // Verdicts are kept by name and token.
    lastName: id.replaceAll(/\d/g, (digit) => String.fromCharCode(97 + Number(digit))),
    email: "ada@example.com",
    address: { countryCode: "GBR", stateCode: "LND", city: "London", line1: "12 Hill Road", zipCode: "N1" },
    paymentMethod: { type: "CARD", cardTokenId: cardToken("1") },
  };
  const body = { externalPaymentId: id, ipAddress: "203.0.113.7", sender };
  const verdict = JSON.parse(textOfCardCheck(await payment.checkCard({ tenant, ...cardCheckOf(body) })));
  return Object(verdict["verificationResults"])["avs"] ?? verdict["status"];
};
const register: Question["ask"] = async ({ identity }) => {
  const person = {
    type: "INDIVIDUAL",
    identificationType: "NATIONAL_ID",
    identification: "39053344705",
    firstName: "Maria",
    lastName: "Souza",
    address: { addressLine1: "Rua Um", city: "Rio", state: "RJ", postalCode: "20000-000", countryCode: "BR" },
  };
  return (await identity.registerPerson({ tenant, person: detailsOf(person) })).decision?.status.replace(
    "PARTICIPANT_STATUS_",
    "",
  );
};
const openSession: Question["ask"] = async ({ identity }, id) =>
  verificationWord((await identity.createSession({ tenant, session: sessionOf({ userRef: id }) })).session?.status);

const questions: readonly Question[] = [
  { provider: "linker", step: "exchange", truth: "VERIFIED", ask: checkAccount },
  { provider: "linker", step: "accounts", truth: "VERIFIED", ask: checkAccount },
  { provider: "acquirer", step: "verify", truth: "APPROVED", ask: checkCard },
  { provider: "kyc", step: "judge", truth: "APPROVED", ask: register },
  { provider: "kyc", step: "open", truth: "PENDING", ask: openSession },
];

const moneyAlone = [
  "ok",
  "ok, other amount",
  "ok, other currency",
  "told other amount",
  "told other currency",
  "422 listed",
];
const cases = questions.flatMap((question) =>
  Object.entries(answerClasses)
    .filter(([name]) => !moneyAlone.includes(name))
    .flatMap(([name, answer]) => [true, false].map((isExecuted) => ({ question, name, answer, isExecuted }))),
);

describe("those who judge and answer anything", () => {
  let world: HostileWorld;
  beforeAll(async () => {
    world = await startHostileWorld();
  });
  afterAll(() => world.stop());

  const told = async ({ ask }: Question, id: string): Promise<string> => {
    try {
      return String(await ask(world, id));
    } catch (error) {
      return String(Object(error)["reason"]);
    }
  };

  it("are believed when they say the truth, and asked again otherwise", async () => {
    const wrong: string[] = [];
    let made = 0;
    for (const { question, name, answer, isExecuted } of cases) {
      const { provider, step, truth } = question;
      made += 1;
      const id = `v${made}`;
      await world.sandbox.call("POST", "/faults", { provider, step, times: 1, execute: isExecuted, ...answer });
      const first = await told(question, id);
      await world.sandbox.call("DELETE", "/faults");
      let second = await told(question, id);
      // A provider that has just been silent may be left alone for a moment.
      for (let tries = 0; tries < 20 && second === "UNAVAILABLE"; tries += 1) second = await told(question, id);
      const isFair = (first === truth || first === "UNAVAILABLE" || first === "PENDING") && second === truth;
      if (!isFair)
        wrong.push(`${provider} ${step}, ${name}, ${isExecuted ? "" : "not "}executed: ${first}, then ${second}`);
    }
    process.stdout.write(`${cases.length} answers to 5 questions, ${wrong.length} wrong\n`);
    expect(wrong).toEqual([]);
  }, 1_200_000);
});
