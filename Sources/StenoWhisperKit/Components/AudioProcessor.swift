public import Foundation
public import Steno

#if canImport(AVFoundation)
    import AVFoundation
#endif

/// The audio source of a transcriber, and its level.
public protocol AudioProcessing: Sendable {
    /// The audio source.
    var source: StreamSource { get }

    /// The energy of each tenth of a second, from 0 to 1, for the last half minute; the latest is last.
    var relativeEnergy: [Float] { get }

    /// Adds the level of the next tenth of a second, in dBFS.
    func append(level: Float)

    /// Clears the energies when a stream starts.
    func reset()
}

/// A microphone or another audio source, and its level.
///
/// The audio itself is not stored, so memory does not grow with a stream.
public final class AudioProcessor: AudioProcessing, Sendable {
    private let energies = Monitor(RelativeEnergies())

    /// The audio source.
    public let source: StreamSource

    /// The energy of each tenth of a second, from 0 (the quietest of the last two seconds) to 1 (full scale), for the
    /// last half minute, with the latest last.
    public var relativeEnergy: [Float] { energies.read { $0.values } }

    /// Creates a processor.
    ///
    /// - Parameter source: The audio source; the system's microphone by default.
    public init(source: StreamSource = .microphone) { self.source = source }

    /// Adds the level of the next tenth of a second, in dBFS.
    public func append(level: Float) { energies.update { $0.append(level: level) } }

    /// Clears the energies when a stream starts.
    public func reset() { energies.update { $0 = RelativeEnergies() } }

    /// Whether the audio since the last decoding is loud enough to be speech.
    ///
    /// - Parameters:
    ///   - relativeEnergy: The energies of tenths of a second, as in ``relativeEnergy``.
    ///   - nextBufferInSeconds: The amount of new audio; if it is more than two seconds, the last one does not count.
    ///   - silenceThreshold: The level above which audio counts as speech, from 0 to 1.
    public static func isVoiceDetected(
        in relativeEnergy: [Float], nextBufferInSeconds: Float, silenceThreshold: Float
    ) -> Bool {
        // Also false for NaN.
        guard nextBufferInSeconds > 0 else { return false }
        let tenths = Int(min(Float(relativeEnergy.count), (nextBufferInSeconds * 10).rounded(.down)))
        let recent = relativeEnergy.suffix(tenths)
        return recent.prefix(max(10, tenths - 10)).contains { $0 > silenceThreshold }
    }

    /// Reads a file of any format that Steno reads: 16 kHz, mono, from −1 to 1.
    ///
    /// - Parameters:
    ///   - audioFilePath: The path, which may begin with `~`.
    ///   - startTime: Where to begin, in seconds.
    ///   - endTime: Where to end, in seconds; nil for the end of the file.
    /// - Throws: ``WhisperError/loadAudioFailed(_:)``.
    public static func loadAudioAsFloatArray(
        fromPath audioFilePath: String, startTime: Double? = 0, endTime: Double? = nil
    ) throws -> [Float] {
        let range = frames(from: startTime ?? 0, to: endTime)
        do {
            let file = try AudioFile.open(audioFilePath.fileURL(home: URL(fileURLWithPath: NSHomeDirectory())))
            var (samples, position) = ([Float](), 0)
            var buffer = [Float](repeating: 0, count: AudioFile.sampleRate)
            while position < range.upperBound {
                let count = try buffer.withUnsafeMutableBufferPointer { try file.read(into: $0) }
                guard count > 0 else { break }
                let wanted = range.clamped(to: position..<position + count)
                samples += buffer[(wanted.lowerBound - position)..<(wanted.upperBound - position)]
                position += count
            }
            return samples
        } catch let error as StenoError { throw WhisperError(error) }
    }

    /// The samples between two times; none if the end is before the start.
    private static func frames(from start: Double, to end: Double?) -> Range<Int> {
        let first = max(0, start.samples)
        return first..<max(first, end?.samples ?? .max)
    }

    /// Asks for permission to use the microphone on systems that require it; on others, checks that there is one.
    public static func requestRecordPermission() async -> Bool {
        #if canImport(AVFoundation)
            await AVCaptureDevice.requestAccess(for: .audio)
        #else
            await (try? CaptureDevice.all())?.isEmpty == false
        #endif
    }
}

/// Levels in decibels as numbers from 0 to 1, relative to the quietest of the last two seconds.
struct RelativeEnergies: Sendable {
    /// The energies of the last half minute.
    private(set) var values: [Float] = []
    private var levels: [Float] = []

    private static let kept = 300
    private static let window = 20

    /// Adds a level in dBFS, 0 or less.
    mutating func append(level: Float) {
        levels = (levels + [level]).suffix(Self.window)
        let floor = min(-1, levels.min() ?? level)
        values = (values + [max(0, min(1, (level - floor) / -floor))]).suffix(Self.kept)
    }
}

/// The source of live audio.
///
///     let transcriber = AudioStreamTranscriber(whisperKit, source: .file(url))
public struct StreamSource: Sendable {
    let live: LiveSource

    /// Wraps a source of Steno, such as an `AudioInput` that your app pushes audio into.
    public init(_ source: LiveSource) { live = source }

    /// The system's microphone.
    public static var microphone: StreamSource { StreamSource(.microphone()) }

    /// The audio on standard input, as it arrives.
    public static var standardInput: StreamSource { StreamSource(.standardInput) }

    /// A file of any format that Steno reads.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - realTime: Whether to read it in real time, as if it were being recorded; otherwise as fast as decoding
    ///     allows, with the same text on every run.
    public static func file(_ url: URL, realTime: Bool = false) -> StreamSource {
        StreamSource(.file(url, realTime: realTime))
    }
}
