import StenoCore

/// How a model processes live audio, as far as the policy has to know.
enum LiveHearing: Sendable, Hashable {
    /// An utterance is decoded as a whole, again and again, and ``Commitment`` decides which words are final.
    case repeated
    /// The same with a model that has no search: thorough decodings are like quick ones, and cost as little.
    case repeatedAlike
    /// Every sample is heard once: the model gets the audio of each step, in samples, and decides which words are
    /// final.
    case streaming(step: Int)

    /// Whether utterances are decoded again and again.
    var isRepeated: Bool { self == .repeated || self == .repeatedAlike }

    init(_ decoder: LiveDecoder) {
        switch decoder {
        case .repeated(let decoder): self = decoder.searchesAlike ? .repeatedAlike : .repeated
        case .streaming(let stream): self = .streaming(step: max(stream.step.samples, 1))
        }
    }
}

extension LiveOptions {
    /// Rejects options of repeated decoding that differ from their defaults, for streaming models.
    ///
    /// - Throws: `StenoError.invalidOption`.
    func refuseRepetition(for family: String) throws {
        let defaults = LiveOptions()
        let changed: [(String, Bool)] = [
            ("balance", balance != defaults.balance), ("step", step != defaults.step),
            ("pause", pause != defaults.pause), ("show-after", showAfter != defaults.showAfter),
            ("trim-after", trimAfter != defaults.trimAfter),
        ]
        let names = changed.filter(\.1).map(\.0)
        guard !names.isEmpty else { return }
        throw StenoError(
            .invalidOption,
            "\(family) models decide themselves when a word is final: leave out \(names.joined(separator: ", ")).")
    }
}
