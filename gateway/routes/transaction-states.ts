import { transactionMoves } from "../../services/shared/transaction-states";
import { jsonAnswer, type Route } from "../route";
import { arrayOf, objectSchema } from "../schemas/document-schema";

const states = Object.keys(transactionMoves);

export const transactionStateRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/.well-known/transaction-states.json",
    scheme: "none",
    summary: "The moves that a transaction may make, by state; a state without moves is terminal.",
    tag: "Metadata",
    body: "none",
    success: {
      status: 200,
      description: "Next states by state.",
      schema: objectSchema(Object.fromEntries(states.map((state) => [state, arrayOf({ enum: states })]))),
    },
    refusals: [],
    handle: () => Promise.resolve(jsonAnswer(transactionMoves)),
  },
];
