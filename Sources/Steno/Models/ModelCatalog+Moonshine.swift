/// Moonshine AI's models for English, of both generations; those for other languages forbid commercial use.
extension ModelCatalog {
    static let moonshine = [
        model("moonshine-tiny", megabytes: 110), model("moonshine-base", megabytes: 248),
        model("moonshine-streaming-tiny", family: "moonshine_streaming", megabytes: 180),
        model("moonshine-streaming-small", family: "moonshine_streaming", megabytes: 564),
        model("moonshine-streaming-medium", family: "moonshine_streaming", megabytes: 1067),
    ]

    private static func model(_ name: String, family: String = "moonshine", megabytes: Int) -> CatalogModel {
        CatalogModel(
            name: name, family: family, repository: "UsefulSensors/" + name, format: .huggingFace,
            approximateSize: megabytes * 1_000_000, languages: ["en"])
    }
}
