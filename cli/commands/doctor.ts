import { Corridor, CorridorError, Unreachable } from "../../sdk/src/main.ts";
import { type CommandRow, shown } from "../command.ts";
import type { Context } from "../context.ts";
import { Shown } from "../failures.ts";
import { makeFetch } from "../https-fetch.ts";

/** One check and its result. */
interface Finding {
  readonly what: string;
  readonly isGood: boolean;
  readonly found: string;
}

const largestSkewMs = 60_000;

export const doctorCommands: readonly CommandRow[] = [
  {
    words: "doctor",
    does: "Look at address, clock, credentials and sandbox, and say what is wrong. Exit 1 if something is.",
    example: "doctor",
    async run({ context }) {
      const findings = await examine(context);
      if (context.out.isJson) context.out.show({ isGood: findings.every(({ isGood }) => isGood), findings });
      else
        for (const { what, isGood, found } of findings)
          context.out.print(`${isGood ? "ok    " : "WRONG "} ${what}: ${found}`);
      const wrong = findings.filter(({ isGood }) => !isGood);
      if (wrong.length === 0) return shown;
      const first = wrong[0]?.found ?? "";
      throw wrong.some(({ what }) => what === "address")
        ? new Unreachable("doctor", 1, new Error(first))
        : new Shown(first);
    },
  },
];

async function examine(context: Context): Promise<readonly Finding[]> {
  const profile = context.profile();
  const { url } = profile;
  const from = {
    what: "profile",
    isGood: url !== undefined,
    found: url === undefined ? "none: corridor login" : profile.from,
  };
  if (url === undefined) return [from];
  const { date, finding } = await examineAddress(url, makeFetch(profile) ?? fetch);
  if (!finding.isGood) return [from, finding];
  const skewMs = Math.abs(Date.now() - date);
  const clock = { what: "clock", isGood: skewMs < largestSkewMs, found: `${Math.round(skewMs / 1_000)} s apart` };
  const corridor = context.corridor();
  const { clientId, apiKey, agentId, sandboxUrl } = profile;
  return [
    from,
    finding,
    clock,
    ...(clientId === undefined
      ? [{ what: "client credentials", isGood: false, found: "none: corridor login" }]
      : [await ask("client credentials", () => corridor.quotes.list().first(1))]),
    ...(apiKey === undefined ? [] : [await ask("API key of the tenant", () => corridor.webhooks.list())]),
    ...(agentId === undefined ? [] : [await ask("agent", () => corridor.reference.destinations())]),
    ...(sandboxUrl === undefined ? [] : [await ask("sandbox", () => context.sandbox("GET", "/values"))]),
  ];
}

/** Checks that the address answers, and compares its time. */
async function examineAddress(url: string, fetch: (url: string, init: RequestInit) => Promise<Response>) {
  let date = Number.NaN;
  const watched = async (asked: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(asked, init);
    date = Date.parse(response.headers.get("date") ?? "");
    return response;
  };
  const corridor = new Corridor({ baseUrl: url, fetch: watched, tries: 1 });
  const finding = await ask("address", async () => corridor.call("GET /healthz"), url);
  return { date: Number.isNaN(date) ? Date.now() : date, finding };
}

async function ask(what: string, question: () => Promise<unknown>, found = "accepted"): Promise<Finding> {
  try {
    await question();
    return { what, isGood: true, found };
  } catch (error) {
    if (error instanceof CorridorError || error instanceof Error) return { what, isGood: false, found: error.message };
    throw error;
  }
}
