public import Foundation
import Steno

/// The domain of an ``SFSpeechError`` as an `NSError`.
public let SFSpeechErrorDomain = "SFSpeechErrorDomain"

/// An error of the analysis, with Apple's codes and a message that says what to do.
///
///     do {
///         try await analyzer.prepareToAnalyze(in: nil)
///     } catch SFSpeechError.Code.noModel {
///         try await AssetInventory.assetInstallationRequest(supporting: [transcriber])?.downloadAndInstall()
///     }
public struct SFSpeechError: LocalizedError, CustomNSError, Sendable, CustomStringConvertible {
    /// A kind of error; later versions may add kinds, so a `switch` needs a default.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The number, which is also the `NSError`'s code.
        public let rawValue: Int

        /// Creates a code from its number; never nil.
        public init?(rawValue: Int) { self.init(rawValue) }

        private init(_ number: Int) { rawValue = number }

        // MARK: Apple's codes

        // The numbers are those of Apple's header. Codes that only Apple's Swift module has may have other numbers there.

        /// An internal failure.
        public static let internalServiceError = Code(1)
        /// A file is missing, is not audio or cannot be decoded.
        public static let audioReadFailed = Code(2)
        /// The format changed mid-stream, or its samples cannot be read.
        public static let unexpectedAudioFormat = Code(3)
        /// No model is installed.
        public static let noModel = Code(4)
        /// The modules have no common audio format; Steno's always have one.
        public static let incompatibleAudioFormats = Code(5)
        /// A template of a customised language model is not known; Steno has none, so it never throws this.
        public static let undefinedTemplateClassName = Code(7)
        /// A customised language model cannot be used.
        public static let malformedSupplementalModel = Code(8)
        /// A module failed during analysis.
        public static let moduleOutputFailed = Code(9)
        /// A locale was not reserved; Steno needs no reservation, so it never throws this.
        public static let assetLocaleNotAllocated = Code(10)
        /// More locales were reserved than ``AssetInventory/maximumReservedLocales``.
        public static let tooManyAssetLocalesAllocated = Code(11)
        /// Something took too long; Steno never throws this.
        public static let timeout = Code(12)
        /// A parameter is missing; Steno never throws this.
        public static let missingParameter = Code(13)
        /// No model, or not the installed one, supports the language.
        public static let cannotAllocateUnsupportedLocale = Code(15)
        /// There is not enough memory.
        public static let insufficientResources = Code(16)
        /// An input begins before the previous input ends.
        public static let audioDisordered = Code(17)

        // MARK: Steno's codes, where Apple's framework ends the process or does nothing

        /// The analyzer cannot do this now: it reads another input, or the session is finished.
        public static let analyzerState = Code(1001)
        /// The module belongs to another analyzer, or not to this library.
        public static let moduleInUse = Code(1002)
    }

    /// The kind of error.
    public let code: Code
    /// One or two sentences: what is wrong, and what to do.
    public let message: String
    /// The underlying error, if any.
    public let underlying: (any Error)?

    /// Creates an error, for simulation.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - userInfo: The message (`NSLocalizedDescriptionKey`) and the underlying error (`NSUnderlyingErrorKey`).
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(
            code, userInfo[NSLocalizedDescriptionKey] as? String ?? "The analysis failed with code \(code.rawValue).",
            underlying: userInfo[NSUnderlyingErrorKey] as? any Error)
    }

    package init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        (self.code, self.message, self.underlying) = (code, message, underlying)
    }

    /// The message.
    public var description: String { message }

    /// The message, which `localizedDescription` returns.
    public var errorDescription: String? { message }

    // MARK: NSError

    /// ``SFSpeechErrorDomain``.
    public static var errorDomain: String { SFSpeechErrorDomain }

    /// The number of the ``code``.
    public var errorCode: Int { code.rawValue }

    /// The message and the underlying error.
    public var errorUserInfo: [String: Any] {
        var information: [String: Any] = [NSLocalizedDescriptionKey: message]
        information[NSUnderlyingErrorKey] = underlying
        return information
    }
}

// Apple's type has these too: the codes of its header.
extension SFSpeechError {
    /// ``Code/internalServiceError``.
    public static var internalServiceError: Code { .internalServiceError }
    /// ``Code/audioReadFailed``.
    public static var audioReadFailed: Code { .audioReadFailed }
    /// ``Code/undefinedTemplateClassName``.
    public static var undefinedTemplateClassName: Code { .undefinedTemplateClassName }
    /// ``Code/malformedSupplementalModel``.
    public static var malformedSupplementalModel: Code { .malformedSupplementalModel }
    /// ``Code/timeout``.
    public static var timeout: Code { .timeout }
    /// ``Code/missingParameter``.
    public static var missingParameter: Code { .missingParameter }
}

extension SFSpeechError.Code {
    /// Whether an error is of a code, so that `catch SFSpeechError.Code.noModel` works.
    public static func ~= (code: SFSpeechError.Code, error: any Error) -> Bool {
        (error as? SFSpeechError)?.code == code
    }
}

extension SFSpeechError {
    /// Converts an error of Steno to the one that callers of this library get.
    init(_ error: any Error) {
        if let error = error as? SFSpeechError {
            self = error
        } else {
            let code = (error as? StenoError)?.code ?? (error as? TranscriptionFailure)?.stenoCode
            self.init(code.flatMap { Self.codes[$0] } ?? .moduleOutputFailed, "\(error)", underlying: error)
        }
    }

    /// The error for a language that the chosen model does not support.
    static func unsupported(_ tag: String, by model: String) -> SFSpeechError {
        SFSpeechError(
            .cannotAllocateUnsupportedLocale,
            "The chosen model “\(model)” does not know the language of \(tag). Use a multilingual one: "
                + "SpeechModels.choice = .named(\"base\").")
    }

    /// The error to throw in place of another; `CancellationError` stays unchanged.
    static func translating(_ error: any Error) -> any Error {
        error is CancellationError ? error : SFSpeechError(error)
    }

    private static let codes: [StenoError.Code: Code] = [
        .modelNotFound: .noModel, .modelDamaged: .noModel, .modelUnsupported: .noModel,
        .resourceMissing: .internalServiceError, .outOfMemory: .insufficientResources,
        .unknownLanguage: .cannotAllocateUnsupportedLocale, .engineState: .analyzerState,
        .audioNotFound: .audioReadFailed, .notAudio: .audioReadFailed, .audioDamaged: .audioReadFailed,
        .audioUnreadable: .audioReadFailed, .decoderMissing: .audioReadFailed, .invalidOption: .unexpectedAudioFormat,
    ]
}

extension TranscriptionFailure {
    /// The code of the error that ended the session.
    fileprivate var stenoCode: StenoError.Code? {
        let known: [StenoError.Code] = [.modelDamaged, .outOfMemory, .unknownLanguage, .resourceMissing]
        return known.first { $0.description == code }
    }
}
