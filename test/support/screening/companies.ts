/** Words that make up names of firms, each with forms that firms use for it. */
export const firmWords = [
  ["Technology", "Technologies", "Tech"],
  ["Trading", "Trade"],
  ["International", "Intl"],
  ["Engineering", "Eng"],
  ["Industries", "Industrial", "Industry"],
  ["Shipping"],
  ["Petroleum"],
  ["Group"],
  ["Holding", "Holdings"],
  ["Logistics"],
  ["Development", "Dev"],
  ["Manufacturing", "Mfg"],
  ["Construction"],
  ["Services", "Service"],
  ["Investment", "Investments"],
] as const;
export const firmForms = [
  ["Limited", "Ltd", "Ltd."],
  ["LLC", "L.L.C."],
  ["GmbH"],
  ["S.A.", "SA"],
  ["Co., Ltd.", "Company Limited", "Co Ltd"],
  ["OOO", "LLC"],
  ["JSC", "AO"],
  ["A.S.", "AS"],
  ["S.p.A.", "SpA"],
  ["Inc.", "Incorporated", "Inc"],
  ["FZE"],
  ["B.V.", "BV"],
  ["Corp", "Corporation", "Corp."],
  ["PJSC", "PAO"],
  ["Sdn Bhd", "Sdn. Bhd."],
] as const;
const heads =
  "Kra Vel Tor Zan Mir Bal Dor Fen Gor Hal Jor Kel Lum Mov Nar Ost Pel Qar Ros Sev Tal Ural Vor Xen Yar Zel Brin Cald Drav Elk".split(
    " ",
  );
const tails =
  "dex mont vik tarin gard polis lune sten mar kor bek tash net ran dal vost grim fel tek nova shir zan bor lex pont".split(
    " ",
  );
export const firmStem = (pick: <T>(options: readonly T[]) => T): string =>
  `${pick(heads)}${pick(tails)}${pick(["", "", "a", "in", "ex", "ol"])}`;
