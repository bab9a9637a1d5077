import type { Command } from "./operator-command";

/** Commands that look for something, or for what waits. */
export const lookupCommands: Readonly<Record<string, Command>> = {
  "ids find": { words: ["q"], does: "what an id belongs to", method: "GET", path: "/search" },
  "events list": {
    words: ["tenant"],
    optional: "after",
    does: "what a tenant was told in 30 days, in order",
    method: "GET",
    path: "/tenants/{tenant}/events",
  },
  "relay leases": {
    words: ["service"],
    does: "which replica publishes, and what else one does for all",
    method: "GET",
    path: "/bus/{service}/leases",
  },
  "messages missed": { words: ["service"], does: "gone unheard", method: "GET", path: "/bus/{service}/gaps" },
  "webhooks backlog": { words: [], does: "what is not delivered yet", method: "GET", path: "/webhooks/backlog" },
  "erasures list": { words: [], does: "not acknowledged by a vendor", method: "GET", path: "/erasures" },
};
