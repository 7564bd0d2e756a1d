/// What went wrong around the model: with files, processes, model names or output; a sentence a person can act on.
public struct StenoError: Error, Sendable, CustomStringConvertible {
    /// A kind of failure; new kinds may be added, so switch with a default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name, for logs.
        public let description: String

        private init(_ name: String) { description = name }

        /// The audio file does not exist or may not be read.
        public static let audioNotFound = Code("audioNotFound")
        /// The audio file does not hold what its format promises, or nothing at all.
        public static let audioDamaged = Code("audioDamaged")
        /// The format needs a decoder that is not installed.
        public static let decoderMissing = Code("decoderMissing")
        /// No model of that name was found.
        public static let modelNotFound = Code("modelNotFound")
        /// The output could not be written.
        public static let outputFailed = Code("outputFailed")
        /// A file that comes with the library is not there.
        public static let resourceMissing = Code("resourceMissing")
        /// A manifest, a transcript or a result that should be evaluated is not what it should be.
        public static let evaluationInput = Code("evaluationInput")
        /// No engine can do what was asked.
        public static let engineUnavailable = Code("engineUnavailable")
        /// There is no microphone, or nothing that can read it.
        public static let captureUnavailable = Code("captureUnavailable")
        /// The microphone gave sound and then failed.
        public static let captureFailed = Code("captureFailed")
        /// The user or the system does not allow the microphone to be used.
        public static let permissionDenied = Code("permissionDenied")
        /// A process that was started to be measured failed.
        public static let measurementFailed = Code("measurementFailed")
        /// An argument has a value outside its range.
        public static let invalidArgument = Code("invalidArgument")
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
