import { type Language, languages } from "../../shared/kernel/languages";

type Words = Readonly<Record<string, readonly [en: string, de: string, pt: string]>>;

const wordsIn = (words: Words, language: Language, name: string): string | undefined =>
  words[name]?.[languages.indexOf(language)];

/** Titles of fields by the end of their path; the longer end wins. */
const fieldWords: Words = {
  firstName: ["First name", "Vorname", "Nome"],
  lastName: ["Last name", "Nachname", "Sobrenome"],
  email: ["E-mail address", "E-Mail-Adresse", "E-mail"],
  phoneNumber: ["Phone number", "Telefonnummer", "Telefone"],
  birthDate: ["Date of birth", "Geburtsdatum", "Data de nascimento"],
  birthCountryCode: ["Country of birth", "Geburtsland", "País de nascimento"],
  "address/countryCode": ["Country of residence", "Wohnsitzland", "País de residência"],
  city: ["City", "Ort", "Cidade"],
  line1: ["Street and number", "Straße und Hausnummer", "Rua e número"],
  line2: ["Address line 2", "Adresszusatz", "Complemento"],
  stateCode: ["State or province code", "Kürzel des Bundesstaats", "Sigla do estado"],
  state: ["State or province", "Bundesstaat oder Provinz", "Estado ou província"],
  zipCode: ["Postal code", "Postleitzahl", "Código postal"],
  "documents/*/type": ["Kind of document", "Art des Ausweises", "Tipo de documento"],
  "documents/*/document": ["Number of the document", "Nummer des Ausweises", "Número do documento"],
  "documents/*/countryCode": ["Country of the document", "Land des Ausweises", "País do documento"],
  "paymentMethod/type": ["Method", "Weg", "Forma"],
  "paymentMethod/countryCode": ["Country of the account", "Land des Kontos", "País da conta"],
  accountNumber: ["Account number", "Kontonummer", "Número da conta"],
  accountNumberType: ["Kind of account number", "Art der Kontonummer", "Tipo de número da conta"],
  accountType: ["Kind of account", "Kontoart", "Tipo de conta"],
  bankCode: ["Bank code", "Bankleitzahl", "Código do banco"],
  routingNumber: ["Branch or routing number", "Filial- oder Routingnummer", "Agência"],
  walletId: ["Wallet id", "Wallet-Nummer", "Identificação da carteira"],
  walletOperator: ["Wallet operator", "Wallet-Anbieter", "Operadora da carteira"],
  walletType: ["Kind of wallet", "Art der Wallet", "Tipo de carteira"],
  keyType: ["Kind of PIX key", "Art des PIX-Schlüssels", "Tipo de chave PIX"],
  key: ["PIX key", "PIX-Schlüssel", "Chave PIX"],
  cardTokenId: ["Card token", "Karten-Token", "Token do cartão"],
  paymentPurpose: ["Purpose of the payment", "Zahlungszweck", "Finalidade do pagamento"],
  statementNarrative: ["Text on the statement", "Verwendungszweck", "Texto no extrato"],
};

/** Numbers with a common name of their own, whatever the field is called. */
const numberNames: Readonly<Record<string, string>> = { iban: "IBAN", clabe: "CLABE", ifsc: "IFSC" };

const methodWords: Words = {
  BANK_DEPOSIT: ["Bank deposit", "Banküberweisung", "Depósito bancário"],
  WALLET: ["Mobile wallet", "Mobile Wallet", "Carteira digital"],
  PIX: ["PIX", "PIX", "PIX"],
  CARD: ["Card", "Karte", "Cartão"],
};

const valueWords: Words = {
  CHECKING: ["Checking account", "Girokonto", "Conta corrente"],
  CURRENT: ["Current account", "Girokonto", "Conta corrente"],
  SAVINGS: ["Savings account", "Sparkonto", "Conta poupança"],
  VISTA: ["Sight account", "Sichtkonto", "Conta à vista"],
  MOBILE_MONEY: ["Mobile money", "Mobile Money", "Dinheiro móvel"],
  E_WALLET: ["Electronic wallet", "Elektronische Wallet", "Carteira eletrônica"],
  EMAIL: ["E-mail address", "E-Mail-Adresse", "E-mail"],
  PHONE: ["Phone number", "Telefonnummer", "Telefone"],
  DOCUMENT: ["CPF or CNPJ", "CPF oder CNPJ", "CPF ou CNPJ"],
  EVP: ["Random key", "Zufallsschlüssel", "Chave aleatória"],
  PASSPORT: ["Passport", "Reisepass", "Passaporte"],
  DRIVER_LICENSE: ["Driving licence", "Führerschein", "Carteira de motorista"],
};

/** Returns the title that a form shows for the field at the end of this path. */
export function fieldWordsOf(path: string, language: Language, check?: string): string | undefined {
  const known = check === undefined ? undefined : numberNames[check];
  if (known !== undefined) return known;
  const ends = path.split("/").map((_, at, parts) => parts.slice(at).join("/"));
  return ends.map((end) => wordsIn(fieldWords, language, end)).find((title) => title !== undefined);
}

export const methodWordsOf = (type: string, language: Language): string => wordsIn(methodWords, language, type) ?? type;

/** Returns the meaning of a value; undefined for a name that is shown as it is. */
export const valueWordsOf = (value: string, language: Language): string | undefined =>
  wordsIn(valueWords, language, value);
