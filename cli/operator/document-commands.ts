import type { Command } from "./curated.ts";

const one = "/tenants/{tenant}/documents/{documentId}";

const decide = (verb: string, accept: boolean): Record<string, Command> => ({
  [`documents ${verb}`]: {
    words: ["tenant", "documentId", "note"],
    does: `${verb} an uploaded document, whatever its vendor said`,
    method: "POST",
    path: `${one}/decision`,
    body: ({ note }) => ({ accept, note }),
  },
});

/** Commands on uploaded documents. */
export const documentCommands: Readonly<Record<string, Command>> = {
  "documents list": {
    words: ["tenant"],
    optional: "status",
    does: "list uploaded documents by their state",
    method: "GET",
    path: "/tenants/{tenant}/documents",
  },
  "documents show": {
    words: ["tenant", "documentId"],
    does: "show what is known of a document",
    method: "GET",
    path: one,
  },
  "documents content": {
    words: ["tenant", "documentId"],
    does: "write the file of a document to --out",
    method: "GET",
    path: `${one}/content`,
  },
  ...decide("accept", true),
  ...decide("reject", false),
};
