import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoModelStore
@testable import StenoModels

/// A hub with a small model, a models folder, and a clock that stands still.
final class DownloadRig: Sendable {
    let server: HubServer
    let folder: TemporaryFolder
    let token = "hf_SECRETTOKEN"
    private let waits = Recorder<Double>()

    private init(_ server: HubServer, _ folder: TemporaryFolder) {
        (self.server, self.folder) = (server, folder)
        // A download by another name than the repository's is received elsewhere.
        if server.name == HubServer.repository { server.watch(store.paths.partial(server.name)) }
    }

    /// - Parameter size: The number of bytes of the weights.
    convenience init(size: Int = 300_000, seed: UInt64 = 1) throws {
        self.init(try HubServer(Self.files(size: size, seed: seed)), .ofSuite())
    }

    /// A hub with the nano model under the name of another.
    convenience init(nano repository: String) throws { self.init(try .nano(repository: repository), .ofSuite()) }

    /// Another hub with the same files and models folder, for the next run.
    convenience init(sharing other: DownloadRig) throws { self.init(try HubServer(other.server.files), other.folder) }

    static func installed() async throws -> (rig: DownloadRig, place: URL) {
        let rig = try DownloadRig()
        return (rig, try await rig.download())
    }

    /// A model of random bytes, which is never loaded.
    static func files(size: Int, seed: UInt64) -> [HubServer.File] {
        var random = SplitMix64(seed: seed)
        let words = (0..<size / 8 + 1).map { _ in random.next() }
        let weights = words.withUnsafeBytes { Data($0).prefix(size) }
        return [
            HubServer.File("README.md", Data("# A model".utf8)),
            HubServer.File("config.json", Data("{\"alignment_heads\": []}".utf8)),
            HubServer.File("model.bin", Data(weights), isLarge: true),
            HubServer.File("tokenizer.json", Data(weights.prefix(5000)), isLarge: false),
            HubServer.File("vocabulary.txt", Data("a\nb\n".utf8)),
        ]
    }

    var root: URL { folder.url.appendingPathComponent("models") }
    var store: ModelStore { ModelStore(folder: root) }
    var waited: [Double] { waits.all }
    var locator: ModelLocator { ModelLocator(bundled: nil, environment: ["STENO_MODELS": root.path], home: folder.url) }

    /// - Parameter hasNetwork: Whether the hub can be reached.
    func downloader(isOffline: Bool = false, endpoint: URL? = nil, hasNetwork: Bool = true) -> ModelDownloader {
        let nobody = hasNetwork ? nil : URL(string: "http://127.0.0.1:1")
        let settings = HubSettings(endpoint: nobody ?? endpoint ?? server.endpoint, token: token, isOffline: isOffline)
        return downloader(settings) { [waits] in waits.add($0) }
    }

    func downloader(whileWaiting: @escaping @Sendable () async throws -> Void) -> ModelDownloader {
        downloader(HubSettings(endpoint: server.endpoint, token: token)) { _ in try await whileWaiting() }
    }

    /// A downloader without proxies; the closure replaces waiting.
    private func downloader(
        _ settings: HubSettings, sleep: @escaping @Sendable (Double) async throws -> Void
    ) -> ModelDownloader {
        ModelDownloader(
            store: store, settings: settings,
            // On a busy machine, the server's threads may wait for longer than a network may take.
            transport: URLSessionTransport(proxies: ProxySettings(environment: [:]), patience: 600),
            timing: DownloadTiming(now: { 0 }, sleep: sleep, random: { 0.5 }))
    }

    @discardableResult
    func download(
        force: Bool = false, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> URL { try await downloader().download(HubServer.repository, force: force, progress: progress) }

    func failure(force: Bool = false, at location: SourceLocation = #_sourceLocation) async -> StenoError? {
        await #expect(throws: StenoError.self, sourceLocation: location) { try await download(force: force) }
    }

    /// The names of the model's files that are missing or differ from the hub's; nil if there is no model.
    func differences() -> [String]? {
        let place = root.appendingPathComponent(server.name)
        guard FileManager.default.fileExists(atPath: place.path) else { return nil }
        return server.files.filter { $0.name != "README.md" }.compactMap { file in
            (try? Data(contentsOf: place.appendingPathComponent(file.name))) == file.content ? nil : file.name
        }
    }

    var size: Int { server.files.filter { $0.name != "README.md" }.map(\.content.count).reduce(0, +) }

    /// A recording's text by the nano model, not downloaded.
    static func nanoText(_ recording: URL) async throws -> String {
        try await Transcriber.load(.folder(Fixtures.nano)).transcribe(file: recording).text
    }
}
