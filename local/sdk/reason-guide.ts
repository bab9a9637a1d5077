import { sandboxValues } from "../../sandbox/values";
import { type ReasonCode, type ReasonRow, reasonCodes } from "../../services/shared/kernel/reason-codes";

/** What to do, for reasons with the same remedy. */
const advice = {
  account: ["Another account", "Ask for another account, or for the right name and number; then send a new payment."],
  collect: [
    "Another way to collect",
    "Ask the payer for another card or account; then a new payment. The same card gives the same answer.",
  ],
  funds: [
    "Not enough there",
    "The payer brings money or names another source; then a new payment. A payout that our own account did not cover is an operator's: nothing is yours to do.",
  ],
  person: [
    "Missing facts of a person",
    "Send a new payment with the facts that are missing or wrong; the country's schema names them, `payments.validate` finds them.",
  ],
  confirm: [
    "The cardholder must confirm",
    "Send the cardholder to `redirectAcsUrl`, or let them talk to their bank; a new payment where the time was over.",
  ],
  amount: ["The amount", "Pay less at once or in parts, or in the account's currency; then a new payment."],
  again: ["Later, or by another rail", "Nothing is wrong with your request: send a new payment later."],
  never: [
    "Not again",
    "Do not collect again: talk to the payer first. Another attempt can cost a fee, or be taken for fraud.",
  ],
  twin: [
    "It was sent before",
    "Look for the first one (`corridor search <id>`) before you send anything: the payer may have paid.",
  ],
  asked: ["As it was asked for", "Nothing: somebody on the paying side wanted it so, or the time for it was over."],
  operator: [
    "An operator looks at it",
    "Nothing is yours to do. Name the payment's id to whoever runs the platform if it does not move.",
  ],
} as const satisfies Record<string, readonly [title: string, text: string]>;

type Advice = keyof typeof advice;

/** What to do about each code. A code without a line does not compile. */
const doAbout: Readonly<Record<ReasonCode, Advice>> = {
  AB05: "again",
  AB06: "again",
  AC01: "account",
  AC02: "collect",
  AC03: "account",
  AC04: "account",
  AC06: "account",
  AC13: "collect",
  AC14: "account",
  AG01: "account",
  AG03: "operator",
  AM02: "amount",
  AM03: "amount",
  AM04: "funds",
  AM05: "twin",
  AM09: "operator",
  AM12: "operator",
  ARDT: "asked",
  BE01: "account",
  BE04: "person",
  CUST: "asked",
  DUPL: "twin",
  ED05: "again",
  EDTR: "asked",
  FF01: "operator",
  FOCR: "asked",
  FRAD: "never",
  MD01: "never",
  MD06: "asked",
  MD07: "never",
  MS02: "account",
  MS03: "again",
  NARR: "again",
  NOAS: "account",
  RC01: "account",
  RR01: "person",
  RR02: "person",
  RR03: "person",
  RR04: "operator",
  SL01: "account",
  TECH: "again",
  TM01: "again",
  UPAY: "asked",
  "01": "confirm",
  "03": "operator",
  "04": "collect",
  "05": "collect",
  "12": "operator",
  "13": "operator",
  "14": "collect",
  "15": "collect",
  "1A": "confirm",
  "30": "operator",
  "41": "never",
  "43": "never",
  "51": "funds",
  "54": "collect",
  "57": "collect",
  "58": "operator",
  "59": "never",
  "61": "amount",
  "62": "collect",
  "65": "confirm",
  "78": "collect",
  "82": "confirm",
  "91": "again",
  "92": "again",
  "96": "again",
  N7: "collect",
  R1: "never",
};

/** The guide of reasons: every code of the platform's table, with what to do. */
export function reasonGuide(): string {
  const { scenarios } = sandboxValues() as { scenarios: readonly { value: string; ends: string }[] };
  const tried = (code: string): string =>
    scenarios
      .filter(({ ends }) => ends.split(/[ ,]+/).includes(code))
      .map(({ value }) => `\`${value}\``)
      .join(", ");
  const codes = Object.entries(reasonCodes) as [ReasonCode, ReasonRow][];
  const rowsOf = (wanted: Advice): string =>
    codes
      .filter(([code]) => doAbout[code] === wanted)
      .map(([code, row]) => `| \`${code}\` | ${row.scheme} | ${moveOf(row)} | ${row.sentence} | ${tried(code)} |`)
      .join("\n");
  const parts = (Object.keys(advice) as Advice[]).map((one) => {
    const [title, text] = advice[one];
    return `## ${title}\n\n${text}\n\n| Code | Scheme | Whose move | What it says | Try it |\n| --- | --- | --- | --- | --- |\n${rowsOf(one)}\n`;
  });
  return `${introduction}\n${parts.join("\n")}\n${ending}`;
}

const moveOf = ({ whoseMove }: ReasonRow): string =>
  typeof whoseMove === "string" ? whoseMove : `${whoseMove.payout} (payout), ${whoseMove.pull} (pull)`;

const introduction = `# Guide: reason codes, and what to do

Where a payment is not as it was asked for, \`reasonCode\` says why: an external code of ISO 20022 (four characters) or a card scheme's
response code (two). \`whoseMove\` says who can do something about it, \`reasonMessage\` the same in a sentence. This guide is made from the
table that the platform itself goes by (\`npm run sdk\`). [Errors](errors.md) are something else: there the request was refused, and nothing
was done.

A decided payment stays what it is: what is mended is a new payment under a new id.

\`\`\`bash
corridor trigger reject-account --wait --json > declined.json || test $? = 5
CODE=$(node -p 'JSON.parse(require("fs").readFileSync("declined.json")).reasonCode')
echo "look for $CODE below"
corridor payments list --status DECLINED --csv > declined.csv
\`\`\`
`;

const ending = `## A code that is not listed

A provider's own code is passed on as it is, with \`whoseMove: provider\`: send a new payment later, and tell whoever runs the platform.
`;
