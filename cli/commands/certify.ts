import { certify, type Verdict } from "../certify.ts";
import { type CommandRow, shown, textOf, wordOf } from "../command.ts";
import { Shown, Usage } from "../failures.ts";
import { makeSigner } from "../sign.ts";

export const certifyCommands: readonly CommandRow[] = [
  {
    words: "certify",
    does: "Send your endpoint the hard cases of webhooks, and say which it passed. Exit 1 if it failed one.",
    args: [{ name: "url", does: "your endpoint, that verifies with the secret in CORRIDOR_WEBHOOK_SECRET" }],
    options: [
      {
        flags: "--seen <url>",
        does: 'an address of yours that answers ?id=<externalTransactionId> with {"events": 1, "status": "Created"}; what you did is judged too',
      },
    ],
    example: "certify http://localhost:3000/hooks",
    async run(given) {
      const { context } = given;
      const url = wordOf(given, "url");
      const secret = context.env["CORRIDOR_WEBHOOK_SECRET"];
      if (!URL.canParse(url)) throw new Usage(`${url} is no address`);
      if (secret === undefined || secret === "")
        throw new Usage("set CORRIDOR_WEBHOOK_SECRET to the secret of your endpoint");
      const verdicts: Verdict[] = [];
      for await (const verdict of certify({ url, signer: makeSigner(secret), seenUrl: textOf(given, "seen") })) {
        verdicts.push(verdict);
        const { passed, found } = verdict;
        if (!context.out.isJson)
          context.out.print(`${passed ? "passed" : "FAILED"}  ${verdict.case}${passed ? "" : `: ${found}`}`);
      }
      const failed = verdicts.filter(({ passed }) => !passed).length;
      if (context.out.isJson) context.out.show({ passed: verdicts.length - failed, failed, cases: verdicts });
      else context.out.print(`${verdicts.length - failed} of ${verdicts.length} passed`);
      if (failed > 0) throw new Shown(`${failed} of ${verdicts.length} failed: docs/guides/testing.md`);
      return shown;
    },
  },
];
