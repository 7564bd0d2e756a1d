import StenoCore
import StenoVoice

/// Gives voices the names of enrolled people if the match is certain.
enum SpeakerNames {
    /// The lowest cosine at which a voice gets the name of a profile.
    ///
    /// Two different voices had at most 0.86 (1172 pairs of synthetic voices). Of two recordings of one voice with the
    /// same noise, nine in ten had more, but with noise in only one of them almost none did; such a voice keeps its
    /// number (`Documentation/Project/Accuracy.md`).
    static let threshold: Float = 0.87
    /// How much more similar a voice must be to its profile than to any other.
    private static let margin: Float = 0.03
    /// A voice with less speech, in seconds, keeps its number.
    private static let leastSpeech = 3.0

    /// The names of voices by number; each name is used once.
    static func names(of voices: [Int: Diarization.Voice], profiles: [SpeakerProfile]) -> [Int: String] {
        var candidates: [(voice: Int, name: String, cosine: Float)] = []
        for (number, voice) in voices where voice.seconds >= leastSpeech {
            let cosines = profiles.filter { $0.embedding.count == voice.embedding.values.count }
                .map { (name: $0.name, cosine: SpeakerEmbedding($0.embedding).cosine(voice.embedding)) }
                .sorted { ($0.cosine, $1.name) > ($1.cosine, $0.name) }
            guard let best = cosines.first, best.cosine >= threshold,
                best.cosine - (cosines.dropFirst().first?.cosine ?? -1) >= margin
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
