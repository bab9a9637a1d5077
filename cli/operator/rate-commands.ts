import type { Command } from "./curated.ts";

/** Commands about exchange rates. */
export const rateCommands: Readonly<Record<string, Command>> = {
  "rates list": {
    words: [],
    does: "list the rates of each source, and the rates on hold",
    method: "GET",
    path: "/rates",
  },
  "rates release": {
    words: ["currency", "holdId", "rate", "note"],
    does: "end the hold of a currency at its true rate, units for one US dollar",
    method: "POST",
    path: "/rates/{currency}/release",
    body: ({ holdId, rate, note }) => ({ holdId, rate, note }),
  },
};
