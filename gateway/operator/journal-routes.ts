import type { JournalEntry } from "../../proto/gen/corridor/wallet/v1/ledger";
import { parseInstant } from "../../services/shared/kernel/clock";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import {
  answer,
  answerWith,
  closedQuery,
  givenInstant,
  instant,
  listOf,
  minor,
  orNull,
  request,
  requestWith,
  text,
  words,
} from "../contract/parts";
import type { ObjectSchema } from "../contract/schema";
import type { Route } from "../route";
import { pageMembers } from "./page";

export interface JournalRouteDeps {
  upstreams: Pick<Upstreams, "wallet">;
}

const common = { scheme: "operator", tag: "Ledger" } as const;

const moveShape = answer("JournalMove", "What an entry moves on an account.", {
  account: text("Path in the chart of accounts; the wallet's id follows for a wallet."),
  currency: text("Currency of ISO 4217 or another asset code."),
  line: text("settled, debitHolds, creditHolds or status."),
  minor: minor("Signed minor units."),
});

const entryShape = answer("JournalEntry", "An entry of the journal.", {
  entryId: text("Id of the entry."),
  kind: text("What it does."),
  label: orNull(text("What moved it; null when it was not said.")),
  tenant: text("Slug of the tenant; empty for the platform's own."),
  at: orNull(instant("When it was posted.")),
  paymentId: orNull(text("The payment that the money moved for.")),
  parent: orNull(text("The entry that it ends or reverses.")),
  reason: orNull(text("Why an operator posted it.")),
  links: listOf("What it is about.", text("What an operator linked it to.")),
  moves: listOf("What it moves.", moveShape),
});

const renderEntry = (entry: JournalEntry): Answered<typeof entryShape> => ({
  ...entry,
  label: entry.label ?? null,
  at: entry.at ?? null,
  paymentId: entry.paymentId ?? null,
  parent: entry.parent ?? null,
  reason: entry.reason ?? null,
  moves: entry.moves.map((move) => ({ ...move, minor: String(move.minor) })),
});

const correctionRequest = requestWith(
  "LedgerCorrection",
  "A correction or a write-off between accounts.",
  {
    entryId: words("Id of the entry; the same again is posted once."),
    kind: words("What it is, for example correction or write-off."),
    reason: words("Why; no data of persons."),
    postings: {
      ...listOf(
        "What is posted; the sum of each currency is 0.",
        request("LedgerPosting", "What is posted to an account.", {
          account: text("Path of an account of the platform."),
          currency: text("Currency of ISO 4217 or another asset code."),
          minor: minor("Signed minor units."),
        }),
      ),
      minItems: 2,
      examples: [
        [
          { account: "platform/suspense", currency: "USD", minor: "-1250" },
          { account: "platform/fees", currency: "USD", minor: "1250" },
        ],
      ],
      rule: "must be two or more of {account, currency, minor}, minor as text of a whole number",
    },
  },
  {
    links: { ...listOf("What it is about.", text("Id of an entry, payment or case.")), default: [] },
  },
);

const correctionShape = answer("LedgerCorrected", "What was posted.", { entry: entryShape });

const correctionRoute = ({ upstreams: { wallet } }: JournalRouteDeps): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: "/ledger/corrections",
    summary: "Post a correction or a write-off between accounts.",
    request: correctionRequest,
    response: {
      status: 200,
      description: "The entry. May be repeated.",
      schema: correctionShape,
    },
    refusals: ["INVALID_ARGUMENT", "IDEMPOTENCY_CONFLICT", "RECORD_CONFLICT"],
    async handle({ body: { entryId, kind, reason, links, postings } }) {
      const posted = postings.map(({ account, currency, minor: text }) => ({ account, currency, minor: BigInt(text) }));
      const { entry } = await wallet.postCorrection({ entryId, kind, reason, links: [...links], postings: posted });
      if (entry === undefined) throw new Error("the wallet service sent no entry");
      return { entry: renderEntry(entry) };
    },
  });

const entriesQuery = closedQuery("Which entries are meant.", {
  account: text("Path of an account; either this or paymentId."),
  currency: text("With account: only this currency."),
  paymentId: text("Id of a payment."),
  from: { ...givenInstant("First instant."), rule: "must be an ISO 8601 time with its offset" },
  until: {
    ...givenInstant("Last instant, exclusive; after `from`."),
    rule: "must be an ISO 8601 time with its offset",
  },
  ...pageMembers,
});

const entryPage = answer("JournalEntryPage", "A page of the journal.", {
  entries: listOf("The oldest first.", entryShape),
  next: orNull(text("Cursor of the next page.")),
});

const entryAnswer = answerWith("JournalEntryFound", "One entry.", {}, { entry: entryShape });

const timeOf = (given: string | undefined): Date | undefined => (given === undefined ? undefined : parseInstant(given));

const entryRoutes = ({ upstreams: { wallet } }: JournalRouteDeps): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: "/ledger/entries",
    summary: "List the entries of a payment or on an account, the oldest first.",
    query: entriesQuery,
    response: { status: 200, description: "A page.", schema: entryPage },
    refusals: ["INVALID_ARGUMENT"],
    async handle({ query: { account, currency, paymentId, after, from, until, limit } }) {
      const span = { from: timeOf(from), until: timeOf(until) };
      const { entries, next } = await wallet.listEntries({ account, currency, paymentId, after, limit, ...span });
      return { entries: entries.map(renderEntry), next: next ?? null };
    },
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/ledger/entries/{entryId}",
    summary: "One entry of the journal.",
    params: { entryId: "Id of the entry." },
    response: { status: 200, description: "The entry.", schema: entryAnswer },
    refusals: ["RECORD_NOT_FOUND"],
    async handle({ params }) {
      const { entry } = await wallet.getEntry(params);
      return entry === undefined ? {} : { entry: renderEntry(entry) };
    },
  }),
];

const promisesShape = answer("AccountPromises", "What an account holds, has promised and may still promise.", {
  settledMinor: minor("What the account holds."),
  promisedMinor: minor("What is promised to payments."),
  releasedMinor: minor("What was released so far."),
  floorMinor: orNull(minor("The floor that counts; null where there is none.")),
  availableMinor: orNull(minor("What can still be promised; null where there is no floor.")),
});

const promisesQuery = {
  type: "object",
  description: "Which account is meant.",
  properties: {
    account: {
      ...words("tenant/<slug>/funding or provider/<name>/clearing."),
      examples: ["tenant/demo/funding", "provider/pix/clearing"],
    },
    currency: { ...words("ISO 4217 code."), examples: ["USD"] },
  },
  required: ["account", "currency"],
  additionalProperties: false,
} as const satisfies ObjectSchema;

const floorRequest = requestWith(
  "FloorRequest",
  "How far promises may take a tenant's funding.",
  {
    account: { ...words("tenant/<slug>/funding."), examples: ["tenant/demo/funding"] },
    currency: { ...words("ISO 4217 code."), examples: ["USD"] },
  },
  {
    floorMinor: minor("Minor units, negative for a credit line; absent: none of its own."),
  },
);

const floorShape = answer("FloorSet", "Nothing more than that it is set.", {});

const textOf = (value: bigint | undefined): string | null => (value === undefined ? null : String(value));

const floorRoutes = ({ upstreams: { wallet } }: JournalRouteDeps): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: "/ledger/promises",
    summary: "What an account holds, has promised and may still promise.",
    query: promisesQuery,
    response: { status: 200, description: "How it stands.", schema: promisesShape },
    refusals: ["INVALID_ARGUMENT"],
    async handle({ query }) {
      const found = await wallet.getPromises(query);
      return {
        settledMinor: String(found.settledMinor),
        promisedMinor: String(found.promisedMinor),
        releasedMinor: String(found.releasedMinor),
        floorMinor: textOf(found.floorMinor),
        availableMinor: textOf(found.availableMinor),
      };
    },
  }),
  defineRoute({
    ...common,
    method: "PUT",
    path: "/ledger/floors",
    summary: "Set how far promises may take a tenant's funding.",
    request: floorRequest,
    response: {
      status: 200,
      description: "It is set. May be repeated.",
      schema: floorShape,
    },
    refusals: ["INVALID_ARGUMENT", "RECORD_CONFLICT"],
    async handle({ body: { account, currency, floorMinor: given } }) {
      const floorMinor = given === undefined ? undefined : BigInt(given);
      await wallet.setFloor({ account, currency, floorMinor });
      return {};
    },
  }),
];

/** The journal, its corrections, and the limits on promised money, for operators. */
export const journalRoutes = (deps: JournalRouteDeps): readonly Route[] => [
  ...entryRoutes(deps),
  correctionRoute(deps),
  ...floorRoutes(deps),
];
