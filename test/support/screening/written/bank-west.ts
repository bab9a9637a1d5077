import { bankOf } from "./name-bank";

/** Given names before the bar, family names after it; a word is its own script first, then its spellings. */
export const westernBanks = [
  bankOf(
    "Russian",
    "RU",
    `Евгений Evgeny Yevgeniy Evgenii Jewgenij Evgueni|Юрий Yuri Yury Iurii Jurij Youri|Алексей Aleksey Alexei Aleksei Alexey Aleksej
Аркадий Arkady Arkadiy Arkadii Arkadi|Всеволод Vsevolod Wsewolod|Геннадий Gennady Gennadiy Gennadii Guennadi|Вячеслав Vyacheslav Viacheslav Wjatscheslaw
Фёдор Fyodor Fedor Feodor Fjodor|Жанна Zhanna Janna Schanna|Людмила Lyudmila Ludmila Liudmila|Яна Yana Iana Jana|Ростислав Rostislav Rostislaw
Святослав Svyatoslav Sviatoslav|Ольга Olga Olga|Ксения Ksenia Kseniya Kseniia Xenia`,
    `Щербатов Shcherbatov Scherbatov Chtcherbatov|Жигарев Zhigarev Jigarev Schigarew|Хрущёв Khrushchev Khrushchyov Chruschtschow
Цыбульский Tsybulsky Tsybulskiy Tsybulskii Zybulski|Юхновский Yukhnovsky Iukhnovskii Juchnowski|Ярошенков Yaroshenkov Iaroshenkov Jaroschenkow
Чебышёв Chebyshev Chebyshyov Tschebyschow|Подъяблонский Podyablonsky Podiablonskii Podjablonskij|Эйхенвальд Eikhenvald Eichenwald Eykhenvald
Безухов Bezukhov Bezuhov Besuchow|Мышлаевский Myshlaevsky Myshlayevskiy Mychlaïevski|Кутепов Kutepov Koutepov Kutepoff|Воробьянинов Vorobyaninov Vorobianinov
Двоеглазов Dvoeglazov Dvoyeglazov|Ляпишев Lyapishev Liapishev Ljapischew|Тягунов Tyagunov Tiagunov`,
  ),
  bankOf(
    "Ukrainian",
    "UA",
    `Григорій Hryhorii Hryhoriy Grigoriy|Євген Yevhen Evhen Ievgen|Сергій Serhii Serhiy Sergiy|Юлія Yuliia Yulia Iuliia|Богдан Bohdan Bogdan
Тарас Taras Taras|Ярослав Yaroslav Iaroslav|Людмила Liudmyla Lyudmyla|Микола Mykola Mykola|Остап Ostap Ostap`,
    `Гайдабура Haidabura Gaydabura|Щербинюк Shcherbyniuk Shcherbynyuk|Яворівський Yavorivskyi Yavorivsky Iavorivskyi|Підгірняк Pidhirniak Pidgirnyak
Хоменчук Khomenchuk Homenchuk|Цимбалістий Tsymbalistyi Tsymbalisty|Їжакевич Yizhakevych Izhakevich|Чорновіл Chornovil Tchornovil
Грушецький Hrushetskyi Grushetsky|Жураківський Zhurakivskyi Zhurakovsky`,
  ),
  bankOf(
    "Bulgarian",
    "BG",
    `Живко Zhivko Jivko|Цветан Tsvetan Cvetan Zvetan|Красимир Krasimir Krassimir|Стоян Stoyan Stoian Stojan|Любомир Lyubomir Ljubomir Liubomir|Христо Hristo Christo Khristo`,
    `Щилянов Shtilyanov Shtiljanov Chtilianov|Бъчваров Bachvarov Buchvarov Bǎčvarov|Желязков Zhelyazkov Jeliazkov|Първулов Parvulov Purvulov
Чапкънов Chapkanov Chapkunov|Дюлгеров Dyulgerov Diulgerov`,
  ),
  bankOf(
    "Serbian",
    "RS",
    `Душан Dušan Dusan Dushan|Жељко Željko Zeljko|Ђурађ Đurađ Djuradj Djurad|Братислав Bratislav Bratislav|Снежана Snežana Snezana|Љубиша Ljubiša Ljubisa`,
    `Шћекић Šćekić Scekic|Чучковић Čučković Cuckovic Chuchkovich|Џамбасовић Džambasović Dzambasovic|Ђурђановић Đurđanović Djurdjanovic
Жуњић Žunjić Zunjic|Крстајић Krstajić Krstajic`,
  ),
  bankOf(
    "Greek",
    "GR",
    `Παναγιώτης Panagiotis Panayiotis Panayotis|Γεώργιος Georgios Yeoryios Georgius|Ευάγγελος Evangelos Evaggelos Evagelos|Ιωάννης Ioannis Yannis Ioannes
Χαράλαμπος Charalampos Haralambos Kharalampos|Θεόδωρος Theodoros Theodoros|Σπυρίδων Spyridon Spiridon|Αικατερίνη Aikaterini Ekaterini Katerini|Ευστάθιος Efstathios Eustathios`,
    `Παπαχατζής Papachatzis Papahatzis Papakhatzis|Μπουρνόβας Bournovas Mpournovas|Ξυδάκης Xydakis Xidakis Ksydakis|Τζαβέλας Tzavelas Tzavellas
Γκιωνάκης Gkionakis Gionakis|Χριστοφιλόπουλος Christofilopoulos Hristofilopoulos Christophilopoulos|Ντελιγιάννης Deligiannis Ntelijannis Delijannis|Ψαλιδόπουλος Psalidopoulos Psalidopulos
Αυγερινός Avgerinos Augerinos|Οικονομίδης Oikonomidis Economides Ikonomidis|Βλαχογιάννης Vlachogiannis Vlahoyannis`,
  ),
  bankOf(
    "Georgian",
    "GE",
    `ვახტანგ Vakhtang Vahtang|გიორგი Giorgi Giorgi|ქეთევან Ketevan Qetevan Kethevan|ზვიად Zviad Zviad|შოთა Shota Schota|თამარ Tamar Thamar|ჯემალ Jemal Djemal Dzhemal`,
    `ჭავჭავაძე Chavchavadze Tchavtchavadze|ღვინჯილია Ghvinjilia Gvinjilia Gvindzhiliya|წიკლაური Tsiklauri Ciklauri Ziklauri|ხუციშვილი Khutsishvili Hutsishvili Chuzischwili
ყიფიანი Kipiani Qipiani|ჟორდანია Zhordania Jordania|ძნელაძე Dzneladze Zneladze|ჩხეტიანი Chkhetiani Tchkhetiani`,
  ),
  bankOf(
    "Armenian",
    "AM",
    `Գևորգ Gevorg Kevork Gevorq|Հովհաննես Hovhannes Hovannes Ovanes|Ծովինար Tsovinar Dzovinar|Վարդան Vardan Vartan|Արշակ Arshak Arshag|Խաչիկ Khachik Khatchik Hachik`,
    `Տեր-Ղազարյան Ter-Ghazaryan Ter-Kazarian Ter-Ghazarian|Խաչիկյան Khachikyan Khachikian Khatchikian|Ղուկասյան Ghukasyan Gukasyan Ghougassian
Չիլինգարյան Chilingaryan Tchilingarian|Օհանջանյան Ohanjanyan Ohandjanian|Մկրտումյան Mkrtumyan Mkrtoumian`,
  ),
  bankOf(
    "Turkish",
    "TR",
    `Şükrü Sukru Shukru|Çağatay Cagatay Chagatay|Gülşen Gulsen Guelsen|İlhan Ilhan Ilhan|Oğuzhan Oguzhan Oghuzhan|Müjdat Mujdat|Ümit Umit`,
    `Küçükoğlu Kucukoglu Kuecuekoglu Kuchukoghlu|Şahinbaş Sahinbas Shahinbash|Çobanoğlu Cobanoglu Chobanoglu|Gündoğdu Gundogdu Guendogdu|Başaran Basaran
Düzağaç Duzagac|Kırımlıoğlu Kirimlioglu|Öğütçü Ogutcu Oegutcu`,
  ),
  bankOf(
    "Polish",
    "PL",
    `Łukasz Lukasz|Małgorzata Malgorzata|Zdzisław Zdzislaw|Grażyna Grazyna|Bożydar Bozydar|Święty Swiety`,
    `Brzęczyszczykiewicz Brzeczyszczykiewicz|Wójtowicz-Żak Wojtowicz_Zak|Gąsienica Gasienica|Źdźbłowski Zdzblowski|Chrząszczewski Chrzaszczewski|Łopuszyński Lopuszynski`,
  ),
  bankOf(
    "German",
    "DE",
    `Jürgen Juergen Jurgen|Günther Guenther Gunther|Jörg Joerg Jorg|Käthe Kaethe Kathe|Wolfgang Wolfgang|Siegfried Siegfried`,
    `Großkreutz Grosskreutz|Müllenbäcker Muellenbaecker Mullenbacker|Schöttelndreier Schoettelndreier Schottelndreier|Brückwähler Brueckwaehler Bruckwahler|von_Rüdenhausen von_Ruedenhausen Rudenhausen|Strößner Stroessner Strossner`,
  ),
  bankOf(
    "Iberian",
    "ES",
    `José_Ángel Jose_Angel|Íñigo Inigo|María_Begoña Maria_Begona|Ramón Ramon|Nuño Nuno|Concepción Concepcion`,
    `Etxeberría_Muñiz Etxeberria_Muniz Etxeberria|de_la_Fuensanta Delafuensanta Fuensanta|Goñi_Arrizabalaga Goni_Arrizabalaga Arrizabalaga|Peñalosa_Ibáñez Penalosa_Ibanez Penalosa
dos_Anjos_Quintanilha Quintanilha dosAnjos_Quintanilha|Zubiaurre_Yáñez Zubiaurre_Yanez Zubiaurre`,
  ),
  bankOf(
    "Nordic",
    "NO",
    `Øystein Oystein Oeystein|Åse Ase Aase|Bjørn Bjorn Bjoern|Þórdís Thordis|Sæmundur Saemundur|Göran Goran Goeran`,
    `Kjærsgård Kjaersgaard Kjaersgard|Ødegård Odegaard Oedegaard|Sjöstrand Sjostrand Sjoestrand|Guðjohnsen Gudjohnsen|Ångström Angstrom Aangstroem|Hjälmarsson Hjalmarsson`,
  ),
  bankOf(
    "Vietnamese",
    "VN",
    `Văn_Đức Van_Duc|Thị_Hương Thi_Huong|Quốc_Bảo Quoc_Bao|Minh_Khuê Minh_Khue|Xuân_Trường Xuan_Truong|Ngọc_Diệp Ngoc_Diep`,
    `Nguyễn Nguyen|Đặng Dang|Trương Truong|Huỳnh Huynh|Lương Luong|Phùng Phung`,
  ),
];
