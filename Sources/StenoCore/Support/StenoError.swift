public import Foundation

/// An error with a code, and a message that says what to do.
///
/// The message is also its `localizedDescription`. Some codes are warnings: for example, a truncated file is
/// transcribed up to its end, with a warning.
public struct StenoError: LocalizedError, Sendable, CustomStringConvertible {
    /// A kind of error; later versions may add kinds, so a `switch` needs a default.
    public struct Code: Sendable, Hashable, Codable, CustomStringConvertible {
        /// The code's name, for logs and machine-readable output.
        public let description: String

        package init(_ name: String) { description = name }

        /// Decodes the code's name.
        public init(from decoder: any Decoder) throws {
            description = try decoder.singleValueContainer().decode(String.self)
        }

        /// Encodes the code's name.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(description)
        }

        // MARK: Models

        /// No model of that name was found, or its folder or one of its files is missing or unreadable.
        public static let modelNotFound = Code("modelNotFound")
        /// A model file violates its format.
        public static let modelDamaged = Code("modelDamaged")
        /// The file is valid, but this version cannot run the model.
        public static let modelUnsupported = Code("modelUnsupported")
        /// There is not enough memory for a model or a request.
        public static let outOfMemory = Code("outOfMemory")

        // MARK: Requests

        /// An option or argument is out of range, or two of them contradict each other.
        public static let invalidOption = Code("invalidOption")
        /// The model does not support the language.
        public static let unknownLanguage = Code("unknownLanguage")
        /// No engine supports the request.
        package static let engineUnavailable = Code("engineUnavailable")
        /// A live engine or session was called in the wrong state, such as before its start.
        public static let engineState = Code("engineState")
        /// The caller cancelled the work; as a warning, the transcript contains the text decoded before that.
        public static let cancelled = Code("cancelled")

        // MARK: Audio

        /// The audio file does not exist or is not readable.
        public static let audioNotFound = Code("audioNotFound")
        /// The input is not a recording: it is text, an image, a playlist, a video without audio, or empty.
        public static let notAudio = Code("notAudio")
        /// The audio violates its format; as a warning, some samples could not be used.
        public static let audioDamaged = Code("audioDamaged")
        /// A warning: the audio ends earlier than its header says, and was transcribed up to there.
        public static let audioTruncated = Code("audioTruncated")
        /// A warning: the audio, or the requested part of it, has no samples.
        public static let audioEmpty = Code("audioEmpty")
        /// The audio has no speech: a warning for an empty transcript, an error when detecting the language.
        public static let noSpeech = Code("noSpeech")
        /// The samples could not be read.
        public static let audioUnreadable = Code("audioUnreadable")
        /// The format needs a decoder that is not installed.
        public static let decoderMissing = Code("decoderMissing")
        /// There is no microphone, or no program that can record from it.
        public static let captureUnavailable = Code("captureUnavailable")
        /// The microphone failed while recording.
        public static let captureFailed = Code("captureFailed")
        /// The user or the system denied access to the microphone.
        public static let permissionDenied = Code("permissionDenied")

        // MARK: Everything else

        /// The output could not be written.
        public static let outputFailed = Code("outputFailed")
        /// A file that belongs to the library is missing.
        public static let resourceMissing = Code("resourceMissing")
        /// A line of a list of recordings is invalid: not JSON, not UTF-8, or too long.
        package static let invalidLine = Code("invalidLine")
        /// The input of an evaluation (a manifest, a transcript or a result) is invalid.
        package static let evaluationInput = Code("evaluationInput")
        /// A process started for a measurement failed.
        package static let measurementFailed = Code("measurementFailed")
    }

    /// The kind of error.
    public let code: Code
    /// One or two sentences: what is wrong, and what to do.
    public let message: String
    /// The underlying error, if any.
    public let underlying: (any Error)?

    package init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        (self.code, self.message, self.underlying) = (code, message, underlying)
    }

    /// The message.
    public var description: String { message }

    /// The message, which `localizedDescription` returns.
    public var errorDescription: String? { message }
}

/// Throws an error with a code and a message unless a condition holds.
package func ensure(
    _ condition: Bool, or code: StenoError.Code, _ message: @autoclosure () -> String
) throws(StenoError) {
    guard condition else { throw StenoError(code, message()) }
}

/// Throws an error unless a condition holds.
package func ensure<Failure: Error>(_ condition: Bool, or error: @autoclosure () -> Failure) throws(Failure) {
    guard condition else { throw error() }
}

/// A value that must be there; throws an error with a code and a message if it is nil.
package func unwrap<Value>(
    _ value: Value?, or code: StenoError.Code, _ message: @autoclosure () -> String
) throws(StenoError) -> Value {
    guard let value else { throw StenoError(code, message()) }
    return value
}

/// Hundredths of a second.
package enum Hundredths {
    /// The nearest hundredth, rounded as in Python: exactly on the stored value, ties to even.
    package static func rounded(_ seconds: Double) -> Double {
        let scaled = seconds * 100
        // The rounding error of the product, which decides when the product appears to be a tie.
        let lost = (-scaled).addingProduct(seconds, 100)
        let below = scaled.rounded(.down)
        guard scaled - below == 0.5, lost != 0 else { return scaled.rounded(.toNearestOrEven) / 100 }
        return (lost > 0 ? below + 1 : below) / 100
    }
}
