import { type FeedEvent, writeJson } from "../../sdk/src/main.ts";
import { type CommandRow, type Given, shown, textOf } from "../command.ts";
import { Usage } from "../failures.ts";
import { type Answer, makeSecret, makeSigner, post, type Signer } from "../sign.ts";
import { feedOptions, followFeed, lineOf } from "./events.ts";

const attempts = 4;
const firstRestMs = 500;

export const listenCommands: readonly CommandRow[] = [
  {
    words: "webhooks listen",
    does: "Send what happens to an address of this machine, in order and signed as the platform would sign it.",
    options: [
      { flags: "--forward-to <url>", does: "where the events go, for example http://localhost:3000/hooks" },
      ...feedOptions,
      { flags: "--body", does: "show what your endpoint answered" },
    ],
    example: "webhooks listen --forward-to http://localhost:3000/hooks",
    async run(given) {
      const url = textOf(given, "forwardTo");
      if (url === undefined || !URL.canParse(url)) throw new Usage("--forward-to takes an address");
      const { context } = given;
      const signer = makeSigner(context.env["CORRIDOR_WEBHOOK_SECRET"] ?? makeSecret());
      if (context.env["CORRIDOR_WEBHOOK_SECRET"] === undefined) context.out.say(`signing secret ${signer.secret}`);
      let last = textOf(given, "since");
      for await (const event of followFeed(given)) {
        await deliver(given, url, signer, event);
        last = event.cursor;
      }
      if (last !== undefined) context.out.say(`go on with --since ${last}`);
      return shown;
    },
  },
];

/** Delivers an event, repeating it long enough for an endpoint that is being restarted; after that, later events overtake it. */
async function deliver(given: Given, url: string, signer: Signer, event: FeedEvent): Promise<void> {
  const { out, signal } = given.context;
  const body = writeJson(event.payload);
  for (let attempt = 1; attempt <= attempts && !signal.aborted; attempt += 1) {
    const delivery = { eventId: event.id, sequence: event.sequence, attempt, body };
    const answer = await post(url, signer.headers(delivery, Math.floor(Date.now() / 1_000)), body);
    tell(given, event, attempt, answer);
    if (answer.status !== undefined && answer.status >= 200 && answer.status < 300) return;
    if (attempt < attempts) await new Promise((resolve) => setTimeout(resolve, firstRestMs * 2 ** attempt));
  }
  out.say(`given up: ${event.id}`);
}

function tell(given: Given, event: FeedEvent, attempt: number, { status, ms, text }: Answer): void {
  const { out } = given.context;
  const hasBody = given.options["body"] === true;
  if (out.isJson) {
    const { id, cursor } = event;
    out.print(JSON.stringify({ cursor, id, attempt, status: status ?? null, ms, ...(hasBody ? { body: text } : {}) }));
    return;
  }
  out.print(`${lineOf(event)}  ->  ${status ?? text}  ${ms} ms${attempt > 1 ? `, attempt ${attempt}` : ""}`);
  if (hasBody && text !== "") out.print(text);
}
