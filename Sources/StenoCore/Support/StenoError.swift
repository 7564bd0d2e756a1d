/// What went wrong, with a sentence a person can act on.
public struct StenoError: Error, Sendable, CustomStringConvertible {
    /// A kind of failure; new kinds may be added, so switch with a default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name, for logs and machine-readable output.
        public let description: String

        private init(_ name: String) { description = name }

        // MARK: Models

        /// No model of that name was found, or its folder or one of its files is missing or cannot be read.
        public static let modelNotFound = Code("modelNotFound")
        /// A model file does not hold what its format promises.
        public static let modelDamaged = Code("modelDamaged")
        /// The file is sound, but this version cannot run the model.
        public static let modelUnsupported = Code("modelUnsupported")
        /// The system did not give the memory that a model or a request needs.
        public static let outOfMemory = Code("outOfMemory")

        // MARK: Requests

        /// An option or argument has a value outside its range, or two of them contradict each other.
        public static let invalidOption = Code("invalidOption")
        /// The language is not one the model knows.
        public static let unknownLanguage = Code("unknownLanguage")
        /// No engine can do what was asked.
        public static let engineUnavailable = Code("engineUnavailable")
        /// The caller cancelled the work.
        public static let cancelled = Code("cancelled")

        // MARK: Audio

        /// The audio file does not exist or may not be read.
        public static let audioNotFound = Code("audioNotFound")
        /// The audio does not hold what its format promises, or nothing at all.
        public static let audioDamaged = Code("audioDamaged")
        /// The samples could not be read.
        public static let audioUnreadable = Code("audioUnreadable")
        /// The format needs a decoder that is not installed.
        public static let decoderMissing = Code("decoderMissing")
        /// There is no microphone, or nothing that can read it.
        public static let captureUnavailable = Code("captureUnavailable")
        /// The microphone gave audio and then failed.
        public static let captureFailed = Code("captureFailed")
        /// The user or the system does not allow the microphone to be used.
        public static let permissionDenied = Code("permissionDenied")

        // MARK: Everything else

        /// The output could not be written.
        public static let outputFailed = Code("outputFailed")
        /// A file that comes with the library is not there.
        public static let resourceMissing = Code("resourceMissing")
        /// A manifest, a transcript or a result that should be evaluated is not what it should be.
        public static let evaluationInput = Code("evaluationInput")
        /// A process that was started to be measured failed.
        public static let measurementFailed = Code("measurementFailed")
    }

    /// The kind of failure.
    public let code: Code
    /// One or two sentences: what is wrong, and what to do.
    public let message: String
    /// The error below this one, when there is one.
    public let underlying: (any Error)?

    /// Creates an error.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The message, which is written for people.
    public var description: String { message }
}
