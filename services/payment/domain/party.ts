/** A postal address. Texts that were not given are empty. */
export interface PostalAddress {
  /** ISO 3166-1 alpha-3. */
  countryCode: string;
  stateCode: string;
  state: string;
  city: string;
  line1: string;
  line2: string;
  zipCode: string;
}

/** A document that identifies a party. */
export interface IdentityDocument {
  number: string;
  type: string;
  countryCode: string;
}

/** A sender or a recipient. Texts that were not given are empty. */
export interface Party {
  firstName: string;
  lastName: string;
  /** Undefined where none was given: some countries ask for an address that may be empty. */
  address: PostalAddress | undefined;
  documents: readonly IdentityDocument[];
  email: string;
  phoneNumber: string;
  birthDate: string;
  birthCountryCode: string;
  /** Country of a sender whose address has none. */
  countryCode: string;
}

/** Kinds of PIX keys. */
export type PixKeyType = "EMAIL" | "PHONE" | "DOCUMENT" | "EVP";

/** How a recipient is paid. Texts that were not given are empty. */
export type PayoutMethod =
  | { kind: "bankAccount"; accountNumber: string; accountType: string; bankCode: string; routingNumber: string }
  | { kind: "wallet"; walletId: string; walletType: string; walletOperator: string }
  | { kind: "pix"; key: string; keyType: PixKeyType | undefined }
  | { kind: "upi"; address: string }
  | { kind: "dimo"; phoneNumber: string; bankCode: string }
  | { kind: "card"; token: string };
