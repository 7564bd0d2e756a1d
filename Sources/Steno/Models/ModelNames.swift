/// The short names people use for Whisper models, and the repositories that hold them in CTranslate2 format.
///
/// These are the names of faster-whisper 1.2.1, so that a script that worked there works here.
enum ModelNames {
    /// The repository of a short name; a name without one is searched as it is.
    static func repository(_ name: String) -> String? { repositories[name] }

    /// The possible folder names of a model in a models folder, the most likely first.
    static func folderNames(_ name: String) -> [String] {
        let repository = repository(name)
        let lastParts = [name, repository].compactMap { $0?.split(separator: "/").last.map(String.init) }
        let candidates = [name, repository].compactMap { $0 } + lastParts + ["whisper-" + name]
        return candidates.enumerated().filter { candidates.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    }

    private static let systran = [
        "tiny", "tiny.en", "base", "base.en", "small", "small.en", "medium", "medium.en",
        "large-v1", "large-v2", "large-v3",
    ]
    private static let distilled = ["large-v2", "large-v3", "medium.en", "small.en"]

    private static let repositories: [String: String] = {
        var names = [
            "large": "Systran/faster-whisper-large-v3",
            "turbo": "mobiuslabsgmbh/faster-whisper-large-v3-turbo",
            "large-v3-turbo": "mobiuslabsgmbh/faster-whisper-large-v3-turbo",
            "distil-large-v3.5": "distil-whisper/distil-large-v3.5-ct2",
        ]
        for size in systran { names[size] = "Systran/faster-whisper-" + size }
        for size in distilled { names["distil-" + size] = "Systran/faster-distil-whisper-" + size }
        return names
    }()
}
