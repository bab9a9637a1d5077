import type { NewPayment, PaymentRequest } from "../../sdk/src/main.ts";
import { type CommandRow, type Given, type Option, textOf } from "../command.ts";
import { Usage } from "../failures.ts";
import { amountOf, createPayment, examplePayout, priceOf } from "../payout.ts";
import { waitForPayment } from "../wait.ts";

type Body = Readonly<Record<string, unknown>>;

const bodyOptions: readonly Option[] = [
  { flags: "--file <path>", does: "the payment as JSON, - for stdin; amounts keep their digits" },
  {
    flags: "--country <code>",
    does: "in place of a file: the example payout of this country, for the sandbox",
    ids: "country",
  },
  { flags: "--method <name>", does: "how the recipient of the example is paid, for example PIX" },
  { flags: "--amount <total>", does: "what is paid, 100.00 for an example" },
  { flags: "--currency <code>", does: "the currency of the amount, USD for an example" },
  { flags: "--quote", does: "ask for a quote and price the file by it; an example is always priced" },
  {
    flags: "--id <externalPaymentId>",
    does: "your own id of the payment; sending the same id again never makes a second payment",
  },
];

export const createCommands: readonly CommandRow[] = [
  {
    words: "payments create",
    does: "Create a payment from a file, from stdin, or from a country's example.",
    options: [
      ...bodyOptions,
      { flags: "--wait", does: "wait until it is decided; exit 5 when it is declined" },
      { flags: "--timeout <seconds>", does: "how long to wait, 60 unless said" },
    ],
    changes: true,
    example: "payments create --country BRA --method PIX --amount 100.00 --wait",
    async run(given) {
      const body = await bodyOf(given);
      const { context } = given;
      const receipt = await createPayment(context, body as unknown as NewPayment);
      if (receipt.$.replayed) context.out.say("it was created before: this is the answer that it had");
      return given.options["wait"] === true ? waitForPayment(given, receipt.externalPaymentId) : receipt;
    },
  },
  {
    words: "payments validate",
    does: "Say everything that is wrong with a payment, its price and its fees. Moves nothing.",
    options: bodyOptions,
    example: "payments validate --country BRA --method PIX",
    async run(given) {
      const body = { externalPaymentId: crypto.randomUUID(), ...(await bodyOf(given)) };
      return given.context.corridor().payments.validate(body as unknown as PaymentRequest);
    },
  },
  {
    words: "payments watch",
    does: "Show each step of a payment as it happens, until it is over.",
    args: [{ name: "externalPaymentId", does: "your id of the payment", ids: "payment" }],
    options: [{ flags: "--timeout <seconds>", does: "how long to watch, 60 unless said" }],
    example: "payments watch order-1",
    run: (given) => waitForPayment(given, given.words["externalPaymentId"] ?? "", true),
  },
];

/** Returns the payment that the options describe. */
async function bodyOf(given: Given): Promise<Body> {
  const { context } = given;
  const [file, country, id] = ["file", "country", "id"].map((name) => textOf(given, name));
  if ((file === undefined) === (country === undefined)) throw new Usage("give either --file or --country");
  const body = file === undefined ? await exampleOf(given, country ?? "") : await fileOf(given, file);
  const isPriced = file === undefined || given.options["quote"] === true;
  const priced = isPriced ? await priceOf(context.corridor(), body) : body;
  return id === undefined ? priced : { ...priced, externalPaymentId: id };
}

const exampleOf = (given: Given, country: string): Promise<Body> =>
  examplePayout(given.context.corridor(), country, textOf(given, "method"), {
    total: textOf(given, "amount") ?? "100.00",
    currency: textOf(given, "currency") ?? "USD",
  });

async function fileOf(given: Given, file: string): Promise<Body> {
  const body = await given.context.readFile(file);
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw new Usage(`${file} is no payment`);
  const known = Object((body as Body)["amount"]) as { total?: string; currency?: string };
  const total = textOf(given, "amount") ?? known.total;
  const currency = textOf(given, "currency") ?? known.currency;
  if (total === undefined || currency === undefined)
    throw new Usage(`${file} has no amount: give --amount and --currency`);
  return { ...body, amount: amountOf(total, currency) };
}
