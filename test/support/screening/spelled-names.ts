/** Names with the spellings that people use for them: the script of their language first, then Latin ones. */
type Spelled = readonly (readonly string[])[];
const table = (text: string): Spelled =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(" "));

export const arabicGiven = table(`
محمد Mohammed Muhammad Mohamed Mohammad Mohamad
أحمد Ahmed Ahmad Achmed
حسين Hussein Hussain Husayn Hossein
خالد Khaled Khalid Haled
يوسف Yusuf Youssef Yousef Yusef
إبراهيم Ibrahim Ebrahim Ibraheem
عمر Omar Umar Omer
عثمان Othman Uthman Osman Usman
مصطفى Mustafa Mostafa Moustafa
طارق Tariq Tarek Tareq
جمال Jamal Gamal Djamel
قاسم Qasim Qassem Kassem Qasem
سعيد Said Saeed Saied
سليمان Sulaiman Suleiman Soliman
ناصر Nasser Nasir Naser
منصور Mansour Mansur Mansoor
صالح Saleh Salih Salah
زياد Ziad Ziyad Zeyad
فيصل Faisal Faysal Feisal
رشيد Rashid Rasheed Rachid
مجيد Majid Majeed Madjid
وليد Walid Waleed Oualid
ياسين Yasin Yassin Yaseen
هشام Hisham Hesham Hicham
غسان Ghassan Gassan Rassan
حمزة Hamza Hamzah
داود Dawud Daoud Dawood
فاطمة Fatima Fatma Fatimah
خديجة Khadija Khadijah Hadija
عائشة Aisha Ayesha Aicha
عبدالرحمن Abdulrahman Abdel-Rahman Abd_al-Rahman Abdurrahman Abdelrahman
عبدالعزيز Abdulaziz Abd_al-Aziz Abdelaziz Abdul_Aziz
عبدالكريم Abdulkarim Abd_al-Karim Abdelkrim Abdul_Kareem
عبدالله Abdullah Abdallah Abdalla
عبدالقادر Abdulqadir Abdelkader Abd_al-Qadir
نورالدين Nureddin Nour_al-Din Nuruddin Noureddine
صلاحالدين Salahuddin Salah_al-Din Salaheddine Salah_ad-Din
`);
export const arabicFamily = table(`
التكريتي Al-Tikriti At-Tikriti Tikriti Altikriti
الزرقاوي Al-Zarqawi Az-Zarqawi Zarqawi
القحطاني Al-Qahtani Alqahtani Kahtani
البغدادي Al-Baghdadi Albaghdadi Bagdadi
المراكشي Al-Marrakshi Marrakchi Al-Marrakechi
الشمري Al-Shammari Ash-Shammari Alshammari
الخطيب Al-Khatib El-Khatib Alkhateeb
الهاشمي Al-Hashimi Hashemi Alhashimi
الجبوري Al-Jubouri Al-Jaburi Aljubouri
القرضاوي Al-Qaradawi Al-Qardawi Qaradawi
الرفاعي Al-Rifai Ar-Rifai Alrifai Refai
الدوسري Al-Dosari Ad-Dawsari Aldosari
بوتفليقة Bouteflika Butaflika
الطرابلسي Al-Trabelsi Trabelsi Al-Tarabulsi
السنوسي Al-Senussi As-Sanusi Senoussi
الكيلاني Al-Kilani Alkilani Kaylani
الحمداني Al-Hamdani Hamdani Alhamdani
الغرياني Al-Gharyani Gharyani Al-Ghariani
المقدسي Al-Maqdisi Maqdisi Almaqdisi
الورفلي Al-Werfalli Al-Warfali Werfalli
الشيباني Al-Shaybani Ash-Shaibani Shaibani
البرغوثي Al-Barghouti Barghuthi Albarghouthi
القرشي Al-Qurashi Al-Qureshi Qurashi
اليعقوبي Al-Yaqoubi Yacoubi Al-Yaqubi
الزعتري Al-Zaatari Zaatari Az-Zatari
المنصوري Al-Mansouri Mansuri Almansoori
الدليمي Al-Dulaimi Ad-Dulaymi Dulaimi
السامرائي Al-Samarrai As-Samarrai Samarai
العسيري Al-Asiri Aseeri Al-Assiri
الترابي Al-Turabi At-Turabi Turabi
`);
export const hebrewGiven = table(`
משה Moshe Moses
יוסף Yosef Joseph Yossef
יעקב Yaakov Jacob Yaacov
אברהם Avraham Abraham
יצחק Yitzhak Isaac Itzhak
שלמה Shlomo Solomon Shelomo
חיים Haim Chaim Hayim
רבקה Rivka Rebecca Rivkah
צבי Zvi Tzvi Tsvi
מרדכי Mordechai Mordecai Mordekhai
אליהו Eliyahu Elijah
בנימין Binyamin Benjamin
שמעון Shimon Simon
נחום Nachum Nahum
`);
export const hebrewFamily = table(`
רבינוביץ Rabinovich Rabinowitz Rabinovitch
שטרנברג Shternberg Sternberg
אברמוביץ Abramovich Abramowitz Avramovich
בוזגלו Buzaglo Bouzaglo
אלקיים Elkayam Alkayam
קרליבך Karlebach Carlebach
גרינשטיין Grinshtein Greenstein Grinstein
חזקיהו Hizkiyahu Chizkiyahu Hezkiyahu
צוקרמן Zuckerman Tsukerman Zukerman
שוורצברד Schwarzbard Shvartsbard
טננבאום Tannenbaum Tenenbaum
פרלשטיין Perlstein Perlshtein
`);
export const kanaFamily =
  "さとう すずき たかはし わたなべ いとう やまもと こばやし ささき まつもと しみず さいとう はせがわ ごとう こんどう えんどう ふじい にしむら ふくしま おおた みうら ちば きくち つちや まつお のぐち しばた つじもと ふじわら じんない やしろ たちばな ひらつか しょうじ かつらぎ みずしま おおつか ふちがみ つかもと くろさわ ほりうち".split(
    " ",
  );
export const kanaGiven =
  "ひろし けんじ たろう じろう しんいち ゆうじ こうじ しょうた りょうすけ じゅんいち だいすけ ゆきこ けいこ ようこ きょうこ じゅんこ しずか ちづる みちこ つとむ ふみお まさふみ たつや しゅうへい こうへい ゆうすけ ちひろ じゅんぺい".split(
    " ",
  );
export const devanagariGiven =
  "राजेश सुरेश महेश विजय संजय रमेश कृष्ण गोविंद लक्ष्मण भूपेंद्र धर्मेंद्र ज्ञानेश विवेक शैलेश पुष्पेंद्र नरेंद्र देवेंद्र चंद्रशेखर जगदीश त्रिलोक अशोक प्रमोद कमलेश मुकेश हरीश".split(
    " ",
  );
export const devanagariFamily =
  "शर्मा वर्मा गुप्ता चतुर्वेदी त्रिपाठी भट्टाचार्य मुखोपाध्याय श्रीवास्तव देशपांडे कुलकर्णी राठौर बिश्नोई शेखावत भंडारी पांडेय दीक्षित उपाध्याय जोगळेकर गोखले खंडेलवाल अग्निहोत्री वाजपेयी".split(
    " ",
  );
export const wadeGiles = table(`
毛 Mao 泽东 Tse-tung Zedong
周 Chou-Zhou 恩来 En-lai Enlai
陈 Ch'en-Chen 独秀 Tu-hsiu Duxiu
张 Chang-Zhang 国焘 Kuo-t'ao Guotao
邓 Teng-Deng 颖超 Ying-ch'ao Yingchao
朱 Chu-Zhu 德胜 Te-sheng Desheng
蒋 Chiang-Jiang 经国 Ching-kuo Jingguo
徐 Hsu-Xu 志摩 Chih-mo Zhimo
谢 Hsieh-Xie 晋元 Chin-yuan Jinyuan
郑 Cheng-Zheng 成功 Ch'eng-kung Chenggong
曾 Tseng-Zeng 国藩 Kuo-fan Guofan
齐 Ch'i-Qi 白石 Pai-shih Baishi
`).map(([, family = "", , wade = "", plain = ""]) => {
  const [old = "", modern = old] = family.split("-");
  return { wade: `${old} ${wade}`, pinyin: `${modern} ${plain}` };
});
/** Short names, pet names and their full names. */
export const petNames = table(`
William Bill Billy
Robert Bob Bobby
Mikhail Misha
Aleksandr Sasha
Vladimir Volodya Vova
Elizabeth Betty Liz
Francisco Paco
Jose Pepe
Ekaterina Katya
Richard Dick
Evgeny Zhenya
Anastasia Nastya
Grigory Grisha
Edward Ted Eddie
Margaret Peggy Maggie
Konstantin Kostya
Nikolai Kolya
Thomas Tom
Dmitry Dima
Katherine Kate Kathy
Johannes Hans
Ignacio Nacho
`);
