"""faster-whisper with a record of its decisions for each window; see make_transcription_goldens.py."""
import hashlib

from faster_whisper import WhisperModel
from faster_whisper.feature_extractor import FeatureExtractor

DIGITS = 7


class Recorder(WhisperModel):
    """faster-whisper that keeps encoder outputs and records its decisions for each window."""

    def __init__(self, path, compute_type="float32"):
        super().__init__(str(path), device="cpu", compute_type=compute_type, cpu_threads=1)
        assert self.model.compute_type == compute_type.replace("int8", "int8_float32"), self.model.compute_type
        self.encoded, self.windows = {}, []

    def encode(self, features):
        key = hashlib.sha1(features.tobytes()).digest()
        if key not in self.encoded:
            self.encoded[key] = super().encode(features)
        return self.encoded[key]

    def generate_with_fallback(self, encoder_output, prompt, tokenizer, options):
        decoded = super().generate_with_fallback(encoder_output, prompt, tokenizer, options)
        result, logprob, _, ratio = decoded
        repetitive = options.compression_ratio_threshold is not None and ratio > options.compression_ratio_threshold
        improbable = options.log_prob_threshold is not None and logprob < options.log_prob_threshold
        silent = options.no_speech_threshold is not None and result.no_speech_prob > options.no_speech_threshold
        self.windows.append({
            "prompt": len(prompt), "tokens": len(result.sequences_ids[0]), "avg_logprob": round(logprob, DIGITS),
            "compression_ratio": round(ratio, DIGITS), "no_speech_prob": round(result.no_speech_prob, DIGITS),
            "fallback": (repetitive or improbable) and not (silent and improbable)})
        return decoded

    def transcribe_to_golden(self, samples, **options):
        """One transcription as a golden's entry."""
        self.windows = []
        # faster-whisper keeps the last chunk_length for later calls.
        self.feature_extractor = FeatureExtractor(**self.feat_kwargs)
        segments, info = self.transcribe(samples, temperature=0.0, **options)
        segments = [golden_segment(s) for s in segments]
        probabilities = info.all_language_probs or []
        return {
            "language": info.language, "language_probability": round(info.language_probability, DIGITS),
            "language_probs": [[code, round(p, DIGITS)] for code, p in probabilities[:10]],
            "duration": info.duration, "segments": segments, "windows": self.windows,
            "fallback": [i for i, w in enumerate(self.windows) if w.pop("fallback")]}


def golden_segment(s):
    entry = {"seek": s.seek, "start": round(s.start, 4), "end": round(s.end, 4), "text": s.text, "tokens": s.tokens,
             "avg_logprob": round(s.avg_logprob, DIGITS), "compression_ratio": round(s.compression_ratio, DIGITS),
             "no_speech_prob": round(s.no_speech_prob, DIGITS), "temperature": s.temperature}
    if s.words is not None:
        entry["words"] = [{"word": w.word, "start": round(float(w.start), 4), "end": round(float(w.end), 4),
                           "probability": round(float(w.probability), 5)} for w in s.words]
    return entry
