import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { acceptRestore, parseCodes } from "../restore/acceptance";
import { checkRestore, type RestoreReport } from "../restore/check-restore";
import { openRestoredPlatform, type RestoredPlatform } from "../restore/restored-platform";
import { openRestoreSettings } from "../restore/settings";

/**
 * `npm run operator -- restore-check [--accept CODE,CODE --note TEXT]`: checks a restored platform before its services start, and
 * applies what the operator accepts. Returns false when something prevents them from starting.
 */
export async function restoreCheck(words: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  const options = { accept: { type: "string" }, note: { type: "string" } } as const;
  const { accept, note } = parseArgs({ args: [...words], options }).values;
  if ((accept === undefined) !== (note === undefined)) throw new Error("--accept and --note belong together");
  const opened = await openRestoreSettings(env);
  try {
    const once = async <T>(work: (platform: RestoredPlatform) => Promise<T>): Promise<T> => {
      const platform = await openRestoredPlatform(opened.settings);
      try {
        return await work(platform);
      } finally {
        await platform.stop();
      }
    };
    if (accept !== undefined && note !== undefined) {
      await once((platform) =>
        takeOver(platform, accept, { note, operator: env["OPERATOR_NAME"] ?? userInfo().username }),
      );
    }
    const { report } = await once(checkRestore);
    console.log(JSON.stringify(report, null, 2));
    return report.mayStart;
  } finally {
    await opened.stop();
  }
}

async function takeOver(
  platform: RestoredPlatform,
  words: string,
  who: { note: string; operator: string },
): Promise<RestoreReport> {
  const codes = parseCodes(words);
  const { report, lost } = await checkRestore(platform);
  const refused = report.findings.filter(({ weight }) => weight === "refused");
  if (refused.length > 0) throw new Error(`nothing is accepted: ${refused.map(({ code }) => code).join(", ")}`);
  const open = new Set(report.findings.flatMap(({ weight, code }) => (weight === "accept" ? [code] : [])));
  const missing = [...open].filter((code) => !codes.includes(code));
  if (missing.length > 0)
    throw new Error(`--accept must name all of ${[...open].join(",")}; it lacks ${missing.join(",")}`);
  const strange = codes.filter((code) => !open.has(code));
  if (strange.length > 0) throw new Error(`there are no findings to accept with codes ${strange.join(",")}`);
  await acceptRestore(platform, { codes, lost, ...who });
  return report;
}
