/// What went wrong in the model or the decoder, with a sentence a person can act on.
public struct WhisperError: Error, Sendable, CustomStringConvertible {
    /// A kind of failure; new kinds may be added, so switch with a default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name, for logs.
        public let description: String

        private init(_ name: String) { description = name }

        /// The model folder or one of its files is missing or cannot be read.
        public static let modelNotFound = Code("modelNotFound")
        /// A model file does not hold what its format promises.
        public static let modelDamaged = Code("modelDamaged")
        /// The file is sound, but it is not a Whisper model this version can run.
        public static let modelUnsupported = Code("modelUnsupported")
        /// An option has a value outside its range, or two options contradict each other.
        public static let invalidOption = Code("invalidOption")
        /// The language is not one the model knows.
        public static let unknownLanguage = Code("unknownLanguage")
        /// The samples could not be read.
        public static let audioUnreadable = Code("audioUnreadable")
        /// The caller cancelled the work.
        public static let cancelled = Code("cancelled")
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
