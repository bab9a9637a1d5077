import { bankOf } from "./name-bank";

/** Names that no table of the matcher was made by, given names before family names; a word is its own script first. */
export const furtherBanks = [
  bankOf(
    "Russian",
    "RU",
    `Аристарх Aristarkh Aristarh|Эльвира Elvira Elvira|Тимофей Timofey Timofei|Кузьма Kuzma Kouzma|Ярополк Yaropolk Iaropolk|Лукерья Lukerya Lukeria|Захар Zakhar Zahar|Пётр Pyotr Petr Piotr
Агафья Agafya Agafia|Емельян Yemelyan Emelian|Зиновий Zinovy Zinoviy|Юлиан Yulian Iulian Julian`,
    `Щепкин Shchepkin Schepkin|Жуковский Zhukovsky Zhukovskii Joukovski|Цветаев Tsvetaev Tsvetayev Zwetajew|Хвостов Khvostov Hvostov Chwostow|Яблочков Yablochkov Iablotchkov|Ермолаев Yermolaev Ermolayev
Чихачёв Chikhachev Chikhachyov Tchihatcheff|Юсупов Yusupov Youssoupoff Iusupov|Шереметьев Sheremetyev Sheremetev|Рождественский Rozhdestvensky Rojdestvenskii|Грибоедов Griboyedov Griboedov|Ключевский Klyuchevsky Kliuchevskii`,
  ),
  bankOf(
    "Greek",
    "GR",
    `Αχιλλέας Achilleas Ahilleas Akhilleas|Διονύσιος Dionysios Dionisios|Ευφροσύνη Effrosyni Euphrosyni Efrosini|Θεμιστοκλής Themistoklis Themistocles|Ξενοφών Xenofon Xenophon|Σωκράτης Sokratis Socrates|Φωτεινή Foteini Fotini Photini|Γρηγόριος Grigorios Gregorios`,
    `Κουτσογιάννης Koutsogiannis Koutsoyannis|Μητσοτάκης Mitsotakis Mitsotakes|Παπανδρέου Papandreou Papandreu|Χατζηδάκης Chatzidakis Hatzidakis|Θεοδωρακόπουλος Theodorakopoulos Theodoracopoulos|Ζαχαρόπουλος Zacharopoulos Zaharopoulos
Μπακογιάννης Bakogiannis Bakoyannis|Τσουκαλάς Tsoukalas Tsukalas|Ευαγγελάτος Evangelatos Evagelatos|Αναγνωστάκης Anagnostakis Anagnostakes`,
  ),
  bankOf(
    "Georgian",
    "GE",
    `ნუგზარ Nugzar Nougzar|თეიმურაზ Teimuraz Theimouraz Teymuraz|მზია Mzia Mziya|ლევან Levan Lewan|ჯანსუღ Jansugh Jansug|ხათუნა Khatuna Hatuna|ელგუჯა Elguja Elgudja`,
    `შევარდნაძე Shevardnadze Chevardnadze|ჯაფარიძე Japaridze Djaparidze|წერეთელი Tsereteli Cereteli|ჩიქოვანი Chikovani Tchikovani|ღლონტი Ghlonti Glonti|ხვიჩია Khvichia Hvichia|კვირიკაშვილი Kvirikashvili Kvirikachvili|ძიძიგური Dzidziguri Dzidzigouri`,
  ),
  bankOf(
    "Armenian",
    "AM",
    `Հրանտ Hrant Grant|Վահագն Vahagn Vahakn|Նարինե Narine Nariné|Սուրեն Suren Souren|Ռուբեն Ruben Rouben|Լուսինե Lusine Lousine|Ներսես Nerses Nersess`,
    `Խաչատուրյան Khachaturyan Khachaturian Khatchatourian|Հարությունյան Harutyunyan Haroutunian Arutyunyan|Ջանիբեկյան Janibekyan Djanibekian|Մինասյան Minasyan Minassian|Ծառուկյան Tsarukyan Tsaroukian|Չարենցյան Charentsyan Tcharentsian|Բաղդասարյան Baghdasaryan Bagdasarian|Ֆրունզիկյան Frunzikyan Frounzikian`,
  ),
  bankOf(
    "Arabic",
    "EG",
    `عبدالقادر Abdulqadir Abdel_Kader Abdelkader Abd_al-Qadir|طلعت Talaat Talat|نجيب Naguib Najib Nagib|فيصل Faisal Faysal|يحيى Yahya Yehia Yahia|خيرالدين Khairuddin Kheireddine Khayr_al-Din|رفيق Rafiq Rafik|زكريا Zakaria Zakariya|عثمان Uthman Osman Othman|سليمان Sulaiman Suleiman Soliman|هدى Huda Hoda|جمال Jamal Gamal Djamel`,
    `السيسي Al-Sisi El-Sisi Elsisi|القذافي Al-Qaddafi El-Gaddafi Kadhafi|البغدادي Al-Baghdadi El-Bagdadi|الظواهري Al-Zawahiri Az-Zawahri Zawahri|الشريف Al-Sharif Ash-Shareef Cherif|بورقيبة Bourguiba Burgiba Bourgiba|حجازي Hijazi Hegazy Hejazi|المصري Al-Masri El-Masry Almasri|بوتفليقة Bouteflika Butaflika|الدوري Al-Douri Ad-Duri Addouri`,
  ),
  bankOf(
    "Persian",
    "IR",
    `پرویز Parviz Parwiz|جمشید Jamshid Djamshid|خسرو Khosrow Khosro Khusrau|ژاله Zhaleh Jaleh|علیرضا Alireza Ali-Reza Ali_Riza|مهرداد Mehrdad Mihrdad`,
    `روحانی Rouhani Rowhani Ruhani|ظریف Zarif Zareef|سلیمانی Soleimani Sulaymani|خامنه‌ای Khamenei Khamenehi|فروزنده Forouzandeh Foruzandeh|لاریجانی Larijani Laridjani|نوبخت Nobakht Nowbakht`,
  ),
  bankOf(
    "Hebrew",
    "IL",
    `בנימין Binyamin Benjamin Benyamin|אליעזר Eliezer Eliezer|יחזקאל Yehezkel Yechezkel Ezekiel|נפתלי Naftali Naphtali|שושנה Shoshana Shoshanna|צבי Zvi Tzvi Tsvi|רבקה Rivka Rivkah|גדעון Gideon Gidon`,
    `נתניהו Netanyahu Netaniahu|שטיינברג Steinberg Shteinberg|בן־גוריון Ben-Gurion Ben_Gurion|אשכנזי Ashkenazi Ashkenazy Eshkenazi|חכים Hakim Chakim Hachim|ליברמן Lieberman Liberman|גולדשטיין Goldstein Goldshtein|צימרמן Zimmerman Tzimerman`,
  ),
  bankOf(
    "Hindi",
    "IN",
    `अटल Atal Attal|शिवराज Shivraj Shivaraj|वेंकटेश Venkatesh Wenkatesh|पूर्णिमा Purnima Poornima|रवीन्द्र Ravindra Rabindra Ravinder|मीनाक्षी Minakshi Meenakshi|दयानन्द Dayanand Dayananda|हरिश्चन्द्र Harishchandra Harish_Chandra|शत्रुघ्न Shatrughan Shatrughna`,
    `बिड़ला Birla Birlaa|त्रिवेदी Trivedi Triwedi|चौधरी Chaudhary Choudhary Chaudhry|भार्गव Bhargava Bhargav|वशिष्ठ Vashishth Vashisht Vasishtha|मुखर्जी Mukherjee Mukherji|गायकवाड़ Gaikwad Gayakwad|पुरोहित Purohit Purohith|सोलंकी Solanki Solankee|फडणवीस Fadnavis Phadnavis`,
  ),
  bankOf(
    "Bengali",
    "BD",
    `রফিকুল Rafiqul Rofiqul Rafikul|জিয়াউর Ziaur Jiaur|আব্দুল Abdul Abdul|বিশ্বজিৎ Biswajit Bishwajit Vishwajit|শর্মিলা Sharmila Sarmila|মমতা Mamata Mamota|অমর্ত্য Amartya Amarta|সৌরভ Sourav Saurav Sourabh`,
    `চট্টোপাধ্যায় Chattopadhyay Chatterjee Chattopadhyaya|গঙ্গোপাধ্যায় Gangopadhyay Ganguly|বন্দ্যোপাধ্যায় Bandyopadhyay Bandopadhyay|ভট্টাচার্য Bhattacharya Bhattacharjee Bhattacharyya|সরকার Sarkar Sarker Sircar|চৌধুরী Chowdhury Choudhury Chaudhuri|হোসেন Hossain Hussain Hosen|মণ্ডল Mondal Mandal|বিশ্বাস Biswas Bishwas`,
  ),
  bankOf(
    "Gujarati",
    "IN",
    `નરેન્દ્ર Narendra Narender|અમિત Amit Ameet|જિજ્ઞેશ Jignesh Jigneshh|હાર્દિક Hardik Hardick|ભૂપેન્દ્ર Bhupendra Bhupender`,
    `પટેલ Patel Patail|શાહ Shah Sha|મેવાણી Mevani Mewani|ઝવેરી Jhaveri Zaveri|ચૌહાણ Chauhan Chauhaan|રાઠોડ Rathod Rathore`,
  ),
  bankOf(
    "Telugu",
    "IN",
    `చంద్రబాబు Chandrababu Chandra_Babu|వెంకటేశ్వర Venkateswara Venkateshwara|రామారావు Ramarao Rama_Rao|సుబ్బారావు Subbarao Subba_Rao`,
    `నాయుడు Naidu Nayudu|రెడ్డి Reddy Reddi|చిరంజీవి Chiranjeevi Chiranjivi|అల్లూరి Alluri Alloori|కొణిదెల Konidela Konidala`,
  ),
  bankOf(
    "Punjabi",
    "IN",
    `ਗੁਰਪ੍ਰੀਤ Gurpreet Gurprit|ਹਰਜੀਤ Harjeet Harjit|ਬਲਵਿੰਦਰ Balwinder Balvinder|ਜਸਵੰਤ Jaswant Jasvant`,
    `ਢਿੱਲੋਂ Dhillon Dhilon|ਬਰਾੜ Brar Barar|ਸਿੱਧੂ Sidhu Siddhu|ਗਰੇਵਾਲ Grewal Garewal|ਭਿੰਡਰਾਂਵਾਲੇ Bhindranwale Bhindranvale`,
  ),
  bankOf(
    "Thai",
    "TH",
    `ชัชชาติ Chadchart Chatchart Chatchat|ยิ่งลักษณ์ Yingluck Yinglak|สมศักดิ์ Somsak Somsakdi|ประวิตร Prawit Pravit|เศรษฐา Srettha Settha|อนุทิน Anutin Anuthin|พิธา Pita Phitha|วันชัย Wanchai Vanchai|ภูมิพล Bhumibol Phumiphon|ธานินทร์ Thanin Tanin|สุรยุทธ์ Surayud Surayut|บรรหาร Banharn Banhan|เปรม Prem Prem|กฤษณะ Kritsana Krisana|พงษ์เทพ Phongthep Pongthep|วราวุธ Warawut Varawut`,
    `สิทธิพันธุ์ Sittipunt Sitthiphan|วงษ์สุวรรณ Wongsuwan Wongsuwon|ทวีสิน Thavisin Thawisin|ชาญวีรกูล Charnvirakul Chanwirakun|ลิ้มเจริญรัตน์ Limjaroenrat Limcharoenrat|จุลานนท์ Chulanont Chulanon|ศิลปอาชา Silpa-archa Sinlapa-acha|ติณสูลานนท์ Tinsulanonda Tinnasulanon|ไกรวิเชียร Kraivichien Kraiwichian|อมาตยกุล Amatyakul Amattayakun|วิชิตชลชัย Vichitcholchai Wichitchonchai|ธนะรัชต์ Dhanarajata Thanarat|พูนศิริ Poonsiri Phunsiri|เจริญสุข Charoensuk Jaroensuk|รัตนากร Rattanakorn Ratanakorn|มหาชัย Mahachai Mahachai`,
  ),
  bankOf(
    "Chinese",
    "CN",
    `文斌 Wenbin Wen-bin Wen_Bin|浩然 Haoran Hao-ran Hao_Ran|秀英 Xiuying Xiu-ying Xiu_Ying|海涛 Haitao Hai-tao Hai_Tao|嘉欣 Jiaxin Jia-xin Jia_Xin|振华 Zhenhua Zhen-hua Zhen_Hua|永福 Yongfu Yong-fu Yong_Fu|玉兰 Yulan Yu-lan Yu_Lan|思远 Siyuan Si-yuan Si_Yuan|德胜 Desheng De-sheng De_Sheng`,
    `周 Zhou|吴 Wu|郑 Zheng|冯 Feng|许 Xu|何 He|吕 Lu Lyu|曹 Cao|严 Yan|魏 Wei|彭 Peng|苏 Su|方 Fang|诸葛 Zhuge`,
  ),
  bankOf(
    "Japanese",
    "JP",
    `まさひろ Masahiro Masahirō|きょうすけ Kyosuke Kyousuke|りゅういち Ryuichi Ryuuichi|しゅんすけ Shunsuke Syunsuke|ちあき Chiaki Tiaki|ゆうこ Yuko Yuuko Yūko|つとむ Tsutomu Tutomu|ふうか Fuka Fuuka|じょうじ Joji Jouji`,
    `くどう Kudo Kudou|おおの Ono Ohno Oono|つちだ Tsuchida Tutida|こうの Kono Kouno Kohno|ちの Chino Tino|ふなばし Funabashi Hunabasi|じんぼ Jinbo Jimbo|いしづか Ishizuka Ishiduka|とうじょう Tojo Toujou|まつしま Matsushima Matusima`,
  ),
  bankOf(
    "Kanji",
    "JP",
    `健一 Kenichi Ken'ichi|太郎 Taro Tarou|裕子 Yuko Hiroko|直樹 Naoki Naoki|智子 Tomoko Tomoko|大輔 Daisuke Daisuke|恵美 Emi Megumi|翔太 Shota Shouta|和夫 Kazuo Kazuo|美咲 Misaki Misaki|正義 Masayoshi Masayoshi|浩二 Koji Kouji|由美子 Yumiko Yumiko|誠 Makoto Makoto|隆 Takashi Takashi|晋三 Shinzo Shinzou|純一郎 Junichiro Jun'ichiro`,
    `鈴木 Suzuki Suzuki|渡辺 Watanabe Watanabe|安倍 Abe Abe|石川 Ishikawa Ishikawa|長谷川 Hasegawa Hasegawa|藤原 Fujiwara Huziwara|山口 Yamaguchi Yamaguti|小泉 Koizumi Koizumi|上田 Ueda Ueda|中島 Nakajima Nakashima|大塚 Otsuka Ohtsuka|三浦 Miura Miura|近藤 Kondo Kondou`,
  ),
  bankOf(
    "Korean",
    "KR",
    `문호 Moonho Munho Mun-ho|연락 Yeollak Yonnak|백남 Baengnam Paeknam Baeknam|석률 Seongnyul Seokryul Sok-ryul|재인 Jaein Jae-in Chae-in|석열 Seokyeol Suk-yeol Seok-yeol Sok-yol|준호 Junho Jun-ho Joon-ho|현희 Hyunhee Hyeonhui Hyon-hui|신라 Silla Sinra Shilla|은경 Eunkyung Eun-gyeong Un-gyong|혁명 Hyeongmyeong Hyokmyong Hyuk-myung|만리 Manri Malli|국민 Gungmin Kukmin Kuk-min
지훈 Jihoon Ji-hun Chi-hun|영숙 Youngsook Yeong-suk Yong-suk|철수 Chulsoo Cheolsu Chol-su|미라 Mira Mi-ra|종락 Jongnak Jongrak Chong-nak`,
    `문 Moon Mun|윤 Yoon Yun|신 Shin Sin|유 Yoo Yu|서 Seo Suh So|송 Song|홍 Hong|안 Ahn An|전 Jeon Jun Chon|고 Ko Go|손 Son Sohn|배 Bae Pae|허 Heo Hur|남 Nam|심 Shim Sim|노 Roh Noh|곽 Kwak Gwak|우 Woo U`,
  ),
  bankOf(
    "Turkish",
    "TR",
    `Gökçe Gokce Goekce|Işıl Isil|Tuğrul Tugrul Tughrul|Yiğit Yigit Yighit|Çiğdem Cigdem Chighdem|Özgür Ozgur Oezguer|Şebnem Sebnem Shebnem`,
    `Kılıçdaroğlu Kilicdaroglu Kilichdaroghlu|Gümüşdere Gumusdere Guemuesdere|Bayraktaroğlu Bayraktaroglu|Akşener Aksener Akshener|Üçüncü Ucuncu Uechuenchue|Çavuşyan Cavusyan Chavushyan|Öksüz Oksuz Oeksuez`,
  ),
  bankOf(
    "Central European",
    "CZ",
    `Jiří Jiri|Zdeněk Zdenek|Řehoř Rehor|Lýdia Lydia|Žofie Zofie|Győző Gyozo|István Istvan`,
    `Dvořáček Dvoracek|Švejkovský Svejkovsky Shveykovsky|Hřebejk Hrebejk|Szűcsné Szucsne|Kőszegi Koszegi Koeszegi|Przybyłowicz Przybylowicz|Ščepka Scepka Shchepka|Kużniar Kuzniar`,
  ),
  bankOf(
    "Romance",
    "BR",
    `Conceição Conceicao|João_Vítor Joao_Vitor|François-Xavier Francois_Xavier|Inês Ines|Ştefan Stefan Shtefan|Benoît Benoit|Ángeles Angeles`,
    `Guimarães Guimaraes|Brandão_Falcão Brandao_Falcao|Lefèvre-Duclos Lefevre_Duclos|Țepeneag Tepeneag Tsepeneag|d'Alençon Dalencon d_Alencon|Núñez_Feijóo Nunez_Feijoo|Château-Renaud Chateau_Renaud|Ionuțescu Ionutescu`,
  ),
];
