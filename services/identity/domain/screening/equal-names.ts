/** Equivalent names: short forms, pet names, and the same name in other languages. A line is one name. */
export const equalNames = `
aleksandr alexander alex sashko oles aleko sasha sanya shura sandy alejandro alessandro alexandre iskandar oleksandr aliaksandr olexandr alec xander sandro alexandros
aleksandra alexandra sasha sandra alex oleksandra alejandra lesya
aleksei alexei alexey alyosha lyosha oleksiy alexis aleksey
anastasia nastya anastasiya stasia nastia
anatoly tolya anatolii anatol anatole
andrei andrey andrew andre andreas andres andrea andrzej andriy andriyanov andy drew ondrej
anna anya ann anne annie hanna hannah ana anka anouk
anthony antonio anton tony toni antoine antonis antonios antoni
antonina tonya
arkady arkadi arkasha
arthur artur art
benjamin ben benny binyamin benji בנימין بنيامين
bernard bernardo bernhard bernie
boris borya borys
catherine katherine katarzyna katrin kaja kati ekaterina katya kate kathy cathy katarina caterina catalina kateryna yekaterina kathryn katie kasia aikaterini ekaterini ketevan ketewan
charles carlos karl carl carlo charlie chuck karol karel
christian kristian cristian khristian
christopher chris kit cristobal christophe christoph kristof kristoffer
christina kristina cristina tina chris
constantine konstantin kostya constantin konstantinos costas kostas
daniel dan danny daniil danila danylo daniele danilo דניאל دانيال
david dave davide dawid davit dudi daoud dawud dawood דוד دוود داود
deborah debra debbie devora
denis dennis dionysius denys
diego santiago
dmitry dmitri dima mitya dimitri dmytro dimitrios dimitar dimitris dzmitry
edward ed eddie eduard eduardo edoardo ted teddy ned edouard
elena helen yelena lena olena helena elene ellen eleni
elizabeth liz lisl liesl elsbeth elzbieta ela lizzie betsy bettina lisbeth beth betty eliza lisa elisabeth yelizaveta lizaveta elisaveta liza elisabetta bess libby
emmanuel manuel emanuel immanuel manolo emanuele manolis
eugene evgeny yevgeny zhenya yevhen evgeniy gene eugenio eugen yevgeni
evgenia zhenya yevgenia eugenia
fatima fatma fatemeh fatimah fatme فاطمة فاطمه faadumo fadumo fatuma
fyodor theodore fedor fedya theodor teodor ted teo theodoros teddy todor teodoro
francis francisco kiko quico franek ferenc feri franjo frank franz francesco paco pancho franco francois frantisek fran franciszek ferenc
frederick frederic fred freddy friedrich federico fritz
gabriel gavriil gabriele gabor gabe גבריאל
galina galya halyna
gennady gena hennadiy
george georgy gosha gogi giga jurek jerzyk gyorgy gyuri jordi yuri jorge giorgio georgios giorgos yorgos yiorgos yeoryios georges heorhiy gheorghe jerzy jiri georg giorgi jurij yury yurii yura zhora yegor جورج giorgis
gerard gerhard gerardo gerry
gregory grigory grisha greg gregor grigori hryhoriy gregorio grigorios grzegorz
giovanni john
ignacio ignatius nacho ignazio
hassan hasan حسن xasan
hussein hussain husayn hossein huseyin hoseyn حسين xuseen
henry heinrich heinz heini enzo enrique henri harry hank enrico hendrik henryk heiner
ibrahim abraham ibo avraham ebrahim abe ibrahima avi abram ibragim brahim אברהם إبراهيم ابراهيم
ilya elias elijah ilia eli illya elie eliyahu ilyas ilias elia אליהו إلياس
irina ira iryna irene irena irini
isaac yitzhak ishaq itzhak isak izhak eishaq יצחק إسحاق اسحاق
ismail ishmael ismael esmail ישמעאל إسماعيل اسماعيل
ivan john vanya vano nikos janek jasio jancsi johnnie jovan ioann vanya johan johannes juan jean giovanni joao jan ioannis janos ian sean jack johnny hans yiannis jon hovhannes ivane yahya
james jim jimmy jacob yaakov yakov jacques jaime giacomo iago jamie santiago diego jakob jakub yaqub iakov hakob hagop akop jake יעקב يعقوب
jennifer jen jenny
joseph jose sepp josip joska jozsef yusuf yosef josef giuseppe joe pepe iosif yossi joey beppe jozef youssef hovsep ioseb yousef yusif יוסף يوسف
joshua josh yehoshua יהושע
judith judy yehudit
julia yulia julie giulia yuliya juliette
julius yuli julio giulio jules
kenneth ken kenny
kiril kirill cyril kyrylo
larisa lara larissa
lawrence laurence larry lorenzo laurent lars laurentius lavrentiy
leo lev leon lyova leonid levon
leonard leonardo len lenny leonhard
louis luis luigi lewis ludwig lou louie
lucas luke luca lukas luka lukasz
lyudmila ludmila lyuda mila liudmila
magdalena magda madeleine
marcus mark marco marcos marek marc markus marko markos
margaret margarita rita maggie meg peggy margarethe margherita marguerite greta gosia malgorzata gretel
maria mary marie masha marija mariya mariam miriam maryam marya maryam manya מרים مريم
martin martina marty marten
matthew matt mateo matteo matvei matthias mateusz mathieu matthieu matej matyas
maxim max maximilian maksim maksym maximo massimo
michael mikhail misha mike mickey miguel michel mikael michele mykhailo mihai michal mihail mick mikel mikayel mihaly michail מיכאל ميخائيل
mohammed muhammad hamoudi memo mo mohamed mohammad muhammed mehmet mohd mohamad mahomet magomed mamadou muhamad mahammad md muhammadu moh محمد maxamed
moses moshe musa moussa moises mose moishe mousa משה موسى
nadezhda nadia nadya nadiya
natalia natasha natalya nataliya nathalie natalie
nathan natan nathaniel nate נתן
nicholas nikolai mykolai kolyan niko nick kolya nicolas nikolaos mykola nicola niccolo nikola mikolaj klaus nico nikos miklos nikolay colin nicolae niels
oleg oleh olezhka
olga olya olha helga
osman uthman othman usman ousmane عثمان cusmaan cismaan
omar umar omer عمر cumar
patrick paddy pat patricio patrizio padraig
patricia pat patty tricia
paul pavel pasha pablo paolo pavlo paulo pauli pavlos pal pawel
peter pyotr petr petya petrus petko piotrek perico pedro pietro pierre petro petros pete piotr petar pieter peer
philip filipp phil felipe filip philippe filippo philippos
raphael rafael raffaele rafa rafal
raymond ray ramon raimondo raimund
rebecca becky rivka רבקה
richard rick dick ricardo rich riccardo rico richie ryszard
robert bob rob bobby roberto robbie bert
roger rogelio ruggero rudiger
roman roma
ronald ron ronnie
samuel sam sammy shmuel samuele samuil שמואל صموئيل samvel
sara sarah sally שרה سارة
sergei sergey seryozha serhiy sergio serge sergius siarhei sarkis serghei
simon semyon shimon simeon semen szymon symeon simone שמעון سمعان
solomon sulaiman sulo suleiman salomon shlomo shelomo suleyman soliman שלמה سليمان
sofia sophia sonya sophie zofia sonia
stanislav stas slava stanislaw staszek stanislaus stan
stephen steven stefan steve stepan esteban stefano etienne stephan stefanos istvan szczepan stephane
svetlana sveta svitlana
susan susanna sue suzanne zuzana shoshana
tatiana tanya tatyana tetiana tetyana
thomas tom tommy tomas tommaso foma tomasz tomaz
timothy tim timofey timur timoteo
valentina valya
valery valeri valera valeriy valerio
vasily vasya vasil basil vasyl vasileios basilio vasilis wasyl vassily
veronica vera nika
viktor victor vitya vittorio viktors
vincent vincenzo vince vicente
vitaly vitalik vitaliy
vladimir volodya wolodja vovka vova volodymyr wladimir vlad uladzimir wlodzimierz
vladislav vlad slava wladyslaw vladyslav
vyacheslav slava viacheslav
walter gualtiero walt volter
william bill wim guille will billy guillermo willem wilhelm guillaume guglielmo liam willy vilem
zachary zack zakaria zakariya zechariah zakariyya
abdullah abdallah abdoullah abdollah عبدالله cabdullaahi abdullahi abdulahi
ali aly علي علی cali
ahmed ahmad ahmet akhmed akhmad أحمد احمد axmed
said saeed saied sayeed siciid
mahmoud mahmut mahmood makhmud
qasim kasem kassem qassem ghassem kasim
jamal gamal djamel cemal
jamil gamil cemil djamil
salem salim selim
karim kerim kareem
kamal kemal
taher tahir
zia diya ziya
jafar cafer djafar
farouk faruq faruk
chong jung
levy levi halevi lewi לוי הלוי
abigail abby gail abbie
panagiotis panayiotis panos takis panagis
panagiota panayiota panayota
guadalupe lupe lupita
jesus chuy chucho
alfred fred alfredo freddie
albert al bert alberto albrecht
rosa rosie rosita
concepcion concha conchita
dolores lola
mercedes merche
pilar pili
teresa tere theresa terry tess
cristobal tobal
evangelos vangelis evaggelos
athanasios thanasis thanos
charalampos babis haralambos
spyridon spyros
wolfgang wolf
manfred manni
gottfried friedel
siegfried sigi
ruslan rusik
bogdan bohdan danko
taras tarasik
yaroslav slava yarik
boleslaw bolek
zbigniew zbyszek
tadeusz tadek
kazimierz kazik
isabel isabelle isabela
cohen kohen kogan kagan cahn kahn
chattopadhyay chatterjee chattopadhyaya
mukhopadhyay mukherjee mukhopadhyaya mukherji
bandyopadhyay banerjee bandopadhyay banerji
gangopadhyay ganguly ganguli
bhattacharya bhattacharjee bhattacharyya
bhuiyan bhuiya bhuyan
evangelos evagelos evaggelos
hovhannes ovanes hovannes hovanes ohannes
imad emad عماد
chaudhary chowdhury choudhury chaudhuri chaudhari choudhary chowdhary chaudhry choudhry chaudhury chowdary choudary
srivastava shrivastava srivastav shrivastav
karapet garabed karabet
tigran dikran
gevorg kevork gework
vardan vartan
mkrtich mgrdich mkrtch
harutyun haroutioun arutyun artin haroutyun
bedros petros betros
gegham kegham
cyrus kourosh kurosh koroush kurush koorosh
igor ihor ihar
bajpai vajpayee vajpeyi bajpayee
maurice moritz mauricio maurizio
yehezkel ezekiel hezkel יחזקאל
anastasios tasos anastassios anastasis
efstathios stathis eustathios efstathius
stylianos stelios stylianou
iraklis heracles hercules herakles irakles
theodoros thodoros thodoris
eleftherios lefteris
apostolos tolis
gerasimos makis
dionysios dionisis
hannah chana hana channah hanna
naomi noemi noa noemie
zidan zidane zaydan zeidan zaidan
abdi cabdi
egal cigaal
hirsi xirsi
davis davies
thompson thomson tomson
clark clarke
stevens stephens
reid reed
philips phillips philipps
shapira shapiro schapiro schapira shapirah
meyer meier maier mayer
schmidt schmitt schmid
hoffmann hofmann hoffman
zvi tzvi tsvi zwi צבי
recep rajab ragab redzep radjab rexhep
bashir bechir beshir basheer bachir
zayn zine zein zain
siddiqui siddiqi siddique sidiqi صدیقی صديقي
fazl fazal fazel
krikor grigor
boghos poghos
geoffrey jeffrey jeff
mahdi mehdi mahdy mehdy
azoulay azoulai azulay azulai אזולאי
sean shaun shawn
deyan dejan deian
`;

/** Short forms and pet names of the above, and one country's form of another's name: each is equivalent to all names of its line. */
export const standIns = `
akop hagop garabed bedros kevork dikran mgrdich krikor boghos recep rexhep redzep cali cumar cabdi cusmaan cismaan xasan xuseen axmed tasos stathis stelios lefteris tolis thodoros thodoris sashko oles aleko sasha sanya shura sandy alec xander sandro lesya alyosha lyosha nastya stasia nastia tolya andy drew annie anka anouk tony toni tonya arkasha art ben benny benji bernie borya
katrin kaja kati katya kate kathy katie kasia charlie chuck chris kit tina kostya costas kostas dan danny danila dave dudi debra debbie dima mitya ed eddie ted teddy ned lena liz lisl liesl elsbeth ela lizzie betsy bettina lisbeth beth betty eliza lisa liza bess libby
manolo manolis gene zhenya fatme fedya teo kiko quico franek feri frank paco pancho fran fred freddy fritz gabe galya gena gosha gogi giga jurek jurij yury yura zhora gerry grisha greg nacho hank heinz heini enzo harry ibo avi abe ili ira itzhak izhak vanya vano jasio jancsi johnnie jack johnny jim jimmy jamie jake jen jenny sepp josip joska joe pepe yossi joey beppe josh judy
ken kenny lara larry lars lyova len lenny lou louie luca lyuda mila magda masha manya rita maggie meg peggy greta gosia marty matt max misha mike mickey mick hamoudi memo mo mohd md moh mose nadia nadya natasha nate niko nick kolya kolyan klaus nico nikos olezhka olya paddy pat patty tricia pasha petya petrus petko pete phil rafa rafal ray becky rick dick rich richie bob rob bobby robbie bert roma ron ronnie sam sammy sally
seryozha sulo sonya sonia stas slava staszek stan steve sveta sue tanya tom tommy tim valya valera vasya vera nika vitya vince vitalik volodya wolodja vovka vova vlad walt bill wim guille will billy willy liam zack zia abby gail panos takis panagis lupe lupita chuy chucho alfie freddie al rosie rosita concha conchita lola merche pili tere terry tess tobal vangelis thanasis babis spyros wolf manni friedel sigi rusik danko tarasik yarik bolek zbyszek tadek kazik
volodymyr uladzimir mykola serhiy siarhei oleksandr aliaksandr andriy dmytro dzmitry yevhen hryhoriy mykhailo pavlo petro vasyl oleh kateryna olena yelizaveta oleksiy heorhiy illya mykhaylo
mehmet magomed mamadou hans ilya isa musa yusuf yusif youssef ibragim moshe shlomo shmuel yaakov yitzhak eliyahu yehoshua avraham rivka miriam
gamal djamel cemal djamil gamil cemil usman othman uthman osman ousmane daoud dawud dawood dawit isaac ishaq eishaq solomon shelomo sulaiman suleiman suleyman salomon soliman
mukherjee mukherji chatterjee banerjee banerji ganguly ganguli bhattacharjee
jacob yaqub yakub joseph yosef yossef yousef hovsep moses moise elijah elias ghassan kasem qasim dzafar djafar cafer abraham farouk faruk
`;
