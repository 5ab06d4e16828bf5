"""The letters of languages, the commonest first, and the encodings in which they were written before UTF-8."""

from __future__ import annotations

LETTERS = {
    "da": "erntaidslogmkfvuhbpåjyæøcwéxzq",
    "de": "enisrahtducmlgobwfkzvüpäößjyqxé",
    "en": "etaoinshrdlucmywfgpbvkjxqzé",
    "es": "eaosnrilutdcmpbqyvhgájféízóñxúwkü",
    "fi": "aitnesoklumävröjhypdgbfcwåqzxšž",
    "fr": "esaitnruoldcmpvéqfbghjàxêyèzçôkwûùîâœïëæü",
    "is": "arinestuðlgmkdfvþáhíjóboyöæéúpýcxwz",
    "it": "eaionltrscdumpvghfbqzòèàùìykxwjé",
    "nb": "erntaisldogkmvfuphåbjyøcæwézxqò",
    "nl": "enatirodslghmkvuwbjzpcfyëéxïóq",
    "pt": "aeosrnidmutclpvqgãbhfçázéjíxóêâõúàykwô",
    "sv": "eatnrsidlogmkvfhäupåöbcyjxwzéq",
    "et": "aeistulnkomdrvpägjhõbüöfcšžyzw",
    "ca": "easrtinolmucdpvqgbfhéàxjèíóòúyçzkïüw",
    "pl": "aieoznwsrctykdmpuljłbgęążhśóćfńźvxq",
    "cs": "eoantisvlkdmpurjyhzícbáěšžčřéýgůúťfňďóxw",
    "sk": "oaenitsvlkrmdpujyzbhcčáýžíšťéľúgfôňďóäĺŕxw",
    "hu": "eatnlskomzigráédybvhjöfpuóűcőíüúwxq",
    "sl": "aeoinrslvjtkdmpuzbgčhšcžfyw",
    "hr": "aoiensjrtumkdvlpzgbščcžhćđfy",
    "ro": "eiatrnuslcodmăpvîfbgşzâţhjxkwy",
    "lt": "iasteurnokmlvpdjgėyšbžųūąčįęzcfhw",
    "lv": "aisterunmokdlvpājībēzšgcņļūžhfķčģ",
    "tr": "aeniırlkmdytsubozüşgçvöğchpjâî",
    "ru": "оеатнисврлмдкупяьыгбчзжйшхюэцщёфъ",
    "uk": "оаніивтерсклмдупязьбгчйхжшюцєїфщґ",
    "bg": "аеиотнрсвдлмкпузгябчшъцщйжхфюь",
    "sr": "аоиенсјртумкдвлпзгбшчцжхћђфњљџ",
    "mk": "аоеитнсрвдкмлпујзгбчшцжќхњфѓљџѕ",
    "el": "αοειτνσρςμκπηυέάίλθόδώύήγχφωξβψζϊ",
    "he": "ילאהתוםמנרבשכדעקחפסןזגטצךףץ",
    "ar": "الينمتهورأكبدسعفقحجذإةشصىخطآئزءضغثظؤ",
    "fa": "اینردمهوتکبسشلخزگفآحقعچپجصطكيذضظغثژئء",
    "th": "านรอกเงมยวลดท่ส้ัตหปบคีไพแจขะใชิุู์ซโผธถืณำ็ฟศญึฉภษฐฝฎฮฯ",
    "vi": "nhtgciamôuđràolyáespkvbưdêạảếấộớờợóởểâìậồừứựãốùúơxặầệqăữỏềũíủẩọễéụỉ",
}  # fmt: skip
"""By their share in spoken language, as subtitles have it; letters that hardly occur are left out."""

CHARACTERS = {
    "zh": (
        "gb2312",
        "我的你是了不们这一他么在有个好来人那会什没说吗要就到知道她去吧都可以想能对为很看得上过下里还怎大家儿子事时候给和"
        "现开让自做谁把吃太再真走多啊回点起当生后只死找像样见女男先些小心经钱爱天出发意",
    ),
    "zt": (
        "big5",
        "我的你是了不們這一他麼在有個好來人那會什沒說嗎要就到知道她去吧都可以想能對為很看得上過下裡還怎大家兒子事時候給和"
        "現開讓自做誰把吃太再真走多啊回點起當生後只死找像樣見女男先些小心經錢愛天出發意",
    ),
    "ja": (
        "shift_jis",
        "いのなたてるかんっしとはにをでがれだうまりよくもこらさすそきあどけせわえちみつじめやおねばろ人私何ーンルイストラ"
        "リクアドシタマレジロカフコデサメナ言行見分思来一者今日君彼俺僕事時気大出子知手本間前生",
    ),
    "ko": (
        "euc_kr",
        "이다는에어가아지고을니하나도요그야해거네은의한사게서를기리있내들로만수안자라시잖음말군당알인일여왜세무보까우면봐"
        "좋못없으았었겠했습죠제것건저너대데오구모두정신마든전러주때스부할려히잘돼런",
    ),
}  # fmt: skip
"""The encoding that has but the usual characters of a language, and its commonest ones, in about that order."""

_WESTERN = ("en", "fi", "sv", "de", "fr", "es", "it", "pt", "nl", "da", "nb", "is", "et", "ca")
_CENTRAL = ("pl", "cs", "hu", "ro", "hr", "sl", "sk")
_CYRILLIC = ("ru", "uk", "bg", "sr", "mk")

ENCODINGS = {
    "cp1252": _WESTERN,
    "cp1250": _CENTRAL,
    "iso8859_2": _CENTRAL,
    "cp1251": _CYRILLIC,
    "cp1253": ("el",),
    "cp1254": ("tr",),
    "gb18030": ("zh",),
    "big5hkscs": ("zt",),
    "cp932": ("ja",),
    "cp949": ("ko",),
    "koi8_r": ("ru", "bg"),
    "koi8_u": ("uk",),
    "iso8859_7": ("el",),
    "iso8859_9": ("tr",),
    "iso8859_15": _WESTERN,
    "euc_jp": ("ja",),
    "cp1255": ("he",),
    "cp1256": ("ar", "fa"),
    "cp1257": ("lt", "lv", "et"),
    "iso8859_13": ("lt", "lv", "et"),
    "cp1258": ("vi",),
    "cp874": ("th",),
    "iso8859_5": _CYRILLIC,
    "iso8859_6": ("ar",),
    "iso8859_16": ("ro",),
    "cp866": ("ru", "uk", "bg"),
    "cp855": ("ru", "bg", "sr", "mk"),
    "mac_cyrillic": _CYRILLIC,
    "mac_roman": _WESTERN,
    "mac_latin2": _CENTRAL,
    "cp850": _WESTERN,
    "cp852": _CENTRAL,
    "cp857": ("tr",),
}
"""The likeliest first: where two fit a text alike, the first is taken."""
