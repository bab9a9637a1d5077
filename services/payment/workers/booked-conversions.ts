import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { repeat } from "../../shared/process/repeat";
import type { ForgetBookedConversions } from "../operations/forget-booked-conversions";

const pauseMs = 5_000;

/** Looks at intervals for conversions that the ledger has. */
export const startBookedConversions = (forgetBooked: ForgetBookedConversions, logger: Logger): Running =>
  repeat(
    pauseMs,
    async () => {
      // What is left when nothing more is found waits for the ledger.
      while ((await forgetBooked()) > 0);
    },
    (error) => logger.warn(errorFields(error), "the ledger could not be asked for conversions"),
  );
