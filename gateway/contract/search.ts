import { answer, answerWith, closedQuery, instant, listOf, oneOf, orNull, text } from "./parts";
import type { Schema } from "./schema";

/** Contracts of the search for any exact id. */

export const foundKinds = [
  "payment",
  "leg",
  "refund",
  "quote",
  "provider reference",
  "receipt",
  "trace",
  "wallet",
  "wallet transaction",
  "transfer",
  "person",
  "company",
  "document",
  "session",
  "review",
  "webhook",
  "delivery",
  "event",
] as const;
export const searchedServices = ["payment", "fx", "wallet", "identity", "webhook"] as const;

const q = {
  type: "string",
  description:
    "An id, whole: ours, the caller's own, a provider's, or a trace id of a payment; or the number of a person's or company's identity document. No part of one, and no name.",
  minLength: 1,
  maxLength: 255,
  rule: "must be a whole id, 1 to 255 characters",
  examples: ["order-2026-0017"],
} as const satisfies Schema;

export const searchQuery = { ...closedQuery("What is looked for.", { q }), required: ["q"] } as const;

const members = {
  kind: oneOf("What the id is of.", foundKinds),
  id: text("Our id of what it belongs to: of the payment for its legs, refunds, receipt, references and trace."),
  externalId: orNull(text("What its caller calls it; null where it has no such id.")),
  parentId: orNull(
    text("What it belongs to: the webhook of a delivery, the transaction of an event, the person of a document."),
  ),
  createdAt: orNull(instant("When it was made.")),
} as const;

const found = answerWith("Found", "Something that an id belongs to.", members, {
  href: text("Path at which it is read; absent where there is none."),
});

const missing = listOf(
  "Services that did not answer in time: what they keep may be missing.",
  oneOf("Name of a service.", searchedServices),
);

const example = {
  kind: "payment",
  id: "0d4c6a4e-2f0b-8a7d-9b1e-5a3f6c7d8e90",
  externalId: "order-2026-0017",
  parentId: null,
  createdAt: "2026-02-03T04:05:06.000Z",
};

export const searchResult = {
  ...answer("SearchResult", "What an id belongs to.", {
    found: listOf("At most 100; empty for an id of nothing.", found),
    missing,
  }),
  examples: [{ found: [{ ...example, href: "/v2/payment/order-2026-0017" }], missing: [] }],
} as const;

export const operatorSearchResult = {
  ...answer("OperatorSearchResult", "What an id belongs to, of any tenant.", {
    found: listOf(
      "At most 100; empty for an id of nothing.",
      answerWith(
        "OperatorFound",
        "Something that an id belongs to.",
        { tenant: text("Slug of its tenant."), ...members },
        { href: text("Path at which operators read it; absent where there is none.") },
      ),
    ),
    missing,
  }),
  examples: [
    {
      found: [{ tenant: "demo", ...example, href: "/tenants/demo/payments/0d4c6a4e-2f0b-8a7d-9b1e-5a3f6c7d8e90" }],
      missing: [],
    },
  ],
} as const;
