import { defaultThreshold } from "../../../services/identity/domain/screening";
import type { EntryKind } from "../../../services/identity/domain/screening/list-entry";
import {
  makeSearchable,
  type SearchableList,
  screenSubject,
} from "../../../services/identity/domain/screening/screen-subject";
import { makeNameWorld, type NameWorld } from "../../support/screening/name-cases";
import { formatQuality, measureQuality } from "../../support/screening/quality";
import { furtherBanks } from "../../support/screening/written/bank-more";
import { knownBanks, makeWrittenWorld } from "../../support/screening/written/written-cases";

const fixedSeed = 1;
const freshSeed = Math.floor(Math.random() * 2 ** 31);

const bar = { recall: 0.96, falsePerThousand: 3 };
/**
 * Names spelled by packages have some two false hits in a thousand, and come in clusters: draws of 8,000 differ by 0.8. Three such
 * deviations are 4.5. Hand-written ones have one in a thousand, but each of these people is asked for several times, so that one pair
 * that is taken for another counts up to ten times: two such pairs beyond the bar.
 */
const chance = { packages: 1.5, written: 3 };
const size = 20_000;

function stated(world: NameWorld, seed: number, leeway = 0): void {
  const quality = measureQuality(world, defaultThreshold);
  process.stdout.write(`seed ${seed}\n${formatQuality(quality)}\n`);

  expect(quality.recall).toBeGreaterThanOrEqual(bar.recall);
  expect(quality.falsePerThousand).toBeLessThanOrEqual(bar.falsePerThousand + leeway);
}

describe("screening by 20,000 entries", () => {
  it("finds the known names in ten scripts, and stops few others", () => {
    stated(makeNameWorld(fixedSeed, size, 600, 2_000), fixedSeed);
  });

  it("finds names that were made for this run", () => {
    stated(makeNameWorld(freshSeed, size, 1_000, 8_000), freshSeed, chance.packages);
  });

  it("finds the known names in disguises, and stops few of the same cultures", () => {
    stated(makeWrittenWorld(fixedSeed, size, 1_000, 4_000), fixedSeed);
  });

  it.each([
    ["the cultures of the matcher's own mending", knownBanks],
    ["cultures that no table was made by", furtherBanks],
  ])("finds names that were written by hand, in disguises of this run, and stops few of %s", (_which, banks) => {
    stated(makeWrittenWorld(freshSeed, size, 1_000, 4_000, banks), freshSeed, chance.written);
  });
});

function listOf(name: string, kind: EntryKind = "PERSON", last = "1950-12-31"): SearchableList {
  const entry = { birthPlaces: [], documents: [], countries: [], programmes: [] };
  const births = kind === "PERSON" ? [{ from: "1950-01-01", to: last }] : [];
  return makeSearchable([{ ...entry, id: "a", kind, names: [{ text: name, isWeak: false }], births }]);
}

describe("screening of what a search for misses has found", () => {
  it.each([
    ["Salah al-Din Al-Rashid", "Salahuddin Rashid"],
    ["عبد الرحمن الزرقاوي", "Abdurrahman Zarqawi"],
    ["Юрий Щербаков", "Jurij Schtscherbakow"],
    ["Ζαχαρίας Ουζούνης", "Zacharias Ouzounis"],
    ["Müller-Lüdenscheidt Hans", "Hans Mueller Luedenscheidt"],
    ["Lin Biao", "Lin Piao"],
    ["Szymon Krzyżanowski", "SZYMON KRZYZANOWSKI"],
    ["Anna Juhász", "Annajuhasz"],
    ["Robert Davtyan", "Robеrt Dаvtуan"],
    ["Mohammed Al Tikriti", "Muhammad at-Tikriti"],
    ["حسن نصر الله", "Hassan Nasrallah"],
    ["بشار حافظ الأسد", "Bashar al-Assad"],
    ["محمد باقر ذوالقدر", "Mohammad Bagher Zolghadr"],
    ["שמואל זילברברג", "Samuel Silberberg"],
    ["יצחק לייבוביץ", "Itzhak Leibovich"],
    ["김정은", "Kim Jong Un"],
    ["박근혜", "Park Geun-hye"],
    ["장성택", "Jang Sung-taek"],
    ["ทักษิณ ชินวัตร", "Thaksin Shinawatra"],
    ["สุเทพ เทือกสุบรรณ", "Suthep Thaugsuban"],
    ["গোলাম আযম", "Golam Azam"],
    ["வெங்கடேஷ் சுவாமி", "Venkatesh Swamy"],
    ["ਜਗਤਾਰ ਸਿੰਘ ਹਵਾਰਾ", "Jagtar Singh Hawara"],
    ["Ђорђе Живковић", "Đorđe Živković"],
    ["Αλέξανδρος Γιωτόπουλος", "Alexandros Yotopoulos"],
    ["Ksenia Yezhova", "Xenia Ejova"],
    ["De la Cruz Villanueva, Ignacio", "Ignacio Delacruz Villanueva"],
    ["Osama bin Mohammed bin Laden", "Usama Binladin"],
    ["蒋建国", "Chien-kuo Chiang"],
    ["ဒေါ်အောင်ဆန်းစုကြည်", "Aung San Suu Kyi"],
    ["Mya Tun Oo", "မြထွန်းဦး"],
    ["ဗိုလ်ချုပ်မှူးကြီးသန်းရွှေ", "Than Shwe"],
    ["Khin Nyunt", "ခင်ညွန့်"],
    ["ခန့်ဇော်", "Khant Zaw"],
    ["ខៀវ សំផន", "Khieu Samphan"],
    ["Kaing Guek Eav", "កាំង ហ្គេកអ៊ាវ"],
    ["នរោត្តម សីហមុនី", "Norodom Sihamoni"],
    ["ಮಲ್ಲೋಜುಲ ಕೋಟೇಶ್ವರ ರಾವ್", "Mallojula Koteswara Rao"],
    ["Hafiz Saeed", "हाफिज सईद"],
    ["މުހައްމަދު ނަޝީދު", "Mohamed Nasheed"],
    ["مەسعوود بارزانی", "Masoud Barzani"],
    ["Erkin Qadir", "ئەركىن قادىر"],
    ["ଓଡ଼ିଆ ନବୀନ ପଟ୍ଟନାୟକ", "Odia Naveen Patnaik"],
    ["Jian-guo Guo", "郭建国"],
    ["윤은주", "Ŭnju Yun"],
    ["현승 오", "Hyŏn Sŭng O"],
    ["මහින්ද රාජපක්ෂ", "Mahinda Rajapakse"],
    ["วิโรจน์ จันทร์โอชา", "Wirot Chan-o-cha"],
    ["กิตติ สุวรรณภูมิ", "Kitti Suwannaphum"],
    ["মোশাররফ তালুকদার", "Mosharraf Talukder"],
    ["Цветан Щилянов", "Cvetan Shtiljanov"],
    ["Снежана Шћекић", "Snezana Scekic"],
    ["Jewgenij Zybulski", "Евгений Цыбульский"],
    ["Фёдор Воробьянинов", "Fjodor Vorobyaninov"],
    ["Φώτιος Μπλέτσας", "Phṓtios Mpletsas"],
    ["Παναγιώτης Ζαΐμης", "Panagiwths Zaimhs"],
    ["יצחק יוסף אלקיים", "Yitzhak Yosef Elkayam"],
    ["Salaheddine Gamal Dulaimi", "صلاحالدين جمال الدليمي"],
    ["Dzovinar Gukasyan", "Tsovinar Ghougassian"],
    ["Vartan Ter-Ghazarian", "Vardan Ter-Kazarian"],
    ["Eliza Maj", "Elizamaj"],
    ["Alexey Tsybulskiy", "الشيخ Alexey Tsybulskiy"],
    ["Irina Kozlina", "Irina K0z1ina"],
    ["Yehoshua Aboutboul", "Υҽһοѕһυɑ ΑьоυтЬоυⅼ"],
    ["서석률", "Seongnyul Seo"],
    ["홍종락", "Jongnak Hong"],
    ["정은 최", "Ch'oe Chŏngŭn"],
    ["เปรม ไกรวิเชียร", "Prem Kraivichien"],
    ["ธนาธร สุวรรณภูมิ", "Thanathorn Suwannaphum"],
    ["สมชาย ศรีสวัสดิ์", "Somchai Srisawasdi"],
    ["高橋健一", "Kenichi Takahashi"],
    ["長谷川 裕子", "Hiroko Hasegawa"],
    ["বিবেক মুখোপাধ্যায়", "Vivek Mukherjee"],
    ["Tiago Schultze", "Tiago Schutlze"],
    ["Lyudmila Khrushchev", "Lуսԁмιӏα Кհrυѕһϲհеν"],
    ["عظمیٰ گیلانی", "Uzma Gilani"],
    ["Zahear Gillani", "Zɑһҽɑr Gіⅼӏɑոі"],
    ["Аскар Акаев", "Askar Akayev"],
    ["Александр Лукашенко", "Aliaksandr Lukashenka"],
    ["حافظ محمد سعید", "Hafiz Muhammad Saeed"],
    ["محمد بن سلمان", "Mohammed bin Salman"],
    ["زهرا رهنورد", "Zahra Rahnavard"],
    ["سهيل الحسن", "Suhail al-Hassan"],
    ["وليد جنبلاط", "Walid Jumblatt"],
    ["吕丽萍", "Lv Liping"],
    ["篠田 建市", "Kenichi Shinoda"],
    ["井上 国男", "Kunio Inoue"],
    ["重信 房子", "Fusako Shigenobu"],
    ["सुनील दत्त चौहान", "Sunil Dutt Chauhan"],
    ["ज्ञानेन्द्र वीर विक्रम शाह", "Gyanendra Bir Bikram Shah"],
    ["হাজী আব্দুর রহমান", "Abdur Rahman"],
    ["কাজী আব্দুর রহমান", "Kazi Abdur Rahman"],
    ["ಸಿದ್ದರಾಮಯ್ಯ ಗೌಡ", "Siddaramaiah Gowda"],
    ["കുഞ്ഞാലി മരക്കാർ", "Kunjali Marakkar"],
    ["கனிமொழி கருணாநிதி", "Kanimozhi Karunanidhi"],
    ["חיים יעקב כהן", "Chaim Yaakov Cohen"],
    ["איתמר בן גביר", "Itamar Ben-Gvir"],
    ["Μπάμπης Γκούμας", "Babis Goumas"],
    ["ຈູມມະລີ ໄຊຍະສອນ", "Choummaly Sayasone"],
    ["陳志明", "Chan Chi Ming"],
    ["Wong Kam Po", "黃金寶"],
    ["陈国强", "Tan Kok Keong"],
    ["歐陽志明", "Au-Yeung Chi-ming"],
    ["Cheung Wai-keung", "张伟强"],
    ["ወርቅነህ ደሳለኝ", "Workineh Desalegn"],
    ["Fikru Teklehaimanot", "ፍቅሩ ተክለሃይማኖት"],
    ["ወልደማርያም ገብረሥላሴ", "Woldemariam Gebreselassie"],
    ["Jalal al-Din Hekmatyar", "Jalaluddin Hikmatyar"],
    ["Zia-ul-Haq Bugti", "Ziaulhaq Bughti"],
    ["نورالله نورزی", "Nour Allah Noorzai"],
    ["Юрий Зинаида Рыжков", "Yuri Sinaida Ryjkov"],
    ["Бойко Гюров", "Bojko Gjurov"],
    ["Katerina Tsangaris", "Katerina Tsagkaris"],
    ["Tigran Melikian", "Dikran Melikian"],
    ["Georgios Zafiropoulos", "Giorgos Zafeiropoulos"],
    ["Surinder Chowdhury", "सुरेन्द्र चौधरी"],
    ["মোহাম্মদ তালুকদার", "Md Talukder"],
    ["Jan Kees Van't Hof", "van t Hof, Jan Kees"],
    ["Göran Lindström", "Göran T. Lindström"],
    ["Zoé Le Goff", "Zoé Le Goff Jr."],
    ["Stephen Thompson", "Stephen Thompson, M.D."],
    ["Margaret St. John", "Peggy Saint John"],
    ["Joseph Rao Kony", "Joseph Kony"],
    ["Mikhail Maratovich Fridman", "Михаил Фридман"],
    ["Concepción Carrillo Fuentes", "Concepcion Carrillo"],
    ["Laila al-Aani", "Abu Omar Laila al-Aani"],
    ["Bärbel Maier", "Baerbel Meyer"],
    ["ሳምሶን እንግዳ", "Samson Engida"],
    ["נועם דהן", "Noam Dahan"],
    ["חיים הרצוג", "Chaim Herzog"],
    ["Stathis Papageorgiou", "Efstathios Papagiorgiou"],
    ["Akop Kazarian", "Hakob Kazarian"],
    ["Mehdi Ghalibaf", "Mahdi Qalibaf"],
    ["Zine El Abidine Ben Ali", "Zayn al-Abidin bin Ali"],
    ["Әсел Ахметжанов", "Asel Ahmetjanov"],
    ["Ignat Bochkarev", "Ignat Botschkarjow"],
    ["Cumar Guuleed", "Omar Guled"],
    ["ਲਖਬੀਰ ਬਰਾੜ", "Lakhbir Brar"],
    ["Dwi Tjokroaminoto", "Dwi Cokroaminoto"],
    ["諸葛鳳霞", "Zhuge Fengxia"],
    ["Choe Ryong Hae", "Choi Ryong-hae"],
    ["何厚鏵", "Ho Hau-wah"],
  ])("finds %s as %s", (listed, asked) => {
    const found = screenSubject(listOf(listed), { fullName: asked, birthDate: "1950-03-04" }, defaultThreshold);

    expect(found).toHaveLength(1);
  });

  it.each([
    ["Общество с ограниченной ответственностью «Вымпелстрой»", "Vympelstroy LLC"],
    ["شركة القاطرجي للنفط", "Al Qatirji Petroleum Company"],
    ["Korea Ryonbong General Corporation", "Ryonbong General Corp"],
    ["Farouzeh Lomtarik Industries Anonim Şirketi", "A.Ş. «Farouzeh Lomtarik Industries»"],
    ["Qeshtabad Petrochemical Joint Stock Company", "J.S.C. «Qeshtabad Petrochemical»"],
    ["Nile Basin Sigma Technology B.V.", "Nile Basin Sigma Technology B.V. Dubai Branch"],
    ["Sinokor Meridian Shipping AB", "Sinokor Meridian Shipping Aktiebolag"],
  ])("finds the company %s as %s", (listed, asked) => {
    expect(screenSubject(listOf(listed, "COMPANY"), { companyName: asked }, defaultThreshold)).toHaveLength(1);
  });

  it.each([["MV Amber Sindibad"], ["M/V Amber Sindibad"], ["M.T. Amber Sindibad"]])(
    "finds the vessel AMBER SINDIBAD as %s",
    (asked) => {
      expect(screenSubject(listOf("AMBER SINDIBAD", "VESSEL"), { companyName: asked }, defaultThreshold)).toHaveLength(
        1,
      );
    },
  );

  it("does not take a company for a person by one word and an initial", () => {
    const list = listOf("Анатолія Бердник");

    expect(screenSubject(list, { companyName: "Anatolia International B.V." }, defaultThreshold)).toEqual([]);
  });

  it.each([
    ["Daniel Silva", "Daniela Silva"],
    ["محمد علي", "Mahmoud Ali"],
    ["حسن نصر الله", "Hussein Nasrallah"],
    ["Ivan Ivanenko", "Ivan Ivanov"],
    ["Luisa Fernandez", "Luisa Hernandez"],
    ["Diana Soltanov", "Diana Soltanova"],
    ["Kim Jong Un", "Kim Jong Nam"],
    ["Zhi-Yuan Shang", "Zhijie Shang"],
    ["Zihao Pang", "Zi-Hao Peng"],
    ["Hicham Gassan Al-Senussi", "Gassan Al-Hashimi"],
    ["Dona Varnica", "Anda Varnica"],
    ["Lisa Lindgren", "Isabelle Lindgren"],
    ["찬희 성", "Ch'anhŭi Sŭng"],
    ["Elin Lundgren", "Helena Lundgren"],
    ["Nedjeljka Dubois", "Nedjeljka Dupuis"],
    ["Mariana Carvalho", "Marina Carvalho"],
    ["邱建国", "趙建國"],
    ["Igor Zahrebelnyi", "Yurii Zahrebelnyi"],
    ["Rashad Vasiyev", "Rashid Vasiyev"],
    ["طلعت الظواهري", "Talat Ad-Duri"],
    ["Md Khosa", "Zia ul Haq Khosa"],
    ["Lai Chee-ying", "賴清德"],
    ["Lai Chee-ying", "郑丽娟"],
    ["诸葛凤霞", "Fengxia Zhu"],
    ["Siyuan Shen", "Zhiyuan Shen"],
    ["Yuan Siyuan", "Yuan Zhiyuan"],
    ["Kondō Yōko", "Kondo Yūko"],
    ["Tsui Ka Fai", "Tsoi Ka-fai"],
    ["Hyejin Cho", "Choe Hyejin"],
    ["黃慧敏", "Ng Wai Man"],
    ["አበበ ሀይሉ", "Abebe Hayle"],
    ["ሙሉ ፀሐይ", "Mulu Tsegaye"],
    ["Samvel Zakarian", "Samvel Jagharian"],
    ["John Paul Smith", "John K. Smith"],
    ["Faisal Idris Zidan", "Idris Zidan"],
  ])("does not take %s for %s", (listed, asked) => {
    expect(screenSubject(listOf(listed), { fullName: asked }, defaultThreshold)).toEqual([]);
  });
});

describe("screening beside a birth date", () => {
  it("never speaks less for an entry than the name alone does", () => {
    const birthDate = "1950-01-01";

    for (const name of ["Qian Guo Qiang", "葉元傑"]) {
      const asked = name === "葉元傑" ? { firstName: "Yuanjie", lastName: "Ye" } : { fullName: name };
      const [alone] = screenSubject(listOf(name), asked, defaultThreshold);
      const [dated] = screenSubject(listOf(name, "PERSON", birthDate), { ...asked, birthDate }, defaultThreshold);

      expect(dated?.points).toBeGreaterThanOrEqual(alone?.points ?? 101);
    }
  });
});

/** Ways to hide a name that change nothing of what is seen or said: each must be found, alone and with another. */
const disguises: readonly [string, (text: string, at: number) => string][] = [
  ["a hidden sign", (text, at) => put(text, at, hiddenSigns[at % hiddenSigns.length] ?? "")],
  ["capitals", (text) => text.toUpperCase()],
  ["parted accents", (text) => text.normalize("NFD")],
  [
    "full width",
    (text) => text.replaceAll(/[a-z]/g, (one) => String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfee0)),
  ],
  ["look-alikes", (text) => text.replaceAll(/[aeopcx]/g, (one) => "аеорсх".charAt("aeopcx".indexOf(one)))],
  ["words turned", (text) => text.split(" ").toReversed().join(" ")],
  ["no spaces", (text) => text.replaceAll(" ", "")],
  ["many spaces", (text) => text.replaceAll(" ", "\u00a0 , ")],
  ["a title", (text) => `Dr. ${text}`],
  ["one letter twice", (text, at) => put(text, (at % 3) + 2, text.charAt((at % 3) + 2))],
];
const hiddenSigns = ["\u200b", "\u00ad", "\u0007", "\u007f", "\ufff9", "\u2060", "\ufe0f", "\u034f"];
const put = (text: string, at: number, sign: string): string => {
  const place = 1 + (at % (text.length - 1));
  return text.slice(0, place) + sign + text.slice(place);
};

describe("a search for names that hide", () => {
  const names = ["Aleksandr Vymyshlenny", "Mohammed Altikriti", "Wolfgang Schäuffele", "Katarzyna Krzyżanowska"];

  it.each(names)("misses %s in no disguise, nor in two", (name) => {
    const list = listOf(name);
    const missed = disguises.flatMap(([first, disguise]) =>
      disguises.flatMap(([second, other]) =>
        Array.from({ length: 12 }, (_nothing, at) => other(disguise(name, at * 7 + 3), at * 5 + 1)).flatMap((asked) =>
          screenSubject(list, { fullName: asked }, defaultThreshold).length > 0 ? [] : [[first, second, asked]],
        ),
      ),
    );

    expect(missed).toEqual([]);
  });
});
