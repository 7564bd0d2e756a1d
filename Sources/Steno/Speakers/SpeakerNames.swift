import StenoCore
import StenoSpeakers

/// Gives voices the names of enrolled people if the match is certain.
enum SpeakerNames {
    /// When a voice is a profile's, by one encoder.
    struct Limits {
        /// The lowest cosine at which a voice gets the name of a profile.
        var threshold: Float
        /// How much more similar a voice must be to its profile than to any other.
        var margin: Float
    }

    /// The limits of the encoder that comes with Steno.
    ///
    /// Two different voices had at most 0.86 (1172 pairs of synthetic voices). Of two recordings of one voice with the
    /// same noise, nine in ten had more, but with noise in only one of them almost none did; such a voice keeps its
    /// number (`Documentation/Project/Accuracy.md`).
    static let bundled = Limits(threshold: 0.87, margin: 0.03)
    /// The limits of CAM++.
    ///
    /// Two different readers had at most 0.59 (4558 pairs); of two recordings of one reader, in different rooms, noise or
    /// telephones, three in four had more.
    static let camPlus = Limits(threshold: 0.6, margin: 0.1)

    /// The limits of an encoder, which is known by the number of its values.
    private static func limits(width: Int) -> Limits { width == CAMPlusModel.width ? camPlus : bundled }

    /// A voice with less speech, in seconds, keeps its number.
    private static let leastSpeech = 3.0

    /// The names of voices by number; each name is used once.
    static func names(of voices: [Int: Diarization.Voice], profiles: [SpeakerProfile]) -> [Int: String] {
        var candidates: [(voice: Int, name: String, cosine: Float)] = []
        for (number, voice) in voices where voice.seconds >= leastSpeech {
            let width = voice.embedding.values.count
            let limits = limits(width: width)
            let cosines = profiles.compactMap { profile in
                profile.embedding(width: width).map {
                    (name: profile.name, cosine: SpeakerEmbedding($0).cosine(voice.embedding))
                }
            }
            .sorted { ($0.cosine, $1.name) > ($1.cosine, $0.name) }
            guard let best = cosines.first, best.cosine >= limits.threshold,
                best.cosine - (cosines.dropFirst().first?.cosine ?? -1) >= limits.margin
            else { continue }
            candidates.append((number, best.name, best.cosine))
        }
        var names: [Int: String] = [:]
        for candidate in candidates.sorted(by: { ($0.cosine, $1.voice) > ($1.cosine, $0.voice) })
        where !names.values.contains(candidate.name) {
            names[candidate.voice] = candidate.name
        }
        return names
    }
}
