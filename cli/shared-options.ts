import type { CommandRow } from "./command.ts";

const common = [
  ["--json", "print one JSON document; amounts are texts of digits"],
  ["--profile <name>", "the platform and credentials that `corridor login --profile <name>` kept"],
] as const;
const ofLists = [
  ["--jsonl", "print one JSON document a line"],
  ["--csv", "print a table for spreadsheets, with every member"],
] as const;
const ofChanges = [
  ["--dry-run", "show the request that would be sent, without secrets, and send nothing"],
  ["--yes", "do not ask before production is changed"],
] as const;

/** The options that a command has beside its own. */
export const sharedOptions = ({ isList, changes }: CommandRow): readonly (readonly [flags: string, does: string])[] => [
  ...(isList === true ? ofLists : []),
  ...(changes === true ? ofChanges : []),
  ...common,
];
