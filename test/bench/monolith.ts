import express from "express";
import { createConnection, Schema } from "mongoose";
import { floorAnswer, floorSettings, serve } from "./floor";

const address = { countryCode: String, stateCode: String, city: String, line1: String, zipCode: String };
const party = {
  firstName: String,
  lastName: String,
  email: String,
  phoneNumber: String,
  address,
  documents: [{ document: String, type: { type: String } }],
  paymentMethod: { type: { type: String }, countryCode: String, key: String, keyType: String },
};
const paymentSchema = new Schema({
  externalPaymentId: { type: String, required: true, unique: true },
  ipAddress: String,
  paymentType: String,
  amount: { total: Number, currency: String },
  recipientAmount: { total: Number, currency: String },
  fxId: String,
  sender: party,
  recipient: party,
  status: String,
  createdAt: Date,
  history: [{ code: String, status: String }],
});

/** What one writes first: Express and mongoose in one process. It parses, inserts durably and answers. */
async function main(): Promise<void> {
  const { mongoUri = "" } = floorSettings();
  const connection = await createConnection(mongoUri, {
    dbName: "bench_monolith",
    writeConcern: { w: "majority", journal: true },
    maxPoolSize: 64,
  }).asPromise();
  const payments = connection.model("Payment", paymentSchema);
  await payments.init();
  const app = express();
  app.post("/v2/payment", express.json(), async (request, response) => {
    const body = request.body as Record<string, unknown>;
    const history = [{ code: "PAYMENT", status: "PENDING" }];
    await payments.create({ ...body, status: "PENDING", createdAt: new Date(), history });
    response.json(floorAnswer);
  });
  serve(app);
}

void main();
