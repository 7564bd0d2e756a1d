import Foundation
import GRDB
import Steno
import StenoTestSupport
import Testing

@testable import StenoStore

#if os(Linux) || os(macOS)
    /// A program that is killed while it writes at full speed.
    struct KilledWriterTests {
        private let folder = HistoryFolder()

        @Test(arguments: [false, true])
        func everyAcknowledgedSegmentIsThere(isEncrypted: Bool) async throws {
            var random = SplitMix64(seed: isEncrypted ? 2 : 1)
            try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
            let key = isEncrypted ? folder.url.appendingPathComponent("key") : nil
            for round in 0..<Self.rounds {
                let acknowledged = try killWriter(after: Int.random(in: 1...400, using: &random), key: key)
                let store = try await folder.store(key.map { try .file($0) } ?? .none)
                let sessions = try await store.sessions()
                #expect(sessions.count == round + 1)
                let session = try #require(sessions.first)
                #expect(session.state == .interrupted)
                let segments = try await store.segments(of: session.id)
                // One more may be there, whose acknowledgement was on its way.
                #expect(segments.map(\.id) == Array(0..<segments.count))
                #expect(segments.count >= acknowledged && segments.count <= acknowledged + 1)
                #expect(segments.allSatisfy { $0.text == " number \($0.id)" })
                let check = try await store.pool.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
                #expect(check == "ok")
            }
        }

        /// In CI ten of each kind; `STENO_LONG` makes it a hundred.
        private static let rounds = ProcessInfo.processInfo.environment["STENO_LONG"] == nil ? 10 : 100

        /// Starts a writer, kills it after so many bytes of acknowledgements, and returns how many segments they were.
        private func killWriter(after bytes: Int, key: URL?) throws -> Int {
            let process = Process()
            process.executableURL = try #require(BuiltTool.executable("StenoStoreTool"))
            process.arguments = [folder.url.path] + (key.map { [$0.path] } ?? [])
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            var output = Data()
            while output.count < bytes {
                let more = pipe.fileHandleForReading.availableData
                guard !more.isEmpty else { break }
                output += more
            }
            kill(process.processIdentifier, SIGKILL)
            output += pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: true).count
        }
    }
#endif
