import type { Clock } from "../../../shared/kernel/clock";
import type { LineKind } from "../../domain/statement";
import type { StatementSource } from "../../ports";
import { makeStatementClient, type StatementPlace } from "../statements/client";

const kinds: readonly LineKind[] = ["CAPTURE", "REFUND", "CHARGEBACK", "FEE", "DEPOSIT"];

/** The statement of a card acquirer: what it collected, refunded and lost to chargebacks. */
export const makeAcquirerStatement = (place: StatementPlace, clock: Clock): StatementSource =>
  makeStatementClient(place, kinds, clock);
