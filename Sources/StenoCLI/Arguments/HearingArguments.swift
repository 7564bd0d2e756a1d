import ArgumentParser
import Steno
import StenoWhisper

/// Which parts of the audio are decoded, and how its language is detected.
struct HearingArguments: ParsableArguments {
    private static let defaults = WhisperOptions()

    @Option(
        help: .init(
            "Start at this time, in seconds or as 1:30 or 1:02:03.5. All times can be given this way.",
            valueName: "time"))
    var offset: Seconds?
    @Option(help: .init("Decode only this much audio (default: all).", valueName: "time")) var duration: Seconds?
    @Option(
        help: .init(
            "Decode only these parts, such as 0:10,0:40,60: from 10 to 40 s, and from 60 s to the end.",
            valueName: "start,end,..."))
    var clipTimestamps: CommaSeparated<Seconds>?
    @Option(
        help: .init(
            "The files are raw audio without a header, in this encoding (u8, s16le, s24le, s32le, f32le or f64le), "
                + "rate and number of channels.", valueName: "s16le,16000,1"))
    var raw: RawAudio?
    @Option(
        help: .init(
            "Audio track of a video, counted from 1 (default: the one marked as default, or the first).", valueName: "n"
        ))
    var audioTrack: Int?
    @Option(help: .init("Maximum length of a window (default: the model's 30 s).", valueName: "time"))
    var chunkLength: Seconds?
    @Option(help: .init("Maximum number of windows used to detect the language.", valueName: "n"))
    var languageDetectionSegments = defaults.languageDetectionSegments
    @Option(
        help: .init(
            "Accept a language above this probability; if no window exceeds it, the majority decides.",
            valueName: "0..1"))
    var languageDetectionThreshold = defaults.languageDetectionThreshold

    /// Whether these options select part of the audio.
    var selectsClips: Bool { clipTimestamps != nil || offset != nil || duration != nil }

    private func clips() throws -> [Range<Double>] {
        do {
            return try TranscriptionOptions.clips(timestamps: try times())
        } catch let error as StenoError {
            throw ValidationError(error.message)
        }
    }

    /// The starts and ends of the parts.
    private func times() throws -> [Double] {
        if let clipTimestamps {
            guard offset == nil, duration == nil else {
                throw ValidationError(
                    "--offset and --duration select one part, --clip-timestamps several: use one or the other.")
            }
            return clipTimestamps.values.map(\.value)
        }
        guard selectsClips else { return [] }
        let start = offset?.value ?? 0
        guard start >= 0 else { throw ValidationError("--offset must be 0 or more.") }
        guard let duration else { return [start] }
        guard duration.value > 0 else { throw ValidationError("--duration must be more than 0.") }
        return [start, start + duration.value]
    }

    var reading: InputReading { InputReading(raw: raw?.format, track: audioTrack) }

    func validate() throws {
        _ = try clips()
        guard audioTrack.map({ $0 >= 1 }) ?? true else {
            throw ValidationError("--audio-track must be at least 1, the first track.")
        }
        guard raw == nil || audioTrack == nil else {
            throw ValidationError("--audio-track is for videos, and raw audio has one track: leave out --audio-track.")
        }
    }

    func apply(to options: inout TranscriptionOptions) throws {
        options.clips = try clips()
        options.whisper.chunkLength = chunkLength?.value
        options.whisper.languageDetectionSegments = languageDetectionSegments
        options.whisper.languageDetectionThreshold = languageDetectionThreshold
    }
}
