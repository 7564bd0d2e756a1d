public import Foundation

/// Which model a ``WhisperKit`` loads, and where its streams get their audio.
public struct WhisperKitConfig: Sendable {
    /// A name such as `base`, `large-v3`, `openai_whisper-small.en` or `large-v3-v20240930_626MB`; nil is the default
    /// model of this machine.
    ///
    /// `*` stands for any text; then exactly one model must have such a name.
    public var model: String?
    /// Without effect: Steno has one folder for models.
    public var downloadBase: URL?
    /// A repository on Hugging Face that holds the model in a form Steno reads; nil is the one known by the name.
    public var modelRepo: String?
    /// The folder of a model, in place of a name; it may begin with `~`.
    public var modelFolder: String?
    /// Without effect: the tokenizer comes with the model.
    public var tokenizerFolder: URL?
    /// Where streams get their audio; nil is the microphone.
    public var audioProcessor: (any AudioProcessing)?
    /// Without effect: the library prints nothing.
    public var verbose: Bool
    /// Without effect: the library prints nothing.
    public var logLevel: Logging.LogLevel
    /// Without effect: a loaded model needs no warming.
    public var prewarm: Bool?
    /// Whether the model is loaded at once; false leaves that to ``WhisperKit/loadModels(prewarmMode:)`` or the first call.
    public var load: Bool?
    /// Whether the model may be downloaded.
    public var download: Bool

    /// Creates a configuration.
    public init(
        model: String? = nil, downloadBase: URL? = nil, modelRepo: String? = nil, modelFolder: String? = nil,
        tokenizerFolder: URL? = nil, audioProcessor: (any AudioProcessing)? = nil, verbose: Bool = true,
        logLevel: Logging.LogLevel = .info, prewarm: Bool? = nil, load: Bool? = nil, download: Bool = true
    ) {
        self.model = model
        self.downloadBase = downloadBase
        self.modelRepo = modelRepo
        self.modelFolder = modelFolder
        self.tokenizerFolder = tokenizerFolder
        self.audioProcessor = audioProcessor
        self.verbose = verbose
        self.logLevel = logLevel
        self.prewarm = prewarm
        self.load = load
        self.download = download
    }
}

/// WhisperKit's logging, of which code has only the levels here: the library prints nothing.
public enum Logging {
    /// How much would be printed.
    public enum LogLevel: Sendable, Hashable, Codable, CaseIterable {
        /// Everything.
        case debug
        /// What is worth knowing.
        case info
        /// Errors alone.
        case error
        /// Nothing.
        case none
    }
}
