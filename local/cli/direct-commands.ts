/** A command that does more than make one call to the operator API. What it needs of the services is loaded when it runs. */
export interface DirectCommand {
  /** Usage lines with their descriptions. */
  usages: readonly (readonly [usage: string, does: string])[];
  /** Returns false when it found a problem. */
  run(words: readonly string[]): Promise<boolean>;
}

export const directCommands: Readonly<Record<string, DirectCommand>> = {
  doctor: {
    usages: [["doctor <service> [file]", "what would prevent a service from starting in production"]],
    async run([service = "", file]) {
      const { doctor } = await import("./doctor.js");
      return doctor(service, file);
    },
  },
  backup: {
    usages: [["backup <folder>", "copy the local platform while it runs"]],
    async run([folder = ""]) {
      if (folder === "") throw new Error("backup takes a folder");
      const { backUp } = await import("./back-up.js");
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
    async run(words) {
      const { restoreCheck } = await import("./restore-check.js");
      return restoreCheck(words);
    },
  },
};
