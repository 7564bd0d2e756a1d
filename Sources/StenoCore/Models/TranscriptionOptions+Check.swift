extension TranscriptionOptions {
    /// The options that some models do not support.
    ///
    /// Every model supports the others: it detects the language if none is given, ``SpeechModelInformation/tasks``
    /// lists the tasks, and the batch size is only a maximum. Speakers are found by voice, but labels need word times.
    package enum Name: String, Sendable, Hashable, CaseIterable {
        case vocabulary, prompt, wordTimestamps, clips
    }

    /// Throws if a model does not support an option, whether common or of another family.
    ///
    /// - Throws: ``StenoError`` of code `invalidOption` that names the options.
    package func check(for model: SpeechModelInformation) throws {
        if let family {
            let owner = type(of: family).family
            guard owner == model.family else { throw Self.refusal(family.changes, of: "\(owner) models", by: model) }
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

    /// The name of the option that was set: `speakers` also asks for word times.
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
