import type { Pick } from "../cultures";

const stems =
  "Zarvanex|Tolmirad|Qeshtabad|Brunavolt|Sidrakon|Halmurat|Pelvortis|Okhtamir|Vantoresk|Ximbralo|Durgastan|Farouzeh|Lomtarik|Nestragol|Kuvandyk|Yalgorim".split(
    "|",
  );
const commonStems =
  "Golden Star|Blue Ocean|Atlas|Orient|Phoenix|Al Noor|Sunrise|Delta|Pacific|Crescent|Silk Road|Unity|Eagle|Royal|Prime|Star".split(
    "|",
  );
const trades: readonly (readonly string[])[] = [
  ["General Trading", "Gen. Trading"],
  ["International Shipping", "Intl Shipping", "Int'l Shipping"],
  ["Industries", "Industry", "Industrial"],
  ["Import Export", "Import & Export", "Import-Export"],
  ["Petrochemical", "Petrochemicals"],
  ["Engineering and Construction", "Engineering & Construction", "Eng. and Construction"],
  ["Technology", "Technologies", "Tech"],
  ["Investment Holding", "Investments Holding", "Invest Holding"],
  ["Aviation Services", "Aviation Service"],
  ["Oil and Gas", "Oil & Gas"],
];
const forms: readonly (readonly string[])[] = [
  ["Limited Liability Company", "LLC", "L.L.C.", "OOO"],
  ["Joint Stock Company", "JSC", "AO", "J.S.C."],
  ["Limited", "Ltd", "Ltd.", "LTD"],
  ["Company Limited", "Co., Ltd.", "Co Ltd"],
  ["GmbH", "Gesellschaft mbH", "G.m.b.H."],
  ["S.A.R.L.", "SARL", "Sàrl"],
  ["Anonim Şirketi", "A.Ş.", "AS"],
  ["Sp. z o.o.", "Sp. z o. o.", "spolka z o.o."],
  ["Pvt. Ltd.", "Private Limited", "(Pvt) Ltd"],
  ["FZE", "F.Z.E."],
  ["Inc.", "Incorporated", "Corp."],
  ["S.p.A.", "SpA"],
];

/** A listed firm, and a way of writing it. */
export function firmHit(pick: Pick): { kind: string; listed: string; asked: string } {
  const [stem, trade, form] = [pick(stems), pick(trades), pick(forms)];
  const second = pick([...stems, "", ""]);
  const own = `${stem} ${second}`.trim();
  const listed = `${own} ${trade[0]} ${form[0]}`;
  const [kind, asked] = pick([
    ["firm: other form", `${own} ${trade[0]} ${pick(form)}`],
    ["firm: no form", `${own} ${trade[0]}`],
    ["firm: short words", `${own} ${pick(trade)} ${pick(form)}`],
    ["firm: in quotes", `${pick(form)} «${own} ${trade[0]}»`],
    ["firm: joined", `${own.replaceAll(" ", "")} ${trade[0]} ${pick(form)}`],
    ["firm: capitals and the", `THE ${own} ${trade[0]} ${pick(form)}`.toUpperCase()],
  ] as const);
  return { kind, listed, asked };
}

/** A firm with words that many firms have, or with a different own name. */
export function cleanFirm(pick: Pick): string {
  const other = `${pick("Bar Cel Dro Fis Gam Hul Ist Jev Lar Mok Nud Ort Pra Ruv Sol Tem Vud Wes".split(" "))}${pick("adan esko imur ontal urvi allen itas ombe udric".split(" "))}`;
  return `${pick([pick(commonStems), other, `${pick(commonStems)} ${other}`])} ${pick(pick(trades))} ${pick(pick(forms))}`;
}
