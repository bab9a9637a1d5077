import type { Clock } from "../../../shared/kernel/clock";
import type { LineKind } from "../../domain/statement";
import type { StatementSource } from "../../ports";
import { makeStatementClient, type StatementPlace } from "../statements/client";

const kinds: readonly LineKind[] = ["PAYOUT", "PAYOUT_RETURN", "FEE", "DEPOSIT"];

/** The statement of a payout rail: payouts, returned payouts, fees and our deposits. */
export const makeRailStatement = (place: StatementPlace, clock: Clock): StatementSource =>
  makeStatementClient(place, kinds, clock);
