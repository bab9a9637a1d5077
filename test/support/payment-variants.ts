/**
 * Bodies of every way to write a payment. Together they have every field that a body may have, and in each body the values
 * differ, so that a lost or misplaced value is noticed.
 */

const card = (digit: string) =>
  `${digit.repeat(8)}-${digit.repeat(4)}-4${digit.repeat(3)}-8${digit.repeat(3)}-${digit.repeat(12)}`;

const root = {
  externalPaymentId: "variant-1",
  ipAddress: "203.0.113.7",
  amount: { total: 100.5, currency: "USD" },
  dynamicDescriptor: "INVOICE 7",
  additionalData: { paymentPurpose: "GIFT", statementNarrative: "for Maria", costCentre: "four" },
};

const paidOut = { ...root, recipientAmount: { total: 525.31, currency: "BRL" }, exchangeRate: 5.227, fxId: "quote-1" };

const personFields = {
  firstName: "Taylor",
  lastName: "Morgan",
  email: "taylor@example.com",
  phoneNumber: "+13055550123",
  address: {
    countryCode: "USA",
    stateCode: "FL",
    state: "Florida",
    city: "Miami",
    line1: "Brickell Avenue 801",
    line2: "Floor 3",
    zipCode: "33131",
  },
};

const sender = {
  ...personFields,
  birthDate: "1985-09-30",
  birthCountryCode: "CAN",
  documents: [{ document: "D-111", type: "PASSPORT", countryCode: "GBR" }],
};

const recipientFields = {
  firstName: "Maria",
  lastName: "Souza",
  email: "maria@example.com",
  address: {
    countryCode: "PRT",
    stateCode: "SP",
    state: "São Paulo",
    city: "Santos",
    line1: "Avenida Paulista 1000",
    line2: "Casa 2",
    zipCode: "01310-100",
  },
  documents: [
    { document: "390.533.447-05", type: "CPF", countryCode: "BRA" },
    { document: "D-222", type: "ID", countryCode: "ARG" },
  ],
  birthCountryCode: "URY",
};
const recipient = { ...recipientFields, phoneNumber: "+5511987654321", birthDate: "1990-04-15" };

const customer = (of: string, countryCodeAlpha3: string) => ({
  firstName: `${of} Ada`,
  lastName: `${of} Lovelace`,
  phoneNumber: of === "from" ? "13055550123" : "5511987654321",
  documentNumber: of === "from" ? "123456789" : "987654321",
  documentType: of === "from" ? "PASSPORT" : "NATIONAL_ID",
  email: `${of}@example.com`,
  countryCodeAlpha3,
});

const customerAddress = (of: string, country: object) => ({
  ...country,
  stateCode: `${of} code`,
  state: `${of} state`,
  city: `${of} city`,
  line1: `${of} street`,
  line2: `${of} floor`,
  zipCode: `${of} zip`,
});

const customerSender = {
  customer: customer("from", "CAN"),
  customerAddress: customerAddress("from", { countryCode: "US" }),
};
const homelessSender = { customer: customer("from", "CAN"), customerAddress: customerAddress("from", {}) };
const customerRecipient = {
  customer: customer("to", "BRA"),
  customerAddress: customerAddress("to", { countryCode: "PT" }),
};

const bankSource = {
  type: "BANK_ACCOUNT",
  accountType: "checking",
  accountNumber: "000123456789",
  routingNumber: "021000021",
  accountHolder: { type: "individual", firstName: "Grace", lastName: "Hopper" },
};
const cardSource = { type: "CARD", card: { token: card("1") } };

const deposit = {
  type: "BANK_DEPOSIT",
  countryCode: "BRA",
  accountNumber: "00210169-6",
  accountType: "CHECKING",
  bankCode: "001",
  routingNumber: "1584-9",
};

const methods = {
  "bank deposit": deposit,
  "UPI address": { type: "BANK_DEPOSIT", countryCode: "IND", accountNumber: "a.b@ok", accountNumberType: "UPI" },
  "DiMo number": {
    type: "BANK_DEPOSIT",
    countryCode: "MEX",
    accountNumber: "5512345678",
    accountNumberType: "DIMO",
    bankCode: "012",
  },
  wallet: {
    type: "WALLET",
    countryCode: "KEN",
    walletId: "254712345678",
    walletType: "MOBILE_MONEY",
    walletOperator: "MPESA",
  },
  "PIX key": { type: "PIX", countryCode: "BRA", key: "key@example.com", keyType: "EMAIL" },
  card: { type: "CARD", countryCode: "COL", cardTokenId: card("2") },
};

const destinations = {
  PIX: { type: "PIX", pix: { keyType: "EVP", key: "123e4567-e89b-42d3-a456-426614174000" } },
  wallet: { type: "WALLET", wallet: { walletId: "wallet@example.com" } },
  card: { type: "CARD", cardTokenId: card("3") },
};

const { countryCode: _none, ...placeless } = deposit;

/** Name and body of each. */
export const paymentVariants: readonly (readonly [string, object])[] = [
  ...Object.entries(methods).map(
    ([name, paymentMethod]) =>
      [
        `push to a ${name}`,
        { ...paidOut, paymentType: "PUSH", sender, recipient: { ...recipient, paymentMethod } },
      ] as const,
  ),
  [
    "push whose country is that of the address",
    { ...paidOut, paymentType: "PUSH", sender, recipient: { ...recipient, paymentMethod: placeless } },
  ],
  [
    "card push with names of its own",
    {
      ...paidOut,
      paymentType: "PUSH",
      sender,
      recipient: {
        ...recipientFields,
        contactNumber: "+5511987654321",
        dateOfBirth: "1990-04-15",
        paymentMethod: methods.card,
      },
    },
  ],
  ...Object.entries(destinations).map(
    ([name, destination]) =>
      [
        `customer push to a ${name}`,
        { ...paidOut, paymentType: "PUSH", sender: customerSender, recipient: { ...customerRecipient, destination } },
      ] as const,
  ),
  [
    "customer push without countries of addresses",
    {
      ...paidOut,
      paymentType: "PUSH",
      sender: homelessSender,
      recipient: {
        customer: customer("to", "BRA"),
        customerAddress: customerAddress("to", {}),
        destination: destinations.PIX,
      },
    },
  ],
  [
    "push of a customer to a person",
    { ...paidOut, paymentType: "PUSH", sender: homelessSender, recipient: { ...recipient, paymentMethod: deposit } },
  ],
  [
    "pull and push from a card",
    {
      ...paidOut,
      paymentType: "PULLPUSH",
      sender: { ...sender, source: cardSource },
      recipient: { ...recipient, paymentMethod: deposit },
    },
  ],
  [
    "customer pull and push from a bank account",
    {
      ...paidOut,
      paymentType: "PULLPUSH",
      sender: { ...customerSender, source: bankSource },
      recipient: { ...customerRecipient, destination: destinations.PIX },
    },
  ],
  [
    "pull from a card",
    {
      ...root,
      paymentType: "PULL",
      capture: false,
      sender: { ...personFields, paymentMethod: { type: "CARD", cardTokenId: card("4") } },
    },
  ],
  [
    "pull from a checked account",
    {
      ...root,
      paymentType: "PULL",
      sender: { ...personFields, paymentMethod: { type: "BANK_DEPOSIT", accountTokenId: "account-1" } },
    },
  ],
  ["pull from a source by card", { ...root, paymentType: "PULL", sender: { ...personFields, source: cardSource } }],
  [
    "pull from a source by token",
    { ...root, paymentType: "PULL", sender: { ...personFields, source: { type: "CARD", cardTokenId: card("5") } } },
  ],
  [
    "pull from a source by checked account",
    {
      ...root,
      paymentType: "PULL",
      sender: { ...personFields, source: { type: "BANK_DEPOSIT", accountTokenId: "account-2" } },
    },
  ],
  [
    "pull from a source by bank account",
    { ...root, paymentType: "PULL", sender: { ...personFields, source: bankSource } },
  ],
];
