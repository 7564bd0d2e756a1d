package import StenoCore

/// Makes ``ModelEngine``s over one loaded model, which run only on this machine.
package struct ModelEngineProvider: TranscriptionEngineProvider {
    /// The name shown to the user.
    package let name: String
    package let options: LiveOptions

    private let loader: SharedModel

    /// - Parameter options: A request's task replaces that of the options, and so do its language and vocabulary, if it
    ///   has them.
    package init(model: any SpeechModel, options: LiveOptions = LiveOptions()) {
        name = model.information.family
        self.options = options
        loader = SharedModel(model)
    }

    /// Finds a model by name or path when it is first needed, and loads it once.
    ///
    /// - Parameters:
    ///   - name: As ``ModelLocator/locate(_:)`` takes it; nil is the default model.
    ///   - options: As in ``init(model:options:)``.
    package init(
        model name: String? = nil, options: LiveOptions = LiveOptions(), locator: ModelLocator = ModelLocator(),
        precision: Precision = .automatic, threads: Int? = nil
    ) {
        // The family is known only after the files are found, but nearly all models belong to this one.
        self.name = ModelFamily.standard.name
        self.options = options
        loader = SharedModel(locate: { try locator.locate(name) }) { located in
            try await Transcriber.load(located.folder, precision: precision, threads: threads).model
        }
    }

    /// Whether there is a model, and, once it is loaded, whether it supports the request.
    package func capability(for request: EngineRequest) async -> EngineCapability {
        do {
            if let model = await loader.loaded {
                _ = try engine(model, for: request)
            } else {
                _ = try loader.locate?()
            }
            return .ready
        } catch {
            return .unavailable(reason: "\(error)")
        }
    }

    package func prepareAssets(for request: EngineRequest, progress: @escaping AssetProgress.Handler) async throws {
        _ = try await loader.model(progress: progress)
    }

    package func makeEngine(for request: EngineRequest) async throws -> any TranscriptionEngine {
        try engine(try await loader.model(), for: request)
    }

    private func engine(_ model: any SpeechModel, for request: EngineRequest) throws -> ModelEngine {
        try ModelEngine(model: model, options: options.merging(request, for: model.information), pace: request.pace)
    }
}

extension LiveOptions {
    /// These options with the settings of a request.
    ///
    /// The caller that makes a request does not know which kind of engine gets it, so the vocabulary is left out if the
    /// model does not support one.
    func merging(_ request: EngineRequest, for model: SpeechModelInformation) -> LiveOptions {
        var options = self
        options.task = request.task
        if let language = LanguageCodes.language(request.language, among: model.languages) {
            options.language = language
            options.switchesLanguage = false
        }
        if !request.vocabulary.isEmpty, model.options.contains(.vocabulary) {
            options.vocabulary = request.vocabulary
        }
        return options
    }
}
