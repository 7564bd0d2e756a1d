import ArgumentParser
import Steno

struct SpeakerArguments: ParsableArguments {
    @Option(
        help: .init(
            "Label the speakers: auto finds their number, or give it, from 1 to 20, or its limits, such as 2-5. "
                + "Enrolled voices (steno speakers) get their names.", valueName: "auto|n|min-max"))
    var speakers: SpeakerCount?
    @Option(
        help: .init(
            "The channels of a recording: mix averages them; separate transcribes each one, such as the two sides of "
                + "a call, labels the text by channel, and removes crosstalk.", valueName: "mix|separate"))
    var channels = ChannelChoice.mix

    var separatesChannels: Bool { channels == .separate }

    /// The options, with the enrolled voices; nil if speakers are not labelled.
    func options() throws -> SpeakerOptions? {
        guard let speakers else { return nil }
        var options = speakers.counts.map { SpeakerOptions(counts: $0) } ?? SpeakerOptions()
        options.profiles = try SpeakerProfileFile.standard().profiles()
        return options
    }
}

/// A number of speakers, its limits, or `auto`.
struct SpeakerCount: ExpressibleByArgument {
    /// The lowest and the highest number; nil if it is to be found.
    let counts: ClosedRange<Int>?

    init?(argument: String) {
        guard argument.lowercased() != "auto" else {
            counts = nil
            return
        }
        let limits = argument.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(limits.count), let least = limits[0], let most = limits[limits.count - 1],
            least <= most, SpeakerOptions.allowed.contains(least), SpeakerOptions.allowed.contains(most)
        else { return nil }
        counts = least...most
    }

    /// Not a list of allowed values, because the help and the errors would then not mention numbers.
    static var defaultCompletionKind: CompletionKind { .list(["auto"]) }
}

enum ChannelChoice: String, CaseIterable, ExpressibleByArgument {
    case mix, separate
}
