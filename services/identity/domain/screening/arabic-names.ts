/**
 * Names in Arabic letters with their unwritten vowels. Without these, Mahmoud and Muhammad, Hassan and Hussein, or Jamal and Jamil would
 * count as one name. The likeliest reading comes first; a name that is not listed is compared by its consonants.
 */
const lines = `
محمد muhammad|محمود mahmud|أحمد ahmad|حامد hamid|حميد hamid|حمد hamad hamd|حمود hamud hammud|حماد hammad|حمدان hamdan|حمدي hamdi|حسن hasan husn|حسين husayn hossein|حسنين hasanayn|حسان hassan|حسني husni|محسن muhsin mohsen
علي ali|علاء alaa|عمر umar omar|عمرو amr|عمار ammar|عامر amir aamer|عمران imran omran|عثمان uthman osman|عادل adil adel|عدنان adnan|عدي uday adi|عزيز aziz|عزت izzat ezzat|عزام azzam|عصام isam essam|عاصم asim|عاطف atif|عارف arif
عباس abbas|عبود abbud|عبيد ubayd obaid|عبدالله abdallah abdullah|عقيل aqil|علوان alwan|عماد imad emad|عيسى isa issa|عوض awad|عواد awwad|عنتر antar|عرفات arafat|عزالدين izzaldin|عائشة aisha|عبير abir|عليا alya|عفاف afaf
أمين amin|أمير amir|أنور anwar|أنس anas|أيمن ayman|أيوب ayyub|أسامة usama osama|أسعد asad|أسد asad|أشرف ashraf|أكرم akram|أكبر akbar|أمجد amjad|أنيس anis|أدهم adham|أديب adib|آدم adam|إدريس idris|إبراهيم ibrahim|إسماعيل ismail|إسحاق ishaq|إلياس ilyas elias|إحسان ihsan ehsan|إيمان iman|إيهاب ihab|إياد iyad|أمل amal|أسماء asma|آمنة amina|أمينة amina|أميرة amira|أحلام ahlam
بدر badr|بشار bashar|بشير bashir|بلال bilal|بكر bakr|بكري bakri|بسام bassam|باسم basim bassem|باسل basil bassel|برهان burhan|بهاء baha|بهجت bahjat|بندر bandar|باقر baqir bagher|بدوي badawi|بسمة basma
توفيق tawfiq|تامر tamir tamer|تيسير taysir|تركي turki|تقي taqi|تميم tamim
ثامر thamir thamer|ثابت thabit
جابر jabir jaber|جبريل jibril|جعفر jafar|جلال jalal|جمال jamal|جميل jamil|جميلة jamila|جمعة juma|جهاد jihad|جواد jawad javad|جاسم jasim jassem|جلول jallul|جورج jurj george|جبران jibran gebran
حبيب habib|حاتم hatim hatem|حازم hazim hazem|حارث harith|حافظ hafiz hafez|حاكم hakim|حكيم hakim|حليم halim|حليمة halima|حمزة hamza|حنان hanan|حنين hanin|حيدر haydar|حسام husam hossam|حنا hanna|حفيظ hafiz|حسيب hasib|حجاج hajjaj|حمدون hamdun|حكمت hikmat
خالد khalid khaled|خليل khalil|خليفة khalifa|خلف khalaf|خلدون khaldun|خير khayr|خيري khayri|خضر khidr khodr|خديجة khadija|خلود khulud|خميس khamis|خطاب khattab
داود daud dawud|درويش darwish|دانيال danyal|دعاء dua|دينا dina|داوود daud dawud
راشد rashid rashed|رشيد rashid|رشاد rashad|رامي rami|رائد raid raed|رأفت rafat|رؤوف rauf|رفيق rafiq|رمضان ramadan ramazan|رمزي ramzi|رضا rida reza riza|رضوان ridwan rezvan|رجب rajab|ربيع rabi|رياض riyad|رحمن rahman|رحمان rahman|رحيم rahim|رسول rasul|رستم rustum rostam|رانيا rania|ريم rim reem|رنا rana|رشا rasha|رقية ruqayya|رمزية ramziya|روان rawan
زهرة zahra|زهراء zahra|زهرا zahra|زهير zuhayr|زكريا zakariya|زكي zaki|زياد ziyad|زيد zayd|زيدان zaydan zidane|زين zayn|زينب zaynab|زاهر zahir zaher|زاهد zahid|زايد zayid zayed|زكية zakiya
سامي sami|سامر samir samer|سمير samir|سميرة samira|سالم salim salem|سليم salim|سلمان salman|سلامة salama|سلام salam|سليمان sulayman|سعيد said saeed|سعد saad|سعود saud|سعدي saadi|سعاد suad|سيف sayf|سهيل suhayl|سلطان sultan|سراج siraj|سنان sinan|سمية sumayya|سارة sara|سلمى salma|سلوى salwa|سناء sana|سوسن sawsan|سحر sahar|سهى suha|سهام siham|سميح samih|ستار sattar
شريف sharif|شاكر shakir shaker|شكري shukri|شكور shakur|شهاب shihab|شعبان shaban|شوقي shawqi|شادي shadi|شفيق shafiq|شمس shams|شاهين shahin|شيماء shayma|شيرين shirin|شهباز shahbaz|شجاع shuja|شهيد shahid|شاهد shahid
صالح salih saleh|صلاح salah|صدام saddam|صديق siddiq|صادق sadiq sadegh|صبحي subhi|صبري sabri|صباح sabah|صابر sabir saber|صخر sakhr|صفاء safa|صفية safiya|صفوان safwan|صقر saqr
ضياء diya zia|طارق tariq tareq|طاهر tahir taher|طلال talal|طلعت talat|طه taha|طالب talib taleb|طلحة talha|طيب tayyib
ظافر zafir|ظفر zafar|ظاهر zahir|ظريف zarif
غازي ghazi|غسان ghassan|غانم ghanim|غالب ghalib|غفور ghafur|غلام ghulam gholam|غادة ghada
فادي fadi|فارس faris fares|فاروق faruq|فاضل fadil fazel|فضل fadl fazl|فاطمة fatima|فتحي fathi|فتاح fattah|فهد fahd fahad|فهمي fahmi|فؤاد fuad|فوزي fawzi|فوزية fawziya|فيصل faysal|فريد farid|فريدة farida|فرج faraj|فرحات farhat|فرهاد farhad|فيروز fayruz firouz|فراس firas|فاتن fatin|فخري fakhri|فخر fakhr|فدا fida|فواز fawwaz
قاسم qasim qasem|قادر qadir qader|قدير qadir|قيس qays|قاهر qahir|قحطان qahtan|قصي qusay
كريم karim|كريمة karima|كرم karam|كمال kamal|كامل kamil kamel|كاظم kazim kazem|كنعان kanan|كوثر kawthar
لطيف latif|لطفي lutfi|لؤي luay|ليلى layla|لينا lina|لمياء lamya|لبنى lubna
ماجد majid majed|مجيد majid|مجدي majdi|ماهر mahir maher|مازن mazin mazen|مالك malik malek|مأمون mamun|مبارك mubarak|مختار mukhtar|مخلوف makhluf|مراد murad|مروان marwan|مريم maryam|مسعود masud|مسلم muslim|مصطفى mustafa|مصعب musab|معاذ muadh moaz|معاوية muawiya|معتز mutazz moataz|معمر muammar|ممدوح mamduh|مناف manaf|منصور mansur|منير munir|منى muna mona|مها maha|مهند muhannad|مهدي mahdi mehdi|موسى musa|موفق muwaffaq|ميثم maytham|ميسر muyassar|مؤيد muayyad|ميلاد milad|محي muhyi|مرتضى murtada morteza|منيرة munira|مجتبى mujtaba mojtaba|مظفر muzaffar|مقتدى muqtada|متين matin|معين muin moein|مشعل mishal|مشتاق mushtaq|مقبول maqbul|منظور manzur
ناجي naji|نادر nadir nader|نادية nadia|ناصر nasir nasser|نصر nasr|نصير nasir naseer|نصار nassar|نبيل nabil|نبيلة nabila|نديم nadim|نزار nizar|نزيه nazih|نعمان numan|نعيم naim|نعيمة naima|نجيب najib|نجم najm|نجلاء najla|نوري nuri|نور nur noor|نورة nura nora|نواف nawaf|نواز nawaz|نايف nayif nayef|نهى nuha|نوال nawal|نظام nizam|نظير nazir|نذير nadhir nazir|نافع nafi|نبيه nabih
هاشم hashim hashem|هاني hani|هادي hadi|هشام hisham|هيثم haytham|هند hind|هدى huda|هبة hiba|هالة hala|هارون harun|هيبت haybat hibat|همام hammam|هلال hilal
وائل wail wael|وليد walid|وسام wisam|وسيم wasim|وحيد wahid vahid|وفاء wafa|ورد ward|وديع wadi|وهاب wahhab
ياسر yasir yasser|ياسين yasin|يحيى yahya|يعقوب yaqub|يزيد yazid|يوسف yusuf|يونس yunus|يسرى yusra|يوسفي yusufi
جهانگیر jahangir|بهرام bahram|بهمن bahman|بهروز behruz|بابک babak|آرش arash|اردشیر ardeshir|امید omid|ایرج iraj|داریوش dariush|پرویز parviz pervez|پیمان peyman|جمشید jamshid|خسرو khosrow|سهراب sohrab|سیاوش siavash|شاپور shapur|شهرام shahram|شهریار shahriyar|فریدون fereydun|کاوه kaveh|کامران kamran|کوروش kurosh|کیوان keyvan|منوچهر manuchehr|مهران mehran|مهرداد mehrdad|نادر nader|نیما nima|هوشنگ hushang|یوسف yusef|زهره zohreh|شیرین shirin|مینا mina|نسرین nasrin|پروین parvin|فرزانه farzaneh|لیلا leila|نرگس narges|مهناز mahnaz|ناهید nahid|سیما sima|گلبدین gulbuddin
اقبال iqbal|افضل afzal|اختر akhtar|ارشد arshad|اشفاق ashfaq|اعجاز ijaz|بشریٰ bushra|جاوید javed|خالدہ khalida|خورشید khurshid|رفیع rafi|ذوالفقار zulfiqar|سرفراز sarfraz|شوکت shaukat|شیر sher|طفیل tufail|ظہور zahoor|عرفان irfan|غفار ghaffar|فیاض fayyaz|قمر qamar|لیاقت liaqat|نثار nisar|یعقوب yaqoob|بھٹو bhutto|خان khan|چوہدری chaudhry|بٹ butt|گل gul|شاہ shah
`;

/** Letters that are written in several ways count as one. */
const even = (word: string): string =>
  word
    .normalize("NFC")
    .replaceAll(/\p{Mn}|ـ/gu, "")
    .replaceAll(/[أإآٱ]/gu, "ا")
    .replaceAll(/[ىیئے]/gu, "ي")
    .replaceAll("ک", "ك")
    .replaceAll(/[ہةۃۀ]/gu, "ه")
    .replaceAll("ؤ", "و")
    .replaceAll(/(?<=..)ء$/gu, "");

const readings = new Map<string, string[]>();
for (const row of lines.trim().split(/[|\n]/)) {
  const [word = "", ...own] = row.split(" ");
  const before = readings.get(even(word)) ?? [];
  readings.set(even(word), [...before, ...own.filter((reading) => !before.includes(reading))]);
}

/** Returns the readings of a name in Arabic letters, the likeliest first; undefined for an unknown name. */
export function arabicNameOf(word: string): readonly string[] | undefined {
  const plain = even(word);
  return readings.get(plain) ?? readings.get(plain.replace(/^ال(?=.{2})/u, ""));
}
