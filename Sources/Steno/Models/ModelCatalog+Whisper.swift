import StenoCore

/// Names and repositories are those of faster-whisper 1.2.1, so scripts written for it keep working.
extension ModelCatalog {
    static let whisper: [CatalogModel] = multilingual + english + distilled

    private static let multilingual = [
        openAI("tiny", megabytes: 78), openAI("base", megabytes: 148), openAI("small", megabytes: 486),
        openAI("medium", megabytes: 1530), openAI("large-v1", megabytes: 3090), openAI("large-v2", megabytes: 3090),
        openAI("large-v3", megabytes: 3090, aliases: ["large"], languages: 100, melBands: 128),
        model(
            "large-v3-turbo", aliases: ["turbo"], repository: "mobiuslabsgmbh/faster-whisper-large-v3-turbo",
            megabytes: 1620, languages: 100, melBands: 128),
    ]

    private static let english = [
        openAI("tiny.en", megabytes: 78, languages: 1), openAI("base.en", megabytes: 148, languages: 1),
        openAI("small.en", megabytes: 486, languages: 1), openAI("medium.en", megabytes: 1530, languages: 1),
    ]

    private static let distilled = [
        distilled("small.en", megabytes: 336), distilled("medium.en", megabytes: 792),
        distilled("large-v2", megabytes: 1520), distilled("large-v3", megabytes: 1520, melBands: 128),
        model(
            "distil-large-v3.5", repository: "distil-whisper/distil-large-v3.5-ct2", megabytes: 1520, languages: 1,
            melBands: 128),
    ]

    private static func openAI(
        _ name: String, megabytes: Int, aliases: [String] = [], languages: Int = 99, melBands: Int = 80
    ) -> CatalogModel {
        model(
            name, aliases: aliases, repository: "Systran/faster-whisper-" + name, megabytes: megabytes,
            languages: languages, melBands: melBands)
    }

    private static func distilled(_ size: String, megabytes: Int, melBands: Int = 80) -> CatalogModel {
        model(
            "distil-" + size, repository: "Systran/faster-distil-whisper-" + size, megabytes: megabytes, languages: 1,
            melBands: melBands)
    }

    /// - Parameter languages: The first so many of Whisper's languages, of which English is the first.
    private static func model(
        _ name: String, aliases: [String] = [], repository: String, megabytes: Int, languages: Int, melBands: Int
    ) -> CatalogModel {
        CatalogModel(
            name: name, aliases: aliases, family: "whisper", repository: repository, format: .cTranslate2,
            approximateSize: megabytes * 1_000_000, languages: Languages.all.prefix(languages).map(\.code),
            melBands: melBands)
    }
}
