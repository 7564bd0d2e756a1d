import Steno
import StenoCore

/// The options for the recordings of a list, which a line can override.
struct ListOptions: Sendable {
    let decoding: TranscriptionOptions
    /// How speakers are labelled; nil if they are not.
    let speakers: SpeakerOptions?
    let separatesChannels: Bool
    let model: SpeechModelInformation

    /// The options for a recording whose line has these.
    func options(of listed: ListedOptions = ListedOptions()) -> TranscriptionOptions {
        var options = decoding.fitting(model)
        listed.apply(to: &options)
        if separatesChannels { options = options.forOneChannel(of: model) }
        options.speakers = speakers
        return options
    }
}

/// The options of one recording that override the command's options of the same names.
struct ListedOptions: Decodable {
    /// The audio track, counted from 1; nil uses the command's.
    private(set) var audioTrack: Int?
    private var changes: [@Sendable (inout TranscriptionOptions) -> Void] = []

    init() {}

    /// - Throws: `StenoError` for an unknown option, `DecodingError` for a value of the wrong type.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        for name in container.allKeys { try add(name, container) }
    }

    private mutating func add(_ name: Name, _ container: KeyedDecodingContainer<Name>) throws {
        switch name.stringValue {
        case "language":
            let language = try container.decodeIfPresent(String.self, forKey: name)
            changes.append { $0.language = language }
        case "task":
            let task = try container.decode(TranscriptionTask.self, forKey: name)
            changes.append { $0.task = task }
        case "word_timestamps":
            let finds = try container.decode(Bool.self, forKey: name)
            changes.append { $0.wordTimestamps = finds }
        case "initial_prompt":
            let prompt = try container.decodeIfPresent(String.self, forKey: name)
            changes.append { $0.prompt = prompt }
        case "hotwords":
            let words = [String](hotwords: try container.decodeIfPresent(String.self, forKey: name))
            changes.append { $0.vocabulary = words }
        case "clip_timestamps":
            let clips = try TranscriptionOptions.clips(timestamps: container.decode([Double].self, forKey: name))
            changes.append { $0.clips = clips }
        case "audio_track":
            audioTrack = try container.decode(Int.self, forKey: name)
        default:
            throw StenoError(
                .invalidOption,
                "\"\(name.stringValue)\" is not an option of a single recording. Use "
                    + Self.names.joined(separator: ", ") + ".")
        }
    }

    func apply(to options: inout TranscriptionOptions) {
        for change in changes { change(&options) }
    }

    private static let names = [
        "language", "task", "word_timestamps", "initial_prompt", "hotwords", "clip_timestamps", "audio_track",
    ]

    private struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
