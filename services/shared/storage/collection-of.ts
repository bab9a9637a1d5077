import type { mongo } from "mongoose";

/**
 * Returns the collection of a model, for hot paths: values are neither cast nor validated, so the record's type and its model's schema
 * must agree. The e2e runs compare what they have stored with the schemas.
 */
export const collectionOf = <Stored extends mongo.Document>(model: {
  readonly collection: object;
}): mongo.Collection<Stored> => model.collection as mongo.Collection<Stored>;
