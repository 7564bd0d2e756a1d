import Foundation
import Steno
import Testing

@testable import StenoModelStore

/// Answers that a real hub would not give.
@Suite struct HubAnswerTests {
    /// Gives every request the same answer.
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

    @Test func onlyPlausibleSizesAreRead() throws {
        func size(_ text: String) throws -> Int? {
            try HTTPHead(status: 200, headers: ["Content-Length": text]).size("Content-Length")
        }
        #expect(try size(" 17 ") == 17)
        #expect(try size("1125899906842624") == 1 << 50)
        #expect(try size("many") == nil)
        for text in ["-1", "1125899906842625", "9223372036854775807"] {
            let error = #expect(throws: StenoError.self) { try size(text) }
            #expect(error?.code == .downloadFailed, "\(text)")
        }
    }

    @Test func listsWithImpossibleSizesAreRefused() async throws {
        let list = """
            {"siblings": [
                {"rfilename": "model.bin", "size": 9223372036854775807}, {"rfilename": "config.json", "size": 2}
            ]}
            """
        let client = HubClient(settings: HubSettings(), transport: Answering(body: list))
        let reference = try ModelReference("owner/name")
        let error = await #expect(throws: StenoError.self) {
            try await client.plan(reference, policy: RetryPolicy(), timing: .system)
        }
        #expect(error?.code == .downloadFailed)
        #expect(error?.message.contains("9223372036854775807") == true)
    }
}
