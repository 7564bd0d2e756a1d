import Foundation
import StenoModelStore
import StenoTestSupport
import Testing

@testable import StenoFasterWhisper

@Suite(.timeLimit(.minutes(60))) struct FasterWhisperDownloadTests {
    private let rig: DownloadRig

    init() throws { rig = try DownloadRig(nano: "Systran/faster-whisper-tiny") }

    private func with(hasNetwork: Bool = true, _ body: () async throws -> Void) async rethrows {
        let supply = ModelFinder.Supply(locator: rig.locator) { [rig] name, progress in
            let downloader = rig.downloader(hasNetwork: hasNetwork)
            guard let progress else { return try await downloader.download(name) }
            return try await downloader.download(name, onFile: progress)
        }
        let finder = ModelFinder(supply, store: rig.store, environment: [:])
        try await ModelFinder.$current.withValue(finder, operation: body)
    }

    @Test func aMissingModelIsDownloadedOnceAndReportedFileByFile() async throws {
        let speech = try await Recordings.firstWords()
        let (recording, reports) = (speech.file, Recorder<(String, Double, Int64, Int64)>())
        let expected = try await DownloadRig.nanoText(recording)
        try await with {
            #expect(!ModelManager.modelExists(name: "tiny"))
            let whisper = SwiftFasterWhisper(modelSize: .tiny)
            whisper.downloadProgressCallback = { reports.add(($0, $1, $2, $3)) }
            try await whisper.loadModel()
            #expect(try await whisper.transcribe(audioFilePath: recording.path).text == expected)
            #expect(ModelManager.modelExists(name: "tiny"))
            #expect(try ModelManager.getModelsSize() >= Int64(rig.size))
        }
        #expect(rig.differences() == [])
        for file in rig.server.files {
            let own = reports.all.filter { $0.0 == file.name }
            #expect(own.last?.1 == 1 && own.last?.2 == Int64(file.content.count), "\(file.name)")
            #expect(own.map(\.1) == own.map(\.1).sorted() && own.allSatisfy { $0.3 == Int64(file.content.count) })
        }
        let requests = rig.server.requests.count
        try await with(hasNetwork: false) {
            try await SwiftFasterWhisper(modelSize: .tiny).loadModel()
            try ModelManager.clearAllModels()
            #expect(try !ModelManager.modelExists(name: "tiny") && ModelManager.getModelsSize() == 0)
        }
        #expect(rig.server.requests.count == requests)
    }

    @Test func anUnreachableHubGivesAReadableError() async throws {
        await with(hasNetwork: false) {
            let error = await #expect(throws: RecognitionError.self) {
                try await SwiftFasterWhisper(modelSize: .tiny).loadModel()
            }
            guard case .modelLoadFailed(let message) = error else {
                return #expect(Bool(false), "\(String(describing: error))")
            }
            #expect(message.contains("cannot be reached") && !message.contains("127.0.0.1"))
            #expect(!ModelManager.modelExists(name: "tiny"))
        }
    }
}
