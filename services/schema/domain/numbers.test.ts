import { loadPacks } from "../adapters/files/load-packs";
import type { CorridorPack } from "./corridor-pack";
import { numbersOfPayment, numbersOfPerson, type PaymentNumbers } from "./numbers";

let packs: CorridorPack[] = [];
const packOf = (country: string): CorridorPack => {
  const pack = packs.find((candidate) => candidate.country === country);
  if (pack === undefined) throw new Error(`there is no pack for ${country}`);
  return pack;
};
const payment = (
  paymentMethod: Record<string, string>,
  documents: PaymentNumbers["documents"] = [],
): PaymentNumbers => ({ paymentMethod, documents });

beforeAll(async () => {
  packs = await loadPacks();
});

describe("the numbers of a payment", () => {
  it("are the fields of its method that have a checksum", () => {
    const method = { type: "BANK_DEPOSIT", accountNumber: "DE89370400440532013000", countryCode: "DEU" };

    expect(numbersOfPayment(packOf("DEU"), payment(method))).toEqual([
      { field: "recipient.paymentMethod.accountNumber", check: "iban", value: method.accountNumber, bankCode: "" },
    ]);
  });

  it("come with the bank of the account", () => {
    const method = { type: "BANK_DEPOSIT", accountNumber: "0123456789", bankCode: "011" };

    expect(numbersOfPayment(packOf("NGA"), payment(method))).toMatchObject([{ check: "nuban", bankCode: "011" }]);
  });

  it("include the alias key and the documents", () => {
    const none = { type: "", number: "" };
    const pix = { type: "PIX", keyType: "DOCUMENT", key: "39053344705" };
    const found = numbersOfPayment(packOf("BRA"), payment(pix, [none, { type: "CPF", number: "390.533.447-05" }]));

    expect(found.map(({ field, check }) => [field, check])).toEqual([
      ["recipient.paymentMethod.key", "cpf|cnpj"],
      ["recipient.documents.1.document", "cpf"],
    ]);
  });

  it("are empty when the account is named by an alias", () => {
    const account = { type: "BANK_DEPOSIT", accountNumber: "50100012345678", bankCode: "HDFC0000053" };

    expect(numbersOfPayment(packOf("IND"), payment(account))).toMatchObject([{ check: "ifsc" }]);
    expect(numbersOfPayment(packOf("IND"), payment({ ...account, accountNumberType: "UPI" }))).toEqual([]);
  });

  it.each<[string, PaymentNumbers]>([
    ["no payment method", payment({})],
    ["an unknown method", payment({ type: "CASH", accountNumber: "DE89370400440532013001" })],
    ["a method named like a property of every object", payment({ type: "constructor", accountNumber: "1" })],
    ["a number of another form", payment({ type: "BANK_DEPOSIT", accountNumber: "FR7630006000011234567890189" })],
    ["a method without its number", payment({ type: "BANK_DEPOSIT" })],
    ["an unknown kind of document", payment({}, [{ type: "constructor", number: "39053344706" }])],
  ])("are empty for %s", (_case, body) => {
    expect(numbersOfPayment(packOf("DEU"), body)).toEqual([]);
  });
});

describe("the numbers of a person", () => {
  it("include its identification, by the kind of person", () => {
    const find = (type: string, identificationType: string, identification: string) =>
      numbersOfPerson(packOf("BRA"), { type, identificationType, identification });

    expect(find("INDIVIDUAL", "NATIONAL_ID", "39053344705")).toMatchObject([{ field: "identification", check: "cpf" }]);
    expect(find("BUSINESS", "TAX_ID", "16727230000197")).toMatchObject([{ field: "identification", check: "cnpj" }]);
    expect(find("BUSINESS", "NATIONAL_ID", "39053344705")).toEqual([]);
    expect(find("INDIVIDUAL", "PASSPORT", "X1234567")).toEqual([]);
  });
});
