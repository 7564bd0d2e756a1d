#if os(Linux) || os(macOS)
    import Foundation
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoCLI

    @Suite struct LineReaderTests {
        private let pipe = Pipe()
        private let interruption: Interruption
        private var reader: LineReader

        init() throws {
            interruption = try Interruption()
            reader = LineReader(
                try .duplicating(pipe.fileHandleForReading.fileDescriptor, name: "list"), interruption: interruption)
        }

        private func write(_ bytes: some Sequence<UInt8>) throws {
            try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
        }

        private func line(_ text: String) -> LineReader.Next { .line(Array(text.utf8)) }

        @Test mutating func linesAreGivenOnceComplete() throws {
            #expect(try reader.next(waits: false) == .notYet)
            try write("one\ntw".utf8)
            #expect(try reader.next(waits: false) == line("one"))
            #expect(try reader.next(waits: false) == .notYet)
            try write("o\n\nlast".utf8)
            #expect(try reader.next(waits: true) == line("two"))
            #expect(try reader.next(waits: true) == line(""))
            #expect(try reader.next(waits: false) == .notYet)
            try pipe.fileHandleForWriting.close()
            // The other tests' child processes have a copy of the pipe for a moment, so that its end can come later.
            #expect(try reader.next(waits: true) == line("last"))
            #expect(try reader.next(waits: true) == .end && reader.next(waits: false) == .end)
        }

        @Test mutating func anInterruptionEndsTheWait() {
            interruption.interrupt()
            #expect(throws: StenoError.self) { try reader.next(waits: true) }
        }

        /// From a file, since a pipe holds only a few of its blocks.
        @Test(arguments: ["\nnext\n", "\nnext", ""]) func anEndlessLineIsSkipped(rest: String) throws {
            let folder = try TemporaryFolder()
            let long = String(repeating: "x", count: 3 * LineReader.limit)
            let file = try folder.write("first\n" + long + rest, to: "list")
            var reader = LineReader(try .openForReading(file.path), interruption: interruption)
            #expect(try reader.next(waits: true) == line("first"))
            guard case .tooLong(let start) = try reader.next(waits: true) else {
                Issue.record("a line of megabytes is no line")
                return
            }
            #expect(start.count == 80 && start.allSatisfy { $0 == UInt8(ascii: "x") })
            if !rest.isEmpty { #expect(try reader.next(waits: true) == line("next")) }
            #expect(try reader.next(waits: true) == .end)
        }

        @Test func aLineOfMaximumLengthIsAccepted() throws {
            let folder = try TemporaryFolder()
            let longest = String(repeating: "x", count: LineReader.limit)
            let file = try folder.write(longest + "\n" + longest + "y\nnext\n", to: "list")
            var reader = LineReader(try .openForReading(file.path), interruption: interruption)
            #expect(try reader.next(waits: true) == line(longest))
            guard case .tooLong = try reader.next(waits: true) else {
                Issue.record("the limit is not kept")
                return
            }
            #expect(try reader.next(waits: true) == line("next"))
        }
    }
#endif
