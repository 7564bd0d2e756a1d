"""Makes the goldens of the tokenizer's tests in Tests/Fixtures/tokenizer.

Reference packages: tiktoken 0.x with the vocabularies of openai-whisper 20250625 for encoding and decoding,
faster-whisper 1.2.1 (tokenizers) for decoding with times and for words. The versions used are written to versions.json.

    python Tools/goldens/run.py tokenizer --assets WHISPER/assets

WHISPER/assets is openai-whisper's folder with multilingual.tiktoken and gpt2.tiktoken; tokenizer.json is that of
Tests/Fixtures/nano, a multilingual model with its times among the added tokens.

Token ids are written as base64 of little-endian 16-bit numbers. Everything is drawn from one seeded generator, and
only characters of Unicode 14 or earlier are used, so that the tables of older systems agree.
"""
import base64
import json
import pathlib
import random
import struct
import unicodedata

import tiktoken
import tokenizers
from faster_whisper.tokenizer import Tokenizer
from support import golden
from support.paths import FIXTURES

PATTERN = r"""'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""

# Sentences written for this purpose, several in each script.
SEEDS = {
    "Latin": [
        "The kettle whistled twice before anyone got up, and then the cat didn't move at all.",
        "Über den Dächern von Köln fuhren müde Züge, größer als jede Straße.",
        "Où est passée la clé du garçon qui naïvement l'avait prêtée à sa sœur ?",
        "¿Quién dejó la guitarra del niño debajo del árbol? ¡Qué vergüenza!",
        "Łódź śpi, a żółta ćma krąży wokół lampy.",
        "Tất cả những con đường đều dẫn về ngôi nhà nhỏ của bà.",
        "Příliš mnoho čaje ještě nikomu v neděli neuškodilo.",
        "İstanbul'da yağmur yağınca ışıklar çoğalır.",
        "Þetta er stutt saga um björn og ævintýri hans á Íslandi.",
        "Árvíztűrő szőlő nő a hűvös völgyben.",
    ],
    "Cyrillic": [
        "Вчера вечером мы долго гуляли вдоль реки и считали лодки.",
        "Їжак зʼїв яблуко, а ґава лише дивилася.",
        "Шта ће љубичасти џемпер у мојој фиоци?",
        "Қазақстанның кең даласында жылқылар өседі.",
    ],
    "Greek": [
        "Το καλοκαίρι ο ψαράς ξυπνά πριν από τον ήλιο.",
        "Πόσες φορές άκουσες την ίδια ιστορία; Πολλές!",
    ],
    "Arabic": [
        "ذهب الولد إلى السوق واشترى ثلاث تفاحات حمراء.",
        "هَلْ سَمِعْتَ صَوْتَ المَطَرِ عَلَى السَّقْفِ؟",
        "امروز هوا خوب است و ما به باغ می‌رویم.",
        "کیا آپ نے کل رات چاند دیکھا تھا؟",
    ],
    "Hebrew": [
        "הילדה כתבה מכתב ארוך לסבתא שלה.",
        "בַּבֹּקֶר שָׁתִינוּ תֵּה עִם לִימוֹן.",
    ],
    "Devanagari": [
        "सुबह की चाय के बाद हम बाज़ार गए।",
        "माझ्या आजीच्या घरी एक मोठे झाड आहे.",
        "नेपालमा हिउँ परेको बिहान शान्त हुन्छ।",
    ],
    "Bengali": ["নদীর ধারে ছোট্ট একটি নৌকা বাঁধা ছিল।", "আজ কি বৃষ্টি হবে? কে জানে!"],
    "Tamil": ["மழை பெய்யும் போது குழந்தைகள் விளையாடினார்கள்.", "என் நண்பன் நாளை காலை வருவான்."],
    "Telugu": ["పిల్లలు తోటలో ఆడుకుంటున్నారు.", "రేపు ఉదయం మనం ఊరికి వెళ్దాం."],
    "Kannada": ["ಮಳೆ ನಿಂತ ಮೇಲೆ ನಾವು ಹೊರಗೆ ಹೋದೆವು.", "ನನ್ನ ಪುಸ್ತಕ ಎಲ್ಲಿದೆ?"],
    "Malayalam": ["കുട്ടികൾ പുഴയുടെ അരികിൽ കളിച്ചു.", "ഇന്ന് നല്ല കാറ്റുണ്ട്."],
    "Gujarati": ["આજે સવારે અમે ખેતરમાં ગયા હતા.", "મારી બહેન સરસ ગીત ગાય છે."],
    "Gurmukhi": ["ਬੱਚੇ ਮੈਦਾਨ ਵਿੱਚ ਖੇਡ ਰਹੇ ਹਨ।", "ਮੇਰਾ ਪਿੰਡ ਨਦੀ ਦੇ ਕੋਲ ਹੈ।"],
    "Sinhala": ["අද උදේ අපි වෙරළට ගියෙමු.", "මගේ මල්ලි පොතක් කියවයි."],
    "Thai": ["เช้านี้ฝนตกหนักแต่เราก็ยังไปตลาด", "แมวสีดำนอนหลับอยู่บนหลังคา ๓ ตัว"],
    "Lao": ["ມື້ນີ້ພວກເຮົາໄປຕະຫຼາດຊື້ປາ", "ແມ່ເຮັດເຂົ້າໜຽວທຸກເຊົ້າ"],
    "Burmese": ["ဒီနေ့ မိုးရွာနေတယ်။", "ကလေးတွေ ကျောင်းကို သွားကြတယ်။"],
    "Khmer": ["ថ្ងៃនេះមេឃស្រឡះល្អណាស់។", "ក្មេងៗលេងនៅមាត់ទន្លេ។"],
    "Tibetan": ["དེ་རིང་གནམ་གཤིས་ཡག་པོ་འདུག", "ང་ཚོ་སློབ་གྲྭར་འགྲོ་གི་ཡོད།"],
    "Georgian": ["დილით ბებიამ თბილი პური გამოაცხო.", "ვინ დატოვა ფანჯარა ღია?"],
    "Armenian": ["Այսօր երեխաները խաղում են բակում։", "Ո՞վ է բերել այս ծաղիկները։"],
    "Ethiopic": ["ዛሬ ጠዋት ወደ ገበያ ሄድን።", "ልጆቹ በወንዙ ዳር ይጫወታሉ።"],
    "Hangul": ["오늘 아침에 비가 와서 우산을 샀어요.", "고양이 두 마리가 지붕 위에서 잔다.", "각각 따로 떠났다"],
    "Han": ["今天早上我们去河边散步,看见很多小船。", "下雨了,記得帶傘。", "佢哋琴日喺街市買咗三條魚。"],
    "Kana": ["きのうのよる、ねこがやねのうえでないていた。", "コーヒーとパンを二つください。", "ﾊﾝｶｸのカタカナも、ときどき使う。"],
    "Mongolian": ["ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ"],
    "Cherokee": ["ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ"],
    "Astral": ["𝒜 𝔅𝔲𝔠𝔥 𝟘𝟙𝟚", "𐍂𐌿𐌽𐌰 𐤀𐤁𐤂", "𠮷野家で𩸽を食べた", "𞤀𞤣𞤤𞤢𞤥 𞥑𞥒"],
}

EXTRAS = {
    "digits": ["0", "42", "3.14159", "1,000,000", "2024-05-06T07:08:09Z", "٣٤٥", "१२३", "៤៥", "½ ¾ ⅞", "Ⅳ Ⅻ ⅲ", "①②③", "x²+y³", "10^-6", "〇一二"],
    "punctuation": ["...", "!?!", "—", "–", "“so”", "‘so’", "«ça»", "。、！？", "()[]{}<>", "#$%&*+/=@\\^_`|~", "¡¿", "…", "۔؟،", "।॥", "፡።", "։՞", "་།", "·"],
    "contractions": [
        "it's", "can't", "we're", "I've", "I'm", "they'll", "she'd", "IT'S", "'s", "''s", " 's", "'S", "'ll'll", "'re-'ve", "rock'n'roll",
        "don't've", "'tis", "l'été", "it’s", "'", "''", " '", "'d'm't", "o'clock's", "'l", "'r", "'v", "'lx", "'rx", "x's\n",
    ],
    "spaces": [
        " ", "  ", "   ", "\t", "\n", "\r\n", "\n\n\n", " \n ", "\t\t ", "\u00a0", "\u00a0\u00a0", " \u00a0", "\u2003", "\u3000", "\u2028", "\u2029",
        "\u0085", "\u1680", "\u202f", "\u200b", "\ufeff", "\u000b", "\u000c", "\u001c", "\u001f", "        ", "\u180e",
    ],
    "emoji": [
        "😀", "👍🏽", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "🇯🇵🇫🇷", "❤️", "👨🏿‍🚀", "🧑🏻‍🤝‍🧑🏾", "1️⃣", "☕️", "♪♫", "♩♪♫♬♭♮♯", "🎵🎶", "🫠", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🙂\u200d↔️",
    ],
    "controls": ["\u0000", "\u0001\u0002", "\u0007", "\u001b[0m", "\u007f", "\u0080", "\u009f", "\u00ad", "\u200e\u200f", "\u2066x\u2069", "\ue000", "\ufffd", "\uffff", "\U0010ffff"],
    "marks": ["e\u0301", "\u0301", " \u0301", "a\u0308\u0323", "Z\u0351\u0352\u0353\u034d", "\u20dd", "n\u0303o\u0302", "क्ष्म्य", "ก็้", "\u1112\u1161\u11ab", "が", "か\u3099", "Å Å Å"],
    "special": ["<|endoftext|>", "<|startoftranscript|>", "<|en|>", "a<|notimestamps|>b", "<|0.00|>", "<|1.08|> so", "<|", "|>", "[BLANK_AUDIO]", "(laughs)", "<unk>"],
    "code": ["https://example.org/a?b=c&d=%20#e", "me@example.org", "C:\\Temp\\x.txt", "foo_bar(baz[0]);", "<p class=\"a\">&amp;</p>", "a--b", "x=-1", "ABCdefGHI123jkl"],
}


def known(text):
    """Whether every character was assigned in the Unicode version of this Python (private use and such aside)."""
    return all(unicodedata.category(c) != "Cn" or c in "\uffff\U0010ffff" for c in text)


def make_texts(rng):
    sentences = [s for group in SEEDS.values() for s in group]
    extras = [s for group in EXTRAS.values() for s in group]
    texts = [""] + sentences + extras + [" " + s for s in sentences[::3]] + [s + s for s in extras]
    for script, group in SEEDS.items():
        for _ in range(42):
            sentence = rng.choice(group)
            start = rng.randrange(len(sentence))
            texts.append(sentence[start : start + rng.randrange(1, 24)])
    spaces = EXTRAS["spaces"] + [" "] * len(EXTRAS["spaces"])
    for _ in range(500):  # words of several scripts with anything between them
        words = [rng.choice(rng.choice(sentences).split()) for _ in range(rng.randrange(2, 5))]
        texts.append("".join(w[:12] + rng.choice(spaces) * rng.randrange(1, 3) for w in words))
    for _ in range(500):  # everything without spaces between
        parts = [rng.choice(extras if rng.random() < 0.6 else sentences)[:8] for _ in range(rng.randrange(2, 6))]
        texts.append("".join(parts))
    for _ in range(150):  # ASCII at random, where contractions and runs of spaces meet
        texts.append("".join(rng.choice("aAsStTdm'''   \n\t.,!-019re vell") for _ in range(rng.randrange(3, 20))))
    alphabet = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000 and unicodedata.category(chr(c)) not in ("Cn", "Co")]
    for _ in range(150):  # any characters at all
        texts.append("".join(rng.choice(alphabet) for _ in range(rng.randrange(1, 8))))
    texts += ["a" * 300, " " * 150, "ab" * 120, "ー" * 60, "。" * 40, "!" * 90, "7" * 130]
    return [t for t in dict.fromkeys(texts) if known(t)]


def make_decodes(rng, encoding, timestamps, size):
    single = [encoding.encode_single_token(bytes([b])) for b in range(256)]
    partial = [i for i in range(50256) if "\ufffd" in encoding.decode([i])]
    for _ in range(300):
        yield [rng.randrange(50256) for _ in range(rng.randrange(1, 10))]
    for _ in range(200):  # tokens that are parts of characters
        yield [rng.choice(partial) for _ in range(rng.randrange(1, 8))]
    leads = [0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF]
    tails = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2, 0xF0]
    for lead in leads:  # the edges of what UTF-8 allows
        for tail in tails:
            yield [single[lead], single[tail]]
            yield [single[b] for b in (lead, tail, 0x80, 0xBF)]
    for _ in range(300):
        yield [single[rng.choice(leads + tails) if rng.random() < 0.7 else rng.randrange(256)] for _ in range(rng.randrange(1, 12))]
    for _ in range(150):  # with special tokens and times between
        yield [rng.choice([rng.randrange(50256), rng.randrange(50256, timestamps), rng.randrange(timestamps, size)]) for _ in range(rng.randrange(1, 9))]


WORD_LANGUAGES = {
    "en": "Latin", "de": "Latin", "fr": "Latin", "es": "Latin", "pl": "Latin", "ru": "Cyrillic", "uk": "Cyrillic", "el": "Greek", "ar": "Arabic",
    "fa": "Arabic", "he": "Hebrew", "hi": "Devanagari", "ta": "Tamil", "zh": "Han", "yue": "Han", "ja": "Kana", "ko": "Hangul", "th": "Thai",
    "lo": "Lao", "my": "Burmese", "km": "Khmer",
}  # fmt: skip


def make_words(rng, encoding, hugging_face, timestamps):
    noise = [s for name in ("punctuation", "contractions", "emoji", "digits", "spaces") for s in EXTRAS[name]]
    partial = [i for i in range(50256) if "\ufffd" in encoding.decode([i])]
    for language, script in WORD_LANGUAGES.items():
        tokenizer = Tokenizer(hugging_face, True, task="transcribe", language=language)
        for round in range(12):
            text = " " + rng.choice(SEEDS[script])
            for _ in range(round % 4):
                text += rng.choice(["", " "]) + rng.choice(noise) + rng.choice(["", " "]) + rng.choice(SEEDS[script])[:10]
            tokens = encoding.encode(text, disallowed_special=())
            if round % 3 == 1:  # times between and at the ends
                tokens = [timestamps] + tokens[: len(tokens) // 2] + [timestamps + 54, timestamps + 54] + tokens[len(tokens) // 2 :] + [timestamps + 1500]
            if round % 4 == 3:  # broken characters
                for _ in range(3):
                    tokens.insert(rng.randrange(len(tokens)), rng.choice(partial))
            if round % 2 == 0:
                tokens = tokens + [tokenizer.eot]
            words, groups = tokenizer.split_to_word_tokens(tokens)
            assert [t for group in groups for t in group] == tokens[: sum(map(len, groups))]
            yield [language, pack(tokens), words, [len(group) for group in groups]]


def pack(ids):
    return base64.b64encode(struct.pack(f"<{len(ids)}H", *ids)).decode()


def load_ranks(path):
    lines = path.read_text().splitlines()
    return {base64.b64decode(token): int(rank) for token, rank in (line.split() for line in lines if line)}


def byte_level(token):
    """GPT-2's spelling of bytes."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [b for b in range(256) if b not in plain]
    return "".join(chr(b) if b in plain else chr(0x100 + others.index(b)) for b in token)


def write_gpt2_vocabulary(ranks, languages):
    """The English-only vocabulary as CTranslate2's older converter wrote it."""
    tokens = [byte_level(token) for token, _ in sorted(ranks.items(), key=lambda item: item[1])]
    tokens += ["<|endoftext|>", "<|startoftranscript|>", *languages, "<|translate|>", "<|transcribe|>", "<|startoflm|>"]
    tokens += ["<|startofprev|>", "<|nocaptions|>", "<|notimestamps|>", *(f"<|{i * 0.02:.2f}|>" for i in range(1501))]
    golden.write("tokenizer/gpt2/vocabulary.txt", "".join(t + "\n" for t in tokens))


def write_rows(name, rows):
    golden.write(f"tokenizer/{name}.json", golden.lines(rows, lambda row: golden.compact(row, ensure_ascii=False)) + "\n")
    return len(rows)


def options(parser):
    parser.add_argument("--assets", type=pathlib.Path, required=True)


def make(arguments):
    hugging_face = tokenizers.Tokenizer.from_file(str(FIXTURES / "nano/tokenizer.json"))
    languages = [hugging_face.id_to_token(i) for i in range(50259, 50358)]
    specials = {hugging_face.id_to_token(i): i for i in range(50257, 51865)}
    ranks = {name: load_ranks(arguments.assets / f"{name}.tiktoken") for name in ("multilingual", "gpt2")}
    multilingual = tiktoken.Encoding("multilingual", pat_str=PATTERN, mergeable_ranks=ranks["multilingual"], special_tokens=specials)
    gpt2 = tiktoken.Encoding("gpt2", pat_str=PATTERN, mergeable_ranks=ranks["gpt2"], special_tokens={})
    timestamps, size = specials["<|0.00|>"], 51865

    rng = random.Random(20250625)
    texts = make_texts(rng)
    encodes = [[t, pack(multilingual.encode(t, disallowed_special=())), pack(gpt2.encode(t, disallowed_special=()))] for t in texts]
    faster = Tokenizer(hugging_face, True, task="transcribe", language="en")
    decodes = []
    for ids in make_decodes(rng, multilingual, timestamps, size):
        text = multilingual.decode([i for i in ids if i < faster.eot])
        assert text == faster.decode(ids), ids
        timed = faster.decode_with_timestamps(ids)
        decodes.append([pack(ids), text] + ([timed] if timed != text else []))

    write_gpt2_vocabulary(ranks["gpt2"], languages)
    words = list(make_words(rng, multilingual, hugging_face, timestamps))
    counts = {name: write_rows(name, rows) for name, rows in (("encode", encodes), ("decode", decodes), ("words", words))}
    versions = golden.versions("tiktoken", "tokenizers", "faster-whisper") | {
        "openai-whisper assets": "20250625", "unicode": unicodedata.unidata_version}
    golden.write("tokenizer/versions.json", json.dumps(versions, indent=2, sort_keys=True) + "\n")
    differing = [t for t in texts if "<|" not in t and faster.encode(t) != multilingual.encode(t, disallowed_special=())]
    print(counts, versions, f"faster-whisper encodes {len(differing)} of {len(texts)} texts differently", differing[:5])
