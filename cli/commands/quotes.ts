import { type CommandRow, shown, textOf, wordOf } from "../command.ts";
import { Usage } from "../failures.ts";
import { examplePayout } from "../payout.ts";

/** Prices, countries and their requirements. */
export const quoteCommands: readonly CommandRow[] = [
  {
    words: "quote",
    does: "Ask for a rate that one payment may use.",
    args: [
      { name: "source", does: "currency that is paid, for example USD" },
      { name: "destination", does: "currency that is received, for example BRL" },
      { name: "country", does: "where it is received, alpha-3", ids: "country" },
    ],
    options: [{ flags: "--method <kind>", does: "BANK_ACCOUNT, WALLET or CARD; the first unless said" }],
    example: "quote USD BRL BRA",
    run: (given) =>
      given.context.corridor().quotes.create({
        sourceCurrencyCode: wordOf(given, "source").toUpperCase(),
        destinationCurrencyCode: wordOf(given, "destination").toUpperCase(),
        destinationCountryCode: wordOf(given, "country").toUpperCase(),
        paymentMethod: textOf(given, "method") ?? "BANK_ACCOUNT",
      }),
  },
  {
    words: "schema",
    does: "Show what a payment to a country must say, or an example that says it.",
    args: [{ name: "country", does: "alpha-3 code", ids: "country" }],
    options: [
      { flags: "--example", does: "a whole payout in place of the schema, for payments create --file" },
      { flags: "--method <name>", does: "how the recipient of the example is paid" },
    ],
    example: "schema BRA --example --method PIX",
    async run(given) {
      const corridor = given.context.corridor();
      const country = wordOf(given, "country").toUpperCase();
      const isExample = given.options["example"] === true;
      if (!isExample && textOf(given, "method") !== undefined) throw new Usage("--method goes with --example");
      const facts = { total: "100.00", currency: "USD" };
      const document = isExample
        ? await examplePayout(corridor, country, textOf(given, "method"), facts)
        : await corridor.schemas.get(country);
      // A document for programs, even when a person reads it.
      given.context.out.print(JSON.stringify(document, null, 2));
      return shown;
    },
  },
  {
    words: "destinations",
    does: "List the countries that can be paid to, with their currencies and methods.",
    isList: true,
    example: "destinations",
    run: (given) => given.context.corridor().reference.destinations(),
  },
  {
    words: "banks",
    does: "List the banks of a country.",
    args: [{ name: "country", does: "alpha-2 code" }],
    isList: true,
    example: "banks BR",
    run: (given) => given.context.corridor().reference.banks(wordOf(given, "country").toUpperCase()),
  },
];
