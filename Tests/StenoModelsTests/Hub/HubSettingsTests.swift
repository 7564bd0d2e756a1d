import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoModelStore
@testable import StenoModels

@Suite struct HubSettingsTests {
    private func settings(_ environment: [String: String], home: URL? = nil) throws -> HubSettings {
        try HubSettings(environment: environment, home: home ?? URL(fileURLWithPath: "/nonexistent"))
    }

    @Test func huggingFacesVariablesAreRead() throws {
        let mirror = try settings(["HF_ENDPOINT": "https://mirror.example/", "HF_TOKEN": "hf_x", "HF_HUB_OFFLINE": "1"])
        #expect(mirror.endpoint.absoluteString == "https://mirror.example")
        #expect(mirror.token == "hf_x" && mirror.isOffline)
        let usual = try settings(["HF_HUB_OFFLINE": "0"])
        #expect(usual.endpoint == HubSettings.publicEndpoint && usual.token == nil && !usual.isOffline)
        #expect(throws: StenoError.self) { try settings(["HF_ENDPOINT": "mirror"]) }
        // So are those of proxies.
        let proxies = ProxySettings(environment: [
            "HTTPS_PROXY": "proxy.local:3128", "http_proxy": "http://other:80", "HTTP_PROXY": "http://ignored",
            "NO_PROXY": "localhost,.example.com, 10.0.0.1",
        ])
        #expect(proxies.https?.absoluteString == "http://proxy.local:3128" && proxies.http?.host == "other")
        #expect(proxies.exceptions == ["localhost", ".example.com", "10.0.0.1"])
    }

    @Test func loginTokensAreFound() throws {
        let folder = try TemporaryFolder()
        try folder.write("hf_saved\n", to: ".cache/huggingface/token")
        try folder.write("hf_other\n", to: "hf/token")
        #expect(try settings([:], home: folder.url).token == "hf_saved")
        #expect(try settings(["HF_HOME": folder.url.path + "/hf"], home: folder.url).token == "hf_other")
        #expect(try settings(["HF_TOKEN_PATH": folder.url.path + "/hf/token"], home: folder.url).token == "hf_other")
        #expect(try settings(["HF_TOKEN": "hf_set"], home: folder.url).token == "hf_set")
    }

    @Test func theTokenIsSentOnlyToTheHubAndNeverInClearText() throws {
        func token(_ endpoint: String, _ url: String) throws -> String? {
            HubSettings(endpoint: try #require(URL(string: endpoint)), token: "t").token(
                for: try #require(URL(string: url)))
        }
        #expect(try token("https://huggingface.co", "https://huggingface.co/a/b") == "t")
        #expect(try token("https://huggingface.co", "https://HuggingFace.co:443/a/b") == "t")
        for other in [
            "https://cdn.huggingface.co/a", "http://huggingface.co/a", "https://huggingface.co:8443/a",
            "https://huggingface.co.evil/a",
        ] {
            #expect(try token("https://huggingface.co", other) == nil, "\(other)")
        }
        #expect(try token("http://hub.local", "http://hub.local/a") == nil)
        #expect(try token("http://localhost:1", "http://localhost:1/a") == "t")
    }

    /// A server that cannot resume, whose connections break: every attempt begins at the start of the file.
    @Test func bytesThatWereFetchedBeforeAreNoProgress() async throws {
        let timing = DownloadTiming(now: { 0 }, sleep: { _ in }, random: { 0 })
        let received = Recorder<Int>()
        let error = await #expect(throws: StenoError.self) {
            try await RetryPolicy().run("It", timing: timing, progress: { received.all.last ?? 0 }) {
                guard received.all.count < 30 else { return }
                received.add(received.all.count.isMultiple(of: 2) ? 50 : 40)
                throw TransientFailure(reason: "the connection was lost")
            }
        }
        #expect(error?.code == .downloadFailed && received.all.count == RetryPolicy().maximumFailures)
    }

    @Test func waitsAreAsLongAsTheHubSaysOrGrow() {
        func wait(_ text: String) -> Double? {
            HubAnswer.retryAfter(
                HTTPHead(status: 429, headers: ["retry-after": text]), now: Date(timeIntervalSince1970: 784_111_777))
        }
        #expect(wait("120") == 120 && wait("-3") == 0)
        #expect(wait("Sun, 06 Nov 1994 08:50:37 GMT") == 60 && wait("soon") == nil)
        #expect(wait("1e30") == 31_536_000.0 && wait("Sun, 06 Nov 9994 08:50:37 GMT") == 31_536_000.0)
        // Without it, waits grow up to a limit.
        let policy = RetryPolicy()
        #expect((1...4).map { policy.delay(failures: $0, random: 1) } == [0.5, 1, 2, 4])
        #expect(policy.delay(failures: 1, random: 0) == 0.25)
        #expect(policy.delay(failures: 50, random: 1) == policy.longestDelay)
    }
}

/// Answers that a real hub would not give.
@Suite struct HubAnswerTests {
    private struct Answering: HTTPTransport {
        var body: String

        func send(_ request: HTTPRequest, to receiver: any HTTPReceiver) async throws {
            try receiver.receive(HTTPHead(status: 200, headers: [:]))
            try receiver.receive(Data(body.utf8))
        }
    }

    @Test func tagsAreContentHashesOnlyAtTheHub() throws {
        let hash = String(repeating: "a1", count: 32)
        func digest(_ headers: [String: String]) throws -> Digest? {
            let seen = FileDescription()
            try seen.add(HTTPHead(status: 200, headers: headers))
            return seen.digest
        }
        #expect(try digest(["ETag": "\"\(hash)\""]) == nil)
        #expect(try digest(["ETag": "\"\(hash)\"", "X-Repo-Commit": "0123"]) == Digest.sha256(hash))
        #expect(try digest(["ETag": "\"other\"", "X-Linked-Etag": "\"\(hash)\""]) == Digest.sha256(hash))
    }

    @Test func onlyPlausibleSizesAreRead() async throws {
        func size(_ text: String) throws -> Int? {
            try HTTPHead(status: 200, headers: ["Content-Length": text]).size("Content-Length")
        }
        #expect(try size(" 17 ") == 17 && size("1125899906842624") == 1 << 50)
        #expect(try size("many") == nil)
        for text in ["-1", "1125899906842625", "9223372036854775807"] {
            expectError(.downloadFailed) { try size(text) }
        }
        // A list with impossible sizes is refused.
        let list = """
            {"siblings": [
                {"rfilename": "model.bin", "size": 9223372036854775807}, {"rfilename": "config.json", "size": 2}
            ]}
            """
        let client = HubClient(settings: HubSettings(), transport: Answering(body: list))
        let reference = try ModelReference("owner/name")
        await expectAsyncError(.downloadFailed, says: "9223372036854775807") {
            try await client.plan(reference, policy: RetryPolicy(), timing: .system)
        }
    }
}
