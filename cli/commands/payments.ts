import { type CommandRow, givenTexts, textOf, wordOf } from "../command.ts";
import { Usage } from "../failures.ts";
import { decimalOf, limitOf, limitOption } from "./options.ts";

const id = { name: "externalPaymentId", does: "your id of the payment", ids: "payment" } as const;
const filters = ["status", "state", "type", "currency", "country", "method", "from", "until"] as const;

/** Commands that read payments, and change existing ones. */
export const paymentCommands: readonly CommandRow[] = [
  {
    words: "payments get",
    does: "Show a payment.",
    args: [id],
    example: "payments get order-1",
    run: (given) => given.context.corridor().payments.get(wordOf(given, id.name)),
  },
  {
    words: "payments list",
    does: "List payments, the newest first.",
    options: [
      { flags: "--status <status>", does: "PENDING, AUTHORIZED, CAPTURED, REFUNDED, VOIDED, DECLINED or ERROR" },
      { flags: "--state <state>", does: "a state of the published graph" },
      { flags: "--type <type>", does: "PUSH, PULL or PULLPUSH" },
      { flags: "--currency <code>", does: "of the amount" },
      { flags: "--country <code>", does: "to which it pays, alpha-3", ids: "country" },
      { flags: "--method <name>", does: "BANK_DEPOSIT, WALLET, PIX or CARD" },
      { flags: "--from <time>", does: "created then or later" },
      { flags: "--until <time>", does: "created before" },
      limitOption,
    ],
    columns: ["externalPaymentId", "status", "amount", "recipientAmount", "createdAt"],
    isList: true,
    example: "payments list --status PENDING --limit 50",
    async run(given) {
      const { corridor } = given.context;
      return corridor().payments.list(givenTexts(given, filters)).first(limitOf(given));
    },
  },
  {
    words: "payments timeline",
    does: "Show everything that happened to a payment, in causal order.",
    args: [id],
    example: "payments timeline order-1",
    run: (given) => given.context.corridor().payments.timeline(wordOf(given, id.name)),
  },
  {
    words: "payments capture",
    does: "Capture an authorised pull, all of it or less.",
    args: [id],
    options: [{ flags: "--amount <total>", does: "what to capture; everything unless said" }],
    changes: true,
    example: "payments capture order-1 --amount 60.50",
    run: (given) => given.context.corridor().payments.capture(wordOf(given, id.name), decimalOf(given, "amount")),
  },
  {
    words: "payments void",
    does: "Give an authorisation back that was not captured.",
    args: [id],
    changes: true,
    example: "payments void order-1",
    run: (given) => given.context.corridor().payments.void(wordOf(given, id.name)),
  },
  {
    words: "payments refund",
    does: "Give back what a pull collected, or a part of it.",
    args: [id],
    options: [
      { flags: "--amount <total>", does: "what to give back; all that is left unless said" },
      { flags: "--refund-id <id>", does: "your id of the refund, made and shown unless given" },
      { flags: "--reason <words>", does: "kept with the refund" },
    ],
    changes: true,
    example: "payments refund order-1 --amount 0.50 --refund-id refund-1",
    run(given) {
      const externalRefundId = textOf(given, "refundId") ?? crypto.randomUUID();
      given.context.out.say(`refund ${externalRefundId}`);
      const body = { externalRefundId, ...decimalOf(given, "amount"), ...givenTexts(given, ["reason"]) };
      return given.context.corridor().payments.refund(wordOf(given, id.name), body);
    },
  },
  {
    words: "payments cancel",
    does: "Stop a transaction of your agent before its payout is released.",
    args: [{ name: "id", does: "id of the transaction, or your id of the payment", ids: "payment" }],
    changes: true,
    example: "payments cancel order-1",
    async run(given) {
      const corridor = given.context.corridor();
      const { found } = await corridor.search(wordOf(given, "id"));
      const [payment] = found.filter(({ kind }) => kind === "payment");
      if (payment === undefined) throw new Usage(`there is no payment ${wordOf(given, "id")}`);
      return corridor.transactions.cancel(payment.id);
    },
  },
  {
    words: "search",
    does: "Find what has an id, whatever it is the id of.",
    args: [{ name: "id", does: "any id that the platform or you made", ids: "payment" }],
    isList: true,
    example: "search order-1",
    run: (given) => given.context.corridor().search(wordOf(given, "id")),
  },
];
