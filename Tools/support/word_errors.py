"""Word errors of a text against its reference.

English texts go through Whisper's English normaliser (transformers' copy of it, without the table of spellings), other
languages through its basic one; Japanese and Chinese are compared character by character. Without transformers a plain
lower-casing without punctuation is used, and `NORMALISER` says so.
"""
import re
import unicodedata

from support.alignment import distance

try:
    from transformers.models.whisper.english_normalizer import BasicTextNormalizer, EnglishTextNormalizer
    NORMALISER = "whisper"
    ENGLISH, OTHER = EnglishTextNormalizer({}), BasicTextNormalizer()
except ImportError:
    NORMALISER = "plain"

    def plain(text):
        return "".join(c if unicodedata.category(c)[0] in "LNM" or c == "'" else " " for c in text.lower())

    ENGLISH = OTHER = plain


def words(text, language):
    """The words that are compared."""
    text = re.sub(r"\s+", " ", (ENGLISH if language == "en" else OTHER)(text)).strip()
    return list(text.replace(" ", "")) if language in ("ja", "zh") else text.split()


def errors(reference, hypothesis, language):
    """(errors, words of the reference)."""
    wanted = words(reference, language)
    return distance(wanted, words(hypothesis, language)), len(wanted)
