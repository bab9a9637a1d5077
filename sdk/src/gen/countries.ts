// Made from the published schemas of the countries by `npm run sdk`. Do not edit.

import type { Corridor, Documents, Method, Needs, OneOf, Texts } from "../corridor-types.ts";

type Purpose1 = { paymentPurpose: "EPFAMT" | "EPREMT" | "ISMDCS" | "ISSTDY" | "ISCHAR" | "EPPROP" | "EPRENT" | "ISUBIL" | "ISTAXS" | "EPTOUR" | "EPTKAG" | "ISSAVG" | "ISPENS" | "ISPAYR" | "ISGDDS" | "ISDGGD" | "ISSUPP" | "ISSCVE" | "ISRSVC" | "EPCAPI" | "EPSHAR" | "EPIVST" | "EPINSU" | "EPLOAN" | "ISLOGS" | "ISREWD" | "ISENTR" | "ISPUBS" | "ISAFFI" | "EPBTOB" };
type Purpose2 = { paymentPurpose: "CGODDR" | "CSTRDR" | "COCADR" | "CCTFDR" | "CCDNDR" };
type Purpose3 = { paymentPurpose: "FAMILY_SUPPORT" | "EDUCATION" | "MEDICAL_TREATMENT" | "GIFT" | "CHARITABLE_DONATION" | "LIVING_EXPENSES" | "PROPERTY_RENTAL" | "PROPERTY_PURCHASE" | "LOAN_REPAYMENT" | "SAVINGS" | "INVESTMENT" | "INSURANCE" | "TRAVEL" | "UTILITY_BILLS" | "TAX_PAYMENT" | "SALARY" | "PENSION" | "GOODS_PURCHASE" | "SERVICES_PURCHASE" | "BUSINESS_EXPENSES" | "OTHER" };
type Purpose4 = { paymentPurpose: "P0001" | "P0002" | "P0003" | "P0004" | "P0005" | "P0006" | "P0007" | "P0008" | "P0009" | "P0010" | "P0011" | "P0012" | "P0013" | "P0014" | "P0015" | "P0016" | "P0017" | "P0019" | "P0020" | "P0021" | "P0022" | "P0024" | "P0025" | "P0028" | "P0029" | "P0099" | "P0101" | "P0102" | "P0103" | "P0104" | "P0105" | "P0107" | "P0108" | "P0109" | "P0201" | "P0202" | "P0205" | "P0207" | "P0208" | "P0211" | "P0214" | "P0215" | "P0216" | "P0217" | "P0218" | "P0219" | "P0220" | "P0221" | "P0222" | "P0223" | "P0224" | "P0225" | "P0226" | "P0301" | "P0302" | "P0304" | "P0305" | "P0306" | "P0308" | "P0501" | "P0502" | "P0601" | "P0602" | "P0603" | "P0605" | "P0607" | "P0608" | "P0609" | "P0610" | "P0611" | "P0612" | "P0701" | "P0702" | "P0703" | "P0801" | "P0802" | "P0803" | "P0804" | "P0805" | "P0806" | "P0807" | "P0808" | "P0809" | "P0901" | "P0902" | "P1002" | "P1003" | "P1004" | "P1005" | "P1006" | "P1007" | "P1008" | "P1009" | "P1010" | "P1011" | "P1013" | "P1014" | "P1015" | "P1016" | "P1017" | "P1018" | "P1019" | "P1020" | "P1021" | "P1022" | "P1099" | "P1101" | "P1103" | "P1104" | "P1105" | "P1106" | "P1107" | "P1108" | "P1109" | "P1201" | "P1203" | "P1301" | "P1302" | "P1303" | "P1304" | "P1306" | "P1307" | "P1401" | "P1403" | "P1405" | "P1408" | "P1409" | "P1410" | "P1411" | "P1412" | "P1499" | "P1501" | "P1502" | "P1503" | "P1505" | "P1601" | "P1602" | "P1701" };
type Purpose5 = { paymentPurpose: "10010" | "11110" | "11120" | "11130" | "11210" | "11220" | "11230" | "12110" | "12120" | "12130" | "12140" | "12210" | "12220" | "12230" | "12310" | "12320" | "12330" | "12500" | "13110" | "16710" | "16780" | "00000" | "01000" | "02000" | "03000" | "04000" | "05000" | "06000" | "07000" | "07100" | "08000" | "09000" | "09001" | "09100" | "09700" | "FAMILY_SUPPORT" | "EDUCATION" | "MEDICAL_TREATMENT" | "GIFT" | "CHARITABLE_DONATION" | "LIVING_EXPENSES" | "PROPERTY_RENTAL" | "PROPERTY_PURCHASE" | "LOAN_REPAYMENT" | "SAVINGS" | "INVESTMENT" | "INSURANCE" | "TRAVEL" | "UTILITY_BILLS" | "TAX_PAYMENT" | "SALARY" | "PENSION" | "GOODS_PURCHASE" | "SERVICES_PURCHASE" | "BUSINESS_EXPENSES" | "OTHER" };
type Purpose6 = { paymentPurpose: "FAMI" | "EDUC" | "MDCS" | "GIFT" | "ALLW" | "RENT" | "LOAN" | "INSU" | "SALA" | "SAVG" | "CHAR" | "ACSC" | "AMSC" | "CISC" | "EDSC" | "ENGS" | "GDDS" | "GDSV" | "GSPM" | "INTC" | "INTE" | "INVS" | "IVPT" | "LESC" | "MACH" | "MFGD" | "MRSC" | "SCVE" | "SUPP" | "OTHR" };
type Purpose7 = { paymentPurpose: "BEXP" | "BONU" | "CCRD" | "CHAR" | "COLL" | "COMM" | "CSDB" | "DIVD" | "EDUC" | "GDDS" | "GOVT" | "HSPC" | "INSU" | "INTC" | "INTE" | "INVS" | "IVPT" | "LICF" | "LOAN" | "MDCS" | "OTHR" | "PHON" | "PTXP" | "REBT" | "REFU" | "RENT" | "SALA" | "SCVE" | "STDY" | "SUPP" | "TAXS" | "TBIL" | "TCSC" | "TRPT" | "UBIL" | "VATX" };
type Purpose8 = { paymentPurpose: "ACSC" | "AMSC" | "ALLW" | "GIFT" | "ENGS" | "BONU" | "COMM" | "CISC" | "DEPT" | "DOFI" | "EDUC" | "EDSC" | "FAMI" | "FEES" | "GSST" | "GSTR" | "GSPM" | "GDDS" | "GDSV" | "HLTC" | "INTE" | "INTC" | "INVS" | "IVPT" | "LESC" | "MRSC" | "MDCS" | "MP2P" | "PSFR" | "MACH" | "OTHR" };

/** Countries by ISO 3166-1 alpha-3 code, with their ways to be paid. */
export interface Corridors {
  /** Albania (ALB) */
  ALB: Corridor<"ALL", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Andorra (AND) */
  AND: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** United Arab Emirates (ARE) */
  ARE: Corridor<"AED", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    card: Method<"CARD", Texts<"cardTokenId">>;
  }>;
  /** Argentina (ARG) */
  ARG: Corridor<"ARS", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Armenia (ARM) */
  ARM: Corridor<"AMD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    card: Method<"CARD", Texts<"cardTokenId">>;
  }>;
  /** Australia (AUS) */
  AUS: Corridor<"AUD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "routingNumber">>;
    card: Method<"CARD", Texts<"cardTokenId">>;
  }>;
  /** Austria (AUT) */
  AUT: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Azerbaijan (AZE) */
  AZE: Corridor<"AZN", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    card: Method<"CARD", Texts<"cardTokenId">>;
  }>;
  /** Belgium (BEL) */
  BEL: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Benin (BEN) */
  BEN: Corridor<"XOF", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "MTN_MOMO" | "MOOV_MONEY" }>;
  }>;
  /** Burkina Faso (BFA) */
  BFA: Corridor<"XOF", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "ORANGE_MONEY" | "MOOV_MONEY" }>;
  }>;
  /** Bangladesh (BGD) */
  BGD: Corridor<"BDT", { address: Texts<"countryCode" | "city" | "line1"> }, { address: Texts<"countryCode" | "city" | "line1"> }, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode" | "routingNumber">, unknown, Purpose1>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "BKASH" | "NAGAD" | "ROCKET" | "UPAY" }, unknown, Partial<Purpose1>>;
  }>;
  /** Bulgaria (BGR) */
  BGR: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Bahrain (BHR) */
  BHR: Corridor<"BHD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Bosnia and Herzegovina (BIH) */
  BIH: Corridor<"BAM", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Bolivia (BOL) */
  BOL: Corridor<"BOB", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
  }>;
  /** Brazil (BRA) */
  BRA: Corridor<"BRL", Documents<"CPF">, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode" | "routingNumber"> & { accountType: "CHECKING" | "SAVINGS" }>;
    pix: Method<"PIX", Texts<"key"> & { keyType: "EMAIL" | "PHONE" | "DOCUMENT" | "EVP" }>;
  }>;
  /** Canada (CAN) */
  CAN: Corridor<"CAD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode" | "routingNumber">, unknown, Purpose1>;
  }>;
  /** Switzerland (CHE) */
  CHE: Corridor<"CHF", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Chile (CHL) */
  CHL: Corridor<"CLP", { address: Texts<"countryCode" | "city" | "line1"> } & Documents<"RUT">, { address: Texts<"countryCode" | "city" | "line1"> }, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode"> & { accountType: "CHECKING" | "SAVINGS" | "VISTA" }>;
  }>;
  /** People's Republic of China (CHN) */
  CHN: Corridor<"CNY", { address: Texts<"countryCode" | "city" | "line1"> }, { address: Texts<"countryCode" | "city" | "line1"> }, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">, unknown, Purpose2>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "ALIPAY" | "WECHAT_PAY" }, unknown, Purpose2>;
  }>;
  /** Côte d'Ivoire (CIV) */
  CIV: Corridor<"XOF", { address: Texts<"countryCode" | "city" | "line1"> }, { address: Texts<"countryCode" | "city" | "line1"> }, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "ORANGE_MONEY" | "MTN_MOMO" | "MOOV_MONEY" | "WAVE" }>;
  }>;
  /** Cameroon (CMR) */
  CMR: Corridor<"XAF", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "ORANGE_MONEY" | "MTN_MOMO" }>;
  }>;
  /** DR Congo (COD) */
  COD: Corridor<"USD" | "CDF", unknown, unknown, {
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "MPESA" | "AIRTEL_MONEY" | "ORANGE_MONEY" }>;
  }>;
  /** Congo (COG) */
  COG: Corridor<"XAF", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "AIRTEL_MONEY" | "MTN_MOMO" }>;
  }>;
  /** Colombia (COL) */
  COL: Corridor<"COP", Texts<"email"> & Documents<"CC">, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode"> & { accountType: "CHECKING" | "SAVINGS" }, unknown, Purpose1>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "NEQUI" | "DAVIPLATA" | "MOVII" }, unknown, Purpose1>;
  }>;
  /** Costa Rica (CRI) */
  CRI: Corridor<"CRC", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Cyprus (CYP) */
  CYP: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Czechia (CZE) */
  CZE: Corridor<"CZK", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Germany (DEU) */
  DEU: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Denmark (DNK) */
  DNK: Corridor<"DKK", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Dominican Republic (DOM) */
  DOM: Corridor<"DOP" | "USD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode"> & { accountType: "CHECKING" | "SAVINGS" }>;
    card: Method<"CARD", Texts<"cardTokenId">>;
  }>;
  /** Ecuador (ECU) */
  ECU: Corridor<"USD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode"> & { accountType: "CHECKING" | "SAVINGS" }>;
  }>;
  /** Egypt (EGY) */
  EGY: Corridor<"EGP", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">, unknown, Purpose1>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "VODAFONE_CASH" | "ORANGE_CASH" | "ETISALAT_CASH" | "WE_PAY" }, unknown, Purpose1>;
  }>;
  /** Spain (ESP) */
  ESP: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Estonia (EST) */
  EST: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Ethiopia (ETH) */
  ETH: Corridor<"ETB", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "TELEBIRR" | "CBE_BIRR" | "MPESA" }>;
  }>;
  /** Finland (FIN) */
  FIN: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** France (FRA) */
  FRA: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Gabon (GAB) */
  GAB: Corridor<"XAF", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "AIRTEL_MONEY" | "MOOV_MONEY" }>;
  }>;
  /** United Kingdom (GBR) */
  GBR: Corridor<"GBP", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "routingNumber">>;
    card: Method<"CARD", Texts<"cardTokenId">>;
  }>;
  /** Georgia (GEO) */
  GEO: Corridor<"GEL", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    card: Method<"CARD", Texts<"cardTokenId">>;
  }>;
  /** Ghana (GHA) */
  GHA: Corridor<"GHS", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "MTN_MOMO" | "TELECEL_CASH" | "AT_MONEY" }>;
  }>;
  /** Gibraltar (GIB) */
  GIB: Corridor<"GBP", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Guinea (GIN) */
  GIN: Corridor<"GNF" | "XOF", { address: Texts<"countryCode" | "city" | "line1"> }, { address: Texts<"countryCode" | "city" | "line1"> }, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "ORANGE_MONEY" | "MTN_MOMO" }>;
  }>;
  /** The Gambia (GMB) */
  GMB: Corridor<"GMD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">, unknown, Purpose3>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "WAVE" | "AFRIMONEY" | "QMONEY" | "APS" }, unknown, Purpose3>;
  }>;
  /** Guinea-Bissau (GNB) */
  GNB: Corridor<"XOF", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "ORANGE_MONEY" | "MTN_MOMO" }>;
  }>;
  /** Greece (GRC) */
  GRC: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Guatemala (GTM) */
  GTM: Corridor<"GTQ", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Hong Kong (HKG) */
  HKG: Corridor<"HKD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
  }>;
  /** Honduras (HND) */
  HND: Corridor<"HNL", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
  }>;
  /** Croatia (HRV) */
  HRV: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Haiti (HTI) */
  HTI: Corridor<"HTG" | "USD", unknown, unknown, {
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "MONCASH" | "NATCASH" }>;
  }>;
  /** Hungary (HUN) */
  HUN: Corridor<"HUF", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Indonesia (IDN) */
  IDN: Corridor<"IDR", { address: Texts<"countryCode" | "city" | "line1"> }, { address: Texts<"countryCode" | "city" | "line1"> }, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">, unknown, Purpose3>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "DANA" | "OVO" | "GOPAY" | "LINKAJA" | "SHOPEEPAY" }, unknown, Purpose3>;
  }>;
  /** India (IND) */
  IND: Corridor<"INR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", OneOf<Texts<"accountNumber"> & { accountNumberType: "UPI" }, Texts<"accountNumber" | "bankCode"> & { accountType: "SAVINGS" | "CURRENT" }>, unknown, Purpose4>;
  }>;
  /** Ireland (IRL) */
  IRL: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Iceland (ISL) */
  ISL: Corridor<"ISK", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Israel (ISR) */
  ISR: Corridor<"ILS", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Italy (ITA) */
  ITA: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Jamaica (JAM) */
  JAM: Corridor<"JMD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode" | "routingNumber">>;
  }>;
  /** Jordan (JOR) */
  JOR: Corridor<"JOD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "ZAIN_CASH" | "ORANGE_MONEY" | "UWALLET" }>;
    card: Method<"CARD", Texts<"cardTokenId">>;
  }>;
  /** Japan (JPN) */
  JPN: Corridor<"JPY", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode" | "routingNumber"> & { accountType: "CHECKING" | "SAVINGS" }>;
  }>;
  /** Kazakhstan (KAZ) */
  KAZ: Corridor<"KZT", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    card: Method<"CARD", Texts<"cardTokenId">>;
  }>;
  /** Kenya (KEN) */
  KEN: Corridor<"KES", { address: Texts<"countryCode" | "city" | "line1"> } & Partial<Documents<"ID" | "PASSPORT">>, { address: Texts<"countryCode" | "city" | "line1"> }, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode", "routingNumber">, Needs<"documents">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "MPESA" | "AIRTEL_MONEY" }>;
  }>;
  /** Kyrgyzstan (KGZ) */
  KGZ: Corridor<"KGS", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    card: Method<"CARD", Texts<"cardTokenId">>;
  }>;
  /** Cambodia (KHM) */
  KHM: Corridor<"USD" | "KHR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "BAKONG" | "WING" | "TRUEMONEY" }>;
  }>;
  /** South Korea (KOR) */
  KOR: Corridor<"KRW", Texts<"phoneNumber" | "birthDate" | "birthCountryCode">, Texts<"birthDate" | "birthCountryCode">, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">, unknown, Purpose3>;
  }>;
  /** Kuwait (KWT) */
  KWT: Corridor<"KWD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Lebanon (LBN) */
  LBN: Corridor<"USD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Liechtenstein (LIE) */
  LIE: Corridor<"CHF", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Sri Lanka (LKA) */
  LKA: Corridor<"LKR", { address: Texts<"countryCode" | "city" | "line1"> }, { address: Texts<"countryCode" | "city" | "line1"> }, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode", "routingNumber">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "EZ_CASH" | "GENIE" | "FRIMI" }>;
  }>;
  /** Lithuania (LTU) */
  LTU: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Luxembourg (LUX) */
  LUX: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Latvia (LVA) */
  LVA: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Morocco (MAR) */
  MAR: Corridor<"MAD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Monaco (MCO) */
  MCO: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Moldova (MDA) */
  MDA: Corridor<"MDL", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    card: Method<"CARD", Texts<"cardTokenId">>;
  }>;
  /** Madagascar (MDG) */
  MDG: Corridor<"MGA", { address: Texts<"countryCode" | "city" | "line1"> }, { address: Texts<"countryCode" | "city" | "line1"> }, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "MVOLA" | "ORANGE_MONEY" | "AIRTEL_MONEY" }>;
  }>;
  /** Mexico (MEX) */
  MEX: Corridor<"MXN", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", OneOf<Texts<"accountNumber" | "bankCode"> & { accountNumberType: "DIMO" }, Texts<"accountNumber", "bankCode">>>;
  }>;
  /** North Macedonia (MKD) */
  MKD: Corridor<"MKD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Mali (MLI) */
  MLI: Corridor<"XOF", { address: Texts<"countryCode" | "city" | "line1"> }, { address: Texts<"countryCode" | "city" | "line1"> }, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "ORANGE_MONEY" | "MOOV_MONEY" | "WAVE" }>;
  }>;
  /** Malta (MLT) */
  MLT: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Montenegro (MNE) */
  MNE: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Mongolia (MNG) */
  MNG: Corridor<"MNT", Texts<"phoneNumber">, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
  }>;
  /** Mozambique (MOZ) */
  MOZ: Corridor<"MZN", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "MPESA" | "EMOLA" | "MKESH" }>;
  }>;
  /** Mauritius (MUS) */
  MUS: Corridor<"MUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Malawi (MWI) */
  MWI: Corridor<"MWK", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "AIRTEL_MONEY" | "TNM_MPAMBA" }>;
  }>;
  /** Malaysia (MYS) */
  MYS: Corridor<"MYR", { address: Texts<"countryCode" | "city" | "line1"> }, { address: Texts<"countryCode" | "city" | "line1"> }, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">, unknown, Purpose5>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "TNG" | "GRABPAY" | "BOOST" }, unknown, Purpose5>;
  }>;
  /** Niger (NER) */
  NER: Corridor<"XOF", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "AIRTEL_MONEY" | "MOOV_MONEY" }>;
  }>;
  /** Nigeria (NGA) */
  NGA: Corridor<"NGN", { address: Texts<"countryCode" | "city" | "line1"> }, { address: Texts<"countryCode" | "city" | "line1"> }, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
  }>;
  /** Nicaragua (NIC) */
  NIC: Corridor<"NIO" | "USD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
  }>;
  /** Netherlands (NLD) */
  NLD: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Norway (NOR) */
  NOR: Corridor<"NOK", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Nepal (NPL) */
  NPL: Corridor<"NPR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">, unknown, Purpose3>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "ESEWA" | "KHALTI" | "IMEPAY" | "PRABHUPAY" }, unknown, Purpose3>;
  }>;
  /** New Zealand (NZL) */
  NZL: Corridor<"NZD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Oman (OMN) */
  OMN: Corridor<"OMR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Pakistan (PAK) */
  PAK: Corridor<"PKR", { address: Texts<"countryCode" | "city" | "line1"> }, { address: Texts<"countryCode" | "city" | "line1"> }, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">, unknown, Purpose1>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "EASYPAISA" | "JAZZCASH" | "UPAISA" | "NAYAPAY" | "SADAPAY" }, unknown, Purpose1>;
  }>;
  /** Panama (PAN) */
  PAN: Corridor<"PAB" | "USD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode"> & { accountType: "CHECKING" | "SAVINGS" }>;
  }>;
  /** Peru (PER) */
  PER: Corridor<"PEN" | "USD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber", "bankCode">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "YAPE" | "PLIN" }>;
  }>;
  /** Philippines (PHL) */
  PHL: Corridor<"PHP", { address: Texts<"countryCode" | "city" | "line1"> }, { address: Texts<"countryCode" | "city" | "line1"> }, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">, unknown, Purpose6>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "GCASH" | "MAYA" | "COINS_PH" | "GRABPAY" | "SHOPEEPAY" }, unknown, Partial<Purpose6>>;
  }>;
  /** Poland (POL) */
  POL: Corridor<"PLN", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    card: Method<"CARD", Texts<"cardTokenId">>;
  }>;
  /** Portugal (PRT) */
  PRT: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Paraguay (PRY) */
  PRY: Corridor<"PYG", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
  }>;
  /** Qatar (QAT) */
  QAT: Corridor<"QAR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Romania (ROU) */
  ROU: Corridor<"RON", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    card: Method<"CARD", Texts<"cardTokenId">>;
  }>;
  /** Rwanda (RWA) */
  RWA: Corridor<"RWF", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "MTN_MOMO" | "AIRTEL_MONEY" }>;
  }>;
  /** Saudi Arabia (SAU) */
  SAU: Corridor<"SAR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Senegal (SEN) */
  SEN: Corridor<"XOF", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "ORANGE_MONEY" | "WAVE" | "FREE_MONEY" | "EMONEY" }>;
  }>;
  /** Singapore (SGP) */
  SGP: Corridor<"SGD", { address: Texts<"countryCode" | "city" | "line1"> }, { address: Texts<"countryCode" | "city" | "line1"> }, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">, unknown, Purpose7>;
  }>;
  /** Sierra Leone (SLE) */
  SLE: Corridor<"SLE", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "ORANGE_MONEY" | "AFRIMONEY" }>;
  }>;
  /** El Salvador (SLV) */
  SLV: Corridor<"USD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode"> & { accountType: "CHECKING" | "SAVINGS" }>;
  }>;
  /** San Marino (SMR) */
  SMR: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Serbia (SRB) */
  SRB: Corridor<"RSD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    card: Method<"CARD", Texts<"cardTokenId">>;
  }>;
  /** Slovakia (SVK) */
  SVK: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Slovenia (SVN) */
  SVN: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Sweden (SWE) */
  SWE: Corridor<"SEK", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Togo (TGO) */
  TGO: Corridor<"XOF", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "TMONEY" | "MOOV_MONEY" }>;
  }>;
  /** Thailand (THA) */
  THA: Corridor<"THB", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">, unknown, Purpose8>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "TRUEMONEY" | "PROMPTPAY" }, unknown, Purpose8>;
  }>;
  /** Tunisia (TUN) */
  TUN: Corridor<"TND", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Türkiye (TUR) */
  TUR: Corridor<"TRY", { address: Texts<"countryCode" | "city" | "line1"> } & Documents<"ID" | "PASSPORT" | "DRIVER_LICENSE">, { address: Texts<"countryCode" | "city" | "line1"> }, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Taiwan (TWN) */
  TWN: Corridor<"TWD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
  }>;
  /** Tanzania (TZA) */
  TZA: Corridor<"TZS", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "MPESA" | "MIXX" | "AIRTEL_MONEY" | "HALOPESA" }>;
  }>;
  /** Uganda (UGA) */
  UGA: Corridor<"UGX", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "MTN_MOMO" | "AIRTEL_MONEY" }>;
  }>;
  /** Ukraine (UKR) */
  UKR: Corridor<"UAH", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
    card: Method<"CARD", Texts<"cardTokenId">>;
  }>;
  /** Uruguay (URY) */
  URY: Corridor<"UYU" | "USD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode", "routingNumber">>;
  }>;
  /** United States (USA) */
  USA: Corridor<"USD", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "routingNumber"> & { accountType: "CHECKING" | "SAVINGS" }>;
    card: Method<"CARD", Texts<"cardTokenId">>;
  }>;
  /** Uzbekistan (UZB) */
  UZB: Corridor<"UZS", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
    card: Method<"CARD", Texts<"cardTokenId">>;
  }>;
  /** Vatican City (VAT) */
  VAT: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** Vietnam (VNM) */
  VNM: Corridor<"VND", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">, unknown, Purpose3>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "MOMO" | "ZALOPAY" | "VIETTEL_MONEY" }, unknown, Purpose3>;
  }>;
  /** Kosovo (XKX) */
  XKX: Corridor<"EUR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber">>;
  }>;
  /** South Africa (ZAF) */
  ZAF: Corridor<"ZAR", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode"> & { accountType: "CHECKING" | "SAVINGS" }>;
  }>;
  /** Zambia (ZMB) */
  ZMB: Corridor<"ZMW", unknown, unknown, {
    bankDeposit: Method<"BANK_DEPOSIT", Texts<"accountNumber" | "bankCode">>;
    wallet: Method<"WALLET", Texts<"walletId"> & { walletType?: "MOBILE_MONEY" | "E_WALLET" } & { walletOperator: "MTN_MOMO" | "AIRTEL_MONEY" | "ZAMTEL_KWACHA" }>;
  }>;
}
