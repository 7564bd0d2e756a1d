import Steno
import StenoCore

#if canImport(AVFoundation)
    public import AVFoundation
    public import CoreMedia
#endif

/// A piece of audio to analyse, and its place on the timeline.
///
///     inputBuilder.yield(AnalyzerInput(buffer: buffer))
///
/// It accepts any sample rate and number of channels, with `Float`, `Int16` or `Int32` samples, without conversion. The
/// samples are copied, so the buffer can be reused immediately, as microphones do.
public struct AnalyzerInput: Sendable {
    // Unsafe only for callers that read it here and write to it elsewhere: the analysis uses the copy.
    /// The given buffer.
    public nonisolated(unsafe) let buffer: AVAudioPCMBuffer
    /// The time of the first frame; nil for right after the previous input.
    public let bufferStartTime: CMTime?

    /// The copied samples, or why they cannot be read.
    let audio: Result<PCMBuffer, SFSpeechError>
    /// The format of the buffer, which must not change mid-stream.
    let format: InputFormat

    /// Creates an input that follows the previous one.
    public init(buffer: AVAudioPCMBuffer) { self.init(buffer: buffer, bufferStartTime: nil) }

    /// Creates an input at a time; a gap before it counts as silence.
    public init(buffer: AVAudioPCMBuffer, bufferStartTime: CMTime?) {
        (self.buffer, self.bufferStartTime) = (buffer, bufferStartTime)
        format = InputFormat(buffer.format)
        audio = Result { try PCMBuffer(buffer, startTime: bufferStartTime) }.mapError { SFSpeechError($0) }
    }
}

/// Names and rare words to expect in the speech.
///
///     let context = AnalysisContext()
///     context.contextualStrings[.general] = ["ComfyUI", "Grüner Veltliner"]
///     try await analyzer.setContext(context)
///
/// The strings bias the decoding of every transcriber; a few hundred words fit into a model's prompt. A change takes
/// effect when the context is set again.
public final class AnalysisContext: Sendable {
    /// The kind of a list of strings.
    public struct ContextualStringsTag: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// Creates a tag from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a tag from its name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// Words of any kind.
        public static let general = ContextualStringsTag("general")
    }

    /// The kind of a value for other frameworks.
    public struct UserDataTag: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// Creates a tag from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a tag from its name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    private let strings = Monitor<[ContextualStringsTag: [String]]>([:])
    private let data = Monitor<[UserDataTag: any Sendable]>([:])

    /// Creates an empty context.
    public init() {}

    /// Words and phrases to expect, by kind; all kinds have the same effect.
    public var contextualStrings: [ContextualStringsTag: [String]] {
        get { strings.current }
        set { strings.current = newValue }
    }

    /// Values that the modules ignore.
    public var userData: [UserDataTag: any Sendable] {
        get { data.current }
        set { data.current = newValue }
    }

    /// All words and phrases: the general ones first, then those of the other tags in the order of their names.
    var vocabulary: [String] {
        let lists = contextualStrings.sorted {
            ($0.key == .general ? 0 : 1, $0.key.rawValue) < ($1.key == .general ? 0 : 1, $1.key.rawValue)
        }
        return lists.flatMap(\.value)
    }
}
