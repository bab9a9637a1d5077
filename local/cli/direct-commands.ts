import { backUp } from "./back-up";
import { doctor } from "./doctor";
import { restoreCheck } from "./restore-check";

/** A command that does more than make one call to the operator API. */
export interface DirectCommand {
  /** Usage lines with their descriptions. */
  usages: readonly (readonly [usage: string, does: string])[];
  /** Returns false when it found a problem. */
  run(words: readonly string[]): Promise<boolean>;
}

export const directCommands: Readonly<Record<string, DirectCommand>> = {
  doctor: {
    usages: [["doctor <service> [file]", "what would prevent a service from starting in production"]],
    run: ([service = "", file]) => doctor(service, file),
  },
  backup: {
    usages: [["backup <folder>", "copy the local platform while it runs"]],
    async run([folder = ""]) {
      if (folder === "") throw new Error("backup takes a folder");
      console.log(`everything up to ${(await backUp(folder)).toISOString()} is in ${folder}`);
      return true;
    },
  },
  "restore-check": {
    usages: [
      ["restore-check", "check restored stores before the services start"],
      [
        "restore-check --accept <codes> --note <text>",
        "accept the findings that a restore to an earlier time must have",
      ],
    ],
    run: (words) => restoreCheck(words),
  },
};
