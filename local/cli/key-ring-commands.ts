import type { Command } from "./operator-command";

/** Keys of a service, by their ids. */
export const keyRingCommands: Readonly<Record<string, Command>> = {
  "rings show": {
    words: ["service"],
    does: "its keys, and how far everything is under the newest",
    method: "GET",
    path: "/key-rings/{service}",
  },
  "rings renew": {
    words: ["service", "renewalId"],
    does: "put everything under the newest keys; the same id again tells how far it is",
    method: "POST",
    path: "/key-rings/{service}/renewals",
    body: ({ renewalId }) => ({ renewalId }),
  },
};
