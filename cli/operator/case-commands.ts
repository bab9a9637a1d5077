import { createHash } from "node:crypto";
import type { Command } from "./curated.ts";

/** Commands on cases. */
export const caseCommands: Readonly<Record<string, Command>> = {
  "cases list": { words: [], optional: "after", does: "list open cases", method: "GET", path: "/cases" },
  "cases of": {
    words: ["paymentId"],
    optional: "state",
    does: "list the cases of a payment",
    method: "GET",
    path: "/cases",
  },
  "cases show": { words: ["caseId"], does: "show a case with its history", method: "GET", path: "/cases/{caseId}" },
  "cases ask": caseCommand("askProvider", [], "ask the providers again"),
  "cases settle": {
    ...caseCommand(
      "settleStep",
      ["kind", "evidence", "total", "currency"],
      "accept a fact as reported; total and currency are - for facts without money; then the provider's id of the movement",
    ),
    optional: "movementId",
  },
  "cases begin": caseCommand("beginStep", ["step"], "VOID, REFUND, CANCEL or RELEASE"),
  "cases correct": caseCommand(
    "postCorrection",
    ["from", "to", "total", "currency"],
    "post an entry that takes an amount from one account to another",
  ),
  "cases write-off": caseCommand(
    "postCorrection",
    ["from", "total", "currency"],
    "write an account's shortage or surplus off to platform/write-offs",
  ),
  "cases repoint": caseCommand("repointFact", ["paymentId"], "give the facts to a payment"),
  "cases assign": caseCommand("assign", ["owner"], "assign an owner"),
  "cases close": caseCommand("close", [], "end it"),
};

/** A command on a case. */
function caseCommand(command: string, words: readonly string[], does: string): Command {
  return {
    words: ["caseId", "note", ...words],
    does,
    method: "POST",
    path: "/cases/{caseId}/commands",
    body: ({ caseId, total, currency, from, to = writeOffs, ...given }) => {
      const amount = total === undefined || total === "-" || from !== undefined ? undefined : { total, currency };
      const opposite = total?.startsWith("-") === true ? total.slice(1) : `-${total}`;
      const postings = [
        { account: from, currency, total: opposite },
        { account: to, currency, total },
      ];
      const known = amount === undefined ? given : { ...given, amount };
      const decision = { command, ...known, ...(from === undefined ? {} : { postings }) };
      return { commandId: commandIdOf({ caseId, ...decision }), ...decision };
    },
  };
}
const writeOffs = "platform/write-offs";

/** The same content about the same case is the same command, so a repeat changes nothing. */
function commandIdOf(content: unknown): string {
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
