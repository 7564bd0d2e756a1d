import Foundation
import Testing

@testable import Steno
@testable import StenoSpeech

/// What is final when, and how sessions end.
struct FinishingTests {
    private let talk = SpokenLevels(utterances: [6, 2])

    private func transcriber() -> SpeechTranscriber {
        SpeechTranscriber(
            locale: english, transcriptionOptions: [], reportingOptions: [.volatileResults], attributeOptions: [])
    }

    private func time(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 16_000) }

    /// The first seconds of the talk, taken by an analyzer that waits for more.
    private func analyzer(
        hearing seconds: Double, _ module: SpeechTranscriber
    ) async throws -> (SpeechAnalyzer, AsyncStream<AnalyzerInput>.Continuation) {
        let analyzer = SpeechAnalyzer(modules: [module])
        _ = try await analyzer.analyzeSequence(
            sequence(try inputs(Array(talk.samples[..<Int(seconds * 16_000)]))))
        let (stream, continuation) = AsyncStream<AnalyzerInput>.makeStream()
        try await analyzer.start(inputSequence: stream)
        return (analyzer, continuation)
    }

    /// In the middle of an utterance, between two words.
    @Test func finalizingTakesOneDecoding() async throws {
        let model = LevelModel()
        try await with(SpeechEnvironment.scripted(model).withoutEarlyFinals) {
            let module = transcriber()
            let middle = talk.starts[4] - 0.1
            let (analyzer, input) = try await analyzer(hearing: middle, module)
            let before = model.requests.count
            try await analyzer.finalize(through: nil)
            #expect(model.requests.count - before == 1)
            let range = try #require(await analyzer.volatileRange)
            #expect(range.start >= time(talk.starts[3] + SpokenLevels.length - 0.05))
            for part in try inputs(Array(talk.samples[Int(middle * 16_000)...])) { input.yield(part) }
            input.finish()
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            let results = try await module.results.all()
            #expect(results.text == talk.text())
            // What was final then is final: no later result is about it.
            let first = try #require(results.firstIndex { $0.isFinal })
            #expect(results[first].text.plain == talk.text(0..<4))
            #expect(results[(first + 1)...].allSatisfy { $0.range.start >= results[first].range.end })
        }
    }

    @Test func resultsAreThereWhenFinalizeReturns() async throws {
        try await with(SpeechEnvironment.scripted().withoutEarlyFinals) {
            let module = transcriber()
            let (analyzer, input) = try await analyzer(hearing: talk.starts[4] - 0.1, module)
            try await analyzer.finalize(through: nil)
            let count = module.results.channel.unreadCount
            await analyzer.cancelAndFinishNow()
            input.finish()
            #expect(try await Array(module.results.all().prefix(count)).text == talk.text(0..<4))
        }
    }

    @Test func aTimeToComeIsWaitedFor() async throws {
        try await with(.scripted()) {
            let module = transcriber()
            let analyzer = SpeechAnalyzer(modules: [module])
            let (stream, input) = AsyncStream<AnalyzerInput>.makeStream()
            try await analyzer.start(inputSequence: stream)
            async let isFinal: Void = analyzer.finalize(through: time(talk.starts[2] - 0.1))
            for part in try inputs(talk.samples) { input.yield(part) }
            try await isFinal
            input.finish()
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            #expect(try await module.results.all().text == talk.text())
        }
    }

    @Test func audioAfterTheLastTimeIsNotAnalysed() async throws {
        for isTaken in [true, false] {
            try await with(.scripted()) {
                let module = transcriber()
                let analyzer = SpeechAnalyzer(modules: [module])
                let (stream, input) = AsyncStream<AnalyzerInput>.makeStream()
                if isTaken {
                    _ = try await analyzer.analyzeSequence(sequence(try inputs(talk.samples)))
                } else {
                    try await analyzer.start(inputSequence: stream)
                    for part in try inputs(talk.samples) { input.yield(part) }
                }
                try await analyzer.finalizeAndFinish(through: time(talk.starts[3] - 0.1))
                let text = try await module.results.all().text
                // What was final beyond that time stays.
                #expect(isTaken ? text.hasPrefix(talk.text(0..<3)) : text == talk.text(0..<3), "\(text)")
            }
        }
    }

    @Test func finishingDoesNotWaitForText() async throws {
        try await with(.scripted()) {
            let module = transcriber()
            let analyzer = SpeechAnalyzer(modules: [module])
            let (stream, input) = AsyncStream<AnalyzerInput>.makeStream()
            try await analyzer.start(inputSequence: stream)
            for part in try inputs(talk.samples) { input.yield(part) }
            try await analyzer.finish(after: time(talk.starts[3]))
            #expect(talk.text(0..<3).hasPrefix(try await module.results.all().text))
            // The session is finished, so these do nothing.
            try await analyzer.finalize(through: nil)
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            try await analyzer.finalizeAndFinish(through: .zero)
            try await analyzer.finish(after: .zero)
            await analyzer.cancelAndFinishNow()
        }
    }

    // MARK: Cancelling

    @Test func cancelledSpeechIsNotTranscribed() async throws {
        try await with(SpeechEnvironment.scripted().withoutEarlyFinals) {
            let module = transcriber()
            let cut = talk.starts[4] - 0.1
            let (analyzer, input) = try await analyzer(hearing: talk.starts[5], module)
            await analyzer.cancelAnalysis(before: time(cut))
            for part in try inputs(Array(talk.samples[Int(talk.starts[5] * 16_000)...])) { input.yield(part) }
            input.finish()
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            let results = try await module.results.all()
            #expect(results.text == talk.text(4..<8))
            #expect(results.contains { $0.text.plain.hasPrefix("w0") } && results.contains { $0.text.plain.isEmpty })
        }
    }

    @Test func audioToComeIsNotTranscribedBeforeATime() async throws {
        let model = LevelModel()
        try await with(.scripted(model)) {
            let module = transcriber()
            let (analyzer, input) = try await analyzer(hearing: 0.4, module)
            await analyzer.cancelAnalysis(before: time(talk.starts[6] - 0.5))
            for part in try inputs(Array(talk.samples[6_400...])) { input.yield(part) }
            input.finish()
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            #expect(try await module.results.all().text == talk.text(6..<8))
        }
    }

    /// The decoder asks at every token whether to continue, and no decoding begins after the call.
    @Test func cancellingStopsTheDecodingThatRuns() async throws {
        let began = Milestone()
        let stopped = Log<Bool>()
        let model = LevelModel { isCancelled in
            began.end()
            while !isCancelled() {}
            stopped.append(true)
            throw CancellationError()
        }
        try await with(.scripted(model, pace: .realTime)) {
            let module = transcriber()
            let analyzer = SpeechAnalyzer(modules: [module])
            let (stream, input) = AsyncStream<AnalyzerInput>.makeStream()
            try await analyzer.start(inputSequence: stream)
            for part in try inputs(talk.samples) { input.yield(part) }
            await began.wait(for: 0)
            await analyzer.cancelAndFinishNow()
            // The results have ended, although the input has not.
            #expect(try await module.results.all().isEmpty)
            #expect(model.requests.count == 1)
            input.finish()
        }
    }

    @Test func aCancelledCallerCancelsTheSession() async throws {
        try await with(.scripted()) {
            let module = transcriber()
            let (analyzer, input) = try await analyzer(hearing: 1, module)
            let finishing = Task { try await analyzer.finalizeAndFinishThroughEndOfInput() }
            finishing.cancel()
            await #expect(throws: CancellationError.self) { try await finishing.value }
            _ = try await module.results.all()
            input.finish()
        }
    }
}
