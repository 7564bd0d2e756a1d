"""faster-whisper's models and pipelines."""

from __future__ import annotations

import logging
import os
import pathlib
import tempfile
from dataclasses import dataclass
from typing import Any, BinaryIO, Dict, Iterable, Iterator, List, Optional, Tuple, Union

import numpy as np

from .. import _transcription
from .._errors import AudioError, ModelNotFound
from .._model import Model
from . import _options
from .audio import decode_audio
from .tokenizer import _LANGUAGE_CODES, ModelTokenizer, Tokenizer
from .types import LazyTranscriptionInfo, Segment, TranscriptionInfo, TranscriptionOptions, Word
from .utils import download_model, format_timestamp, get_logger
from .vad import VadOptions, collect_chunks, get_speech_timestamps

__all__ = [
    "BatchedInferencePipeline", "Segment", "TranscriptionInfo", "TranscriptionOptions", "WhisperModel", "Word",
    "get_suppressed_tokens",
]


@dataclass
class FeatureExtractor:
    """The sizes of the model's features; Steno computes them inside."""

    feature_size: int = 80
    sampling_rate: int = 16000
    hop_length: int = 160
    chunk_length: int = 30
    n_fft: int = 400

    n_samples = property(lambda self: self.chunk_length * self.sampling_rate)
    nb_max_frames = property(lambda self: self.n_samples // self.hop_length)
    time_per_frame = property(lambda self: self.hop_length / self.sampling_rate)


@dataclass
class EngineModel:
    """The properties of the loaded model."""

    is_multilingual: bool
    n_mels: int
    compute_type: str
    device: str = "cpu"
    device_index: List[int] = None


class WhisperModel:
    """A loaded Whisper model."""

    def __init__(
        self,
        model_size_or_path: str,
        device: str = "auto",
        device_index: Union[int, List[int]] = 0,
        compute_type: str = "default",
        cpu_threads: int = 0,
        num_workers: int = 1,
        download_root: Optional[str] = None,
        local_files_only: bool = False,
        files: dict = None,
        revision: Optional[str] = None,
        use_auth_token: Optional[Union[str, bool]] = None,
        **model_kwargs: Any,
    ) -> None:
        """Loads a model, which is downloaded if it is not on this machine.

        model_size_or_path  a name such as ``base``, a repository on the Hugging Face hub, or a path. Models are found
                            where Steno and Hugging Face's tools keep them; ``base`` comes with the package.
        device              ``cpu`` or ``auto``: Steno has no GPU
        compute_type        ``float32`` and the 16-bit types compute in float32, all others in int8
        cpu_threads         the threads of a transcription; 0 for one per core
        num_workers         of no effect: calls from several threads always run at the same time
        download_root       the folder of the cache
        local_files_only    never download
        files               the model's files in memory, by name
        revision            a branch, a tag or a commit
        use_auth_token      a token for the hub, or True for the stored one
        """
        self.logger = get_logger()
        _options.check_device(device)
        options = {"precision": _options.precision(compute_type), "threads": cpu_threads or None}
        if files:
            self._model = _load_files(files, options)
        elif os.path.exists(model_size_or_path):
            self._model = Model(model_size_or_path, **options)
        else:
            self._model = _find(
                model_size_or_path, options, cache_dir=download_root, local_files_only=local_files_only,
                revision=revision, use_auth_token=use_auth_token)
        information = self._model.information
        if "specialTokens" not in information:
            raise ValueError(
                f"This is a {information['family']} model, not a Whisper model. Use steno.Model, which loads both.")
        self.model = EngineModel(
            information["isMultilingual"], information["melBands"], information["precision"], device_index=[0])
        self.hf_tokenizer = ModelTokenizer(self._model)
        self.feature_extractor = FeatureExtractor(information["melBands"])
        self.input_stride = 2
        self.num_samples_per_token = self.feature_extractor.hop_length * self.input_stride
        self.frames_per_second = self.feature_extractor.sampling_rate // self.feature_extractor.hop_length
        self.tokens_per_second = self.feature_extractor.sampling_rate // self.num_samples_per_token
        self.time_precision = 0.02
        self.max_length = 448

    @property
    def supported_languages(self) -> List[str]:
        """The languages that the model knows."""
        return list(_LANGUAGE_CODES) if self.model.is_multilingual else ["en"]

    def transcribe(
        self,
        audio: Union[str, BinaryIO, np.ndarray],
        language: Optional[str] = None,
        task: str = "transcribe",
        log_progress: bool = False,
        beam_size: int = 5,
        best_of: int = 5,
        patience: float = 1,
        length_penalty: float = 1,
        repetition_penalty: float = 1,
        no_repeat_ngram_size: int = 0,
        temperature: Union[float, List[float], Tuple[float, ...]] = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0],
        compression_ratio_threshold: Optional[float] = 2.4,
        log_prob_threshold: Optional[float] = -1.0,
        no_speech_threshold: Optional[float] = 0.6,
        condition_on_previous_text: bool = True,
        prompt_reset_on_temperature: float = 0.5,
        initial_prompt: Optional[Union[str, Iterable[int]]] = None,
        prefix: Optional[str] = None,
        suppress_blank: bool = True,
        suppress_tokens: Optional[List[int]] = [-1],
        without_timestamps: bool = False,
        max_initial_timestamp: float = 1.0,
        word_timestamps: bool = False,
        prepend_punctuations: str = "\"'“¿([{-",
        append_punctuations: str = "\"'.。,，!！?？:：”)]}、",
        multilingual: bool = False,
        vad_filter: bool = False,
        vad_parameters: Optional[Union[dict, VadOptions]] = None,
        max_new_tokens: Optional[int] = None,
        chunk_length: Optional[int] = None,
        clip_timestamps: Union[str, List[float]] = "0",
        hallucination_silence_threshold: Optional[float] = None,
        hotwords: Optional[str] = None,
        language_detection_threshold: Optional[float] = 0.5,
        language_detection_segments: int = 1,
    ) -> Tuple[Iterable[Segment], TranscriptionInfo]:
        """Transcribes a recording, one window after the other; the arguments mean what they mean in faster-whisper.

        Decoding starts at once, not with the first segment; dropping the segments stops it.
        """
        arguments = dict(locals())
        audio = _samples(audio)
        clips = _options.clips(clip_timestamps)
        vad_options = _options.vad_options(vad_parameters) if vad_filter else vad_parameters
        filters = vad_filter and clip_timestamps == "0"
        engine = _options.engine_options(arguments, [] if filters else clips)
        if filters:
            engine["whisper"]["voiceActivity"] = _options.vad.engine_options(vad_options)
        arguments["multilingual"] = multilingual and self.model.is_multilingual
        arguments["clip_timestamps"] = clip_timestamps

        def speech_duration() -> float:
            if not filters:
                return len(audio) / 16000
            return sum(chunk["end"] - chunk["start"] for chunk in get_speech_timestamps(audio, vad_options)) / 16000

        return self._run(audio, arguments, engine, vad_options, speech_duration, log_progress)

    def detect_language(
        self,
        audio: Optional[np.ndarray] = None,
        features: Optional[np.ndarray] = None,
        vad_filter: bool = False,
        vad_parameters: Union[dict, VadOptions] = None,
        language_detection_segments: int = 1,
        language_detection_threshold: float = 0.5,
    ) -> Tuple[str, float, List[Tuple[str, float]]]:
        """Detects the language of samples: the code, its probability, and all languages with theirs.

        Features cannot be given, because Steno computes them inside. Audio without samples, or with digital silence,
        has no language: the result is ``("en", 0.0, [])``.
        """
        assert audio is not None or features is not None, "Either `audio` or `features` must be provided."
        if audio is None:
            raise NotImplementedError("Steno computes features inside. Give audio instead of features.")
        if vad_filter:
            speech = get_speech_timestamps(audio, _options.vad_options(vad_parameters))
            audio = np.concatenate(collect_chunks(audio, speech)[0])
        whisper = {
            "languageDetectionSegments": language_detection_segments,
            "languageDetectionThreshold": _options.threshold(language_detection_threshold),
        }
        try:
            found = self._model.detect_language(audio, whisper=whisper)
        except AudioError:
            return "en", 0.0, []
        return found.language, found.probability, list(found.probabilities.items())

    def _run(
        self, audio: np.ndarray, arguments: Dict[str, Any], engine: Dict[str, Any], vad_options: Any,
        speech_duration: Any, log_progress: bool,
    ) -> Tuple[Iterator[Segment], TranscriptionInfo]:
        duration = len(audio) / 16000
        self.logger.info("Processing audio with duration %s", format_timestamp(duration))
        if not self.model.is_multilingual and arguments["language"] not in (None, "en"):
            self.logger.warning(
                "The current model is English-only but the language parameter is set to '%s'; using 'en' instead.",
                arguments["language"])
            engine["language"] = "en"
        job = self._model._start(audio, 16000, engine, log_progress)
        language = job.language or "en"
        if arguments["language"] is None and self.model.is_multilingual:
            self.logger.info(
                "Detected language '%s' with probability %.2f", language, job.language_probability or 0)
        probabilities = job.language_probabilities
        info = LazyTranscriptionInfo(
            speech_duration,
            language=language,
            language_probability=job.language_probability if probabilities else 1,
            duration=duration,
            all_language_probs=list(probabilities.items()) if probabilities else None,
            transcription_options=_options.reported(arguments, self._suppressed(arguments["suppress_tokens"])),
            vad_options=vad_options,
        )
        return _segments(job, arguments["word_timestamps"]), info

    def _suppressed(self, tokens: Optional[List[int]]) -> Any:
        return get_suppressed_tokens(Tokenizer(self.hf_tokenizer, False), tokens) if tokens else tokens


class BatchedInferencePipeline:
    """Transcribes several windows of a recording at once."""

    def __init__(self, model: WhisperModel) -> None:
        self.model: WhisperModel = model
        self.last_speech_timestamp = 0.0

    def transcribe(
        self,
        audio: Union[str, BinaryIO, np.ndarray],
        language: Optional[str] = None,
        task: str = "transcribe",
        log_progress: bool = False,
        beam_size: int = 5,
        best_of: int = 5,
        patience: float = 1,
        length_penalty: float = 1,
        repetition_penalty: float = 1,
        no_repeat_ngram_size: int = 0,
        temperature: Union[float, List[float], Tuple[float, ...]] = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0],
        compression_ratio_threshold: Optional[float] = 2.4,
        log_prob_threshold: Optional[float] = -1.0,
        no_speech_threshold: Optional[float] = 0.6,
        condition_on_previous_text: bool = True,
        prompt_reset_on_temperature: float = 0.5,
        initial_prompt: Optional[Union[str, Iterable[int]]] = None,
        prefix: Optional[str] = None,
        suppress_blank: bool = True,
        suppress_tokens: Optional[List[int]] = [-1],
        without_timestamps: bool = True,
        max_initial_timestamp: float = 1.0,
        word_timestamps: bool = False,
        prepend_punctuations: str = "\"'“¿([{-",
        append_punctuations: str = "\"'.。,，!！?？:：”)]}、",
        multilingual: bool = False,
        vad_filter: bool = True,
        vad_parameters: Optional[Union[dict, VadOptions]] = None,
        max_new_tokens: Optional[int] = None,
        chunk_length: Optional[int] = None,
        clip_timestamps: Optional[List[dict]] = None,
        hallucination_silence_threshold: Optional[float] = None,
        batch_size: int = 8,
        hotwords: Optional[str] = None,
        language_detection_threshold: Optional[float] = 0.5,
        language_detection_segments: int = 1,
    ) -> Tuple[Iterable[Segment], TranscriptionInfo]:
        """Transcribes a recording in batches; the arguments mean what they mean in faster-whisper.

        Windows whose text fails the quality thresholds are decoded again at the next temperature, as when windows are
        decoded one after the other; pass one temperature for faster-whisper's behaviour.
        """
        arguments = dict(locals())
        audio = _samples(audio)
        seconds = chunk_length or self.model.feature_extractor.chunk_length
        vad_options = vad_parameters
        clips: List[Tuple[float, Optional[float]]] = []
        if clip_timestamps:
            clips = [(clip["start"], clip["end"]) for clip in clip_timestamps]
        elif vad_filter:
            vad_options = _options.batched_vad_options(vad_parameters, seconds)
        elif len(audio) / 16000 < seconds:
            clips = [(0.0, len(audio) / 16000)]
        else:
            raise RuntimeError(
                "No clip timestamps found. Set 'vad_filter' to True or provide 'clip_timestamps'.")
        arguments.update(
            condition_on_previous_text=False, prompt_reset_on_temperature=0.5, max_initial_timestamp=0.0,
            hallucination_silence_threshold=None, multilingual=multilingual and self.model.model.is_multilingual,
            temperature=temperature[:1] if isinstance(temperature, (list, tuple)) else [temperature])
        engine = _options.engine_options(arguments, clips)
        # One window after the other would be another kind of decoding; texts do not depend on the number.
        engine["batchSize"] = max(2, min(64, batch_size))
        speech = (
            [{"start": int(start * 16000), "end": int(end * 16000)} for start, end in clips]
            if clips or not vad_filter else None)
        if speech is None:
            engine["whisper"]["voiceActivity"] = _options.vad.engine_options(vad_options)
        arguments["clip_timestamps"] = speech

        def speech_duration() -> float:
            found = get_speech_timestamps(audio, vad_options) if speech is None else speech
            return sum(chunk["end"] - chunk["start"] for chunk in found) / 16000

        return self.model._run(audio, arguments, engine, vad_options, speech_duration, log_progress)


def get_suppressed_tokens(tokenizer: Tokenizer, suppress_tokens: Iterable[int]) -> Tuple[int, ...]:
    """The tokens that are never written: the given ones (−1 stands for the non-speech tokens) and special ones."""
    given = set(suppress_tokens or ())
    if -1 in given:
        given = {token for token in given if token >= 0} | set(tokenizer.non_speech_tokens)
    special = {
        tokenizer.transcribe, tokenizer.translate, tokenizer.sot, tokenizer.sot_prev, tokenizer.sot_lm,
        tokenizer.no_speech,
    }
    return tuple(sorted(given | special))


def _segments(job: _transcription.Transcription, has_words: bool) -> Iterator[Segment]:
    with job:
        for segment in job:
            details = segment.whisper or {}
            words = [Word(word.start, word.end, word.text, word.probability) for word in segment.words or []]
            yield Segment(
                id=segment.id + 1, start=segment.start, end=segment.end, text=segment.text,
                words=words if has_words else None, **details)


def _samples(audio: Union[str, BinaryIO, np.ndarray]) -> np.ndarray:
    return audio if isinstance(audio, np.ndarray) else decode_audio(audio)


def _find(name: str, options: Dict[str, Any], **download: Any) -> Model:
    """A model of this machine, or else the download; a revision or a cache of its own is always the hub's."""
    if download["revision"] is None and download["cache_dir"] is None:
        try:
            return Model(name, **options)
        except ModelNotFound:
            logging.getLogger("faster_whisper").info("The model %s is not on this machine.", name)
    return Model(download_model(name, **download), **options)


def _load_files(files: Dict[str, Any], options: Dict[str, Any]) -> Model:
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            data = content.read() if hasattr(content, "read") else content
            (pathlib.Path(folder) / pathlib.PurePath(name).name).write_bytes(data)
        return Model(folder, **options)
