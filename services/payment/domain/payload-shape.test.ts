import { parseJsonObject } from "../../shared/kernel/json";
import { destinationCountry, ownField, readPayload, shapeViolations } from "./payload-shape";

const read = (body: object) => readPayload(parseJsonObject(JSON.stringify(body)).value);
const customer = {
  firstName: "Maria",
  lastName: "Souza",
  phoneNumber: "5511987654321",
  documentNumber: "39053344705",
  documentType: "NATIONAL_ID",
  email: "maria.souza@example.com",
  countryCodeAlpha3: "BRA",
};
const customerAddress = {
  countryCode: "BR",
  stateCode: "SP",
  city: "São Paulo",
  line1: "Rua Augusta 1",
  zipCode: "01310",
};
const customerPush = (destination: object) => ({
  paymentType: "PUSH",
  sender: { customer, customerAddress, source: { type: "CARD" } },
  recipient: { customer, customerAddress, destination },
});

describe("readPayload", () => {
  it.each([
    ["a payment method", { paymentType: "PUSH", recipient: { paymentMethod: {} } }, "schema"],
    ["a destination", { paymentType: "PULLPUSH", recipient: { destination: {} } }, "customer"],
    ["a customer", { paymentType: "PUSH", recipient: { customer: {} } }, "customer"],
    ["a pull", { paymentType: "PULL", recipient: { destination: {} } }, "pull"],
    ["nothing", {}, "schema"],
    ["a recipient of another type", { recipient: "Maria" }, "schema"],
  ])("tells the shape of a body with %s", (_case, body, shape) => {
    expect(read(body).shape).toBe(shape);
  });

  it("leaves the schema shape as it is", () => {
    const body = {
      recipient: { birthDate: "1990-01-01", paymentMethod: { type: "CARD" } },
      sender: { firstName: "Ada" },
    };

    expect(read(body)).toMatchObject({ body, aliases: [] });
  });

  it("reads the card-push variant as the schema shape, and does not replace what is there", () => {
    const { body } = read({ recipient: { dateOfBirth: "1990-01-01", contactNumber: "+55", phoneNumber: "+44" } });

    expect(body["recipient"]).toEqual({ birthDate: "1990-01-01", contactNumber: "+55", phoneNumber: "+44" });
  });

  it("reads a customer and a destination as recipient and payment method", () => {
    const pix = read(customerPush({ type: "PIX", pix: { keyType: "EMAIL", key: "k" } }));

    expect(pix.body["recipient"]).toEqual({
      firstName: "Maria",
      lastName: "Souza",
      phoneNumber: "5511987654321",
      email: "maria.souza@example.com",
      documents: [{ document: "39053344705", type: "NATIONAL_ID" }],
      countryCodeAlpha3: "BRA",
      address: { ...customerAddress, countryCode: "BRA" },
      paymentMethod: { type: "PIX", countryCode: "BRA", keyType: "EMAIL", key: "k" },
    });
    expect(pix.body["sender"]).toMatchObject({ firstName: "Maria", source: { type: "CARD" } });
    expect(pix.destination).toEqual({ field: "recipient.customer.countryCodeAlpha3", country: "BRA" });
  });

  it.each([
    ["PT", "PRT"],
    ["XK", "XKX"],
    [undefined, "BRA"],
  ])("keeps a customer's own country beside that of the address, %s", (countryCode, country) => {
    const { sender } = customerPush({ type: "PIX" });
    const abroad = { ...sender, customerAddress: { ...customerAddress, countryCode } };
    const { body } = read({ paymentType: "PUSH", sender: abroad, recipient: { paymentMethod: {} } });

    expect(body["sender"]).toMatchObject({ countryCodeAlpha3: "BRA", address: { countryCode: country } });
  });

  it("reads the source of a pull as its payment method", () => {
    const pull = read({ paymentType: "PULL", sender: { source: { type: "CARD", card: { token: "t" } } } });

    expect(pull.body["sender"]).toEqual({ paymentMethod: { type: "CARD", cardTokenId: "t" } });
    expect(ownField(pull, "sender.paymentMethod.cardTokenId")).toBe("sender.source.card.token");
    expect(ownField(pull, "sender.paymentMethod.type")).toBe("sender.source.type");
  });
});

describe("ownField", () => {
  it.each([
    ["recipient.paymentMethod.key", "recipient.destination.pix.key"],
    ["recipient.paymentMethod.type", "recipient.destination.type"],
    ["recipient.address.countryCode", "recipient.customerAddress.countryCode"],
    ["recipient.address.city", "recipient.customerAddress.city"],
    ["sender.firstName", "sender.customer.firstName"],
    ["sender.source.card", "sender.source.card"],
    ["amount.total", "amount.total"],
  ])("names %s as the caller did", (ours, theirs) => {
    expect(ownField(read(customerPush({ type: "PIX" })), ours)).toBe(theirs);
  });

  it("names the customer's country where the address has none", () => {
    const payload = read({ recipient: { customer, customerAddress: {}, destination: {} } });

    expect(ownField(payload, "recipient.address.countryCode")).toBe("recipient.customer.countryCodeAlpha3");
  });

  it("names the fields of the card-push variant as the caller did", () => {
    const payload = read({ recipient: { dateOfBirth: "x", contactNumber: "y" } });

    expect(ownField(payload, "recipient.birthDate")).toBe("recipient.dateOfBirth");
    expect(ownField(payload, "recipient.phoneNumber")).toBe("recipient.contactNumber");
  });
});

describe("the destination country", () => {
  const place = (recipient: object) => read({ recipient });

  it("is in the payment method, else in the address", () => {
    const both = place({ paymentMethod: { countryCode: "BRA" }, address: { countryCode: "ARG" } });

    expect(both.destination?.country).toBe("BRA");
    expect(place({ address: { countryCode: "ARG" } }).destination?.country).toBe("ARG");
  });

  it.each([
    {},
    { paymentMethod: { countryCode: "push" } },
    { paymentMethod: { countryCode: 7 }, address: { countryCode: "BR" } },
    { destination: {} },
    { destination: {}, customer: { countryCodeAlpha3: "bra" } },
  ])("is none in %j", (recipient) => {
    expect(destinationCountry(place(recipient))).toBeUndefined();
  });
});

it("refuses both shapes at once", () => {
  const { value } = parseJsonObject('{"recipient":{"destination":{},"paymentMethod":{}}}');

  expect(shapeViolations(readPayload(value), value)).toMatchObject([{ field: "recipient.paymentMethod" }]);
});
