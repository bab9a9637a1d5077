import { stopAll } from "../process/lifecycle";
import { type Mongo, type MongoOptions, openMongo } from "./mongo";
import { type FormatOptions, openFormat } from "./storage-format";

/** Opens the store of a service, in a format that this release knows. */
export async function openServiceStore(options: MongoOptions & FormatOptions): Promise<Mongo> {
  const mongo = await openMongo(options);
  try {
    const format = await openFormat(mongo.connection, options);
    return { ...mongo, ...stopAll([mongo, format]) };
  } catch (error) {
    await mongo.stop();
    throw error;
  }
}
