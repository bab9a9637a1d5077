import type { Connection } from "mongoose";
import { driverDb } from "./mongo";

/** Returns the time of the store's primary. */
export type ReadStoreTime = () => Promise<Date>;

export const makeReadStoreTime =
  (connection: Connection): ReadStoreTime =>
  async () => {
    const { localTime } = await driverDb(connection).command({ hello: 1 });
    if (localTime instanceof Date) return localTime;
    throw new Error("the store does not return its time");
  };
