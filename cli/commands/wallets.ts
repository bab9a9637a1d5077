import { type CommandRow, type Given, givenTexts, textOf, wordOf } from "../command.ts";
import { limitOf, limitOption, requireDecimal } from "./options.ts";

const walletId = { name: "walletId", does: "id of the wallet", ids: "wallet" } as const;
const transactionId = { name: "transactionId", does: "id of the transaction", ids: "walletTransaction" } as const;
const ownId = {
  flags: "--id <externalId>",
  does: "your own id, made and shown unless given; the same id is done once",
};

function idOf(given: Given): string {
  const externalId = textOf(given, "id") ?? crypto.randomUUID();
  given.context.out.say(`id ${externalId}`);
  return externalId;
}

/** Credits and debits differ by a word. */
const movement = (paymentType: "CREDIT" | "DEBIT"): CommandRow => ({
  words: `wallets ${paymentType.toLowerCase()}`,
  does: `${paymentType === "CREDIT" ? "Put an amount into" : "Take an amount out of"} a wallet, or hold it.`,
  args: [walletId, { name: "amount", does: "exact amount" }],
  options: [ownId, { flags: "--hold", does: "reserve only, until it is confirmed or voided" }],
  changes: true,
  example: `wallets ${paymentType.toLowerCase()} 6f1c2d3e-0000-4000-8000-000000000000 70.10`,
  run: (given) =>
    given.context.corridor().wallets.transact({
      walletId: wordOf(given, "walletId"),
      externalId: idOf(given),
      amount: requireDecimal(wordOf(given, "amount")),
      paymentType,
      ...(given.options["hold"] === true ? { hold: true } : {}),
    }),
});

/** Balances on the ledger, holds and transfers. */
export const walletCommands: readonly CommandRow[] = [
  {
    words: "wallets create",
    does: "Open a wallet.",
    args: [{ name: "asset", does: "currency, or another asset" }],
    options: [
      { flags: "--owner <name>", does: "your name for the owner, `me` unless said" },
      { flags: "--type <kind>", does: "kind of wallet, PERSONAL unless said" },
    ],
    changes: true,
    example: "wallets create USD --owner customer-7",
    run(given) {
      const ownerId = textOf(given, "owner") ?? "me";
      const body = { accountAsset: wordOf(given, "asset"), ownerId, beneficiaryId: ownerId };
      return given.context.corridor().wallets.create({ ...body, type: textOf(given, "type") ?? "PERSONAL" });
    },
  },
  {
    words: "wallets get",
    does: "Show a wallet.",
    args: [walletId],
    example: "wallets get 6f1c2d3e-0000-4000-8000-000000000000",
    run: (given) => given.context.corridor().wallets.get(wordOf(given, "walletId")),
  },
  {
    words: "wallets list",
    does: "List wallets.",
    options: [
      { flags: "--asset <code>", does: "only of this asset" },
      { flags: "--status <status>", does: "ACTIVE, FROZEN or CLOSED" },
      limitOption,
    ],
    isList: true,
    example: "wallets list --asset USD",
    run: (given) =>
      given.context
        .corridor()
        .wallets.list(givenTexts(given, ["asset", "status"]))
        .first(limitOf(given)),
  },
  {
    words: "wallets balance",
    does: "Show what a wallet has and what of it is held.",
    args: [walletId],
    example: "wallets balance 6f1c2d3e-0000-4000-8000-000000000000",
    run: (given) => given.context.corridor().wallets.balance(wordOf(given, "walletId")),
  },
  {
    words: "wallets statement",
    does: "Show the settled entries of a wallet.",
    args: [walletId],
    options: [
      { flags: "--from <time>", does: "then or later" },
      { flags: "--until <time>", does: "before" },
      { flags: "--order <order>", does: "oldest or newest first" },
    ],
    isList: true,
    example: "wallets statement 6f1c2d3e-0000-4000-8000-000000000000 --from 2026-01-01",
    async run(given) {
      const asked = givenTexts(given, ["from", "until", "order"]);
      const { entries } = await given.context.corridor().wallets.statement(wordOf(given, "walletId"), asked);
      return entries;
    },
  },
  movement("CREDIT"),
  movement("DEBIT"),
  {
    words: "wallets confirm",
    does: "Settle a held transaction.",
    args: [transactionId],
    changes: true,
    example: "wallets confirm 6f1c2d3e-0000-4000-8000-000000000000",
    run: (given) => given.context.corridor().wallets.confirm(wordOf(given, "transactionId")),
  },
  {
    words: "wallets void",
    does: "Release a held transaction.",
    args: [transactionId],
    changes: true,
    example: "wallets void 6f1c2d3e-0000-4000-8000-000000000000",
    run: (given) => given.context.corridor().wallets.void(wordOf(given, "transactionId")),
  },
  {
    words: "wallets transaction",
    does: "Show a transaction of a wallet.",
    args: [transactionId],
    example: "wallets transaction 6f1c2d3e-0000-4000-8000-000000000000",
    run: (given) => given.context.corridor().wallets.transaction(wordOf(given, "transactionId")),
  },
  {
    words: "wallets transactions",
    does: "List transactions of wallets.",
    options: [
      { flags: "--wallet-id <id>", does: "only of this wallet", ids: "wallet" },
      { flags: "--type <type>", does: "DEBIT, CREDIT, PAYOUT or TRANSFER" },
      limitOption,
    ],
    isList: true,
    example: "wallets transactions --type TRANSFER",
    run: (given) =>
      given.context
        .corridor()
        .wallets.transactions(givenTexts(given, ["walletId", "type"]))
        .first(limitOf(given)),
  },
  {
    words: "wallets transfer create",
    does: "Move an amount between two wallets of one asset.",
    args: [
      { name: "fromWallet", does: "the wallet that pays", ids: "wallet" },
      { name: "toWallet", does: "the wallet that receives", ids: "wallet" },
      { name: "amount", does: "exact amount" },
    ],
    options: [ownId],
    changes: true,
    example: "wallets transfer create WALLET-1 WALLET-2 20.00 --id move-1",
    run: (given) =>
      given.context.corridor().wallets.transfer({
        fromWallet: wordOf(given, "fromWallet"),
        toWallet: wordOf(given, "toWallet"),
        amount: requireDecimal(wordOf(given, "amount")),
        externalId: idOf(given),
      }),
  },
  {
    words: "wallets transfer get",
    does: "Show a transfer.",
    args: [{ name: "externalId", does: "your id of the transfer" }],
    example: "wallets transfer get move-1",
    run: (given) => given.context.corridor().wallets.getTransfer(wordOf(given, "externalId")),
  },
  {
    words: "wallets transfer void",
    does: "Give the full amount of a transfer back.",
    args: [{ name: "externalId", does: "your id of the transfer" }],
    changes: true,
    example: "wallets transfer void move-1",
    run: (given) => given.context.corridor().wallets.voidTransfer(wordOf(given, "externalId")),
  },
];
