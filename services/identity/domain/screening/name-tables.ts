/** Titles and forms of address, in Latin letters. */
export const titles = new Set(
  "ii iii iv mr mrs ms miss mister madam sir dame lord lady dr doctor prof professor eng engr ing dipl mag phd md esq esquire jr sr hon rev reverend father fr sister brother capt captain col colonel gen general lt lieutenant maj major sgt cdr adm admiral brig cpl herr frau hr dhr mevr mme mlle monsieur madame mademoiselle maitre senor senora senorita don dona sr sra srta dott dottor signor signora sig snr shri shree sri smt shrimati kumari pandit swami maulana mullah mulla mawlawi maulavi maulvi molla ayatollah hojjatoleslam imam sheikh shaykh sheik sheykh shaikh sayyid hajji haji hajj alhaj alhaji al-haj hadji sardar begum khanum khanom agha bey bay bayan hanim effendi emir prince princess pan pani gospodin gospozha tovarishch khun phra mom luang nai nang khwaja khawaja sahib sahab dato doktor avv lic mba ret acharya pasha mst ustaz ustad hafiz qari hacham rav rabbi mar gen brigadier archbishop bishop comrade kyrios kyria san sama sensei xiansheng nushi ssi nim presidente president minister ambassador kapitan polkovnik dra ir drs datuk dato encik puan haj sayed syed".split(
    " ",
  ),
);

/** Titles that are also common names: they are left out only before two other words. */
export const nameLikeTitles = new Set(
  "sheikh shaykh imam sayed syed sayyid hajji haji hafiz emir don general prince san rav mar begum kumari major nai mom khun pan sardar khanum sri dame lord sir father miss jr sr md fr don gen bay nang phra dra ir mullah".split(
    " ",
  ),
);

/** Titles that are never part of a name: they are left out even before a single word. */
export const plainTitles = new Set(
  "mr mrs ms dr doctor prof professor eng phd md esq jr sr rev capt col gen lt sgt herr frau mme mlle monsieur madame senor senora signor signora dott dra ing gospodin gospozha ii iii iv".split(
    " ",
  ),
);

/** Suffixes of a name: degrees, orders, and words that distinguish people of the same name. */
export const postNominals = new Set("jr sr md phd dds esq mba cpa mbe obe cbe kbe osb junior senior".split(" "));

/** Prefixes of the names of ships. */
export const shipPrefixes = new Set("mv mt ms ss mts fv my sv lng lpg vessel vsl".split(" "));

/** The same in other scripts, as they are written. */
export const nativeTitles = new Set(
  "السيد السيدة الشيخ الدكتور الدكتورة الحاج المهندس الأستاذ اللواء العميد العقيد آقای خانم دکتر مهندس حاج جناب سردار ד'ר ד״ר מר גב' גברת הרב פרופ' г-н г-жа господин госпожа доктор проф гр пан пані श्री श्रीमती डॉ डॉक्टर कुमारी জনাব ডঃ ডা থিরু திரு திருமதி นาย นาง นางสาว คุณ ดร 先生 女士 小姐 博士 さん 様 氏 님 씨 선생 선생님 κ κος κυρία κα κύριος δρ ბატონი ქალბატონი պարոն տիկին".split(
    " ",
  ),
);

/** Those that are also names: they are left out only before two other words. */
export const nativeNameLikeTitles = new Set(
  "حافظ شیخ شيخ ملا حاجی حاجي حجي سید سيد مولوی مولوي مولانا قاری قاري امام إمام امیر أمير شېخ শেখ হাজী মাওলানা সৈয়দ शेख हाजी मौलाना सैयद पंडित स्वामी ਗਿਆਨੀ ਸੰਤ".split(
    " ",
  ),
);

/** Optional words between the parts of a name. */
export const particles = new Set(
  "al el ul ar as ad an at az ash ath adh bin ibn ben bn abn bnt bint binti bte bt wa de del della dela dei di da do dos das du des le la las los van vant von vom zu zur zum der den ten ter te af av y e i oglu ogly oghlu ogli uulu kyzy qizi gizi ould wuld mac o st ste saint sainte al- vander e' ou und and".split(
    " ",
  ),
);

/** Legal forms, in Latin letters and without dots. */
export const legalForms = new Set(
  "ltd limited llc llp lp lllp plc inc incorporated corp corporation co company cie compagnie gmbh mbh ag kg kgaa ohg ug ev sa sas sarl sasu snc scs eurl spa srl srls sapa sl slu sau sca cv sab sapi rl ltda eireli epp me bv nv vof bvba sprl ab as asa aps oy oyj hf ehf doo dd ad ead eood ood kd jdoo jsc pjsc ojsc cjsc ojsco cjsco oao ooo zao pao ao nao tov pat prat tdv vat zat too oo chp fop uab sia ou as kft zrt rt nyrt bt sro spol zoo z spzoo sp zoo akc ska sk rk ae epe ike ee oe pllc pty pte sdn bhd tbk pt pvt private public opc kk yk gk kabushiki kaisha yugen godo jusik hoesa chusik yuhan youxian gongsi gufen youhan zeren ltee psc fze fzco fzc fzllc dmcc wll bsc saog saoc saa spc est kscc ksc qsc qpsc pjs khass sahami gostaresh lda unipessoal sgps snd sti anonim sirketi shirketi limited sirket shirket as spolka joint stock liability spolka aktiengesellschaft gesellschaft aktsionernoe obshchestvo ogranichennoi otvetstvennostyu s z otkrytoe zakrytoe publichnoe tovarystvo societe anonyme responsabilite limitee sociedad anonima limitada societa azioni responsabilita sociedade aktiebolag aktieselskab anpartsselskab aksjeselskap osakeyhtio haftung beschrankter besloten naamloze vennootschap simplifiee spolecnost rucenim omezenym ograniczona odpowiedzialnoscia drustvo ogranicenom odgovornoscu korlatolt felelossegu tarsasag reszvenytarsasag berhad sendirian perseroan terbatas".split(
    " ",
  ),
);

/** Words that many companies have, with their abbreviations. A line is one word. */
const genericWords = `
trading trade trades trader traders torgovy torgovyi handel
group groupe grupo gruppe gruppa holding holdings
international intl internacional internationale mezhdunarodny
industries industry industrial ind industria industrie promyshlenny
services service svcs servicios
technology technologies tech techno technical technik tehnologii
engineering eng engg ingenieria
general gen
import imports
export exports
importexport impex
shipping ship maritime marine navigation lines line
transport transportation trans logistics logistic logistik logistica
bank banque banco banca bankasi
investment investments invest investissement
finance financial fin
construction constructions building builders stroy
company companies co
development dev developments
enterprise enterprises ent
energy energia energie
oil petroleum gas neft
electronics electronic
equipment equip
manufacturing mfg manufacture
management mgmt
national natl
global world worldwide
commercial commerce
systems system sys
solutions solution
products product
foundation fund fonds fundacion
organization organisation org
institute inst
university univ
association assn assoc
center centre
agency
foreign
brothers bros
sons son
supplies supply
consulting consultants consultancy
security
aviation airlines air airways
chemical chemicals
mining
metal metals
steel
machinery machine machines
food foods
medical pharma pharmaceutical pharmaceuticals
real estate
property properties
capital
partners associates
exchange
new
east eastern
west western
north northern
south southern
middle
gulf
asia asian
europe european euro
american america
china chinese
russian russia
iran iranian
united
first
trust
establishment est etablissement
headquarters hq
office bureau
works plant factory zavod fabrika kombinat usine
store stores shop
house dom
company firm firma kompaniya kompania sherkat sharika
exchange saraf sarafi
airline avia
agro agricultural agriculture
korea korean dprk
syria syrian
iraq iraqi
libya libyan
sudan sudanese
belarus belarusian belorussian
ukraine ukrainian
turkey turkish turk
india indian
pakistan pakistani
japan japanese
germany german deutsche
france french
italy italian italiana
spain spanish espana
brazil brasil brazilian
mexico mexicana
lebanon lebanese
emirates uae dubai
arabia arab arabian saudi
africa african
british britain uk
usa us
hong kong hk
singapore
branch filiale filial sucursal
the
and of for und et e y de la le el des du
limited
`;
const genericGroups = genericWords
  .trim()
  .split("\n")
  .map((line) => line.split(" "));
/** Seats of companies and their branches: beside a company's own name such a word says little. */
export const places = new Set(
  "moscow moskva petersburg kazan minsk kyiv kiev odessa almaty astana tashkent baku tbilisi yerevan tehran teheran isfahan dubai sharjah ajman doha manama muscat riyadh jeddah baghdad basra erbil damascus aleppo beirut amman cairo alexandria khartoum tripoli tunis algiers casablanca istanbul ankara izmir nicosia limassol athens sofia belgrade bucharest budapest prague warsaw berlin hamburg frankfurt munich vienna wien zurich geneva paris london dublin amsterdam rotterdam brussels luxembourg madrid barcelona lisbon rome milan stockholm oslo copenhagen helsinki riga tallinn vilnius malta cyprus beijing peking shanghai shenzhen guangzhou dalian dandong taipei macau tokyo osaka seoul busan pyongyang hanoi bangkok jakarta manila kuala lumpur labuan delhi mumbai karachi lahore islamabad kabul dhaka colombo nairobi lagos abuja accra kampala johannesburg caracas bogota havana panama mexico lima santiago toronto montreal york miami".split(
    " ",
  ),
);

/** The first word of each generic word's line. */
export const genericOf: ReadonlyMap<string, string> = new Map(
  genericGroups.flatMap((words) => words.map((word) => [word, words[0] ?? word] as const)),
);

/** Generic words of companies in other languages, which may follow or precede the company's own name. */
const foreignWords: readonly (readonly [RegExp, string])[] = [
  [/общество с ограниченной ответственностью/giu, " llc "],
  [/товариство з обмеженою відповідальністю/giu, " llc "],
  [/(?:публичное |открытое |закрытое )?акционерное общество/giu, " jsc "],
  [/(?:публічне |відкрите |закрите |приватне )?акціонерне товариство/giu, " jsc "],
  [/торговый дом/giu, " trading house "],
  [/شركة|شرکت/gu, " company "],
  [/مؤسسة/gu, " establishment "],
  [/مجموعة|گروه/gu, " group "],
  [/(?:ال|لل)?تجار[ةه]/gu, " trading "],
  [/(?:ال|لل)?نفط/gu, " oil "],
  [/(?:ال|لل)?صناع[ةه]|صنایع/gu, " industry "],
  [/(?:ال|لل)?(?:مقاولات|إنشاءات)/gu, " construction "],
  [/(?:ال|لل)?نقل/gu, " transport "],
  [/(?:ال|لل)?استثمار/gu, " investment "],
  [/بانک|(?:ال)?بنك/gu, " bank "],
  [/(?:股份|责任|責任)?有限(?:责任|責任)?公司|公司/gu, " company "],
  [/集团|集團/gu, " group "],
  [/银行|銀行/gu, " bank "],
  [/贸易|貿易/gu, " trading "],
  [/科技|技术|技術/gu, " technology "],
  [/国际|國際/gu, " international "],
  [/工业|工業/gu, " industry "],
  [/航运|海运|航運/gu, " shipping "],
  [/石油/gu, " petroleum "],
  [/株式会社|有限会社|合同会社/gu, " company "],
  [/商事|貿易/gu, " trading "],
  [/주식회사|유한회사/gu, " company "],
  [/무역/gu, " trading "],
  [/은행/gu, " bank "],
  [/그룹/gu, " group "],
  [/εταιρεία|εταιρία/giu, " company "],
  [/บริษัท/gu, " company "],
  [/จำกัด(?: ?\(?มหาชน\)?)?/gu, " ltd "],
  [/בע["״']מ/gu, " ltd "],
  [/חברת|חברה/gu, " company "],
];

/** Returns the name with such words translated to English. */
export const inEnglish = (name: string): string =>
  /^[\p{ASCII}]*$/u.test(name) ? name : foreignWords.reduce((text, [from, to]) => text.replaceAll(from, to), name);
