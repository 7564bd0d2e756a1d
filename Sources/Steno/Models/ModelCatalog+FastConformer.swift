/// NVIDIA's Parakeet and Nemotron models whose repositories transformers reads.
extension ModelCatalog {
    static let fastConformer = [
        parakeet("parakeet-tdt-0.6b-v3", family: "parakeet_tdt", megabytes: 2510, languages: european, melBands: 128),
        parakeet("parakeet-rnnt-0.6b", family: "parakeet_rnnt", megabytes: 2470, melBands: 80),
        parakeet("parakeet-ctc-1.1b", family: "parakeet_ctc", megabytes: 4250, melBands: 80),
        model(
            "nemotron-speech-streaming-en-0.6b", family: "nemotron_asr_streaming", megabytes: 2480, melBands: 128,
            license: "NVIDIA Open Model License"),
    ]

    /// The languages of Parakeet v3.
    private static let european = [
        "bg", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "hr", "hu", "it", "lt", "lv", "mt", "nl", "pl",
        "pt", "ro", "ru", "sk", "sl", "sv", "uk",
    ]

    private static func parakeet(
        _ name: String, family: String, megabytes: Int, languages: [String] = ["en"], melBands: Int
    ) -> CatalogModel {
        model(
            name, family: family, megabytes: megabytes, languages: languages, melBands: melBands, license: "CC-BY-4.0")
    }

    private static func model(
        _ name: String, family: String, megabytes: Int, languages: [String] = ["en"], melBands: Int, license: String
    ) -> CatalogModel {
        CatalogModel(
            name: name, family: family, repository: "nvidia/" + name, format: .huggingFace,
            approximateSize: megabytes * 1_000_000, languages: languages, melBands: melBands, license: license,
            credit: "NVIDIA")
    }
}
