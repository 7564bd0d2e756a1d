import Foundation
import StenoBundledModel
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio

@Suite struct CaptureDeviceTests {
    private let devices = [
        CaptureDevice(id: "alsa_output.monitor", name: "Monitor of Speakers", isMonitor: true),
        CaptureDevice(id: "alsa_input.usb-0", name: "Desk Microphone"),
        CaptureDevice(id: "alsa_input.pci-0", name: "Built-in Microphone", isDefault: true),
    ]

    @Test(
        arguments: [
            (nil, 2), ("alsa_input.usb-0", 1), ("desk microphone", 1), ("DESK", 1), ("usb", 1), ("monitor", 0),
        ] as [(String?, Int)])
    func aDeviceIsFoundByTheNamesPeopleUse(_ name: String?, _ index: Int) throws {
        #expect(try devices.device(named: name) == devices[index])
    }

    @Test func withoutADefaultTheFirstMicrophoneIsTaken() throws {
        #expect(try Array(devices[..<2]).device(named: nil) == devices[1])
    }

    @Test func unclearNamesAreRefusedWithAList() throws {
        expectError(.captureUnavailable, says: "alsa_input.usb-0  (Desk Microphone)") {
            try devices.device(named: "phone-jack")
        }
        let several = try stenoError { try devices.device(named: "alsa_input") }
        #expect(several.message.contains("matches several") && !several.message.contains("Speakers"))
        expectError(says: "There is no microphone", "Monitor of Speakers") {
            try Array(devices[..<1]).device(named: nil)
        }
    }
}

#if os(Linux)
    /// End to end: a recording is played, and the command captures and transcribes it like a microphone.
    @Suite(.serialized, .timeLimit(.minutes(60)), .needsPulseAudio) struct LiveMicrophoneTests {
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
            let output = OutputReader()
            let tool: URL = try #require(BuiltTool.executable("steno"))
            let model = try BundledModel.folder.path
            let running = try folder.start(
                tool, ["live", "--language", "en", "--format", "jsonl", "--model", model],
                environment: server.tools.variables.merging(["PATH": server.tools.searchPath]) { $1 }, output: output)
            // The first level shows that the capture has started.
            #expect(output.wait(for: "\"level\""))
            try server.play(try recording(in: folder))
            kill(running.process.processIdentifier, SIGINT)
            let result = running.wait()
            #expect(result.code == 0)
            let events = try result.output.split(separator: "\n").map { try TranscriptionEvent(jsonLine: $0) }
            return events.filter { $0.kind == .final }.map(\.text).joined().lowercased()
        }

        /// The recording with half a second of silence before it, and a second behind for the server's delay.
        private static func recording(in folder: TemporaryFolder) throws -> URL {
            let speech = try TestAudio.speech()
            let file = folder.url.appendingPathComponent("speech.wav")
            let (before, after) = ([Float](repeating: 0, count: 8_000), [Float](repeating: 0, count: 16_000))
            try AudioFile.write(samples: before + speech + after, to: file)
            return file
        }
    }
#endif
