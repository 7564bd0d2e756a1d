/// NVIDIA's Parakeet and Nemotron models whose repositories have safetensors.
extension ModelCatalog {
    static let fastConformer = [
        parakeet("parakeet-ctc-0.6b", megabytes: 2440, melBands: 80),
        parakeet("parakeet-ctc-1.1b", megabytes: 4250, melBands: 80),
        parakeet("parakeet-tdt-0.6b-v3", megabytes: 2510, languages: european, melBands: 128),
    ]

    /// The languages of Parakeet v3.
    private static let european = [
        "bg", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "hr", "hu", "it", "lt", "lv", "mt", "nl", "pl",
        "pt",
        "ro", "ru", "sk", "sl", "sv", "uk",
    ]

    private static func parakeet(
        _ name: String, megabytes: Int, languages: [String] = ["en"], melBands: Int
    ) -> CatalogModel {
        CatalogModel(
            name: name, family: "fastconformer", repository: "nvidia/" + name, format: .huggingFace,
            approximateSize: megabytes * 1_000_000, languages: languages, melBands: melBands, license: "CC-BY-4.0",
            credit: "NVIDIA")
    }
}
