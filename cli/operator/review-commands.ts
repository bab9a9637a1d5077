import type { Command } from "./curated.ts";

const tenant = "/tenants/{tenant}";

function releases(verbs: Readonly<Record<string, boolean>>): Record<string, Command> {
  const entries = Object.entries(verbs).map(([verb, approve]): [string, Command] => [
    `blocked ${verb}`,
    {
      words: ["tenant", "reviewId", "authorityReference", "note"],
      does: `${verb} a blocked payment`,
      method: "POST",
      path: `${tenant}/reviews/{reviewId}/release`,
      body: ({ authorityReference, note }) => ({ approve, authorityReference, note }),
    },
  ]);
  return Object.fromEntries(entries);
}

function reviewDecisions(verbs: Readonly<Record<string, object>>): Record<string, Command> {
  const entries = Object.entries(verbs).map(([verb, decision]): [string, Command] => [
    `reviews ${verb}`,
    {
      words: ["tenant", "reviewId", "note"],
      does: `${verb} it`,
      method: "POST",
      path: `${tenant}/reviews/{reviewId}`,
      body: ({ note }) => ({ ...decision, note }),
    },
  ]);
  return Object.fromEntries(entries);
}

/** Commands on reviews, blocked payments, and reports to the authority. */
export const reviewCommands: Readonly<Record<string, Command>> = {
  ...reviewDecisions({
    approve: { approve: true },
    reject: { approve: false },
    block: { approve: false, block: true },
  }),
  ...releases({ release: true, refuse: false }),
  "blocked surrender": {
    words: ["tenant", "reviewId", "payTo", "authorityReference", "note"],
    does: "send the money of a blocked payment to where an authority orders it",
    method: "POST",
    path: `${tenant}/reviews/{reviewId}/release`,
    body: ({ payTo, authorityReference, note }) => ({ approve: false, payTo, authorityReference, note }),
  },
  "reports list": { words: [], does: "list reports due to the authority", method: "GET", path: "/sanction-reports" },
  "reports file": {
    words: ["tenant", "reviewId", "reference"],
    does: "record that a report was filed",
    method: "POST",
    path: `${tenant}/reviews/{reviewId}/report`,
    body: ({ reference }) => ({ reference }),
  },
};
