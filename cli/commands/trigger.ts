import type { Corridor, NewPayment } from "../../sdk/src/main.ts";
import { type CommandRow, type Given, textOf, wordOf } from "../command.ts";
import { Usage } from "../failures.ts";
import { createPayment, examplePayout, priceOf } from "../payout.ts";
import { waitForPayment } from "../wait.ts";

interface Scenario {
  readonly name: string;
  readonly value: string;
  readonly effect: string;
}

/** The actions that make the platform send an event, by the event's name. */
const causes: Readonly<Record<string, { does: string; run: (given: Given) => Promise<unknown> }>> = {
  TransactionStatusChanged: { does: "a payout that is paid", run: (given) => pay(given, "paid") },
  TransactionPayoutStatusChanged: { does: "a payout that is paid", run: (given) => pay(given, "paid") },
  TransactionComplianceStatusChangedEvent: {
    does: "a payout that screening holds for a review and lets go",
    run: (given) => pay(given, "review-approve"),
  },
  AgentUpdatedEvents: {
    does: "a new agent",
    run: (given) =>
      given.context.corridor().agents.create({
        email: "partner@example.com",
        businessName: "Partner of the sandbox",
        externalId: crypto.randomUUID(),
      }),
  },
  DocumentUpdatedEvents: {
    does: "a document of a new person",
    run: (given) => uploadDocument(given.context.corridor()),
  },
};

export const triggerCommands: readonly CommandRow[] = [
  {
    words: "trigger",
    does: "Make the sandbox do something: a SIM scenario, or what leads to an event.",
    args: [
      {
        name: "what",
        does: "a scenario such as hold-reject, or an event such as AgentUpdatedEvents",
        isOptional: true,
        ids: "scenario",
      },
    ],
    options: [
      { flags: "--list", does: "every scenario and event that can be triggered" },
      { flags: "--country <code>", does: "to which a scenario pays, ECU unless said" },
      { flags: "--amount <total>", does: "what it pays in USD, 10.00 unless said" },
      { flags: "--wait", does: "wait until the payment is decided; exit 5 when it is declined" },
      { flags: "--timeout <seconds>", does: "how long to wait, 60 unless said" },
    ],
    columns: ["what", "does"],
    changes: true,
    example: "trigger return-after-paid --wait",
    async run(given) {
      const what = wordOf(given, "what").replace(/^SIM:/, "");
      const scenarios = await readScenarios(given);
      if (given.options["list"] === true) {
        return [
          ...scenarios.map(({ name, effect }) => ({ what: name, does: effect })),
          ...Object.entries(causes).map(([event, { does }]) => ({ what: event, does })),
        ];
      }
      if (scenarios.some(({ name }) => name === what)) return pay(given, what);
      const cause = Object.entries(causes).find(([event]) => event.toLowerCase() === what.toLowerCase());
      if (cause === undefined) throw new Usage(`nothing is triggered by "${what}"; try --list`);
      return cause[1].run(given);
    },
  },
];

async function readScenarios({ context }: Given): Promise<readonly Scenario[]> {
  const { scenarios } = (await context.sandbox("GET", "/values")) as { scenarios: readonly Scenario[] };
  return scenarios;
}

/** Sends a payout with a scenario named in its descriptor. */
async function pay(given: Given, scenario: string): Promise<unknown> {
  const { context } = given;
  const corridor = context.corridor();
  const facts = { total: textOf(given, "amount") ?? "10.00", currency: "USD", descriptor: `SIM:${scenario}` };
  const payout = await examplePayout(corridor, textOf(given, "country") ?? "ECU", undefined, facts);
  const body = (await priceOf(corridor, payout)) as unknown as NewPayment;
  const receipt = await createPayment(context, body);
  return given.options["wait"] === true ? waitForPayment(given, receipt.externalPaymentId) : receipt;
}

/** The smallest valid picture: a JPEG of one pixel. */
const picture = Buffer.from(
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k=",
  "base64",
);

async function uploadDocument(corridor: Corridor): Promise<unknown> {
  const { id } = await corridor.people.create({ firstName: "Maria", lastName: "Souza" });
  return corridor.people.upload(id, "passport", { file: new Blob([picture], { type: "image/jpeg" }) });
}
