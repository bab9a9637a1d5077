import { type CommandRow, givenTexts, shown, textOf, wordOf } from "../command.ts";
import { limitOf, limitOption } from "./options.ts";

const webhookId = { name: "webhookId", does: "id of the subscription", ids: "webhook" } as const;
const deliveryId = { name: "deliveryId", does: "id of the delivery", ids: "delivery" } as const;
const everyEvent = "TransactionStatusChanged,TransactionPayoutStatusChanged";

/** Subscriptions to events, and their deliveries. */
export const webhookCommands: readonly CommandRow[] = [
  {
    words: "webhooks create",
    does: "Register an address that events are sent to.",
    args: [{ name: "url", does: "HTTPS address of your endpoint" }],
    options: [
      { flags: "--events <names>", does: `separated by commas, ${everyEvent} unless said` },
      { flags: "--batch", does: "events in batches" },
    ],
    changes: true,
    example: "webhooks create https://shop.example/hooks",
    run: (given) =>
      given.context.corridor().webhooks.create({
        url: wordOf(given, "url"),
        events: (textOf(given, "events") ?? everyEvent).split(","),
        ...(given.options["batch"] === true ? { isBatch: true } : {}),
      }),
  },
  {
    words: "webhooks list",
    does: "List subscriptions.",
    isList: true,
    example: "webhooks list",
    columns: ["id", "url", "isDisabled", "publicKey"],
    run: (given) => given.context.corridor().webhooks.list(),
  },
  {
    words: "webhooks delete",
    does: "End a subscription; deliveries that are still due are dropped.",
    args: [webhookId],
    changes: true,
    example: "webhooks delete 6f1c2d3e-0000-4000-8000-000000000000",
    run: (given) => given.context.corridor().webhooks.delete(wordOf(given, "webhookId")),
  },
  {
    words: "webhooks secret rotate",
    does: "Make a new signing secret and show it, this once; the old one still signs for a while.",
    args: [webhookId],
    changes: true,
    example: "webhooks secret rotate 6f1c2d3e-0000-4000-8000-000000000000 --json > secret.json",
    run: (given) => given.context.corridor().webhooks.rotateSecret(wordOf(given, "webhookId")),
  },
  {
    words: "webhooks secret drop",
    does: "End the signing secret.",
    args: [webhookId],
    changes: true,
    example: "webhooks secret drop 6f1c2d3e-0000-4000-8000-000000000000",
    run: (given) => given.context.corridor().webhooks.dropSecret(wordOf(given, "webhookId")),
  },
  {
    words: "webhooks test",
    does: "Send a test event to an endpoint, once.",
    args: [webhookId],
    changes: true,
    example: "webhooks test 6f1c2d3e-0000-4000-8000-000000000000",
    run: (given) => given.context.corridor().webhooks.test(wordOf(given, "webhookId")),
  },
  {
    words: "webhooks deliveries",
    does: "List deliveries, the newest first.",
    options: [
      { flags: "--webhook-id <id>", does: "only of this subscription", ids: "webhook" },
      { flags: "--status <status>", does: "PENDING, DELIVERED or FAILED" },
      { flags: "--subject <id>", does: "only of this transaction, document or agent" },
      limitOption,
    ],
    isList: true,
    example: "webhooks deliveries --status FAILED",
    async run(given) {
      const { webhooks } = given.context.corridor();
      const webhook = textOf(given, "webhookId");
      const query = givenTexts(given, webhook === undefined ? ["status", "subject"] : ["status"]);
      const list = webhook === undefined ? webhooks.deliveries(query) : webhooks.deliveriesOf(webhook, query);
      return list.first(limitOf(given));
    },
  },
  {
    words: "webhooks delivery",
    does: "Show a delivery with its attempts.",
    args: [webhookId, deliveryId],
    example: "webhooks delivery WEBHOOK-ID DELIVERY-ID",
    run: (given) => given.context.corridor().webhooks.delivery(wordOf(given, "webhookId"), wordOf(given, "deliveryId")),
  },
  {
    words: "webhooks redeliver",
    does: "Send a delivery again.",
    args: [webhookId, deliveryId],
    changes: true,
    example: "webhooks redeliver WEBHOOK-ID DELIVERY-ID",
    async run(given) {
      await given.context.corridor().webhooks.redeliver(wordOf(given, "webhookId"), wordOf(given, "deliveryId"));
      given.context.out.show({ redelivered: wordOf(given, "deliveryId") });
      return shown;
    },
  },
  {
    words: "webhooks recover",
    does: "Send all that was not delivered of a time.",
    args: [webhookId],
    options: [
      { flags: "--since <time>", does: "events that happened then or later, the last day unless said" },
      { flags: "--until <time>", does: "events that happened before" },
    ],
    changes: true,
    example: "webhooks recover WEBHOOK-ID --since 2026-01-01T00:00:00Z",
    run(given) {
      const since = textOf(given, "since") ?? new Date(Date.now() - 86_400_000).toISOString();
      const body = { since, ...givenTexts(given, ["until"]) };
      return given.context.corridor().webhooks.recover(wordOf(given, "webhookId"), body);
    },
  },
];
