import ArgumentParser
import Steno

/// Which parts of the audio are decoded, and how its language is detected.
struct HearingArguments: ParsableArguments {
    private static let defaults = DecodingOptions()

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Decode only these parts, in seconds, such as 10,40,60: from 10 to 40, and from 60 to the end.",
            valueName: "start,end,..."))
    var clipTimestamps: CommaSeparated<Double>?
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Audio track of a film, counted from 1 (default: the one marked as default, or the first).",
            valueName: "n"))
    var audioTrack: Int?
    @Option(
        name: .long,
        help: ArgumentHelp("Maximum length of a window (default: the model's 30 s).", valueName: "seconds")
    )
    var chunkLength: Double?
    @Option(
        name: .long, help: ArgumentHelp("Maximum number of windows used to detect the language.", valueName: "n"))
    var languageDetectionSegments = defaults.languageDetectionSegments
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Accept a language at this probability; if no window reaches it, the majority decides.", valueName: "0..1"))
    var languageDetectionThreshold = defaults.languageDetectionThreshold

    private func clips() throws -> [Range<Double>] {
        do {
            return try DecodingOptions.clips(timestamps: clipTimestamps?.values ?? [])
        } catch let error as StenoError {
            throw ValidationError(error.message)
        }
    }

    func validate() throws {
        _ = try clips()
        guard audioTrack.map({ $0 >= 1 }) ?? true else {
            throw ValidationError("--audio-track must be at least 1, the first track.")
        }
    }

    func apply(to options: inout DecodingOptions) throws {
        options.clips = try clips()
        options.chunkLength = chunkLength
        options.languageDetectionSegments = languageDetectionSegments
        options.languageDetectionThreshold = languageDetectionThreshold
    }
}
