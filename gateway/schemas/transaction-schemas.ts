import { nullable, objectSchema, textSchema } from "./document-schema";
import { paymentResponseSchema } from "./payment-schemas";

const transactionId = textSchema("Id of the transaction; also the paymentId.", { format: "uuid" });
const externalTransactionId = nullable(textSchema("The agent's externalId; null when it gave none."));

/** The payment's first answer, with the transaction's own names. */
export const acceptedTransactionSchema = {
  allOf: [objectSchema({ transactionId, externalTransactionId }), paymentResponseSchema],
};
