import corridors from "../corridors.json";

/** Properties of a rail. */
export interface RailFacts {
  /** Accepted values of `method`. */
  methods: readonly string[];
  /** Currencies that it pays, ISO 4217. */
  currencies: readonly string[];
  /** Required fields of `account`, with their rules. */
  account: Readonly<Record<string, RegExp>>;
  /** False when the release carries the whole order. */
  hasPrepare: boolean;
}

const allCurrencies: readonly string[] = [...new Set(Object.values(corridors).flatMap(({ currencies }) => currencies))];
const anything = /^.{1,255}$/su;
const digits10 = /^\d{10}$/;
const address = /^[^@\s]{1,128}@[^@\s]{1,128}$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const wallet = { methods: ["WALLET"], currencies: allCurrencies, account: { walletId: anything }, hasPrepare: true };

/** Every rail by name. `msn` is the money-services network behind some wallet operators. */
export const rails: Readonly<Record<string, RailFacts>> = {
  pix: { methods: ["PIX"], currencies: ["BRL"], account: { key: anything, keyType: /^\w{1,32}$/ }, hasPrepare: true },
  bank: {
    methods: ["BANK_DEPOSIT"],
    currencies: allCurrencies,
    account: { accountNumber: anything },
    hasPrepare: true,
  },
  upi: { methods: ["BANK_DEPOSIT"], currencies: ["INR"], account: { accountNumber: address }, hasPrepare: true },
  dimo: { methods: ["BANK_DEPOSIT"], currencies: ["MXN"], account: { accountNumber: digits10 }, hasPrepare: false },
  wallet,
  card: { methods: ["CARD"], currencies: allCurrencies, account: { cardTokenId: uuid }, hasPrepare: true },
  msn: wallet,
};

/** The wallet operator of each corridor paid through `msn`, by alpha-3 country. */
export const moneyServicesOperators: readonly { country: string; walletOperator: string }[] = Object.entries(
  corridors,
).flatMap(([country, facts]) =>
  "moneyServicesOperator" in facts ? [{ country, walletOperator: facts.moneyServicesOperator }] : [],
);
