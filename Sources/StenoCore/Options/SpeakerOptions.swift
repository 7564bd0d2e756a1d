/// How to label speakers: as “Speaker 1”, “Speaker 2” and so on, in the order in which they first speak, or by name.
public struct SpeakerOptions: Sendable, Hashable {
    /// The lowest and the highest number of speakers in a recording, from 1 to 20; nil finds it.
    ///
    /// Live sessions ignore it.
    public var counts: ClosedRange<Int>?
    /// Enrolled voices; a speaker who clearly matches one gets its name.
    package var profiles: [SpeakerProfile] = []

    /// Creates options.
    ///
    /// - Parameter count: The number of speakers in a recording, from 1 to 20; nil finds it. Live sessions ignore it.
    public init(count: Int? = nil) { counts = count.map { $0...$0 } }

    /// Creates options for recordings whose number of speakers is roughly known.
    ///
    /// - Parameter counts: The lowest and the highest number, from 1 to 20. Live sessions ignore them.
    public init(counts: ClosedRange<Int>) { self.counts = counts }

    package func validate() throws {
        let counts = counts ?? Self.allowed
        try ensure(
            Self.allowed.contains(counts.lowerBound) && Self.allowed.contains(counts.upperBound), or: .invalidOption,
            "The number of speakers must be from 1 to \(Self.mostSpeakers).")
    }

    /// More speakers are not distinguished.
    package static let mostSpeakers = 20
    /// The numbers of speakers that can be given.
    package static let allowed = 1...mostSpeakers
}

extension SpeakerOptions: Codable {
    private enum CodingKeys: String, CodingKey {
        case count
        case least
        case most
    }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(count: try container.decodeIfPresent(Int.self, forKey: .count))
        guard let least = try container.decodeIfPresent(Int.self, forKey: .least) else { return }
        let most = try container.decode(Int.self, forKey: .most)
        try ensure(
            least <= most,
            or: DecodingError.dataCorruptedError(
                forKey: .most, in: container, debugDescription: "The highest number of speakers is below the lowest."))
        counts = least...most
    }

    /// Encodes the options, except enrolled voices, which stay where they were enrolled.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        guard let counts else { return }
        if counts.count == 1 {
            try container.encode(counts.lowerBound, forKey: .count)
        } else {
            try container.encode(counts.lowerBound, forKey: .least)
            try container.encode(counts.upperBound, forKey: .most)
        }
    }
}
