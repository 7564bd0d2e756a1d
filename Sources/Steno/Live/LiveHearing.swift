import StenoCore

/// How a model hears live audio, as far as the policy has to know.
enum LiveHearing: Sendable, Hashable {
    /// As a whole: an utterance is decoded again and again, and ``Commitment`` decides which words are final.
    case repeated
    /// Every sample once: the model is given the audio of each step, in samples, and says which words are final.
    case streaming(step: Int)

    init(_ decoder: LiveDecoder) {
        switch decoder {
        case .repeated: self = .repeated
        case .streaming(let stream): self = .streaming(step: max(stream.step.samples, 1))
        }
    }
}

extension LiveOptions {
    /// Refuses changed options of repeated decoding, for streaming models.
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
