public import Foundation
import Steno

/// The model that a ``WhisperKit`` loads, and the audio source of its streams.
public struct WhisperKitConfig: Sendable {
    /// A name such as `base`, `large-v3`, `openai_whisper-small.en` or `large-v3-v20240930_626MB`; nil for the default
    /// model of this machine.
    ///
    /// `*` matches any text; then exactly one model must match.
    public var model: String?
    /// Without effect: Steno has one folder for models.
    public var downloadBase: URL?
    /// A Hugging Face repository with the model in a format that Steno can read; nil for the well-known one of that
    /// name.
    public var modelRepo: String?
    /// The folder of a model, instead of a name; it may begin with `~`.
    public var modelFolder: String?
    /// Without effect: the tokenizer comes with the model.
    public var tokenizerFolder: URL?
    /// The audio source of streams; nil for the microphone.
    public var audioProcessor: (any AudioProcessing)?
    /// Without effect: the library prints nothing.
    public var verbose: Bool
    /// Without effect: the library prints nothing.
    public var logLevel: Logging.LogLevel
    /// Without effect: a loaded model needs no warming.
    public var prewarm: Bool?
    /// Whether to load the model immediately; otherwise ``WhisperKit/loadModels(prewarmMode:)`` or the first call loads
    /// it.
    public var load: Bool?
    /// Whether the model may be downloaded.
    public var download: Bool

    /// Creates a configuration.
    public init(
        model: String? = nil, downloadBase: URL? = nil, modelRepo: String? = nil, modelFolder: String? = nil,
        tokenizerFolder: URL? = nil, audioProcessor: (any AudioProcessing)? = nil, verbose: Bool = true,
        logLevel: Logging.LogLevel = .info, prewarm: Bool? = nil, load: Bool? = nil, download: Bool = true
    ) {
        (self.model, self.downloadBase, self.modelRepo) = (model, downloadBase, modelRepo)
        (self.modelFolder, self.tokenizerFolder, self.audioProcessor) = (modelFolder, tokenizerFolder, audioProcessor)
        (self.verbose, self.logLevel, self.prewarm) = (verbose, logLevel, prewarm)
        (self.load, self.download) = (load, download)
    }
}

/// WhisperKit's logging levels, for source compatibility: the library prints nothing.
public enum Logging {
    /// The level of logging.
    public enum LogLevel: Sendable, Hashable, Codable, CaseIterable {
        /// Everything.
        case debug
        /// Information.
        case info
        /// Errors only.
        case error
        /// Nothing.
        case none
    }
}

/// Whisper's languages.
public enum Constants {
    /// The codes of the languages, by their English names in lower case.
    public static let languages = Dictionary(
        Language.all.map { ($0.name.lowercased(), $0.code) }, uniquingKeysWith: { first, _ in first })
    /// The codes of the languages.
    public static let languageCodes = Set(languages.values)
}
