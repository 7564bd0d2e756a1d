"""Makes Tests/Fixtures/evaluation/normalizers.json with openai-whisper's own normalisers (version 20250625).

Each line is one text and its results by EnglishTextNormalizer and the three variants of BasicTextNormalizer. The texts are
those of openai-whisper's tests/test_normalizer.py (written out here, since the wheel does not have them), sentences on
everything that the normalisers have a rule for, and random strings of such words and signs, seed 1.

    pip install openai-whisper==20250625
    python Tools/goldens/run.py normalizer
"""
import itertools
import random

from support import golden
from whisper.normalizers import BasicTextNormalizer, EnglishTextNormalizer

WHISPER = """two|thirty one|five twenty four|nineteen ninety nine|twenty nineteen|two point five million
four point two billions|200 thousand|200 thousand dollars|$20 million|€52.4 million|£77 thousands|two double o eight
three thousand twenty nine|forty three thousand two hundred sixty|forty three thousand two hundred and sixty
nineteen fifties|thirty first|thirty three thousand and three hundred and thirty third|three billion|millions
july third twenty twenty|august twenty sixth twenty twenty one|3 14|3.14|3 point 2|3 point 14|fourteen point 4
two point two five dollars|two hundred million dollars|$20.1 million|ninety percent|seventy six per cent
double oh seven|double zero seven|nine one one|nine double one|one triple oh one|two thousandth|thirty two thousandth
minus 500|positive twenty thousand|two dollars and seventy cents|3 cents|$0.36|three euros and sixty five cents
three and a half million|forty eight and a half dollars|b747|10 th|10th|mobilisation|cancelation|Let's|he's like
she's been like|10km|10mm|RC232|Mr. Park visited Assoc. Prof. Kim Jr."""

NUMBERS = """zero|zero zero seven|oh|one|ones|1|1s|11s|the 1 and only|one hundred and one|one thousand and one nights
one million two hundred thirty four thousand five hundred sixty seven|nine hundred ninety nine decillion
two decillion and three|five hundred octillions|twelve hundred|twenty five hundred|twenty hundred|hundred|a hundred
hundreds of thousands|thousand million|two hundred thousand million|point five|zero point zero five|point five million
five point|five point million|one point two point three point four|192 point 168 point 0 point 1|192.168.0.1|1.0|1.50|2.00
2.0 million|2.5 hundred|2.555 hundred|2.5551 thousand|0.001 million|.5 million|5. million|0 million|0 hundreds|zero million
zero point zero million|007|007 million|ninth|nineth|ninety ninth|twenty first century|twenty firsts|the nineteen eighties
nineteen hundred|nineteen oh five|nineteen hundred and five|two thousand and eight|two thousand eight|twenty twenty one
eleven eleven|eleven twelve thirteen|twenty thirty forty|thirty thirteen|one hundred thirteen|one hundred ten five
one two three four|one twenty three|one thirty|three forty five|twenty five six|twenty five sixty|seventy ten
twenty double five|double double five|double|triple|triple ten|double twenty|double the price|double eleven|triple six
triple o seven|fifty double o|plus one|plus|plus ten plus|minus|minus one million|minus minus five|negative feedback
positive result|positive five hundred|negative point five|minus and|plus dollars|five plus six|five minus six dollars
+5|-5|+5 -5|$5|$5.00|$5.5 million|€|£ 5|¢5|5¢|$5 and ¢7|$5 ¢7|$5 and 7 cents|five dollars seven cents
five dollars and seven cents|five dollars and seventy seven cents|five dollars and seven hundred cents|one cent|cents
one dollar|dollar bill|twenty dollar bill|a pound of flesh|ten pounds|ten euros fifty|$0.05|$0.5|$0.50|$0.123|£0.99|€0.01
zero point five dollars|0.25 euros|100%|100 %|one hundred percent|percent|per cent|five per cent|five per|per five
five per hour|%|%%|5%%|5 %%|fifty percent off|fifty percents|nought point five percent|1,000|1,000,000|1,2,3|1,23,456.78
1, 2, 3|3,14|$1,234.56|one half|a half|and a half|two and a half|two and a half and a half|it took an hour and a half
two and  a   half percent|and a half million|ten thousand and a half|five and a halfling|sand a half|and a half and a half
3rd|3 rd|3 st and 4 s|21 st street|5 s|5s|5 sec|10 thousandths|two thirds|three fourths|seven eighths|one fifth|fifths
first|second|third|second hand|thirty seconds|twelfth night|eighteenth|twentieth|fiftieth|hundredth|one hundredth|millionths
A1b2c3|h2o|mp3|4x4|24/7|12:30|9-11|2020-12-31|3-4-5|1/2|½|2½|¾ cup|x²|10³|²³|٣|٣٫٥|٣ million|१२३|5٣|𝟓𝟔|①②|Ⅳ|ⅷ|一二三|百
five-hundred-and-six|twenty-one|twenty-first|six-figure|sixes and sevens|at sixes|oneself|someone|tenfold|tens of
tens|fifteens|a thousand and one|and|and and|five and|five and six|two hundred and|two hundred and fifty|thousand and
million and a half|hundred per cent|a hundred and ten per cent|fifty fifty|one on one|one by one|one, two, three
one. two. three.|the year 1984.|v1.2.3.|Version 2.0.1 beta|1.|.1|..1|1..2|...|5...|5.a|$.|$a|a$|$$5|¢|¢¢|£%|.%|%.|%5|5%5
123456789012345678901234567890 thousand|99999999999999999999 plus 1|999 thousand 999 hundred|1 million 500 thousand 2"""

SENTENCES = """Mr. and Mrs. Smith vs. Dr. Jones, Esq.|St. John's St.|Lt. Col. O'Neil (ret.) met Gen. Lee|Prof. Dr. Gov. Sen. Rep.
Capt. Ald. Pres. Rev. Hon. Asst. Sr. Jr.|I'ma go|imma go|I'm gonna|you gotta|I wanna|ma'am|y'all ain't|woulda coulda shoulda
won't can't let's|WON'T CAN'T|didn't doesn't isn't|they're we're you're|it's what it's|he'd been there|he'd gone|he'd done it
she's gone|she's got it|it's been|I'd've|shouldn't've|I'll we'll|I've you've|'twas|'til|rock 'n' roll|rock'n'roll|don 't
the dogs' bones|James's|that 's|can 't|it ’s|it’s|don’t|“quoted”|‘single’|—dash—|en–dash|ellipsis…|hmm|Hmm, well|mm-hmm|mhm
uh|uh-huh|um, uh, mmm|summum|Uhm|ummm|[laughter] yes|yes [applause|<unk> yes|yes > no < maybe|a [b] c <d> e|[a>b|<a]b|[[a]]
(laughs) yes|yes (no|()|(()|(a)(b)|((a))|(a (b) c)|a) b (c|<|>|[]|<>x|[|line one\nline two|tab\there|  leading|trailing  |\u00a0nbsp\u00a0
\u2003em space|zero\u200bwidth|\ufeffbom|soft\u00adhyphen|\x1cseparator|\x85next|\u2028line|a\u3000b|émigré café naïve|e\u0301clair|Ångström
Łódź|Straße|ẞ|œuvre|Œuvre|æther|Ærø|þorn|Þorn|ðe|đà|smørrebrød|İstanbul|DİYARBAKIR|ışık|ΟΔΥΣΣΕΥΣ|ΣΑΣ ΣΑΣ.|Σ|ΑΣ'Σ|ὈΔΥΣΣΕΎΣ|ﬁnance|ﬀ|Ǆ|ŉ
Ĳssel|ſ|K|Å|ａｂｃ１２３|ｶﾞ|が|㍿|㎞|№ 5|™|©|®|°C|§ 5|¶|†|€5|¥500|₹500|₿|5 £|¤|fünf Äpfel|Übergröße|garçon|niño|pingüino|ação
Привет, мир!|Ёлка и ёж|Здравствуйте — это тест.|Україна її|Γειά σου Κόσμε|שלום עולם|שָׁלוֹם|مرحبا بالعالم|مَرْحَبًا|नमस्ते दुनिया|हिन्दी में|বাংলা ভাষা
தமிழ்|తెలుగు|ಕನ್ನಡ|മലയാളം|ไทยสวัสดี|ภาษาไทย|ລາວ|မြန်မာ|ខ្មែរ|བོད་|你好，世界。|吾輩は猫である。名前はまだ無い。|ガギグゲゴ|한국어 문장입니다.|한글|𝒜𝒷𝒸
👍🏽 great|👨‍👩‍👧 family|🇩🇪 flag|emoji😀inside|❤️|1️⃣|a_b|_|__init__|snake_case 5|C++|C#|AT&T|R&D|a@b.com|http://x.org/a?b=c|#tag
@user|50/50|a=b+c|x<y>z|~|^|`|\\|'|''|"|""|'''|!|?!|;|:|-|–|*|**bold**|the colour of the neighbour's grey aluminium aeroplane
organise organisation analysed travelling|programme centre theatre|defence licence practise|I realise you've honoured|flyer / flier
mum|cheque|tyre kerb|jewellery moulded|Colour|COLOURS|paediatric haemoglobin oestrogen|manoeuvre|co-operate|cosy storey
The quick brown fox jumps over the lazy dog.|She sells sea shells; by the sea-shore!|I'm on the 2nd floor, room 101.
He paid $1,299.99 for it on Dec. 24th, 1999.|It costs two dollars and fifty cents, or 2.50.|Call 555-0199 at 5 p.m.|at 5 a.m. or 5 pm
The temperature is minus twenty-five degrees.|About 3.5% of the 1,000,000 people|Twenty-two million, five hundred thousand
It's one of the ones I've won once.|One's company, two's a crowd|The first of May|a second opinion|Chapter One|No. 1|Phase 1s
You're 1 in a million.|Four score and seven years ago|the 1960s and the nineteen-sixties|mid-1990s|'90s|the '60s|6'2"|5' 11
O Captain! My Captain!|Oh, I see|o'clock|five o'clock|ten o eight|H.G. Wells|U.S.A.|e.g. this|i.e. that|etc.|Ph.D.|J.F.K.'s
ask not what your country can do for you|And so, my fellow Americans:|plus-minus|cent per cent|per se|point taken
to the point 5 times|point blank|at this point one could|double-check|double or nothing|triple-double|and/or|half and half"""

PIECES = """one two three nine ten eleven nineteen twenty thirty ninety hundred thousand million billions thousandth first second third
fifth twelfth twenties fiftieth oh o zero point and double triple minus plus per cent percent dollars cents euros pound 5 12
300 1.5 2.0 $3 €4.25 ¢7 % $ . , 0 007 a half it's mr. uh cat colour - 1 1s s th 10th""".split()


def texts():
    fixed = [t for block in (WHISPER, NUMBERS, SENTENCES) for line in block.split("\n") for t in line.split("|")]
    fixed = [t.replace("\\n", "\n").replace("\\t", "\t") for t in fixed] + ["", " ", "\n", "line one\nline two.", "a\tb", "a|b"]
    rng = random.Random(1)
    drawn = [" ".join(rng.choices(PIECES, k=rng.randint(2, 9))) for _ in range(400)]
    tight = ["".join(rng.choices("0123 1..,,%%$$€¢¢  ab s'and()[]<>", k=rng.randint(3, 14))) for _ in range(300)]
    letters = "aÀßσΣςſİıé́̈ﬁｱﾞ½²٣אَक्ไ你が가ᄀ👍🏽\u200d\u00a0\u2028_'-.5"
    mixed = ["".join(rng.choices(letters, k=rng.randint(3, 12))) for _ in range(200)]
    return list(dict.fromkeys(itertools.chain(fixed, drawn, tight, mixed)))


def make(_):
    english = EnglishTextNormalizer()
    basic = [BasicTextNormalizer(), BasicTextNormalizer(remove_diacritics=True), BasicTextNormalizer(split_letters=True)]
    names = ["text", "english", "basic", "without_diacritics", "letters"]
    rows = [dict(zip(names, [text, english(text)] + [one(text) for one in basic])) for text in texts()]
    golden.write("evaluation/normalizers.json", golden.lines(rows) + "\n")
    print(len(rows), "texts")
