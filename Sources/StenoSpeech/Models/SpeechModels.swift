public import Steno

/// The models of this process.
public enum SpeechModels {
    /// Which model is used by modules that are prepared from then on.
    ///
    /// Steno's addition: Apple has one model for each locale.
    ///
    ///     SpeechModels.choice = .named("large-v3-turbo")
    public static var choice: ModelChoice {
        get { chosen.value }
        set { chosen.value = newValue }
    }

    private static let chosen = Locked(ModelChoice.automatic)

    /// Frees the models that were kept for later analyzers; those in use are freed with the last analyzer.
    public static func endRetention() async { await SpeechEnvironment.current.models.endRetention() }
}
