import type { FeedEvent, WebhookEvent } from "../../sdk/src/main.ts";
import { type CommandRow, type Given, shown, textOf } from "../command.ts";
import type { Context } from "../context.ts";
import { countOf } from "./options.ts";

/** The position in the feed at which a command begins, and the events that it wants. */
export const feedOptions = [
  { flags: "--since <cursor>", does: "after this place of the feed, 0 for its beginning; from now on unless said" },
  { flags: "--types <names>", does: "only these events, separated by commas" },
  { flags: "--count <count>", does: "end after so many events; without it Ctrl-C ends the command" },
];

/** Follows the feed as the options say, until the given number of events has arrived or Ctrl-C. */
export async function* followFeed(given: Given): AsyncGenerator<FeedEvent> {
  const { context } = given;
  const { events } = context.corridor();
  const after = textOf(given, "since") ?? (await events.end({ signal: context.signal }));
  const types = textOf(given, "types")?.split(",") as WebhookEvent["event"][] | undefined;
  const count = countOf(given, "count", 0);
  let told = 0;
  context.out.say(`from ${after}`);
  for await (const event of events.follow({
    after,
    signal: context.signal,
    ...(types === undefined ? {} : { types }),
  })) {
    yield event;
    told += 1;
    if (told === count) return;
  }
}

/** The parts of an event that people look for. */
export function lineOf({ cursor, payload }: FeedEvent): string {
  const { event, ...members } = payload as Record<string, unknown>;
  const texts = ["externalTransactionId", "id", "oldStatus", "newStatus", "verificationStatus", "status"].flatMap(
    (name) => (typeof members[name] === "string" ? [members[name]] : []),
  );
  return [cursor, String(event), ...texts].join("  ");
}

/** One line of JSON for programs, a few words for people. */
function tellEvent({ out }: Context, event: FeedEvent): void {
  out.print(out.isJson ? JSON.stringify(event) : lineOf(event));
}

export const eventCommands: readonly CommandRow[] = [
  {
    words: "events tail",
    does: "Show what happens, as it happens; under --json one event a line.",
    options: feedOptions,
    example: "events tail --since 0 --types TransactionStatusChanged",
    async run(given) {
      for await (const event of followFeed(given)) tellEvent(given.context, event);
      return shown;
    },
  },
  {
    words: "events list",
    does: "List what has happened in the last 30 days, the oldest first.",
    options: [...feedOptions.slice(0, 2), { flags: "--limit <count>", does: "how many at most, 20 unless said" }],
    columns: ["cursor", "occurredAt", "event", "subject"],
    isList: true,
    example: "events list --limit 50",
    async run(given) {
      const types = textOf(given, "types")?.split(",") as WebhookEvent["event"][] | undefined;
      const query = { after: textOf(given, "since") ?? "0", ...(types === undefined ? {} : { types }) };
      const events = await given.context
        .corridor()
        .events.list(query)
        .first(countOf(given, "limit", 20));
      if (given.context.out.format !== "text") return events;
      return events.map((one) => {
        const { event, externalTransactionId, id } = one.payload as Record<string, unknown>;
        return { ...one, event, subject: externalTransactionId ?? id };
      });
    },
  },
];
