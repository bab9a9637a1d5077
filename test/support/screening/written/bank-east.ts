import { bankOf } from "./name-bank";

/** Given names before the bar, family names after it; a word is its own script first, then its spellings. */
export const easternBanks = [
  bankOf(
    "Arabic",
    "SY",
    `عبدالرحيم Abdulrahim Abd_al-Rahim Abdel_Rahim Abdurrahim Abdulraheem|محمود Mahmoud Mahmud Mahmood|عبداللطيف Abdullatif Abd_al-Latif Abdellatif Abdul_Latif
غازي Ghazi Gazi|ضياءالدين Diyaeddin Diya_al-Din Ziauddin Dia_el-Din|جعفر Jaafar Jafar Djaafar Gaafar|هيثم Haitham Haytham Haissam|قصي Qusay Kusai Qusai
عماد Imad Emad|زهير Zuhair Zouheir Zoheir|عدنان Adnan Adnane|رضوان Radwan Ridwan Redouane|منذر Munther Mundhir Monzer|شمسالدين Shamsuddin Shams_al-Din Chamseddine`,
    `الحوراني Al-Hourani Al-Hawrani Hourani Alhorani|القرداحي Al-Qardahi Al-Kardahi Qirdahi|الطحاوي Al-Tahawi At-Tahawi Tahhawi El-Tahawy|الصيداوي Al-Saydawi As-Saidawi Saidawi
الخزرجي Al-Khazraji Al-Khazragi Khazraji|الدغيم Al-Daghim Ad-Dughaym Dughaim|العبيدي Al-Obaidi Al-Ubaydi Obeidi|الغنوشي Al-Ghannouchi Ghannushi Ghanouchi
بنجلون Benjelloun Ben_Jelloun Binjallun|الشيشكلي Al-Shishakli Ash-Shishakli Chichakli|الزبيدي Al-Zubaidi Az-Zubaydi Zoubeidi|الجرف Al-Jarf El-Gharf Jarf
النقشبندي Al-Naqshbandi An-Nakshbandi Naqshabandi|القيرواني Al-Qayrawani Al-Kairouani Kairawani|المهيري Al-Muhairi Al-Mheiri Almuhairi|الرشيدان Al-Rashidan Ar-Rasheedan Alrashidan`,
  ),
  bankOf(
    "Persian",
    "IR",
    `غلامحسین Gholamhossein Gholam-Hossein Gulamhussein Gholamhosein|محمدرضا Mohammadreza Mohammad-Reza Muhammad_Riza|فریدون Fereydoun Fereidun Faridoun|منوچهر Manouchehr Manuchehr Manoochehr
هوشنگ Houshang Hushang Hooshang|اسفندیار Esfandiar Isfandiyar|قاسم Ghasem Qasem Qassem|مسعود Masoud Massoud Masud|شهریار Shahriar Shahryar Shahriyar|تقی Taghi Taqi`,
    `قالیباف Ghalibaf Qalibaf|ذوالفقاری Zolfaghari Zulfiqari Zolfaqari|خوشنویسان Khoshnevisan Khoshnevisan|رضویان Razavian Rezvian Razaviyan|جهانگیری Jahangiri Djahangiri Jahanguiri
شمخانیان Shamkhanian Shamkhaniyan|طباطبایی Tabatabaei Tabatabai Tabatabayi|وحیدنیا Vahidnia Wahidnia|صیادپور Sayyadpour Sayadpur|عراقچیان Araghchian Araqchian`,
  ),
  bankOf(
    "Urdu",
    "PK",
    `ظہیر Zaheer Zahir Zahear|نعیم Naeem Naim Nayeem|ذوالفقار Zulfiqar Zulfikar Zulfeqar|شوکت Shaukat Shawkat|پرویز Pervez Parvez Pervaiz|عظمیٰ Uzma Ozma`,
    `گیلانی Gilani Geelani Gillani|بھٹیانی Bhattiani Bhatyani|زرداریان Zardarian Zardariyan|کھوسہ Khosa Khoso|جتوئی Jatoi Jatoee|مینگل Mengal Maingal`,
  ),
  bankOf(
    "Hebrew",
    "IL",
    `יהושע Yehoshua Jehoshua Yehoshoua|מנחם Menachem Menahem|רחל Rachel Rahel|עקיבא Akiva Akiba|חנוך Hanoch Chanoch Hanokh|צפורה Tzipora Zipora Tsipora|פנחס Pinchas Pinhas`,
    `גולדנברג Goldenberg Goldenberg|חרמוני Hermoni Chermoni|שפיגלמן Spiegelman Shpigelman|צדקיהו Tzidkiyahu Zidkiyahu|קפלנסקי Kaplansky Kaplanski|וייצמן Weizmann Weitzman Vaitsman
אבוטבול Abutbul Aboutboul|לרנר Lerner Lerner`,
  ),
  bankOf(
    "Hindi",
    "IN",
    `चंद्रकांत Chandrakant Chandrakanth|विश्वनाथ Vishwanath Viswanath Vishvanath|ज्योति Jyoti Jyothi|घनश्याम Ghanshyam Ghanashyam|लक्ष्मीनारायण Lakshminarayan Laxminarayan Lakshmi_Narayan
कृष्णमूर्ति Krishnamurthy Krishnamurti Krishnamoorthy|अभिषेक Abhishek Abhisek|भगवती Bhagwati Bhagavati|हृदयनाथ Hridaynath Hridayanath|सत्येंद्र Satyendra Satyender`,
    `चौरसिया Chaurasia Chourasia|सूर्यवंशी Suryavanshi Sooryavanshi Suryawanshi|भारद्वाज Bhardwaj Bharadwaj|विश्वकर्मा Vishwakarma Viswakarma|झुनझुनवाला Jhunjhunwala Jhunjhunvala
दीक्षित Dixit Dikshit|खंडूरी Khanduri Khandoori|वाल्मीकि Valmiki Walmiki|रघुवंशी Raghuvanshi Raghuwanshi|ढोलकिया Dholakia Dholakiya`,
  ),
  bankOf(
    "Bengali",
    "BD",
    `শফিকুল Shafiqul Shofiqul Safiqul|মোশাররফ Mosharraf Musharraf Mosharrof|জাহাঙ্গীর Jahangir Zahangir|সুভাষ Subhash Subhas|নজরুল Nazrul Nojrul|রাশেদা Rasheda Rashida`,
    `মজুমদার Majumdar Mazumder Mojumdar|তালুকদার Talukdar Talukder|ভূঁইয়া Bhuiyan Bhuiya Bhuyan|হাওলাদার Howlader Hawladar|শিকদার Shikdar Sikder`,
  ),
  bankOf(
    "Tamil",
    "LK",
    `முருகன் Murugan Murukan|செல்வராஜ் Selvaraj Chelvaraj Selvaraju|சுப்பிரமணியம் Subramaniam Subramanyam Subrahmaniam|கந்தசாமி Kandasamy Kanthasamy Kandaswamy|இளங்கோ Ilango Elango`,
    `பிரபாகரன் Prabhakaran Pirapaharan Prabakaran|சிவலிங்கம் Sivalingam Shivalingam|பாலசுந்தரம் Balasundaram Palasuntharam|ராமநாதன் Ramanathan Ramanadhan|வேலுப்பிள்ளை Velupillai Veluppillai`,
  ),
  bankOf(
    "Sinhala",
    "LK",
    `මහින්ද Mahinda Mahinda|චමින්ද Chaminda Chamindha|නිමල් Nimal Nimal|කුමාරි Kumari Kumari`,
    `රාජපක්ෂ Rajapaksa Rajapakse Rajapaksha|විජේසිංහ Wijesinghe Wijesinha|ගුණවර්ධන Gunawardena Gunawardhana Gunewardene|ජයසූරිය Jayasuriya Jayasooriya`,
  ),
  bankOf(
    "Thai",
    "TH",
    `ประยุทธ์ Prayut Prayuth|อภิสิทธิ์ Abhisit Apisit|สมชาย Somchai Somchai|ธนาธร Thanathorn Thanathon|วิโรจน์ Wirot Virote Viroj|กิตติ Kitti Kitti`,
    `จันทร์โอชา Chan-o-cha Chanocha|เวชชาชีวะ Vejjajiva Wetchachiwa|สุวรรณภูมิ Suwannaphum Suvarnabhumi|ศรีสวัสดิ์ Sisawat Srisawat Srisawasdi|บุญเรือง Bunrueang Boonruang`,
  ),
  bankOf(
    "Chinese",
    "CN",
    `建国 Jianguo Jian-guo Jian_Guo Chien-kuo|伟强 Weiqiang Wei-qiang Wei_Qiang Wei-ch'iang|晓东 Xiaodong Xiao-dong Xiao_Dong Hsiao-tung|志明 Zhiming Zhi-ming Zhi_Ming Chih-ming
丽华 Lihua Li-hua Li_Hua|国忠 Guozhong Guo-zhong Guo_Zhong Kuo-chung|淑珍 Shuzhen Shu-zhen Shu_Zhen Shu-chen|庆祥 Qingxiang Qing-xiang Qing_Xiang Ch'ing-hsiang|雪梅 Xuemei Xue-mei Xue_Mei Hsueh-mei|宝玉 Baoyu Bao-yu Bao_Yu Pao-yu`,
    `赵 Zhao Chao|钱 Qian Ch'ien|蔡 Cai Ts'ai|薛 Xue Hsueh|贾 Jia Chia|郭 Guo Kuo|邱 Qiu Ch'iu|邓 Deng Teng|蒋 Jiang Chiang|欧阳 Ouyang Ou-yang|司马 Sima Ssu-ma|谢 Xie Hsieh`,
  ),
  bankOf(
    "Traditional",
    "TW",
    `建國 Jianguo Jian-guo Chien-kuo|偉強 Weiqiang Wei-qiang Wei-ch'iang|曉東 Xiaodong Xiao-dong Hsiao-tung|麗華 Lihua Li-hua|國忠 Guozhong Guo-zhong Kuo-chung|慶祥 Qingxiang Qing-xiang Ch'ing-hsiang|寶玉 Baoyu Bao-yu Pao-yu`,
    `趙 Zhao Chao|錢 Qian Ch'ien|賈 Jia Chia|鄧 Deng Teng|蔣 Jiang Chiang|歐陽 Ouyang Ou-yang|謝 Xie Hsieh|葉 Ye Yeh|劉 Liu Liu|黃 Huang Huang`,
  ),
  bankOf(
    "Japanese",
    "JP",
    `しんいちろう Shinichiro Shin'ichiro Shinichirou Sin'itiro|じゅんじ Junji Zyunzi|けいたろう Keitaro Keitarou Keitaroh|ちづこ Chizuko Tizuko Chiduko|ゆうすけ Yusuke Yuusuke Yūsuke|つよし Tsuyoshi Tuyosi
ふみや Fumiya Humiya|りょうた Ryota Ryouta Ryohta|しょうへい Shohei Shouhei Syohei`,
    `ちょうのう Chono Chouno Tyono|おおつじ Otsuji Ohtsuji Ootsuji|さいごう Saigo Saigou Saigoh|くじらおか Kujiraoka Kuziraoka|しまぶくろ Shimabukuro Simabukuro|つじむら Tsujimura Tuzimura
ほんま Honma Homma|なんば Nanba Namba|ふじわら Fujiwara Huziwara|じょうのうち Jonouchi Johnouchi Zyonouti`,
  ),
  bankOf(
    "Katakana",
    "JP",
    `シンイチロウ Shinichiro Shin'ichiro Shinichirou|ケイタロウ Keitaro Keitarou|ユウスケ Yusuke Yuusuke|ツヨシ Tsuyoshi Tuyosi|リョウタ Ryota Ryouta`,
    `オオツジ Otsuji Ohtsuji Ootsuji|クジラオカ Kujiraoka Kuziraoka|シマブクロ Shimabukuro Simabukuro|ツジムラ Tsujimura Tuzimura|ジョウノウチ Jonouchi Zyonouti`,
  ),
  bankOf(
    "Korean",
    "KP",
    `용철 Yong-chol Yongcheol Yong_Chul Yŏngch'ŏl|성호 Song-ho Seongho Sung_Ho Sŏngho|경희 Kyong-hui Gyeonghui Kyung_Hee Kyŏnghŭi|명수 Myong-su Myeongsu Myung_Soo Myŏngsu
정일 Jong-il Jeongil Jung_Il Chŏngil|동현 Tong-hyon Donghyeon Dong_Hyun Tonghyŏn|영란 Yong-ran Yeongnan Young_Ran|광식 Kwang-sik Gwangsik Kwang_Shik|은주 Un-ju Eunju Eun_Joo Ŭnju`,
    `김 Kim Gim Kim|박 Pak Bak Park|최 Choe Choi|정 Jong Jeong Chung Jung Chŏng|강 Kang Gang|조 Jo Cho|윤 Yun Yoon|임 Im Lim Rim|오 O Oh|권 Kwon Gwon Kwŏn|백 Paek Baek Paik|황 Hwang Hwang`,
  ),
];
