import { DomainError } from "../../../services/shared/kernel/errors";
import { httpCall } from "./http-call";
import { startTestGateway, type TestGateway } from "./test-gateway";

describe("POST /v2/payment/validate", () => {
  let platform: TestGateway;

  beforeAll(async () => {
    platform = await startTestGateway({
      payment: {
        getPayment: () => Promise.reject(new DomainError("PAYMENT_NOT_FOUND", "there is no such payment")),
        validatePayment: ({ bodyJson }) =>
          Promise.resolve({
            problems: bodyJson.length > 2 ? [{ reason: "QUOTE_EXPIRED", field: "fxId", message: "is over" }] : [],
            price: undefined,
            fees: [],
            advice: [{ field: "recipient.paymentMethod.accountNumber", message: "does not look like an IBAN" }],
          }),
      },
    });
  });

  const validate = async (body: string) =>
    httpCall(platform.port, "/v2/payment/validate", { method: "POST", body, headers: await platform.bearer() });

  it("tells of what looks mistyped beside a payment that would be accepted", async () => {
    const advice = [{ field: "recipient.paymentMethod.accountNumber", message: "does not look like an IBAN" }];

    expect(await validate("{}")).toMatchObject({ status: 200, json: { valid: true, errors: [], price: null, advice } });
    expect(await validate('{"fxId":"q"}')).toMatchObject({
      status: 200,
      json: { valid: false, errors: [{ code: "PAY_410", field: "fxId", message: "is over" }], advice },
    });
  });

  it("does not hide a payment of that id from its look-up", async () => {
    const reply = await httpCall(platform.port, "/v2/payment/validate", { headers: await platform.bearer() });

    expect(reply).toMatchObject({ status: 404, json: { code: "PAY_404" } });
  });
});
