import { DomainError } from "../../../services/shared/kernel/errors";
import { httpCall } from "./http-call";
import { pullText } from "./sample-payment";
import { startTestGateway, type TestGateway } from "./test-gateway";

const changed = (changes: object): string => JSON.stringify({ ...(JSON.parse(pullText) as object), ...changes });

describe("POST /v2/payment/validate", () => {
  let platform: TestGateway;

  beforeAll(async () => {
    platform = await startTestGateway({
      payment: {
        getPayment: () => Promise.reject(new DomainError("PAYMENT_NOT_FOUND", "there is no such payment")),
        validatePayment: ({ intent, fieldsOnly }) =>
          Promise.resolve({
            problems:
              intent?.ipAddress === "::1" ? [{ reason: "QUOTE_EXPIRED", field: "fxId", message: "is over" }] : [],
            price: undefined,
            fees: [],
            advice: [{ field: "recipient.paymentMethod.accountNumber", message: "does not look like an IBAN" }],
            isKnown: intent?.externalPaymentId === "used",
            differentFields: fieldsOnly ? [] : ["amount"],
          }),
      },
    });
  });

  const validate = async (body: string) =>
    httpCall(platform.port, "/v2/payment/validate", { method: "POST", body, headers: await platform.bearer() });

  it("tells of what looks mistyped beside a payment that would be accepted", async () => {
    const advice = [{ field: "recipient.paymentMethod.accountNumber", message: "does not look like an IBAN" }];

    expect(await validate(pullText)).toMatchObject({
      status: 200,
      json: { valid: true, errors: [], price: null, advice },
    });
    expect(await validate(changed({ ipAddress: "::1" }))).toMatchObject({
      status: 200,
      json: { valid: false, errors: [{ code: "PAY_410", field: "fxId", message: "is over" }], advice },
    });
  });

  it("answers what the gateway itself would refuse, and refuses only what is no JSON object", async () => {
    expect(await validate(changed({ ipAddress: "::1", captrue: false }))).toMatchObject({
      status: 200,
      json: {
        valid: false,
        errors: [
          { code: "VE_001", field: "captrue", message: "is not known; did you mean capture?" },
          { code: "PAY_410", field: "fxId" },
        ],
      },
    });
    for (const text of ["[]", "{", '{"amount":1,"amount":2}']) {
      expect(await validate(text)).toMatchObject({ status: 400, json: { code: "VE_001" } });
    }
  });

  it("takes no name that is longer than what screening compares in milliseconds", async () => {
    const named = (firstName: string) =>
      changed({ sender: { ...(JSON.parse(pullText) as { sender: object }).sender, firstName } });
    const errors = [{ code: "VE_001", field: "sender.firstName", message: "must have at most 255 characters" }];

    expect(await validate(named("\u1780".repeat(256)))).toMatchObject({ status: 200, json: { valid: false, errors } });
    expect(await validate(named("\u1780".repeat(255)))).toMatchObject({ status: 200, json: { valid: true } });
  });

  it("finds the id used, by the parts that the gateway refuses too", async () => {
    const other = await validate(changed({ externalPaymentId: "used" }));
    const refused = await validate(changed({ externalPaymentId: "used", captrue: false }));

    expect(other).toMatchObject({ json: { errors: [{ code: "IDM_002", field: "externalPaymentId" }] } });
    expect(refused).toMatchObject({ json: { errors: [{ code: "IDM_002" }, { code: "VE_001", field: "captrue" }] } });
  });

  it("does not hide a payment of that id from its look-up", async () => {
    const reply = await httpCall(platform.port, "/v2/payment/validate", { headers: await platform.bearer() });

    expect(reply).toMatchObject({ status: 404, json: { code: "PAY_404" } });
  });
});
