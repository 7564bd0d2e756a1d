#if Server
    import Steno
    import StenoCore

    // OpenAI's clients, and Home Assistant, send hints to whatever model is served, often without being asked to. A hint
    // that the model cannot take is ignored, as OpenAI's own newer models do: the text is wanted either way.

    extension TranscriptionOptions {
        /// The options without the hints that a model cannot take: the prompt, words to expect, and the options of
        /// another family, such as Whisper's temperature and voice activity detection.
        func fitting(_ model: SpeechModelInformation) -> TranscriptionOptions {
            var options = self
            if let family, type(of: family).family != model.family { options.family = nil }
            if !model.options.contains(.prompt) { options.prompt = nil }
            if !model.options.contains(.vocabulary) { options.vocabulary = [] }
            return options
        }
    }

    extension LiveOptions {
        /// The options without the hints that a model cannot take: the prompt, and words to expect.
        func fitting(_ model: SpeechModelInformation) -> LiveOptions {
            var options = self
            if !model.options.contains(.prompt) { options.prompt = nil }
            options.settings = options.settings.fitting(model)
            return options
        }
    }

    extension SpeechSettings {
        /// The settings without words to expect if a model cannot take them.
        func fitting(_ model: SpeechModelInformation) -> SpeechSettings {
            var settings = self
            if !model.options.contains(.vocabulary) { settings.vocabulary = [] }
            return settings
        }
    }
#endif
