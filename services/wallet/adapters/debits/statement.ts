import type { Clock } from "../../../shared/kernel/clock";
import type { LineKind } from "../../domain/statement";
import type { StatementSource } from "../../ports";
import { makeStatementClient, type StatementPlace } from "../statements/client";

const kinds: readonly LineKind[] = ["CAPTURE", "REFUND", "RETURN", "FEE", "DEPOSIT"];

/** The statement of a debit scheme: what it collected, what it refunded and what banks returned. */
export const makeDebitsStatement = (place: StatementPlace, clock: Clock): StatementSource =>
  makeStatementClient(place, kinds, clock);
