import type { mongo } from "mongoose";

/**
 * The collection of a model, for hot paths: nothing is cast and nothing validated on the way, so the types of the record and its
 * model's schema have to say the same. What e2e runs have stored is compared with the schemas.
 */
export const collectionOf = <Stored extends mongo.Document>(model: {
  readonly collection: object;
}): mongo.Collection<Stored> => model.collection as mongo.Collection<Stored>;
