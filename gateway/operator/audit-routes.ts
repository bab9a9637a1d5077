import type { AuditRecord } from "../../proto/gen/corridor/auth/v1/audit_service";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import { instantOfQuery } from "../contract/instant-of-query";
import {
  answer,
  answerWith,
  closedQuery,
  flag,
  instant,
  instantInQuery,
  integer,
  listOf,
  oneOf,
  orNull,
  text,
} from "../contract/parts";
import type { Route } from "../route";

const recordShape = answerWith(
  "AuditRecord",
  "Records of privileged calls, in a chain that shows any change.",
  {
    sequence: integer("1, 2, 3 and so on."),
    at: orNull(instant("When it happened.")),
    hash: text("Hash over this record and the one before."),
  },
  {
    actor: text("operator:<name>, user:<id>, client:<id>, tenant:<slug> or agent:<id>."),
    tenant: text("Tenant of the actor or the object."),
    action: text("Route."),
    object: text("Parameters of the path."),
    outcome: text("begun, asked (it waits for a second person), done, or the reason of the refusal."),
    requestId: text("Id of the request."),
    address: text("Network address of the caller."),
    count: integer("Calls that it stands for: repeats of one refusal within a minute are recorded together."),
    session: text("Id of the session of a person; empty for all others."),
  },
);

const pageShape = answer("AuditPage", "A page of the audit log.", {
  records: listOf("In order.", recordShape),
  next: orNull(integer("`after` of the next page; null on the last.")),
});

const verdictShape = answer("AuditVerdict", "Whether the chain is whole.", {
  isWhole: flag("True when every record is what was written, and every anchor fits."),
  brokenAt: orNull(integer("First record that is not.")),
  count: integer("How many records the chain has."),
  head: text("Hash of the last one."),
  anchors: integer("Anchors outside of the store that it was compared with."),
  anchorFaults: listOf("What is wrong with anchors, or with the chain by them.", text("What it is.")),
});

const count = (value: bigint): number => Number.parseInt(String(value), 10);
const wholeNumber = <const D extends string>(description: D) =>
  ({ ...integer(description), rule: "must be a whole number" }) as const;

const longestText = 500;
const searched = <const D extends string>(description: D) =>
  ({ ...text(description), minLength: 1, maxLength: longestText }) as const;

const pageQuery = closedQuery(
  "Which records are meant. At most one of `actor`, `tenant` and `object` is given; with one, or with bounds of time, records come in the order in which things happened.",
  {
    actor: searched("Only what this actor did, as records name it: `user:<id>`."),
    tenant: searched("Only records of this tenant, by its slug; not together with `actor`."),
    object: searched(
      "Only what was done to exactly this object, as records name it; not together with `actor` or `tenant`.",
    ),
    from: instantInQuery("Happened then or later; a bare date is the beginning of that UTC day."),
    until: instantInQuery("Happened before; a bare date is the beginning of that UTC day."),
    after: { ...wholeNumber("Sequence of the last record that is known."), default: 0 },
    order: { ...oneOf("Which come first.", ["oldest", "newest"]), default: "oldest" },
    limit: { ...integer("How many at most."), minimum: 1, maximum: 500, default: 500 },
  },
);

const verdictQuery = closedQuery("A record that is kept elsewhere.", {
  sequence: { ...wholeNumber("Its sequence."), default: 0 },
  hash: { ...text("Its hash."), default: "" },
});

const renderRecord = ({ sequence, entry, hash }: AuditRecord): Answered<typeof recordShape> => ({
  sequence: count(sequence),
  ...entry,
  at: entry?.at?.toISOString() ?? null,
  hash,
});

const common = { scheme: "operator", tag: "Audit", method: "GET", refusals: ["INVALID_ARGUMENT"] } as const;

/** The audit log, for operators. */
export const auditRoutes = ({ auth }: Pick<Upstreams, "auth">): readonly Route[] => [
  defineRoute({
    ...common,
    path: "/audit",
    summary: "Records behind `after`, at most `limit` (500), the oldest first or the newest.",
    query: pageQuery,
    response: { status: 200, description: "A page.", schema: pageShape },
    async handle({ query: { after, order, from, until, ...search } }) {
      const { limit } = search;
      const [first, end] = [from, until].map((at) => (at === undefined ? at : instantOfQuery(at)));
      const place = { after: BigInt(after), newestFirst: order === "newest", from: first, until: end };
      const { records } = await auth.listAuditRecords({ ...search, ...place });
      const last = records.at(-1);
      const next = last === undefined || records.length < limit ? null : count(last.sequence);
      return { records: records.map(renderRecord), next };
    },
  }),
  defineRoute({
    ...common,
    path: "/audit/verify",
    summary: "Check the whole chain, and with `sequence` and `hash` that a record kept elsewhere is still in it.",
    query: verdictQuery,
    response: { status: 200, description: "The verdict.", schema: verdictShape },
    async handle({ query: { sequence, hash } }) {
      const verdict = await auth.verifyAudit(sequence === 0 ? { hash } : { sequence: BigInt(sequence), hash });
      const brokenAt = verdict.brokenAt === undefined ? null : count(verdict.brokenAt);
      const { head, anchors, anchorFaults } = verdict;
      const isWhole = brokenAt === null && anchorFaults.length === 0;
      return { isWhole, brokenAt, count: count(verdict.count), head, anchors, anchorFaults };
    },
  }),
];
