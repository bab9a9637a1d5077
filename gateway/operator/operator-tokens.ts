import { parseInstant } from "../../services/shared/kernel/clock";
import { type OperatorRole, operatorRoles } from "../../services/shared/kernel/roles";

/** A static token of an operator, and what it allows. */
export interface OperatorToken {
  name: string;
  token: string;
  roles: ReadonlySet<OperatorRole>;
  /** Time from which it no longer works; undefined: it works as long as it is in the file. */
  until: Date | undefined;
}

const linePattern = /^([a-z0-9-]{1,32}) ([A-Za-z0-9\-._~+/]{32,255})((?: [a-z]+=\S+)*)$/;

/**
 * Reads lines of `<name> <token> [roles=<role>,…] [until=<instant>]`, tokens of 32 characters or more, each name and each token once; a
 * line without roles grants all. Returns undefined for anything else; empty lines are skipped.
 */
export function parseOperatorTokens(text: string): ReadonlyMap<string, OperatorToken> | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const operators = lines.map((line) => parseLine(line.trim()));
  if (operators.some((one) => one === undefined)) return undefined;
  const known = operators.filter((one) => one !== undefined);
  const byName = new Map(known.map((one) => [one.name, one]));
  const isEachOnce = byName.size === lines.length && new Set(known.map(({ token }) => token)).size === lines.length;
  return isEachOnce ? byName : undefined;
}

function parseLine(line: string): OperatorToken | undefined {
  const [, name, token, rest = ""] = linePattern.exec(line) ?? [];
  if (name === undefined || token === undefined) return undefined;
  const words = rest.split(" ").filter((word) => word !== "");
  const options = new Map(words.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]));
  const isKnown =
    options.size === words.length && [...options.keys()].every((key) => key === "roles" || key === "until");
  const roles = parseRoles(options.get("roles"));
  const end = options.get("until");
  const until = end === undefined ? undefined : parseInstant(end);
  if (!isKnown || roles === undefined || (end === undefined) !== (until === undefined)) return undefined;
  return { name, token, roles, until };
}

function parseRoles(text: string | undefined): ReadonlySet<OperatorRole> | undefined {
  if (text === undefined) return new Set(operatorRoles);
  const words = text.split(",");
  const roles = operatorRoles.filter((role) => words.includes(role));
  return words.every((word) => operatorRoles.some((role) => role === word)) ? new Set(roles) : undefined;
}
