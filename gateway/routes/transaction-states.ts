import { transactionMoves } from "../../services/shared/kernel/transaction-states";
import { defineRoute } from "../contract/define-route";
import { answer, listOf, oneOf } from "../contract/parts";
import type { Route } from "../route";

const states = Object.keys(transactionMoves) as (keyof typeof transactionMoves)[];

const movesShape = answer(
  "TransactionMoves",
  "Next states by state.",
  Object.fromEntries(states.map((state) => [state, listOf(`After ${state}.`, oneOf("A state.", states))])),
);

export const transactionStateRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/.well-known/transaction-states.json",
    scheme: "none",
    summary: "The moves that a transaction may make, by state; a state without moves is terminal.",
    tag: "Metadata",
    response: { status: 200, description: "Next states by state.", schema: movesShape },
    refusals: [],
    handle: () => Promise.resolve(transactionMoves),
  }),
];
