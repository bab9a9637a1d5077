import type { Command } from "./curated.ts";

const limit = { method: "PUT", path: "/fx/exposure/{currency}/limit" } as const;

/** Commands about the platform's positions in currencies. */
export const exposureCommands: Readonly<Record<string, Command>> = {
  "exposure list": {
    words: [],
    does: "the platform's position in every currency, with its value and its limit",
    method: "GET",
    path: "/fx/exposure",
  },
  "exposure hedges": {
    words: [],
    does: "what to buy or sell for no position, or for one within its limit",
    method: "GET",
    path: "/fx/hedges",
  },
  "exposure margin": {
    words: ["from", "until"],
    does: "what conversions earned in a span of time, by currency",
    method: "GET",
    path: "/fx/margin",
  },
  "exposure conversions": {
    words: ["from", "until"],
    optional: "outcome",
    does: "the conversions of a span of time, each next to what its quote promised",
    method: "GET",
    path: "/fx/margin/conversions",
  },
  "exposure limit": {
    words: ["currency", "limitMinor", "note"],
    does: "limit the position in a currency, minor units",
    ...limit,
    body: ({ limitMinor, note }) => ({ limitMinor, note }),
  },
  "exposure unlimit": {
    words: ["currency", "note"],
    does: "remove the limit of the position in a currency",
    ...limit,
    body: ({ note }) => ({ note }),
  },
};
