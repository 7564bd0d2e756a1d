#if Store
    import Foundation
    import GRDB
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    /// Several programs sharing a history, each with its own connection.
    struct TwoProgramsTests {
        private let folder = HistoryFolder()

        @Test(arguments: [false, true])
        func severalProgramsCreateTheHistoryAtOnce(isEncrypted: Bool) async throws {
            let key = isEncrypted ? StoreKey.random() : .none
            let url = folder.url
            try await withThrowingTaskGroup { group in
                for number in 0..<6 {
                    group.addTask { try await TranscriptStore.open(url, key: key).add([" Number \(number)."]) }
                }
                try await group.waitForAll()
            }
            let store = try await folder.store(key)
            #expect(try await store.sessions().count == 6)
            #expect(try await store.search("number").count == 6)
        }

        @Test func severalProgramsWriteAtOnce() async throws {
            let stores = [try await folder.store(), try await folder.store()]
            let ids = try await withThrowingTaskGroup(of: UUID.self) { group in
                for store in stores {
                    group.addTask {
                        let writer = try await store.begin()
                        for number in 0..<100 {
                            try await writer.append([.saying(" number", number, utterance: number)])
                        }
                        try await writer.finish()
                        return writer.id
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for id in ids { #expect(try await stores[0].segments(of: id).map(\.id) == Array(0..<100)) }
            #expect(try await stores[1].search("number", limit: 1000).count == 200)
        }

        @Test func oneProgramDeletesWhileAnotherRecords() async throws {
            let first = try await folder.store(), second = try await folder.store()
            let old = try await first.add([" Xylophone."])
            let writer = try await first.begin()
            try await writer.append([.saying(" One", 0)])
            try await second.delete([old])
            try await writer.append([.saying(" two.", 1)])
            try await writer.finish()
            #expect(try await second.transcript(of: writer.id).text == "One two.")
            #expect(try !folder.contains("Xylophone"))
        }
    }

    #if os(Linux) || os(macOS)
        /// A program killed while writing at full speed.
        @Suite(.timeLimit(.minutes(15))) struct KilledWriterTests {
            private let folder = HistoryFolder()

            /// Ten runs of each kind in CI, a hundred with `STENO_LONG`.
            @Test(arguments: [false, true])
            func everyAcknowledgedSegmentIsThere(isEncrypted: Bool) async throws {
                var random = SplitMix64(seed: isEncrypted ? 2 : 1)
                try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
                let key = isEncrypted ? folder.url.appendingPathComponent("key") : nil
                for round in 0..<(isLong ? 100 : 10) {
                    let acknowledged = try killWriter(after: Int.random(in: 1...600, using: &random), key: key)
                    let store = try await folder.store(key.map { try .file($0) } ?? .none)
                    let sessions = try await store.sessions()
                    #expect(sessions.count == round + 1)
                    let session = try #require(sessions.first)
                    #expect(session.state == .interrupted)
                    let segments = try await store.segments(of: session.id)
                    // One more may be there if its acknowledgement was on its way.
                    #expect(segments.map(\.id) == Array(0..<segments.count) && session.segmentCount == segments.count)
                    #expect(segments.count >= acknowledged && segments.count <= acknowledged + 1)
                    #expect(segments.allSatisfy { $0.text == " number \($0.id)" })
                    #expect(try await store.partialText(of: session.id) == " after \(segments.count - 1)")
                    #expect(try await store.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
                    #expect(
                        try await store.search("number \(segments.count - 1)", limit: 1000).contains {
                            $0.session == session.id
                        })
                }
            }

            /// Kills a writer after that many bytes of acknowledgements, and returns how many segments they cover.
            private func killWriter(after bytes: Int, key: URL?) throws -> Int {
                let process = Process()
                let program = try #require(BuiltTool.executable("StenoStoreTool"))
                process.executableURL = program
                process.arguments = ["write", folder.url.path] + (key.map { [$0.path] } ?? [])
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
                // A truncated number was acknowledged too.
                return String(decoding: output, as: UTF8.self).split(separator: "\n").count
            }
        }
    #endif
#endif
