import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { repeatTogether } from "../../shared/process/repeat";
import type { ForgetBookedConversions } from "../operations/forget-booked-conversions";

const everyMs = 30_000;

/** Looks every half a minute for conversions that the ledger has. */
export const startBookedConversions = (forgetBooked: ForgetBookedConversions, logger: Logger): Running =>
  repeatTogether(
    everyMs,
    async () => {
      while (await forgetBooked());
    },
    (error) => logger.warn(errorFields(error), "the ledger could not be asked for conversions"),
  );
