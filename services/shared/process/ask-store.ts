import { mongo } from "mongoose";
import type { Clock } from "../kernel/clock";

interface StoreFacts {
  hello: mongo.Document;
  buildInfo: mongo.Document;
  /** Our time before and after `hello`. */
  askedAtMs: number;
  answeredAtMs: number;
}

/** Reads a store's description of itself and its time. */
export async function askStore(uri: string, clock: Clock): Promise<StoreFacts> {
  const client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: 5_000, readPreference: "primary" });
  try {
    const admin = client.db("admin");
    // Connects first, so that the next command takes a single round trip.
    const buildInfo = await admin.command({ buildInfo: 1 });
    const askedAtMs = clock.now().getTime();
    const hello = await admin.command({ hello: 1 });
    return { buildInfo, hello, askedAtMs, answeredAtMs: clock.now().getTime() };
  } finally {
    await client.close();
  }
}
