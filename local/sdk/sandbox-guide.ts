import { answerKinds, signatureFaults } from "../../sandbox/fault-rule";
import { operations } from "../../sandbox/providers";
import { sandboxValues } from "../../sandbox/values";

/** The values that the sandbox reacts to, as it lists them itself at `GET /values`. */
interface Values {
  scenarios: { value: string; effect: string; ends: string }[];
  rails: { rail: string; methods: string[]; currencies: string[] }[];
  cardTokens: { token: string; effect: string }[];
  cardNumbers: { number: string; likeCard: string }[];
  debitAccounts: { accountNumber: string; effect: string }[];
  persons: { lastName: string; effect: string }[];
  sessions: { userRef: string; effect: string }[];
  documents: { documentNumber: string; effect: string }[];
  linkFlow: { accountCheckToken: string; accountCheckIds: { accountId: string; effect: string }[] };
  railRefusals: Record<string, string>;
}

const code = (text: string): string => `\`${text}\``;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The guide of the sandbox: every value that it reacts to, with the resulting answer, from its own tables. */
export function sandboxGuide(): string {
  const values = sandboxValues() as Values;
  const { scenarios, rails, cardTokens, cardNumbers } = values;
  return `# Guide: the sandbox

The outside world that a platform for development has: banks, a card acquirer, screening, verification vendors, a clock. It behaves as its
users ask it to, by what they write into ordinary requests. This guide is made from the tables that the sandbox itself goes by
(${code("npm run sdk")}); ${code("corridor sandbox values")} shows the same of the sandbox that you use.

## Scenarios of payouts

${code("SIM:<name>")} anywhere in ${code("dynamicDescriptor")}, or ${code("corridor trigger <name>")}. An unknown name pays.

${table(
  ["Value", "What happens", "What the payment comes to"],
  scenarios.map(({ value, effect, ends }) => [code(value), effect, ends.replaceAll(/\b[A-Z0-9]{4,}\b/g, code)]),
)}

\`\`\`bash
corridor trigger hold-release --wait
corridor trigger review-reject --wait || test $? = 5
\`\`\`

## Cards

The token of a card, in ${code("cardTokenId")}. The tokenizer of the sandbox makes such tokens from the numbers below.

${table(
  ["Token", "What happens"],
  cardTokens.map(({ token, effect }) => [code(token), effect]),
)}

${table(
  ["Number", "Behaves as the token that begins with"],
  cardNumbers.map(({ number, likeCard }) => [code(number), code(likeCard)]),
)}

\`\`\`bash
corridor sandbox cards
\`\`\`

${accountsAndNames(values)}## Rails

${table(
  ["Rail", "Methods", "Currencies"],
  rails.map(({ rail, methods, currencies }) => [code(rail), methods.join(", "), currencies.join(", ")]),
)}

A rail refuses with these codes: ${Object.entries(values.railRefusals)
    .map(([reason, name]) => `${code(reason)} (${name.replaceAll("_", " ")})`)
    .join(", ")}.

${controls()}`;
}

/** The guide's part about accounts, names and documents. */
function accountsAndNames({ debitAccounts, linkFlow, persons, sessions, documents }: Values): string {
  return `## Bank accounts that are debited

Any other account number settles.

${table(
  ["Account number", "What happens"],
  debitAccounts.map(({ accountNumber, effect }) => [code(accountNumber), effect]),
)}

With ${code(`accountCheckToken: ${linkFlow.accountCheckToken}`)} an account is linked without a page:

${table(
  ["Account", "What happens"],
  linkFlow.accountCheckIds.map(({ accountId, effect }) => [code(accountId), effect]),
)}

## Names, and who is verified

${table(
  ["Value", "What happens"],
  [
    ...persons.map(({ lastName, effect }) => [`last name ${code(lastName)}`, effect]),
    ...sessions.map(({ userRef, effect }) => [
      `session whose ${code("userRef")} ends in ${code(userRef.slice(1))}`,
      effect,
    ]),
    ...documents.map(({ documentNumber, effect }) => [
      `document number that ends in ${code(documentNumber.slice(1))}`,
      effect,
    ]),
  ],
)}

`;
}

/** The guide's part about controlling the sandbox rather than a payment. */
function controls(): string {
  return `## The clock

Time passes as usual, and jumps forward when you say so: quotes end, holds expire, ${code("slow")} payouts are paid. It never goes back.

\`\`\`bash
corridor sandbox clock
corridor sandbox clock +30s
\`\`\`

## Faults

A fault is given to the calls of a step at a provider, ${code("times")} times or until it is cleared; with a ${code("mark")} only to orders that
have ${code("FAULT:<mark>")} in any of their texts.

${table(
  ["Member", "What happens"],
  [
    [code("answer.status"), "this status is answered; with `execute: false` nothing is done"],
    [code("answer.kind"), answerKinds.map(code).join(", ")],
    [code("delayMs"), "the answer comes later, after the effect"],
    [code("refuse"), "the provider decides against the caller, and books it"],
    [code("signature"), `of a callback: ${signatureFaults.map(code).join(", ")}`],
  ],
)}

${table(
  ["Provider", "Steps"],
  Object.entries(operations).map(([provider, steps]) => [code(provider), steps.map(code).join(" ")]),
)}

\`\`\`bash
corridor sandbox faults add sink receive --status 503 --times 1 --mark guide
corridor sandbox faults clear --mark guide
\`\`\`

## The book

What the providers have on their books is the truth about money, whatever was answered: ${code("releases")} of an order is how often
it was paid. ${code("corridor sandbox book")} shows all of it.

\`\`\`bash
corridor sandbox book --json > book.json
\`\`\`
`;
}
