public import Foundation
import Steno

/// An error of the analysis, with Apple's codes and a sentence a person can act on.
///
///     do {
///         try await analyzer.prepareToAnalyze(in: nil)
///     } catch SFSpeechError.Code.noModel {
///         try await AssetInventory.assetInstallationRequest(supporting: [transcriber])?.downloadAndInstall()
///     }
public struct SFSpeechError: LocalizedError, Sendable, CustomStringConvertible {
    /// A kind of error; kinds may be added, so a `switch` needs a default.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        // MARK: Apple's codes

        /// Something failed that the caller cannot change.
        public static let internalServiceError = Code(rawValue: "internalServiceError")
        /// A file is missing, is not audio or cannot be decoded.
        public static let audioReadFailed = Code(rawValue: "audioReadFailed")
        /// An input begins before the end of the input before it.
        public static let audioDisordered = Code(rawValue: "audioDisordered")
        /// The format changed in mid-stream, or its samples cannot be read.
        public static let unexpectedAudioFormat = Code(rawValue: "unexpectedAudioFormat")
        /// No model is installed.
        public static let noModel = Code(rawValue: "noModel")
        /// A locale was not reserved; Steno needs no reservation, so it never throws this.
        public static let assetLocaleNotAllocated = Code(rawValue: "assetLocaleNotAllocated")
        /// More locales were reserved than ``AssetInventory/maximumReservedLocales``.
        public static let tooManyAssetLocalesAllocated = Code(rawValue: "tooManyAssetLocalesAllocated")
        /// The modules have no common audio format; Steno's always have one.
        public static let incompatibleAudioFormats = Code(rawValue: "incompatibleAudioFormats")
        /// A module failed while it analysed audio.
        public static let moduleOutputFailed = Code(rawValue: "moduleOutputFailed")
        /// No model, or not the installed one, knows the language.
        public static let cannotAllocateUnsupportedLocale = Code(rawValue: "cannotAllocateUnsupportedLocale")
        /// There is not enough memory.
        public static let insufficientResources = Code(rawValue: "insufficientResources")
        /// A customised language model cannot be used.
        public static let malformedSupplementalModel = Code(rawValue: "malformedSupplementalModel")

        // MARK: Steno's codes, where Apple's framework ends the process or does nothing

        /// The analyzer cannot do this now: it reads another input, or the session is finished.
        public static let analyzerState = Code(rawValue: "analyzerState")
        /// The module belongs to another analyzer, or is not one of this library's.
        public static let moduleInUse = Code(rawValue: "moduleInUse")
    }

    /// The kind of error.
    public let code: Code
    /// One or two sentences: what is wrong, and what to do.
    public let message: String
    /// The underlying error, if any.
    public let underlying: (any Error)?

    /// Creates an error.
    package init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The message.
    public var description: String { message }

    /// The message, which `localizedDescription` returns.
    public var errorDescription: String? { message }
}

extension SFSpeechError.Code {
    /// Whether an error is of a code, so that `catch SFSpeechError.Code.noModel` works.
    public static func ~= (code: SFSpeechError.Code, error: any Error) -> Bool {
        (error as? SFSpeechError)?.code == code
    }
}

extension SFSpeechError {
    /// The error that callers of this library get for one of Steno's.
    init(_ error: any Error) {
        if let error = error as? SFSpeechError {
            self = error
        } else {
            let code = (error as? StenoError)?.code ?? (error as? TranscriptionFailure)?.stenoCode
            self.init(code.flatMap { Self.codes[$0] } ?? .moduleOutputFailed, "\(error)", underlying: error)
        }
    }

    /// The error to throw for another; cancellation stays what it is.
    static func translating(_ error: any Error) -> any Error {
        error is CancellationError ? error : SFSpeechError(error)
    }

    private static let codes: [StenoError.Code: Code] = [
        .modelNotFound: .noModel, .modelDamaged: .noModel, .modelUnsupported: .noModel,
        .resourceMissing: .internalServiceError, .outOfMemory: .insufficientResources,
        .unknownLanguage: .cannotAllocateUnsupportedLocale, .engineState: .analyzerState,
        .audioNotFound: .audioReadFailed, .notAudio: .audioReadFailed, .audioDamaged: .audioReadFailed,
        .audioUnreadable: .audioReadFailed, .decoderMissing: .audioReadFailed,
        .invalidOption: .unexpectedAudioFormat,
    ]
}

extension TranscriptionFailure {
    /// The code of the error that ended the session.
    fileprivate var stenoCode: StenoError.Code? {
        let known: [StenoError.Code] = [.modelDamaged, .outOfMemory, .unknownLanguage, .resourceMissing]
        return known.first { $0.description == code }
    }
}
