/// How to label speakers: as “Speaker 1”, “Speaker 2” and so on, in the order in which they first speak, or by name.
public struct SpeakerOptions: Sendable, Hashable {
    /// The number of speakers in a recording; nil finds it.
    ///
    /// Live sessions ignore it.
    package var count: Int?
    /// Enrolled voices; a speaker who clearly matches one gets its name.
    package var profiles: [SpeakerProfile] = []

    /// Creates options.
    ///
    /// - Parameter count: The number of speakers in a recording, from 1 to 20; nil finds it. Live sessions ignore it.
    public init(count: Int? = nil) { self.count = count }

    /// Throws an error if a value is outside its range.
    package func validate() throws {
        guard (1...Self.mostSpeakers).contains(count ?? 1) else {
            throw StenoError(.invalidOption, "The number of speakers must be from 1 to \(Self.mostSpeakers).")
        }
    }

    /// More speakers are not distinguished.
    package static let mostSpeakers = 20
}

extension SpeakerOptions: Codable {
    private enum CodingKeys: String, CodingKey {
        case count
    }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        self.init(count: try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Int.self, forKey: .count))
    }

    /// Encodes the options, except enrolled voices, which stay where they were enrolled.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(count, forKey: .count)
    }
}
