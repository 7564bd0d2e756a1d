import StenoSpeakers

extension SpeakerModels {
    /// The networks in the models folders (`$STENO_MODELS`, the user's); nil if they are not installed.
    static func find() throws -> SpeakerModels? { try find(in: ModelLocator().modelsFolders) }
}
