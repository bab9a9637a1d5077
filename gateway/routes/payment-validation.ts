import type { Price, Problem } from "../../proto/gen/corridor/payment/v1/payment_service";
import { errorReasons } from "../../services/shared/kernel/errors";
import { exactNumber } from "../../services/shared/kernel/exact-number";
import { formatDecimal } from "../../services/shared/kernel/money";
import type { Upstreams } from "../clients";
import { amountJson } from "../render-amount";
import { publicErrors } from "../render-error";
import { jsonAnswer, type Route } from "../route";
import {
  amountSchema,
  arrayOf,
  booleanSchema,
  currencySchema,
  nullable,
  numberSchema,
  objectSchema,
  textSchema,
} from "../schemas/document-schema";

const triedPaymentSchema = {
  type: "object",
  description: "A payment as POST /v2/payment takes it. What is wrong with it is answered, not refused.",
};

const validationSchema = objectSchema({
  valid: booleanSchema("True when POST /v2/payment would accept the same body now."),
  errors: arrayOf(
    objectSchema({
      code: textSchema("Code that POST /v2/payment would answer."),
      field: textSchema("Dotted path of the field."),
      message: textSchema("The rule that it breaks."),
    }),
  ),
  price: nullable(
    objectSchema({
      amount: amountSchema,
      recipientAmount: amountSchema,
      exchangeRate: numberSchema("Rate between the two."),
    }),
  ),
  fees: arrayOf(
    objectSchema({
      eventId: textSchema("What the fee is charged for: PRE_AUTH or CAPTURE."),
      total: numberSchema("The fee, charged to the tenant."),
      currency: currencySchema,
    }),
  ),
  advice: arrayOf(
    objectSchema({
      field: textSchema("Dotted path of a number whose checksum does not fit."),
      message: textSchema("What looks mistyped. The payment is not refused for it."),
    }),
  ),
});

export function paymentValidationRoutes({ payment }: Pick<Upstreams, "payment">): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/v2/payment/validate",
      scheme: "bearer",
      scope: "payments",
      summary: "Say everything that is wrong with a payment, its price and its fees. Moves and stores nothing.",
      tag: "Payments",
      body: "json",
      requestSchema: triedPaymentSchema,
      success: { status: 200, description: "What POST /v2/payment would say.", schema: validationSchema },
      refusals: [],
      async handle({ tenant, body }) {
        const { problems, price, fees, advice } = await payment.validatePayment({ tenant, bodyJson: body });
        return jsonAnswer({
          valid: problems.length === 0,
          errors: problems.map(renderProblem),
          price: price === undefined ? null : renderPrice(price),
          fees: fees.map(({ eventId, amount }) => ({ eventId, ...amountJson(amount) })),
          advice: advice.map(({ field, message }) => ({ field, message })),
        });
      },
    },
  ];
}

function renderProblem({ reason, field, message }: Problem): object {
  const known = errorReasons.find((candidate) => candidate === reason) ?? "INVALID_ARGUMENT";
  return { code: publicErrors[known].code, field, message };
}

function renderPrice({ amount, recipientAmount, rate }: Price): object {
  if (rate === undefined) throw new Error("the price lacks its rate");
  return {
    amount: amountJson(amount),
    recipientAmount: amountJson(recipientAmount),
    exchangeRate: exactNumber(formatDecimal({ digits: rate.mantissa, scale: rate.scale })),
  };
}
