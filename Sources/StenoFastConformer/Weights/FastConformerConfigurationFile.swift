import Foundation
import StenoCompute
import StenoCore

/// The relevant part of the `config.json` of transformers' Parakeet and Nemotron models.
struct FastConformerConfigurationFile: Decodable {
    /// The encoder; what a file lacks has transformers' default.
    struct Encoder: Decodable {
        var hidden_size: Int?
        var num_hidden_layers: Int?
        var num_attention_heads: Int?
        var intermediate_size: Int?
        var hidden_act: String?
        var conv_kernel_size: Int?
        var subsampling_factor: Int?
        var subsampling_conv_channels: Int?
        var subsampling_conv_kernel_size: Int?
        var subsampling_conv_stride: Int?
        var num_mel_bins: Int?
        var scale_input: Bool?
        var sliding_window: Int?
        var default_num_lookahead_tokens: Int?
    }

    var model_type: String?
    var architectures: [String]?
    var encoder_config: Encoder?
    var vocab_size: Int?
    var pad_token_id: Int?
    var blank_token_id: Int?
    var decoder_hidden_size: Int?
    var num_decoder_layers: Int?
    var hidden_act: String?
    var max_symbols_per_step: Int?
    var durations: [Int]?
    var num_prompts: Int?
    var prompt_intermediate_size: Int?
    var default_prompt_id: Int?

    /// The values of `model_type` that can be read.
    static let families: Set<String> = [
        "parakeet_ctc", "parakeet_rnnt", "parakeet_tdt", "nemotron_asr_streaming", "nemotron3_5_asr",
    ]
}

/// The relevant part of `processor_config.json`.
struct FastConformerProcessorFile: Decodable {
    var supported_num_lookahead_tokens: [Int]?
    var prompt_dictionary: [String: Int]?
}

/// The relevant part of `preprocessor_config.json`: it must describe the features that all published models have.
struct FastConformerPreprocessorFile: Decodable {
    var feature_size: Int?
    var sampling_rate: Int?
    var hop_length: Int?
    var n_fft: Int?
    var win_length: Int?
    var preemphasis: Double?
    var mel_filters_dtype: String?

    func check(_ configuration: FastConformerConfiguration, _ folder: URL) throws {
        let isKnown =
            feature_size ?? configuration.melCount == configuration.melCount && sampling_rate ?? 16_000 == 16_000
            && hop_length ?? 160 == 160 && n_fft ?? 512 == 512 && win_length ?? 400 == 400
            && preemphasis ?? 0.97 == 0.97 && mel_filters_dtype ?? "float32" == "float32"
        try ensure(
            isKnown, or: .modelUnsupported,
            "\(folder.path) holds a FastConformer model with other audio features than the published ones, which are "
                + "not supported. Choose another model.")
    }
}

extension FastConformerConfiguration {
    /// - Throws: ``StenoError``: `modelNotFound`, `modelDamaged`, or `modelUnsupported` for a model of another family.
    init(folder: URL) throws {
        let file = try ModelJSON.require(
            FastConformerConfigurationFile.self, at: folder.appendingPathComponent("config.json"))
        let processor = try ModelJSON.read(FastConformerProcessorFile.self, "processor_config.json", in: folder)
        self.init()
        try Self.check(file, folder)
        let encoder = file.encoder_config ?? FastConformerConfigurationFile.Encoder()
        let family = file.model_type ?? ""
        setEncoder(encoder, streams: family.hasPrefix("nemotron"), processor)
        try setHeads(file, family, folder)
        if family == "nemotron3_5_asr" {
            let count = file.num_prompts ?? 128
            prompts = Prompts(
                count: count, hiddenWidth: file.prompt_intermediate_size ?? 2048,
                ids: processor?.prompt_dictionary ?? KnownPrompts.ids.filter { $0.value < count },
                automatic: file.default_prompt_id ?? 101)
        }
        try check()
        try ModelJSON.read(FastConformerPreprocessorFile.self, "preprocessor_config.json", in: folder)?
            .check(self, folder)
    }

    private mutating func setEncoder(
        _ encoder: FastConformerConfigurationFile.Encoder, streams: Bool, _ processor: FastConformerProcessorFile?
    ) {
        melCount = encoder.num_mel_bins ?? 80
        layers = encoder.num_hidden_layers ?? 24
        width = encoder.hidden_size ?? 1024
        heads = encoder.num_attention_heads ?? 8
        feedForwardWidth = encoder.intermediate_size ?? 4096
        kernelSize = encoder.conv_kernel_size ?? 9
        subsamplingChannels = encoder.subsampling_conv_channels ?? 256
        scalesInput = encoder.scale_input ?? true
        normalizesFeatures = !streams
        convolutionNorm = streams ? .layer : .batch
        guard streams else { return }
        let preferred = encoder.default_num_lookahead_tokens ?? 13
        let others = processor?.supported_num_lookahead_tokens ?? [13, 6, 1, 0]
        streaming = Streaming(
            // The window contains the frame itself.
            left: (encoder.sliding_window ?? 71) - 1, lookAheads: [preferred] + others.filter { $0 != preferred })
    }

    private mutating func setHeads(_ file: FastConformerConfigurationFile, _ family: String, _ folder: URL) throws {
        let defaults = [
            "parakeet_ctc": 1025, "parakeet_rnnt": 8193, "parakeet_tdt": 8193, "nemotron3_5_asr": 13_088,
        ]
        let count = file.vocab_size ?? defaults[family] ?? 1025
        vocabularySize = count - 1
        let hasCTC = family == "parakeet_ctc"
        let blank = hasCTC ? file.pad_token_id : file.blank_token_id
        try ensure(
            blank ?? vocabularySize == vocabularySize, or: .modelUnsupported,
            "\(folder.path) holds a FastConformer model whose blank is token \(blank ?? 0) of \(count), not the last "
                + "one, which is not supported. Choose another model.")
        guard !hasCTC else { return }
        let width = file.decoder_hidden_size ?? 640
        transducer = Transducer(
            predictorWidth: width, predictorLayers: file.num_decoder_layers ?? 2, jointWidth: width,
            durations: family == "parakeet_tdt" ? file.durations ?? [0, 1, 2, 3, 4] : [],
            maximumSymbols: file.max_symbols_per_step ?? 10)
    }

    private static func check(_ file: FastConformerConfigurationFile, _ folder: URL) throws {
        guard let family = file.model_type, FastConformerConfigurationFile.families.contains(family) else {
            let found = file.architectures?.first ?? file.model_type ?? "an unknown architecture"
            throw StenoError(
                .modelUnsupported,
                "\(folder.path) holds another kind of model (\(found.prefix(80))), not a FastConformer model. Choose a "
                    + "Parakeet or Nemotron model.")
        }
        let encoder = file.encoder_config
        let hasKnownActivations =
            encoder?.hidden_act ?? "silu" == "silu" && (family == "parakeet_ctc" || file.hidden_act ?? "relu" == "relu")
        let hasKnownSubsampling =
            encoder?.subsampling_factor ?? 8 == FastConformerConfiguration.subsampling
            && encoder?.subsampling_conv_kernel_size ?? 3 == 3 && encoder?.subsampling_conv_stride ?? 2 == 2
        try ensure(
            hasKnownActivations && hasKnownSubsampling, or: .modelUnsupported,
            "\(folder.path) holds a FastConformer model with another activation function or another subsampling, "
                + "which is not supported. Choose another model.")
    }
}

/// The prompts of Nemotron 3.5, for folders that do not list them.
enum KnownPrompts {
    /// The prompt of each language (transformers, `processing_nemotron3_5_asr.py`).
    static let ids: [String: Int] = [
        "en-US": 0, "en": 0, "en-GB": 1, "enGB": 1, "es-ES": 2, "esES": 2, "es-US": 3, "es": 3, "zh-CN": 4,
        "zh-ZH": 4, "zh-TW": 5, "hi-IN": 6, "hi": 6, "hi-HI": 6, "ar-AR": 7, "ar": 7, "fr-FR": 8, "fr": 8, "de-DE": 9,
        "de": 9, "ja-JP": 10, "ja-JA": 10, "ru-RU": 11, "ru": 11, "pt-BR": 12, "pt-PT": 13, "pt": 13, "ko-KR": 14,
        "ko": 14, "ko-KO": 14, "it-IT": 15, "it": 15, "nl-NL": 16, "nl": 16, "pl-PL": 17, "pl": 17, "tr-TR": 18,
        "tr": 18, "uk-UA": 19, "uk": 19, "ro-RO": 20, "ro": 20, "el-GR": 21, "el": 21, "cs-CZ": 22, "cs": 22,
        "hu-HU": 23, "hu": 23, "sv-SE": 24, "sv": 24, "da-DK": 25, "da": 25, "fi-FI": 26, "fi": 26, "no-NO": 27,
        "no": 27, "nb-NO": 103, "nb": 103, "nn-NO": 104, "nn": 104, "sk-SK": 28, "sk": 28, "hr-HR": 29, "hr": 29,
        "bg-BG": 30, "bg": 30, "lt-LT": 31, "lt": 31, "et-EE": 60, "et": 60, "lv-LV": 61, "lv": 61, "sl-SI": 62,
        "sl": 62, "th-TH": 32, "vi-VN": 33, "id-ID": 34, "ms-MY": 35, "bn-IN": 36, "ur-PK": 37, "fa-IR": 38,
        "ta-IN": 39, "te-IN": 40, "mr-IN": 41, "gu-IN": 42, "kn-IN": 43, "ml-IN": 44, "si-LK": 45, "ne-NP": 46,
        "km-KH": 47, "sw-KE": 48, "am-ET": 49, "ha-NG": 50, "zu-ZA": 51, "yo-NG": 52, "ig-NG": 53, "af-ZA": 54,
        "rw-RW": 55, "so-SO": 56, "ny-MW": 57, "ln-CD": 58, "or-KE": 59, "he-IL": 64, "ku-TR": 65, "az-AZ": 66,
        "ka-GE": 67, "hy-AM": 68, "uz-UZ": 69, "tg-TJ": 70, "ky-KG": 71, "qu-PE": 80, "ay-BO": 81, "gn-PY": 82,
        "nah-MX": 83, "mi-NZ": 96, "haw-US": 97, "sm-WS": 98, "to-TO": 99, "fr-CA": 100, "mt-MT": 102, "auto": 101,
    ]
}
