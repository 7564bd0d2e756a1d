import Foundation
import Steno
import StenoTestSupport

@testable import StenoModelStore
@testable import StenoModels

/// A hub with the nano model under the name of a Whisper model, and no installed models.
final class CompatibilityRig: Sendable {
    let server: HubServer
    let folder = TemporaryFolder.ofSuite()

    init(repository: String) throws { server = try .nano(repository: repository) }

    var store: ModelStore { ModelStore(folder: folder.url.appendingPathComponent("models")) }

    var locator: ModelLocator {
        ModelLocator(bundled: nil, environment: ["STENO_MODELS": store.folder.path], home: folder.url)
    }

    /// - Parameter hasNetwork: Whether the hub can be reached.
    func downloader(hasNetwork: Bool = true) -> ModelDownloader {
        let nobody = URL(string: "http://127.0.0.1:1") ?? server.endpoint
        return DownloadRig.downloader(store, HubSettings(endpoint: hasNetwork ? server.endpoint : nobody)) { _ in }
    }

    var size: Int { server.files.map(\.content.count).reduce(0, +) }

    /// The names of the files that are not as the hub has them.
    var differences: [String] {
        let place = store.folder.appendingPathComponent(server.name)
        return server.files.filter { (try? Data(contentsOf: place.appendingPathComponent($0.name))) != $0.content }.map(
            \.name)
    }

    /// The recording's text by the same model, not downloaded.
    static func text(_ recording: URL) async throws -> String {
        try await Transcriber.load(.folder(Fixtures.nano)).transcribe(file: recording).text
    }
}
