import type { RomanWord } from "./roman-word";

/** Family names of southern China, as Hong Kong, Macau, Singapore and Malaysia spell them; the commonest spelling comes first. */
const families = tableOf(`
chan tan chin:陳陈|wong ong:王|wong ooi wee:黃黄|cheung chong cheong chang teo:張张|lee li:李|lau low liew lao:劉刘|lam lim:林|ng goh go:吳吴|tsui chui chee:徐|cheng tay tee:鄭郑|tse cheah chia:謝谢|choi tsoi chua chai:蔡
hui khoo koh khor:許许|tsang:曾|chow chau chew chiu:周|chu choo:朱|yip yap ip:葉叶|ho hoe:何|leung leong neo:梁|fung foong pang:馮冯|tang teng:鄧邓|cheung tseung chiang:蔣蒋|kwok kuok quek kwek:郭|lo law loh:羅罗|yu yee ee:余
yeung yeong yeo young:楊杨|chiu chiew teo:趙赵|chin tsin chee:錢钱|so soo soh:蘇苏|poon phua pun:潘|wu woo oh:胡|mak:麥麦|ma mah beh:馬马|ko kou:高|lo loo:盧卢|liu liew leow:廖|mok:莫|yuen wan:袁|fan hoan:范範|fong png pung:方|shek:石
kong kang:江|luk loke lok:陸陆|wan woon oon:溫温|chung cheong chong:鍾钟鐘锺|kwan kuan:關关|tung:董|hon han:韓韩|shum sum sim:沈|suen sun sng:孫孙|tong tang:唐|ting teng:丁|hung ang:洪|yau khoo hew chiu:邱丘|ngai wei:魏|tam tham:譚谭|kan:簡简
kam:甘|fok:霍|kung keung:龔龚|tong thong:湯汤|yuen:阮|to doo toh:杜|yiu yew yeo:姚|sze see si:施|lui loo loi:呂吕|ngai:倪|mui boey:梅|au:區区歐欧|shum sam:岑|ng:伍|tai teh:戴|wan:尹|pak:白|sung song:宋|hau:侯
ku koo:古顧顾|chui tsui:崔|ching tay:程|pang phang:彭|chau chow:鄒邹|lai:黎賴赖|lin:連连|ling:凌|lok:駱骆|yiu:饒饶|yung ong:翁|cheuk toh:卓|fu foo:符傅|yau yew:游|chak:翟|ha:夏|yim giam:嚴严|yam yum:任|sit:薛|pong:龐庞|kwong:鄺邝|wat:屈|sin:冼|che:車车|lung:龍龙
or:柯|shing:盛|tin:田|hung:孔熊|yan:殷|wai:韋韦|cheung:章|to:陶|kong:鄺|chuk:祝|man:文|mao mo:毛|ngan:顏颜|nip:聶聂|ip:葉叶
`);

/** Characters of given names by their spelling in Hong Kong, followed by spellings that are used in Singapore and Malaysia, or by many. */
const given = tableOf(`
chi chee:志智治致池芝誌|chi:慈之|ming beng meng:明銘铭名鳴鸣|wai wei wee:偉伟威惠維维慧為为煒炜蕙緯纬衛卫|kwok kok:國国|wah wa hwa:華华鏵铧樺桦驊骅|man boon mun:文敏民雯汶曼萬万|keung keong kiong:強强姜|kin kian:建健堅坚|tak teck tuck:德得|kit kiat:傑杰潔洁
wing weng eng yong:榮荣永詠咏穎颖|chun choon jun:俊駿骏進进春振震津珍真鎮镇|ka kar kah:家嘉加|siu seow:小少兆笑紹绍|yuk yoke geok:玉育|ying eng yin:英|ying:瑩莹盈影|fuk hock fook:福復复|shing seng sing:成誠诚城勝胜承聖圣盛|kwong kong kuang:光廣广
hoi:海凱凯|mei mui bee:美|mei:媚|lai li:麗丽勵励|hok hak hock:學学|sai:世|tin thian tien:天田|kam kim:金錦锦甘淦|kim:劍剑儉俭|ling leng:玲靈灵齡龄鈴铃凌陵|fong fang hong:芳方|hung heong:雄鴻鸿洪紅红虹熊|lung leong liong:龍龙隆|sang seng:生笙
chau siew chiu:秋洲州|hing heng:興兴慶庆馨卿|ching cheng:正貞贞清晶精菁青靖程澄|tsz chi tze:子梓紫|yuen yuan:元遠远源原沅婉苑圓圆緣缘|tai da tai:大太泰|chung tiong cheong:忠中宗聰聪仲松鐘钟|fai hui:輝辉暉晖揮挥|kei kee ki:基奇其麒琪機机旗琦棋記记祺
yin yan yuen:燕賢贤妍彥彦言彦然現现|yan yen yin:恩欣昕仁茵忻殷甄因|yi yee ee:義义怡儀仪宜懿以誼谊爾尔兒儿|yu yue:宇如余瑜愉儒裕羽雨瑜譽誉汝|hin heen:軒轩顯显憲宪|ho hao:浩豪昊皓好何灝灏|hon han:漢汉瀚翰韓|him:謙谦|lok lock:樂乐洛|lok luk:陸陆祿禄
kwan kuan:君坤均群軍军昆關关鈞钧|kwan:筠|kuen kuan:娟權权娟絹|kwai kwee:貴贵桂葵|kwai:季|fung hong:鳳凤峰鋒锋豐丰楓枫風风|fung:逢|fan hoon:芬範范勳勋|fan:帆|yiu yew:耀瑤瑶堯尧曜饒|yau yew:佑友有祐柔幽|yat yit:日逸一|yat:溢|yee:綺绮
hang heng:恒恆行杏|ho:可|hoi:開开|po poh bo:寶宝保波葆|ping peng:平萍屏炳秉兵|pui pei poy:佩培沛珮|pik phek:碧|pak pek:柏伯白栢|pang phang:鵬鹏朋|pun:斌彬本|pan ban:斌彬|on ann an:安|oi ai:愛爱藹|sum sam sim:心深|sau siew:秀壽寿修守|suet:雪|shuk sook siok:淑
shun soon:順顺信舜淳|sun san:新晨辰燊莘晨|suen:璇旋宣|sheung siang:雙双上尚常湘霜相嫦|sheung:裳|shan san:山珊|shu su:樹树書书舒|sze si see:思詩诗斯師师士仕|sin sian:仙倩善先|sing seng:星昇升|sik:錫锡|sui swee:瑞水穗|chak:澤泽|cheuk:卓灼焯|chiu chew:超照昭釗朝釗钊潮
choi chye:才財财彩材|choi:采|chuen chuan:泉全川銓铨存傳传|cheung chiang:祥昌章翔璋長长彰|chi kee:琪|kan keng:勤根斤謹谨|king keng:景敬瓊琼經经京徑|kong kang:剛刚江康港鋼钢|hong kang:康|ki:旗|ko kao:高|koon kuan:冠觀观官|kok:覺觉珏|lam lim:林琳霖嵐岚藍蓝|lan:蘭兰|lap:立|lei lee:利莉李俐理
leung liang leong:亮良梁量|lin lian lien:蓮莲蓮連连|lun loon:倫伦綸纶麟輪|luen luan:聯联|lui looi:蕾雷|ma mah:馬马|mo boo:武慕|mong:夢梦|miu:妙苗淼|nam lam:南男楠|ngai:藝艺毅|ngok:岳|ning:寧宁|nga:雅|ngan:雁顏颜銀银|nui:女|ting teng:婷廷庭定挺亭鼎|tung tong:東东棟栋同彤通童桐
tim thiam:添|to:濤涛圖图道滔|tat tatt:達达|tong tang:棠堂塘唐|tsun chun:俊晉晋浚|wan yun:雲云韻韵温|wan:允尹|wang wong:宏泓|wong:旺|wo ho:和|wui:會会匯|yam:蔭荫|yeung yong:洋陽阳揚扬|yim:艷艳焱|yuet guat:月悦悅越|yung yong:容勇蓉雍|yun:潤润|ha:霞夏|heung hiang:香鄉|hei hee:喜希熹熙禧曦|hei:晞
chor:楚|choh:初|cho:祖|fu foo:富夫虎芙|fui:魁|hau hou:厚效孝校|kau:球|kai:佳啟启繼继|lik:力|lau:柳流|mun:滿满門门|nin:年|pok:博|shek:石|sam:三|hiu:曉晓|hiu:嬌|kiu:喬乔嬌娇翹|tsang:增|yue:予|chit:哲|yik:益亦翼奕|tsoi:載载|tsui:翠|chui chooi:翠|yip:業业|fat huat:發发法|kwun:冠|shui:水
`);

/** The few family names of two characters that are used there. */
const doubled = new Map([
  ["歐陽", ["auyeung", "auyong", "owyong"]],
  ["欧阳", ["auyeung", "auyong", "owyong"]],
  ["司徒", ["szeto", "seto", "szetoo"]],
  ["上官", ["sheungkwun", "sheungkoon"]],
]);

function tableOf(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const row of text.trim().split(/[|\n]/)) {
    const [spellings = "", signs = ""] = row.split(":");
    for (const sign of signs) found.set(sign, [...new Set([...(found.get(sign) ?? []), ...spellings.split(" ")])]);
  }
  return found;
}

/** Returns the name in southern Chinese spelling, syllable by syllable; empty if one of its characters is not in the tables. */
export function cantoneseWords(words: readonly string[]): RomanWord[] {
  const text = words.join("");
  if (!/^\p{Script=Han}{2,4}$/u.test(text)) return [];
  const size = doubled.has(text.slice(0, 2)) ? 2 : 1;
  const family = doubled.get(text.slice(0, 2)) ?? families.get(text.slice(0, 1));
  const found = [family, ...[...text.slice(size)].map((sign) => given.get(sign))].map(wordOf);
  return found.every((word) => word !== undefined) ? found : [];
}

function wordOf(spellings: readonly string[] | undefined): RomanWord | undefined {
  const [text, ...also] = spellings ?? [];
  return text === undefined ? undefined : { text, isConsonantal: false, origin: "ko", also };
}
