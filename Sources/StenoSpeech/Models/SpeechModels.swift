public import Steno

/// The models of this process.
public enum SpeechModels {
    /// The model for modules that are prepared from now on.
    ///
    /// This is Steno's addition; Apple has one model for each locale.
    ///
    ///     SpeechModels.choice = .named("large-v3-turbo")
    public static var choice: ModelChoice {
        get { chosen.current }
        set { chosen.current = newValue }
    }

    private static let chosen = Monitor(ModelChoice.automatic)

    /// Frees the models kept for later analyzers; models in use are freed with the last analyzer.
    public static func endRetention() async { await SpeechEnvironment.current.models.endRetention() }
}
