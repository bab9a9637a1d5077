import type { RomanWord } from "./roman-word";

/** Family names of most people of Japan, with their readings; the likeliest comes first. */
const families = tableOf(`
佐藤 sato|鈴木 suzuki|高橋 takahashi|田中 tanaka|伊藤 ito|渡辺 watanabe|渡邊 watanabe|渡邉 watanabe|渡部 watanabe watabe|山本 yamamoto|中村 nakamura
小林 kobayashi|加藤 kato|吉田 yoshida|山田 yamada|佐々木 sasaki|佐佐木 sasaki|山口 yamaguchi|松本 matsumoto|井上 inoue|木村 kimura|林 hayashi|斎藤 saito
斉藤 saito|齋藤 saito|齊藤 saito|清水 shimizu|山崎 yamazaki yamasaki|森 mori|池田 ikeda|橋本 hashimoto|阿部 abe|石川 ishikawa|山下 yamashita
中島 nakajima nakashima|石井 ishii|小川 ogawa|前田 maeda|岡田 okada|長谷川 hasegawa|藤田 fujita|後藤 goto|近藤 kondo|村上 murakami|遠藤 endo|青木 aoki
坂本 sakamoto|福田 fukuda|太田 ota|西村 nishimura|藤井 fujii|金子 kaneko|岡本 okamoto|藤原 fujiwara|三浦 miura|中野 nakano|中川 nakagawa|原田 harada
松田 matsuda|竹内 takeuchi|小野 ono|田村 tamura|中山 nakayama|和田 wada|石田 ishida|森田 morita|上田 ueda|原 hara|内田 uchida|柴田 shibata|酒井 sakai
宮崎 miyazaki|横山 yokoyama|高木 takagi|安藤 ando|宮本 miyamoto|大野 ono|小島 kojima|工藤 kudo|谷口 taniguchi|今井 imai|高田 takada|増田 masuda
丸山 maruyama|杉山 sugiyama|村田 murata|大塚 otsuka|新井 arai|小山 koyama oyama|平野 hirano|藤本 fujimoto|河野 kono kawano|上野 ueno|野口 noguchi
武田 takeda|松井 matsui|千葉 chiba|菅原 sugawara|岩崎 iwasaki|木下 kinoshita|久保 kubo|佐野 sano|野村 nomura|松尾 matsuo|菊地 kikuchi|菊池 kikuchi
市川 ichikawa|杉本 sugimoto|古川 furukawa|大西 onishi|島田 shimada|水野 mizuno|桜井 sakurai|櫻井 sakurai|高野 takano|吉川 yoshikawa kikkawa|山内 yamauchi yamanouchi
西田 nishida|飯田 iida|菊田 kikuta|西川 nishikawa|小松 komatsu|北村 kitamura|安田 yasuda|五十嵐 igarashi|川口 kawaguchi|平田 hirata|関 seki|中田 nakata nakada
久保田 kubota|服部 hattori|東 azuma higashi|岩田 iwata|土屋 tsuchiya|川崎 kawasaki|福島 fukushima|本田 honda|辻 tsuji|樋口 higuchi|秋山 akiyama|田口 taguchi
永井 nagai|山中 yamanaka|中西 nakanishi|吉村 yoshimura|川上 kawakami|石原 ishihara|大橋 ohashi|松岡 matsuoka|馬場 baba|浜田 hamada|濱田 hamada|森本 morimoto
星野 hoshino|矢野 yano|浅野 asano|大久保 okubo|吉岡 yoshioka|小池 koike|野田 noda|荒木 araki|熊谷 kumagai|松浦 matsuura|大谷 otani|内藤 naito|黒田 kuroda
尾崎 ozaki|川村 kawamura|永田 nagata|望月 mochizuki|松村 matsumura|田辺 tanabe|荒井 arai|堀 hori|大島 oshima|菅野 kanno sugano|平井 hirai|早川 hayakawa
西山 nishiyama|栗原 kurihara|広瀬 hirose|石橋 ishibashi|河合 kawai|川島 kawashima|萩原 hagiwara|岩本 iwamoto|横田 yokota|片山 katayama|本間 honma|須藤 sudo
上村 uemura kamimura|宮田 miyata|滝沢 takizawa|成田 narita|富田 tomita|児玉 kodama|鎌田 kamata|小西 konishi|小田 oda|大森 omori|飯塚 iizuka|松原 matsubara
天野 amano|岡崎 okazaki|福井 fukui|山根 yamane|大石 oishi|小澤 ozawa|小沢 ozawa|足立 adachi|白石 shiraishi|関口 sekiguchi|榎本 enomoto|奥村 okumura
堀内 horiuchi|泉 izumi|小泉 koizumi|安倍 abe|岸田 kishida|岸 kishi|菅 suga kan|麻生 aso|石破 ishiba|鳩山 hatoyama|福沢 fukuzawa|徳川 tokugawa|豊田 toyoda toyota
豊臣 toyotomi|織田 oda|黒澤 kurosawa|黒沢 kurosawa|三木 miki|三宅 miyake|三島 mishima|川端 kawabata|夏目 natsume|芥川 akutagawa|太宰 dazai|谷崎 tanizaki|大江 oe
宮沢 miyazawa|宮澤 miyazawa|宮下 miyashita|北川 kitagawa|北野 kitano|南 minami|西 nishi|岡 oka|谷 tani|島 shima|浜 hama|星 hoshi|畑 hata|神田 kanda|神谷 kamiya
村山 murayama|村井 murai|片岡 kataoka|竹下 takeshita|竹田 takeda|塚本 tsukamoto|土井 doi|土田 tsuchida|長田 osada nagata|長島 nagashima|長嶋 nagashima|永野 nagano
長野 nagano|橘 tachibana|立花 tachibana|田島 tajima|田代 tashiro|田原 tahara|高山 takayama|高島 takashima|竹中 takenaka|寺田 terada|富永 tominaga|中尾 nakao
中井 nakai|中原 nakahara|中里 nakazato|西尾 nishio|西岡 nishioka|西野 nishino|根本 nemoto|野崎 nozaki|野中 nonaka|橋口 hashiguchi|畠山 hatakeyama|浜口 hamaguchi
林田 hayashida|東野 higashino|平山 hirayama|平川 hirakawa|広田 hirota|福本 fukumoto|福原 fukuhara|藤野 fujino|藤川 fujikawa|藤村 fujimura|藤沢 fujisawa|堀田 hotta
堀江 horie|前川 maekawa|前原 maehara|牧野 makino|増井 masui|松下 matsushita|松永 matsunaga|松山 matsuyama|松崎 matsuzaki|水谷 mizutani|南雲 nagumo|向井 mukai
森下 morishita|森山 moriyama|森川 morikawa|安井 yasui|柳沢 yanagisawa|柳田 yanagida|矢島 yajima|山岸 yamagishi|山川 yamakawa|山村 yamamura|山名 yamana|横井 yokoi
吉野 yoshino|吉本 yoshimoto|米田 yoneda|若林 wakabayashi|若松 wakamatsu|綿貫 watanuki|相沢 aizawa|相澤 aizawa|赤松 akamatsu|浅井 asai|麻原 asahara|荒川 arakawa
有馬 arima|安西 anzai|飯島 iijima|飯野 iino|井口 iguchi|石塚 ishizuka|石黒 ishiguro|石山 ishiyama|板垣 itagaki|市原 ichihara|稲垣 inagaki|稲葉 inaba|犬養 inukai
今村 imamura|岩井 iwai|植田 ueda|植木 ueki|宇野 uno|梅田 umeda|梅原 umehara|江口 eguchi|榎 enoki|大川 okawa|大木 oki|大沢 osawa|大場 oba|大原 ohara|大山 oyama
大村 omura|岡部 okabe|岡野 okano|岡村 okamura|奥田 okuda|奥野 okuno|長尾 nagao|小倉 ogura|落合 ochiai|小野寺 onodera|甲斐 kai|柿沼 kakinuma|笠原 kasahara|梶原 kajiwara
片桐 katagiri|金田 kaneda|上原 uehara|亀井 kamei|河村 kawamura|川田 kawada|川本 kawamoto|川原 kawahara|河原 kawahara|神山 kamiyama|木原 kihara|木田 kida|桐生 kiryu
日下 kusaka|楠 kusunoki|国分 kokubu|窪田 kubota|倉田 kurata|黒川 kurokawa|黒木 kuroki|桑原 kuwahara kuwabara|小出 koide|古賀 koga|古谷 furuya|小宮 komiya|小室 komuro
今野 konno|坂口 sakaguchi|坂井 sakai|坂田 sakata|笹川 sasagawa|佐久間 sakuma|沢田 sawada|澤田 sawada|塩田 shiota|重信 shigenobu|篠原 shinohara|島崎 shimazaki|志村 shimura
下田 shimoda|庄司 shoji|城 jo|白川 shirakawa|新谷 shintani|末永 suenaga|杉浦 sugiura|杉田 sugita|杉原 sugihara|鷲尾 washio|瀬戸 seto|曽我 soga|園田 sonoda|高井 takai
高瀬 takase|滝口 takiguchi|瀧本 takimoto|武井 takei|武藤 muto|田端 tabata|田畑 tabata|玉井 tamai|玉城 tamaki|知念 chinen|比嘉 higa|宮城 miyagi|金城 kinjo|大城 oshiro
篠田 shinoda|篠原 shinohara|篠崎 shinozaki|大木 oki|大川 okawa|大山 oyama|大沢 osawa|大澤 osawa|大内 ouchi|大竹 otake|大場 oba|大平 ohira|大原 ohara|大村 omura|大井 oi|大友 otomo
小倉 ogura|小笠原 ogasawara|小松原 komatsubara|小宮 komiya|小柳 koyanagi|小原 ohara obara kohara|小沼 onuma|小室 komuro|小坂 kosaka osaka|岩井 iwai|岩瀬 iwase|岩下 iwashita|岩佐 iwasa|石黒 ishiguro
石塚 ishizuka|石渡 ishiwata|石山 ishiyama|石崎 ishizaki|今村 imamura|今野 konno imano|今泉 imaizumi|磯部 isobe|稲葉 inaba|稲垣 inagaki|稲田 inada|井口 iguchi inoguchi|井出 ide|井手 ide|猪瀬 inose|植田 ueda
植木 ueki|梅田 umeda|梅原 umehara|江口 eguchi|江藤 eto|遠山 toyama|岡部 okabe|岡村 okamura|岡野 okano|奥田 okuda|奥山 okuyama|長尾 nagao|長井 nagai|長岡 nagaoka|加納 kano|柏木 kashiwagi|笠原 kasahara|笠井 kasai
角田 tsunoda kakuta sumida|金井 kanai|金沢 kanazawa|金田 kaneda|亀井 kamei|川瀬 kawase|川野 kawano|川井 kawai|川合 kawai|川田 kawada|河野 kono kawano|河村 kawamura|河原 kawahara|河内 kawauchi kochi|北島 kitajima
北原 kitahara|木戸 kido|木原 kihara|木内 kiuchi kinouchi|岸本 kishimoto|倉田 kurata|黒木 kuroki|黒川 kurokawa|桑原 kuwahara kuwabara|郡司 gunji|小暮 kogure|近江 omi|権田 gonda|斉木 saiki|三枝 saegusa|坂井 sakai
坂田 sakata|坂口 sakaguchi|坂東 bando|榊原 sakakibara|佐久間 sakuma|佐伯 saeki|佐川 sagawa|佐竹 satake|沢田 sawada|澤田 sawada|沢村 sawamura|塩田 shiota|塩野 shiono|志村 shimura|重田 shigeta|柴崎 shibasaki|渋谷 shibuya
下田 shimoda|下村 shimomura|庄司 shoji|白川 shirakawa|白井 shirai|新谷 shintani araya|杉田 sugita|杉浦 sugiura|鈴村 suzumura|須田 suda|瀬川 segawa|関根 sekine|芹沢 serizawa|相馬 soma|園田 sonoda|高井 takai|高倉 takakura
高松 takamatsu|高村 takamura|高畑 takahata|竹本 takemoto|竹村 takemura|武内 takeuchi|武山 takeyama|谷川 tanigawa tanikawa|谷本 tanimoto|田川 tagawa|田所 tadokoro|田上 tagami tanoue|玉置 tamaki|千田 chida senda
塚田 tsukada|土橋 tsuchihashi dobashi|都築 tsuzuki|堤 tsutsumi|恒川 tsunekawa|手塚 tezuka|寺本 teramoto|寺島 terashima|戸田 toda|富山 toyama tomiyama|鳥居 torii|永瀬 nagase|長瀬 nagase|中沢 nakazawa|中澤 nakazawa|中津 nakatsu
中根 nakane|仲田 nakata nakada|成瀬 naruse|二宮 ninomiya|沼田 numata|野上 nogami|野沢 nozawa|野本 nomoto|野島 nojima|芳賀 haga|橋爪 hashizume|長谷部 hasebe|羽田 hata haneda|浜野 hamano|林原 hayashibara|原口 haraguchi
原島 harashima|春日 kasuga|日高 hidaka|樋渡 hiwatashi|平岡 hiraoka|平松 hiramatsu|平沢 hirasawa|深沢 fukazawa|深田 fukada|藤岡 fujioka|藤崎 fujisaki|藤山 fujiyama|船越 funakoshi|星川 hoshikawa|細川 hosokawa|細田 hosoda
堀口 horiguchi|本多 honda|前島 maejima|前野 maeno|真田 sanada|町田 machida|松島 matsushima|松野 matsuno|松川 matsukawa|松井田 matsuida|三上 mikami|三好 miyoshi|三田 mita|溝口 mizoguchi|皆川 minagawa|南野 minamino
宮内 miyauchi|宮川 miyagawa|宮原 miyahara|宮野 miyano|村松 muramatsu|村岡 muraoka|室井 muroi|茂木 motegi mogi|森山 moriyama|森下 morishita|森川 morikawa|守屋 moriya|安井 yasui|安部 abe|柳田 yanagida|柳沢 yanagisawa
矢島 yajima|矢部 yabe|山岸 yamagishi|山川 yamakawa|山形 yamagata|山県 yamagata|山村 yamamura|山室 yamamuro|山岡 yamaoka|湯浅 yuasa|横井 yokoi|吉野 yoshino|吉本 yoshimoto|吉沢 yoshizawa|米田 yoneda|和久井 wakui|若林 wakabayashi|渡瀬 watase|鷲尾 washio
東條 tojo|東条 tojo|北条 hojo|北條 hojo|中條 nakajo|西條 saijo|孫 son|柳 yanagi|李 ri|金 kin kim|広末 hirosue|明石 akashi|赤坂 akasaka|安斎 anzai|安西 anzai|大仁田 onita|柄本 emoto|役所 yakusho|司 tsukasa|清田 kiyota|髙橋 takahashi|髙木 takagi|竹原 takehara|織茂 orimo|入江 irie|有馬 arima|有田 arita|浅井 asai|浅田 asada|麻原 asahara|赤松 akamatsu|赤木 akagi|秋田 akita|秋元 akimoto|朝倉 asakura|新垣 aragaki arakaki|仲間 nakama|島袋 shimabukuro|上原 uehara|重信 shigenobu
`);

/** Readings of characters of given names; a reading with a trailing dot is that of a whole name. */
const given = tableOf(`
一 ichi kazu hajime.|二 ji|三 zo mi sa|四 shi|五 go|六 roku|七 nana|八 ya hachi|九 kyu ku|十 ju to|千 chi sen|万 ma man|郎 ro|朗 ro akira.|太 ta dai futoshi.|大 dai hiro masaru.
介 suke|助 suke|輔 suke|佑 yu suke|祐 yu suke hiro|裕 yu hiro yutaka. hiroshi.|優 yu masa masaru.|勇 yu isamu.|雄 o yu takeshi.|夫 o|男 o|生 o ki mi|央 o hisa|樹 ki ju itsuki.
子 ko|美 mi yoshi|恵 e megumi. kei|江 e|枝 e|絵 e|香 ka kaori. kyo|花 ka hana.|華 ka hana|佳 ka yoshi kei|加 ka|奈 na|菜 na|那 na|代 yo|世 yo se|葉 yo ha|理 ri osamu. sato masa|里 ri sato
莉 ri|梨 ri|璃 ri|利 ri toshi|緒 o|沙 sa|紗 sa|早 sa|佐 sa suke|咲 saki sa|真 ma shin makoto. masa|麻 ma asa|摩 ma|茉 ma|舞 mai.|愛 ai mana|亜 a|彩 aya. sa|綾 aya.|文 fumi bun|史 fumi shi
明 aki mei akira.|昭 aki sho akira.|章 aki sho akira.|彰 aki sho akira.|秋 aki shu|晃 aki ko akira.|暁 aki akatsuki.|亮 ryo aki akira.|良 ryo yoshi|涼 ryo|諒 ryo|龍 ryu tatsu|竜 ryu tatsu|隆 taka ryu takashi.
孝 taka ko takashi.|貴 taka ki takashi.|高 taka ko takashi.|敬 taka kei takashi.|崇 taka takashi.|尚 nao hisa|直 nao tadashi.|久 hisa kyu|寿 toshi hisa ju|俊 toshi shun|敏 toshi satoshi.|年 toshi|智 tomo chi satoshi.
知 tomo chi|友 tomo yu|朋 tomo|和 kazu wa|数 kazu|正 masa sho tadashi.|雅 masa miyabi.|昌 masa sho|政 masa|将 masa sho|誠 makoto. sei masa|慎 shin makoto.|信 nobu shin makoto.|伸 nobu shin|延 nobu|宣 nobu
義 yoshi gi|吉 yoshi kichi|好 yoshi|芳 yoshi|善 yoshi zen|由 yu yoshi|喜 yoshi ki|紀 nori ki|典 nori fumi|則 nori|憲 nori ken|徳 nori toku|範 nori|規 nori ki|基 moto ki|元 moto gen|博 hiro haku hiroshi.
浩 hiro ko hiroshi.|弘 hiro ko hiroshi.|宏 hiro ko hiroshi.|洋 hiro yo hiroshi.|広 hiro ko|寛 hiro kan hiroshi.|大樹 daiki|武 take takeshi. mu|健 ken takeshi. take|剛 go tsuyoshi. takeshi.|毅 takeshi. tsuyoshi. ki
猛 takeshi.|豊 yutaka. toyo|実 minoru. mi|進 susumu. shin|茂 shigeru. shige|重 shige|繁 shigeru. shige|勝 masaru. katsu|克 katsu|勉 tsutomu.|務 tsutomu.|努 tsutomu.|清 kiyoshi. kiyo sei|潔 kiyoshi.|修 osamu. shu
治 osamu. haru ji|晴 haru|春 haru shun|陽 yo haru|遥 haruka. haru|悠 yu haruka.|翔 sho kakeru. tsubasa.|拓 taku hiroshi.|卓 taku suguru.|匠 takumi. sho|巧 takumi.|翼 tsubasa.|渉 wataru. sho|航 ko wataru.
海 kai umi|潤 jun|純 jun|淳 jun atsushi.|順 jun|準 jun|篤 atsu atsushi.|敦 atsu atsushi.|厚 atsu|聡 satoshi. so|哲 tetsu satoshi. akira.|徹 tetsu toru.|鉄 tetsu|透 toru.|達 tatsu|辰 tatsu|光 mitsu hikaru. ko
満 mitsu mitsuru.|充 mitsu mitsuru.|幸 yuki sachi ko|行 yuki|之 yuki|雪 yuki|志 shi yuki|司 ji tsukasa. shi|次 ji tsugu|士 shi ji|史郎 shiro|仁 hitoshi. jin|均 hitoshi.|等 hitoshi.|守 mamoru. mori|衛 mamoru. e|護 mamoru.
学 manabu. gaku|薫 kaoru.|馨 kaoru.|忍 shinobu.|静 shizu shizuka.|京 kyo|恭 kyo yasu|康 yasu ko yasushi.|靖 yasu yasushi.|保 yasu tamotsu.|泰 yasu tai|安 yasu an|英 hide ei|秀 hide shu|栄 ei sakae.|永 ei naga
圭 kei|慶 kei yoshi|啓 kei hiro|桂 kei katsura.|景 kei kage|研 ken|憲一 kenichi|謙 ken|賢 ken satoshi.|顕 ken aki|建 ken|斗 to|人 to hito|登 to noboru.|昇 sho noboru.|翔太 shota|平 hei taira.|兵 hei|也 ya|哉 ya|弥 ya
矢 ya|彦 hiko|比 hi|日 hi|陽子 yoko|容 yo|瑤 yo|洋子 yoko|礼 rei|玲 rei|麗 rei|怜 rei|蓮 ren|廉 ren|連 ren|類 rui|瑠 ru|留 ru|月 tsuki|希 ki nozomi.|季 ki|貴子 takako|妃 ki|姫 hime|望 nozomi. mi|心 kokoro. shin
桜 sakura.|桃 momo|百 momo yu|若 waka|歌 uta ka|詩 shi uta|音 ne oto|奏 kana so|空 sora.|天 ten|星 sei hoshi|瞳 hitomi.|泉 izumi.|泉美 izumi|泰子 yasuko|鶴 tsuru|亀 kame|松 matsu|竹 take|梅 ume|虎 tora|熊 kuma
蔵 zo|造 zo|三郎 saburo|次郎 jiro|二郎 jiro|一郎 ichiro|五郎 goro|太郎 taro|朔 saku|策 saku|作 saku|迪 michi|道 michi do|通 michi|路 michi ji|美智 michi|未 mi|巳 mi|穂 ho|帆 ho|保子 yasuko|歩 ayumu. ayumi. ho|南 minami. na
市 ichi|国 kuni koku|邦 kuni|州 kuni shu|稔 minoru. toshi|実花 mika|薪 maki|牧 maki|槙 maki|要 kaname.|鋼 ko|功 isao. ko|勲 isao.|伊 i|井 i|衣 i e|依 yo i|五月 satsuki|弓 yumi|結 yu yui.|唯 yui.|勘 kan|貫 kan|歓 kan|完 kan|幹 miki. kan moto
堅 ken kata|兼 kane ken|金 kane kin|銀 gin|鋭 ei|悦 etsu|越 etsu|園 sono|遠 to|王 o|岡 oka|億 oku|温 atsu haru|珠 tama ju|玉 tama|民 tami|環 tamaki.|球 kyu|究 kyu|求 motomu.|丘 oka|休 kyu|共 tomo|興 oki ko|起 oki ki|置 oki
木 ki|紀之 noriyuki|機 ki|輝 teru ki akira.|照 teru sho|晶 aki akira.|映 ei|瑛 ei aki|暎 ei|瑞 mizu zui|水 mizu|湊 minato.|港 minato.|源 gen minamoto.|玄 gen haru|弦 gen|現 gen|厳 gen iwao.|巌 iwao.|岩 iwa|石 ishi|磯 iso|勇気 yuki|有 yu ari
侑 yu|雄一 yuichi|夕 yu|悟 satoru. go|暁子 akiko|聖 sei kiyoshi. hijiri.|誠一 seiichi|成 nari sei shige|斉 hitoshi. sei|整 hitoshi. sei|征 masa sei|誓 sei|省 sho sei|祥 sho yoshi|翔一 shoichi|匡 masa tadashi. kyo|忠 tada chu tadashi.|唯夫 tadao
只 tada|惟 kore tada|維 yuki tada|衡 hitoshi. ko|恒 tsune ko hisashi.|常 tsune|経 tsune kei|庸 tsune yo|嗣 tsugu shi|継 tsugu kei|二三 fumi|英一 eiichi|衛一 eiichi|鷹 taka|嵩 taka takashi.|宇 u taka|岳 take gaku|丈 take jo|竹子 takeko|壮 so takeshi.|奨 sho
勢 se sei|節 setsu misao.|操 misao. sa|摂 setsu|千里 chisato|千春 chiharu|千秋 chiaki|千晶 chiaki|亜希 aki|朱 aka ake|紅 beni ko|緑 midori.|翠 midori. sui|碧 ao midori.|蒼 so ao|青 ao sei|藍 ai|紫 yukari.|縁 yukari. en|円 madoka. en|団 dan
暖 haru dan|旦 tan|丹 tan|端 tan|胆 tan|禄 roku|六郎 rokuro|鹿 shika ka|馬 ma|駿 shun hayao.|速 haya|隼 haya shun|早苗 sanae|苗 nae|萌 moe moe.|芽 me mei|明日香 asuka|飛鳥 asuka|朝 asa tomo|旭 asahi. aki|晨 shin|辰也 tatsuya|龍一 ryuichi|龍馬 ryoma|寅 tora|卯 u|酉 tori|戌 inu
晋 shin susumu.|房 fusa|條 jo|条 jo|芙 fu|富 tomi fu|冨 tomi fu|福 fuku|峰 mine|嶺 mine rei|峻 shun|穣 jo yutaka.|譲 jo yuzuru.|襄 jo|助郎 sukero|丞 jo suke|乗 nori|信子 nobuko|伴 tomo|侃 kan|倫 michi rin|凛 rin|凜 rin|鈴 suzu rin|林 rin|琳 rin|臨 rin|吾 go|呉 go|冴 sae|栞 shiori.|渚 nagisa.|汐 shio|潮 ushio.|澄 sumi kiyo|寿美 sumi|須 su|寸 su|椿 tsubaki.|楓 kaede.|柚 yu|杏 an|伶 rei|嶺 rei|鞠 mari|毬 mari|又 mata|股 mata|益 masu eki|増 masu|升 masu|真澄 masumi|護 mamoru.|鎮 shizu|靜 shizu|閑 shizu kan
`);

function tableOf(text: string): ReadonlyMap<string, readonly string[]> {
  const rows = text
    .trim()
    .split(/[|\n]/)
    .map((row) => row.split(" "));
  return new Map(rows.map(([sign = "", ...readings]) => [sign, readings]));
}

const mostReadings = 12;

/** Returns the Japanese reading of the name, the family name first; empty if its family name is not Japanese. */
export function japaneseWords(words: readonly string[]): RomanWord[] {
  const [head = "", tail] = words;
  if (words.length > 2 || !words.every((word) => /^[\p{Script=Han}々]{1,6}$/u.test(word))) return [];
  for (const length of tail === undefined ? [3, 2, 1] : [head.length]) {
    const family = families.get(head.slice(0, length));
    const own = tail ?? head.slice(length);
    const readings = family === undefined || own === "" ? [] : readingsOf(own);
    if (family !== undefined && readings.length > 0) return [wordOf(family), wordOf(readings)];
  }
  return [];
}

function wordOf([text = "", ...also]: readonly string[]): RomanWord {
  return { text, isConsonantal: false, origin: undefined, ...(also.length > 0 && { also }) };
}

/** Returns the possible readings of a given name: as a whole, otherwise sign by sign. */
function readingsOf(name: string): string[] {
  const whole = given.get(name)?.map((reading) => reading.replace(".", ""));
  if (whole !== undefined) return whole;
  const heads = name.length > 2 ? [2, 1] : [1];
  for (const length of heads) {
    const first = given.get(name.slice(0, length))?.filter((reading) => !reading.endsWith(".") || length > 1);
    const rest = first === undefined ? [] : readingsOf(name.slice(length)).filter((reading) => !isAlone(name, reading));
    const found = (first ?? []).flatMap((one) => rest.map((other) => one + other));
    if (found.length > 0) return found.slice(0, mostReadings);
  }
  return [];
}

/** Readings that a last sign has only when it stands alone. */
const isAlone = (name: string, reading: string): boolean => given.get(name.slice(-1))?.includes(`${reading}.`) === true;
