import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoSpeech

/// What happens while an input's models are loaded, and what a cancelled input leaves behind.
@Suite(.timeLimit(.minutes(10))) struct LoadingTests {
    private let talk = SpokenLevels(utterances: [2])
    /// Passed when the loading has begun.
    private let began = Milestone()
    /// Passed when the loading may end.
    private let loading = Milestone()

    private func environment(failing error: StenoError? = nil) -> SpeechEnvironment {
        .scripted(
            ScriptedInstaller(
                LevelModel(),
                onLoad: { [began, loading] in
                    began.end()
                    await loading.wait(for: 0)
                    if let error { throw error }
                }))
    }

    private func transcriber() -> SpeechTranscriber { SpeechTranscriber(locale: english, preset: .transcription) }

    /// Ways to begin an input.
    enum Beginning: CaseIterable {
        case start, analyzeSequence, file
    }

    private func begin(_ beginning: Beginning, _ analyzer: SpeechAnalyzer) async throws {
        switch beginning {
        case .start: try await analyzer.start(inputSequence: sequence(try inputs(talk.samples)))
        case .analyzeSequence: _ = try await analyzer.analyzeSequence(sequence(try inputs(talk.samples)))
        case .file:
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("steno-\(UUID().uuidString).wav")
            defer { try? FileManager.default.removeItem(at: url) }
            try AudioFile.write(samples: talk.samples, to: url)
            _ = try await analyzer.analyzeSequence(from: try AVAudioFile(forReading: url))
        }
    }

    /// Finishes an analyzer, and returns once it has been asked to.
    private func finish(_ analyzer: SpeechAnalyzer) async throws -> Task<Void, any Error> {
        let task = Task { try await analyzer.finalizeAndFinish(through: CMTime(value: 60, timescale: 1)) }
        try await waitWhile(await !analyzer.hasLimit)
        return task
    }

    @Test(arguments: Beginning.allCases)
    func anInputIsReadToItsEndThoughItsModelIsLoadedWhenTheSessionIsFinished(_ beginning: Beginning) async throws {
        try await with(environment(), transcriber()) { module, analyzer in
            let started = Task { try await begin(beginning, analyzer) }
            await began.wait(for: 0)
            let finishing = try await finish(analyzer)
            loading.end()
            try await started.value
            try await finishing.value
            #expect(try await module.results.all().text == talk.text())
        }
    }

    @Test func aSecondInputIsRefusedWhileTheModelOfTheFirstIsLoaded() async throws {
        try await with(environment(), transcriber()) { _, analyzer in
            let started = Task { try await begin(.start, analyzer) }
            await began.wait(for: 0)
            let error = await #expect(throws: SFSpeechError.self) { try await begin(.analyzeSequence, analyzer) }
            #expect(error?.code == .analyzerState)
            loading.end()
            try await started.value
            await analyzer.cancelAndFinishNow()
        }
    }

    @Test func aSessionThatIsFinishedBeforeItsModelIsLoadedEndsWithTheError() async throws {
        try await with(environment(failing: StenoError(.modelDamaged, "The model is damaged."))) {
            let module = transcriber()
            let analyzer = SpeechAnalyzer(modules: [module])
            let started = Task { try await begin(.start, analyzer) }
            await began.wait(for: 0)
            let finishing = try await finish(analyzer)
            loading.end()
            for work in [started, finishing] {
                let error = await #expect(throws: SFSpeechError.self) { try await work.value }
                #expect(error?.code == .noModel)
            }
            await #expect(throws: SFSpeechError.self) { try await module.results.all() }
        }
    }

    /// The session continues: another model may be there for the next input.
    @Test func audioOfAnInputThatCannotBeReadIsNotWaitedFor() async throws {
        try await with(environment(failing: StenoError(.modelDamaged, "The model is damaged."))) {
            let analyzer = SpeechAnalyzer(modules: [transcriber()])
            let started = Task { try await begin(.start, analyzer) }
            await began.wait(for: 0)
            let finalizing = Task { try await analyzer.finalize(through: CMTime(value: 1, timescale: 1)) }
            try await waitWhile(await analyzer.hasAudio.waiters == 0)
            loading.end()
            await #expect(throws: SFSpeechError.self) { try await started.value }
            try await finalizing.value
            await #expect(throws: SFSpeechError.self) { try await begin(.analyzeSequence, analyzer) }
            try await analyzer.finalize(through: CMTime(value: 1, timescale: 1))
            await analyzer.cancelAndFinishNow()
        }
    }

    @Test func aSessionThatIsCancelledWhileItsModelIsLoadedIsFinished() async throws {
        try await with(environment()) { () async throws in
            let module = transcriber()
            let analyzer = SpeechAnalyzer(modules: [module])
            let started = Task { try await begin(.start, analyzer) }
            await began.wait(for: 0)
            await analyzer.cancelAndFinishNow()
            // The model is still being loaded.
            let error = await #expect(throws: SFSpeechError.self) { try await started.value }
            #expect(error?.code == .analyzerState)
            #expect(try await module.results.all().isEmpty)
            loading.end()
        }
    }

    @Test func aStartThatIsCancelledLeavesRoomForAnotherInput() async throws {
        try await with(environment(), transcriber()) { module, analyzer in
            let started = Task { try await begin(.start, analyzer) }
            await began.wait(for: 0)
            started.cancel()
            await #expect(throws: CancellationError.self) { try await started.value }
            loading.end()
            try await begin(.analyzeSequence, analyzer)
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            #expect(try await module.results.all().text == talk.text())
        }
    }

    /// The first format's converter must not outlive its input.
    @Test func afterACancelledInputOneOfAnotherFormatIsRead() async throws {
        try await with(.scripted(), transcriber()) { module, analyzer in
            let (stream, input) = AsyncStream<AnalyzerInput>.makeStream()
            for part in try inputs(talk.samples.flatMap { [$0, $0, $0] }, rate: 48_000) { input.yield(part) }
            let reading = Task { try await analyzer.analyzeSequence(stream) }
            // The end of the talk is silent, and the last samples are still in the converter.
            try await waitWhile(await (analyzer.volatileRange?.end.seconds ?? 0) < talk.seconds - 0.3)
            reading.cancel()
            await #expect(throws: CancellationError.self) { _ = try await reading.value }
            let end = try await analyzer.analyzeSequence(sequence(try inputs(talk.samples)))
            #expect(abs((end?.seconds ?? 0) - 2 * talk.seconds) < 0.4)
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            #expect(try await module.results.all().text == talk.text() + " " + talk.text())
            input.finish()
        }
    }
}
