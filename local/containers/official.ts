import { MongoDBContainer } from "@testcontainers/mongodb";
import { mongo } from "mongoose";
import { mongoSuites, runMongoSuites, skip, sumOf, type Totals } from "../mongo-suites";
import type { Engine } from "./engine";

/** Official images: the oldest and the newest supported version of MongoDB, and the bus. */
export const mongoImages = ["mongo:7", "mongo:8"] as const;
export const natsImage = "nats:2.12";

const pullTimeoutMs = 300_000;

/** True once the engine has the image. */
export async function pull(engine: Pick<Engine, "docker">, image: string): Promise<boolean> {
  return await engine.docker(["pull", image], { timeoutMs: pullTimeoutMs }).then(
    () => true,
    () => false,
  );
}

/** Runs the suites on each official image of MongoDB that can be pulled; names and counts the others. */
export async function runOnOfficialImages(engine: Pick<Engine, "docker">): Promise<Totals> {
  const totals: Totals[] = [];
  for (const image of mongoImages) {
    const what = `${mongoSuites.join(" and ")} on ${image}`;
    if (await pull(engine, image)) totals.push(await runOn(image));
    else totals.push(skip(what, "that image cannot be pulled here", mongoSuites.length));
  }
  return sumOf(totals);
}

async function runOn(image: string): Promise<Totals> {
  const container = await new MongoDBContainer(image).start();
  try {
    // The member names itself by its host in the container's network.
    const uri = `${container.getConnectionString()}/?directConnection=true`;
    await shortenTransactions(uri);
    return await runMongoSuites(uri);
  } finally {
    await container.stop();
  }
}

/** Without this, locks of a killed service would last for a minute. */
async function shortenTransactions(uri: string): Promise<void> {
  const client = await mongo.MongoClient.connect(uri);
  await client.db("admin").command({ setParameter: 1, transactionLifetimeLimitSeconds: 5 });
  await client.close();
}
