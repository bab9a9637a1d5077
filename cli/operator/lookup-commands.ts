import type { Command } from "./curated.ts";

/** Commands that look something up, or list waiting work. */
export const lookupCommands: Readonly<Record<string, Command>> = {
  "ids find": { words: ["q"], does: "find the owner of an id", method: "GET", path: "/search" },
  "events list": {
    words: ["tenant"],
    optional: "after",
    does: "list a tenant's events of the last 30 days, in order",
    method: "GET",
    path: "/tenants/{tenant}/events",
  },
  "relay leases": {
    words: ["service"],
    does: "show which replica publishes, and what else one replica does for all",
    method: "GET",
    path: "/bus/{service}/leases",
  },
  "messages missed": {
    words: ["service"],
    does: "list messages that were missed and not recovered",
    method: "GET",
    path: "/bus/{service}/gaps",
  },
  "webhooks backlog": { words: [], does: "list undelivered events", method: "GET", path: "/webhooks/backlog" },
  "erasures list": {
    words: [],
    does: "list erasures that a vendor has not acknowledged",
    method: "GET",
    path: "/erasures",
  },
};
