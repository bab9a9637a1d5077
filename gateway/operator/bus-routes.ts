import type { ParkedMessage } from "../../proto/gen/corridor/common/v1/bus_service";
import { parseInstant } from "../../services/shared/kernel/clock";
import { DomainError } from "../../services/shared/kernel/errors";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import {
  answer,
  closedQuery,
  flag,
  givenInstant,
  instant,
  integer,
  listOf,
  orNull,
  request,
  text,
  words,
} from "../contract/parts";
import type { Route } from "../route";
import { pageMembers } from "./page";

type Services = Pick<Upstreams, "auth" | "identity" | "payment" | "wallet" | "webhook">;

const names = ["auth", "identity", "payment", "wallet", "webhook"] as const;

const messageShape = answer("ParkedMessage", "A message that could not be read.", {
  id: text("Stream and sequence with a slash between."),
  stream: text("Stream that it came from."),
  sequence: integer("Its place in the stream."),
  subject: text("Subject that it was published on."),
  cause: text("Why it could not be read."),
  parkedAt: orNull(instant("When it was parked.")),
  size: integer("How many bytes it has."),
});

const messagePage = answer("ParkedMessagePage", "A page of messages.", {
  messages: listOf("The messages, the oldest first.", messageShape),
  next: orNull(text("Begin of the next page.")),
});

const gapList = answer("BusGaps", "Messages that were gone before they were handled.", {
  gaps: listOf(
    "At most 200.",
    answer("BusGap", "A span of messages that is missing.", {
      stream: text("Stream that lacks them."),
      durable: text("Name of the consumer that missed them."),
      since: orNull(instant("They were published after this time.")),
    }),
  ),
});

const leaseList = answer("Leases", "What one replica of a service does for all of them.", {
  leases: listOf(
    "By name, at most 200.",
    answer("Lease", "The right of one replica to do something alone. It ends by itself when its holder dies.", {
      name: text("What is done under it, such as payment-relay."),
      holder: text("Host, process and a random part of who holds it."),
      expiresAt: orNull(instant("When it ends unless its holder keeps it, by the holder's clock.")),
    }),
  ),
});

const replayRequest = request("ReplayRequest", "A span of messages that is published again.", {
  replayId: words("Chosen by the caller."),
  since: givenInstant("From when on, by the time of publication."),
});

const replayShape = answer("Replay", "How far a replay is.", {
  isDone: flag("True when all was published."),
  published: integer("Messages that were published so far."),
});

const render = ({ sequence, parkedAt, ...facts }: ParkedMessage): Answered<typeof messageShape> => ({
  ...facts,
  sequence: Number.parseInt(String(sequence), 10),
  parkedAt: parkedAt ?? null,
});

function serviceOf(services: Services, wanted: string): Services[(typeof names)[number]] {
  const name = names.find((one) => one === wanted);
  if (name === undefined) throw new DomainError("RECORD_NOT_FOUND", `the bus has ${names.join(", ")} and no other`);
  return services[name];
}

const common = { scheme: "operator", tag: "Bus" } as const;
const params = { service: `One of ${names.join(", ")}.` };

const messageQuery = closedQuery("Which page is meant.", {
  after: pageMembers.after,
  limit: { ...pageMembers.limit, default: 25 },
});

/** Messages that a service parked or published, for operators. */
export const busRoutes = (services: Services): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: "/bus/{service}/parked-messages",
    summary: "Messages that a service could not read, the oldest first.",
    params,
    query: messageQuery,
    response: { status: 200, description: "A page; `next` is null behind the last.", schema: messagePage },
    refusals: ["RECORD_NOT_FOUND"],
    async handle({ params: { service }, query: { after = "", limit } }) {
      const { messages, next } = await serviceOf(services, service).listParkedMessages({ after, limit });
      return { messages: messages.map(render), next: next === "" ? null : next };
    },
  }),
  defineRoute({
    ...common,
    method: "POST",
    path: "/bus/{service}/parked-messages/{stream}/{sequence}/replay",
    summary: "Read and handle a parked message once more; what was handled already is dropped.",
    params: { ...params, stream: "Stream of the message.", sequence: "Its place in the stream." },
    response: { status: 204, description: "It was handled, and is parked no longer." },
    refusals: ["RECORD_NOT_FOUND", "RECORD_CONFLICT"],
    handle: ({ params: { service, stream, sequence } }) =>
      serviceOf(services, service).replayParkedMessage({ id: `${stream}/${sequence}` }),
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/bus/{service}/gaps",
    summary: "What a service has found missing in the streams that it consumes, and has not got again yet.",
    params,
    response: { status: 200, description: "The oldest first.", schema: gapList },
    refusals: ["RECORD_NOT_FOUND"],
    async handle({ params: { service } }) {
      const { gaps } = await serviceOf(services, service).listGaps({});
      return { gaps: gaps.map(({ since, ...gap }) => ({ ...gap, since: since ?? null })) };
    },
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/bus/{service}/leases",
    summary: "Which replica of a service publishes its events, and what else one does for all of them.",
    params,
    response: { status: 200, description: "By name.", schema: leaseList },
    refusals: ["RECORD_NOT_FOUND"],
    async handle({ params: { service } }) {
      const { leases } = await serviceOf(services, service).listLeases({});
      return { leases: leases.map(({ expiresAt, ...lease }) => ({ ...lease, expiresAt: expiresAt ?? null })) };
    },
  }),
  defineRoute({
    ...common,
    method: "POST",
    path: "/bus/{service}/replays",
    summary:
      "Have a service publish again everything that it published from a time on; the same id again returns how far it is.",
    params,
    request: replayRequest,
    response: { status: 200, description: "How far it is.", schema: replayShape },
    refusals: ["RECORD_NOT_FOUND", "RECORD_CONFLICT"],
    async handle({ params: { service }, body: { replayId, since } }) {
      const span = { replayId, since: parseInstant(since) };
      const { isDone, published } = await serviceOf(services, service).replaySpan(span);
      return { isDone, published: Number.parseInt(String(published), 10) };
    },
  }),
];
