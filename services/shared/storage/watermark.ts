import type { Connection } from "mongoose";
import type { Running } from "../process/lifecycle";
import { repeat } from "../process/repeat";

/** How often a service that runs says so in its database, milliseconds. */
export const watermarkEveryMs = 30_000;

interface WatermarkRecord {
  _id: "running";
  at: Date;
}

/** When the database's service was last seen running, by the store's own clock; undefined when it never was. */
export async function readWatermark(connection: Connection): Promise<Date | undefined> {
  const mark = await connection.collection<WatermarkRecord>("watermarks").findOne({ _id: "running" });
  return mark?.at;
}

/**
 * Writes the store's time into collection `watermarks` again and again. Databases that were restored together show the same
 * time, to within a span; one that was restored from elsewhere is found out. All replicas write the same record.
 */
export function startWatermark(connection: Connection, everyMs = watermarkEveryMs): Running {
  const marks = connection.collection<WatermarkRecord>("watermarks");
  const note = async (): Promise<void> => {
    await marks.updateOne({ _id: "running" }, { $currentDate: { at: true } }, { upsert: true });
  };
  // While the store is away there is nothing to say that its own probe does not.
  return repeat(everyMs, note, () => {});
}
