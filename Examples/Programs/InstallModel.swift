// Reports whether a model is on this machine; with --download, installs it if it is not. Otherwise it uses no network.
import Foundation
import StenoModels

for model in KnownModel.all where model.languageCount > 1 {
    print(model.name, model.approximateSize / 1_000_000, "MB")
}

let brazil = Locale(identifier: "pt-BR")
let assets = try ModelAssets()
print("small for \(try ModelAssets.language(for: brazil)):", await assets.status(model: "small", locale: brazil))

if CommandLine.arguments.contains("--download"),
    let request = try await assets.installationRequest(model: "small", locale: brazil)
{
    try await request.downloadAndInstall { progress in
        print(progress.received, "of", progress.size, "bytes")
    }
    let transcriber = try await Transcriber.load(.named("small"))
    print(transcriber.information.languages.count, "languages")
}
