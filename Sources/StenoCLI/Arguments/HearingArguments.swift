import ArgumentParser
import Steno

/// Which parts of the audio are heard, and how its language is found.
struct HearingArguments: ParsableArguments {
    private static let defaults = DecodingOptions()

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The only parts to decode, in seconds, such as 10,40,60: from 10 to 40, and from 60 to the end.",
            valueName: "start,end,…"))
    var clipTimestamps: CommaSeparated<Double>?
    @Option(
        name: .long,
        help: ArgumentHelp("The most seconds of audio decoded at once (default: the model's 30).", valueName: "seconds")
    )
    var chunkLength: Double?
    @Option(
        name: .long, help: ArgumentHelp("How many windows may be heard to detect the language.", valueName: "n"))
    var languageDetectionSegments = defaults.languageDetectionSegments
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A language more probable than this is taken at once; without one, most windows win.", valueName: "0…1"))
    var languageDetectionThreshold = defaults.languageDetectionThreshold

    private func clips() throws -> [Range<Double>] {
        do {
            return try DecodingOptions.clips(timestamps: clipTimestamps?.values ?? [])
        } catch let error as StenoError {
            throw ValidationError(error.message)
        }
    }

    func validate() throws { _ = try clips() }

    func apply(to options: inout DecodingOptions) throws {
        options.clips = try clips()
        options.chunkLength = chunkLength
        options.languageDetectionSegments = languageDetectionSegments
        options.languageDetectionThreshold = languageDetectionThreshold
    }
}
