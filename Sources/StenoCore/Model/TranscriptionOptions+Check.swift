extension TranscriptionOptions {
    /// The options that some models do not have.
    ///
    /// Every model has the others: it detects the language where none is given, ``SpeechModelInformation/tasks`` has the
    /// tasks, and a batch size is only a maximum. Speakers are found by their voices, but labels need word times.
    package enum Name: String, Sendable, Hashable, CaseIterable {
        case vocabulary, prompt, wordTimestamps, clips
    }

    /// Refuses options that a model does not support, of another family or common ones.
    ///
    /// - Throws: ``StenoError`` of code `invalidOption` that names the options.
    package func check(for model: SpeechModelInformation) throws {
        if let family {
            let owner = type(of: family).family
            guard owner == model.family else {
                throw Self.refusal(family.changes, of: "\(owner) models", by: model)
            }
        }
        let missing = Name.allCases.filter { isSet($0) && !model.options.contains($0) }
        guard missing.isEmpty else { throw Self.refusal(missing.map(spelling), of: "other models", by: model) }
    }

    private func isSet(_ name: Name) -> Bool {
        switch name {
        case .vocabulary: !vocabulary.isEmpty
        case .prompt: prompt != nil
        case .wordTimestamps: wordTimestamps
        case .clips: !clips.isEmpty
        }
    }

    /// The option that was set: speakers ask for word times by themselves.
    private func spelling(_ name: Name) -> String {
        name == .wordTimestamps && speakers != nil ? "speakers" : name.rawValue
    }

    private static func refusal(_ names: [String], of owner: String, by model: SpeechModelInformation) -> StenoError {
        let (options, them) = names.count == 1 ? ("an option", "it") : ("options", "them")
        return StenoError(
            .invalidOption,
            "\(names.joined(separator: ", ")): \(options) of \(owner), and this is a \(model.family) model, which does "
                + "not have \(them). Leave \(them) out.")
    }
}
