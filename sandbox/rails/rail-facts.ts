import corridors from "../corridors.json";

/** What is known of a rail. */
export interface RailFacts {
  /** What its callers write into `method`. */
  methods: readonly string[];
  /** Currencies that it pays, ISO 4217. */
  currencies: readonly string[];
  /** Fields of `account` without which it cannot pay, with their rules. */
  account: Readonly<Record<string, RegExp>>;
  /** False when it takes the whole order with the release. */
  hasPrepare: boolean;
}

const allCurrencies: readonly string[] = [...new Set(Object.values(corridors).flatMap(({ currencies }) => currencies))];
const anything = /^.{1,255}$/su;
const digits10 = /^\d{10}$/;
const address = /^[^@\s]{1,128}@[^@\s]{1,128}$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const wallet = { methods: ["WALLET"], currencies: allCurrencies, account: { walletId: anything }, hasPrepare: true };

/** Every rail of this world by name. `msn` is the money-services network behind some wallet operators. */
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

/** The wallet operator of each corridor that is paid through `msn`, by alpha-3 country. */
export const moneyServicesOperators: readonly { country: string; walletOperator: string }[] = Object.entries(
  corridors,
).flatMap(([country, facts]) =>
  "moneyServicesOperator" in facts ? [{ country, walletOperator: facts.moneyServicesOperator }] : [],
);
