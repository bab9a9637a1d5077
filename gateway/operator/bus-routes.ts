import type { ParkedMessage } from "../../proto/gen/corridor/common/v1/bus_service";
import { parseInstant } from "../../services/shared/clock";
import { DomainError, invalid } from "../../services/shared/errors";
import type { Upstreams } from "../clients";
import { readFields } from "../field-reader";
import { readQuery } from "../query-reader";
import { jsonAnswer, noContent, type OperatorCall, type Route, readJson, requireParam } from "../route";
import { arrayOf, booleanSchema, instantSchema, nullable, objectSchema, textSchema } from "../schemas/document-schema";

type Services = Pick<Upstreams, "auth" | "identity" | "payment" | "wallet" | "webhook">;

const names = ["auth", "identity", "payment", "wallet", "webhook"] as const;
const integer = (description: string) => ({ type: "integer", description });

const messageSchema = objectSchema({
  id: textSchema("Stream and sequence with a slash between."),
  stream: textSchema("Stream that it came from."),
  sequence: integer("Its place in the stream."),
  subject: textSchema("Subject that it was published on."),
  cause: textSchema("Why it could not be read."),
  parkedAt: nullable(instantSchema("When it was parked.")),
  size: integer("How many bytes it has."),
});

const render = ({ sequence, parkedAt, ...facts }: ParkedMessage): object => ({
  ...facts,
  sequence: Number.parseInt(String(sequence), 10),
  parkedAt: parkedAt?.toISOString() ?? null,
});

function serviceOf(services: Services, call: OperatorCall): Services[(typeof names)[number]] {
  const wanted = requireParam(call, "service");
  const name = names.find((one) => one === wanted);
  if (name === undefined) throw new DomainError("RECORD_NOT_FOUND", `the bus has ${names.join(", ")} and nobody else`);
  return services[name];
}

const common = { scheme: "operator", tag: "Bus" } as const;
const params = { service: `One of ${names.join(", ")}.` };

/** Messages that a service parked or told, for operators. */
export const busRoutes = (services: Services): readonly Route[] => [
  listRoute(services),
  replayRoute(services),
  replaySpanRoute(services),
];

const listRoute = (services: Services): Route => ({
  ...common,
  method: "GET",
  path: "/bus/{service}/parked-messages",
  summary: "Messages that a service could not read, the oldest first.",
  body: "none",
  params,
  query: {
    after: { description: "`next` of the page before.", schema: { type: "string" } },
    limit: { description: "Messages to list.", schema: { type: "integer", minimum: 1, maximum: 200, default: 25 } },
  },
  success: {
    status: 200,
    description: "A page; `next` is null behind the last.",
    schema: objectSchema({
      messages: arrayOf(messageSchema),
      next: nullable(textSchema("Begin of the next page.")),
    }),
  },
  refusals: ["RECORD_NOT_FOUND"],
  async handle(call: OperatorCall) {
    const query = readQuery(call);
    const limit = query.wholeNumber("limit", { min: 1, max: 200, fallback: 25 });
    const after = query.optionalText("after") ?? "";
    query.finish();
    const { messages, next } = await serviceOf(services, call).listParkedMessages({ after, limit });
    return jsonAnswer({ messages: messages.map(render), next: next === "" ? null : next });
  },
});

const replayRoute = (services: Services): Route => ({
  ...common,
  method: "POST",
  path: "/bus/{service}/parked-messages/{stream}/{sequence}/replay",
  summary: "Read and handle a parked message once more; what was handled already is dropped.",
  body: "none",
  params: { ...params, stream: "Stream of the message.", sequence: "Its place in the stream." },
  success: { status: 204, description: "It was handled, and is parked no longer." },
  refusals: ["RECORD_NOT_FOUND", "RECORD_CONFLICT"],
  async handle(call: OperatorCall) {
    const id = `${requireParam(call, "stream")}/${requireParam(call, "sequence")}`;
    await serviceOf(services, call).replayParkedMessage({ id });
    return noContent;
  },
});

const replaySpanRoute = (services: Services): Route => ({
  ...common,
  method: "POST",
  path: "/bus/{service}/replays",
  summary: "Have a service publish again all that it told from a time on; the same id again tells how far it is.",
  body: "json",
  params,
  requestSchema: objectSchema({
    replayId: textSchema("Chosen by the caller."),
    since: instantSchema("From when on, by the time of publication."),
  }),
  success: {
    status: 200,
    description: "How far it is.",
    schema: objectSchema({
      isDone: booleanSchema("True when all was published."),
      published: integer("Messages that were published so far."),
    }),
  },
  refusals: ["RECORD_NOT_FOUND", "RECORD_CONFLICT"],
  async handle(call: OperatorCall) {
    const fields = readFields(readJson(call).value);
    const replayId = fields.text("replayId");
    const text = fields.text("since");
    fields.finish();
    const since = parseInstant(text);
    if (since === undefined) throw invalid([{ field: "since", message: "must be a time of ISO 8601" }]);
    const { isDone, published } = await serviceOf(services, call).replaySpan({ replayId, since });
    return jsonAnswer({ isDone, published: Number.parseInt(String(published), 10) });
  },
});
