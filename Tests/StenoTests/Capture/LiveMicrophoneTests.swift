@testable import Steno

#if os(Linux)
    import Foundation
    import StenoBundledModel
    import StenoTestSupport
    import Testing

    @testable import Steno

    /// End to end: a recording is played, and the command captures and transcribes it like a microphone.
    @Suite(
        .serialized, .timeLimit(.minutes(60)), .enabled(if: isRelease, "too slow for real time in a debug build"),
        .enabled(
            if: PulseAudioServer.isInstalled || mustRun,
            "pulseaudio or its programs (pulseaudio-utils) are not installed"))
    struct LiveMicrophoneTests {
        @Test func whatIsPlayedIsCaptioned() async throws {
            let text = try await onThread { try Self.caption() }
            // What is tested is the capture. At a microphone's pace the decodings, and so the ending of a word ("American
            // is not", "America, ask not"), depend on how busy the machine is: three words may differ.
            let differences = text.components(separatedBy: CharacterSet.letters.inverted).filter { !$0.isEmpty }
                .difference(from: Self.spoken.components(separatedBy: " "))
            #expect(differences.count <= 6, "\(text)")
        }

        private static let spoken =
            "and so my fellow americans ask not what your country can do for you ask what you can do for your country"

        /// Plays the recording to the listening command, ends it as Ctrl-C does, and returns the final text.
        private static func caption() throws -> String {
            let server = try PulseAudioServer()
            let folder = try TemporaryFolder()
            let (process, output) = (Process(), Pipe())
            let tool: URL = try #require(BuiltTool.executable("steno"))
            process.executableURL = tool
            process.arguments = [
                "live", "--language", "en", "--format", "jsonl", "--model", try BundledModel.folder.path,
            ]
            process.environment = server.tools.variables.merging(["PATH": server.tools.searchPath]) { $1 }
                .merging(sanitizerOptions) { $1 }
            process.standardOutput = output
            try process.run()

            let events = LineReader(output.fileHandleForReading)
            var text = ""
            // The first level shows that the capture has started.
            while let line = events.next(), !line.contains("\"level\"") {}
            try server.play(try recording(in: folder))
            kill(process.processIdentifier, SIGINT)
            while let line = events.next() {
                let event = try JSONDecoder().decode(Event.self, from: Data(line.utf8))
                if event.type == "final" { text += event.text ?? "" }
            }
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            return text.lowercased()
        }

        private struct Event: Decodable {
            var type: String
            var text: String?
        }

        /// The recording with half a second of silence before it, and a second behind for the server's delay.
        private static func recording(in folder: TemporaryFolder) throws -> URL {
            let sound = try AudioFile.open(try BundledModel.samples.appendingPathComponent("inaugural-1961.wav"))
            var samples = [Float](repeating: 0, count: 30 * AudioFile.sampleRate)
            let count = try samples.withUnsafeMutableBufferPointer { buffer in
                var filled = 8_000
                while case let more = try sound.read(into: UnsafeMutableBufferPointer(rebasing: buffer[filled...])),
                    more > 0
                {
                    filled += more
                }
                return filled + AudioFile.sampleRate
            }
            let file = folder.url.appendingPathComponent("speech.wav")
            let writer = try WAVWriter(file)
            try writer.write(samples[..<count])
            try writer.close()
            return file
        }

        /// Lines of a pipe, as they come.
        private final class LineReader {
            private let handle: FileHandle
            private var buffer = Data()

            init(_ handle: FileHandle) { self.handle = handle }

            func next() -> String? {
                while true {
                    if let end = buffer.firstIndex(of: 0x0A) {
                        defer { buffer.removeSubrange(...end) }
                        return String(decoding: buffer[..<end], as: UTF8.self)
                    }
                    let more = handle.availableData
                    guard !more.isEmpty else { return nil }
                    buffer += more
                }
            }
        }
    }
#endif
