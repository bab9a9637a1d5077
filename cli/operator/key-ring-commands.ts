import type { Command } from "./curated.ts";

/** Commands on a service's keys, by their ids. */
export const keyRingCommands: Readonly<Record<string, Command>> = {
  "rings show": {
    words: ["service"],
    does: "show the keys of a service, and the progress of re-encryption under the newest",
    method: "GET",
    path: "/key-rings/{service}",
  },
  "rings renew": {
    words: ["service", "renewalId"],
    does: "re-encrypt everything under the newest keys; repeat the id for the progress",
    method: "POST",
    path: "/key-rings/{service}/renewals",
    body: ({ renewalId }) => ({ renewalId }),
  },
};
