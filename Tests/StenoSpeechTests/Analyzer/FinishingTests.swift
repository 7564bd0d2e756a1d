import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoSpeech

/// When results become final, and how sessions end.
@Suite(.timeLimit(.minutes(60))) struct FinishingTests {
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
        _ = try await analyzer.analyzeSequence(sequence(try inputs(Array(talk.samples[..<Int(seconds * 16_000)]))))
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
            try await analyzer.finalize(through: nil)
            let available = module.results.channel.unreadCount
            // The others came while the audio was heard.
            let efforts = model.requests.all.map(\.effort)
            #expect(efforts.last == .last && efforts.dropLast().allSatisfy { $0 == .quick })
            let range = try #require(await analyzer.volatileRange)
            #expect(range.start >= time(talk.starts[3] + SpokenLevels.length - 0.05))
            for part in try inputs(Array(talk.samples[Int(middle * 16_000)...])) { input.yield(part) }
            input.finish()
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            let results = try await module.results.all()
            #expect(results.text == talk.text() && Array(results.prefix(available)).text == talk.text(0..<4))
            // What was final then stays final: no later result covers it.
            let first = try #require(results.firstIndex { $0.isFinal })
            #expect(results[first].text.plain == talk.text(0..<4))
            #expect(results[(first + 1)...].allSatisfy { $0.range.start >= results[first].range.end })
        }
    }

    @Test func finalizingWaitsForAFutureTime() async throws {
        try await with(.scripted(), transcriber()) { module, analyzer in
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

    @Test func audioTakenBeyondTheLastTimeGivesNoMoreResults() async throws {
        try await with(.scripted(), transcriber()) { module, analyzer in
            _ = try await analyzer.analyzeSequence(sequence(try inputs(talk.samples)))
            try await analyzer.finalizeAndFinish(through: time(talk.starts[3] - 0.1))
            // Text that was already final beyond that time stays.
            #expect(try await module.results.all().text.hasPrefix(talk.text(0..<3)))
        }
        // Audio that comes after it is not analysed.
        let end = time(talk.starts[3] - 0.1)
        try await with(.scripted()) { () async throws in
            #expect(try await text { try await $0.finalizeAndFinish(through: end) } == talk.text(0..<3))
        }
    }

    /// Feeds the talk once an analyzer knows its last time, and returns the text.
    private func text(endingWith finish: @escaping @Sendable (SpeechAnalyzer) async throws -> Void) async throws
        -> String
    {
        let module = transcriber()
        let analyzer = SpeechAnalyzer(modules: [module])
        let (stream, input) = AsyncStream<AnalyzerInput>.makeStream()
        try await analyzer.start(inputSequence: stream)
        let finishing = Task { try await finish(analyzer) }
        try await waitWhile(await !analyzer.hasLimit)
        // The input does not end.
        for part in try inputs(talk.samples) { input.yield(part) }
        try await finishing.value
        let text = try await module.results.all().text
        input.finish()
        return text
    }

    @Test func finishingDoesNotWaitForText() async throws {
        let end = time(talk.starts[3])
        try await with(.scripted()) {
            let text = try await text { analyzer in
                try await analyzer.finish(after: end)
                // The session is finished, so these do nothing.
                try await analyzer.finalize(through: nil)
                try await analyzer.finalizeAndFinishThroughEndOfInput()
                try await analyzer.finalizeAndFinish(through: .zero)
                try await analyzer.finish(after: .zero)
                await analyzer.cancelAndFinishNow()
            }
            #expect(talk.text(0..<3).hasPrefix(text))
        }
    }

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

    @Test func futureAudioIsNotTranscribedBeforeATime() async throws {
        try await with(.scripted()) {
            let module = transcriber()
            let (analyzer, input) = try await analyzer(hearing: 0.4, module)
            await analyzer.cancelAnalysis(before: time(talk.starts[6] - 0.5))
            for part in try inputs(Array(talk.samples[6_400...])) { input.yield(part) }
            input.finish()
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            #expect(try await module.results.all().text == talk.text(6..<8))
        }
    }

    /// The decoder checks at every token whether to continue, and no decoding begins after the call.
    @Test func cancellingStopsTheRunningDecoding() async throws {
        let began = Milestone()
        let model = LevelModel { isCancelled in
            began.end()
            while !isCancelled() {}
            throw CancellationError()
        }
        try await with(.scripted(model, pace: .realTime), transcriber()) { module, analyzer in
            let (stream, input) = AsyncStream<AnalyzerInput>.makeStream()
            try await analyzer.start(inputSequence: stream)
            for part in try inputs(talk.samples) { input.yield(part) }
            await began.wait(for: 0)
            await analyzer.cancelAndFinishNow()
            // The results have ended although the input has not.
            #expect(try await module.results.all().isEmpty)
            #expect(model.requests.all.count == 1)
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

extension SpeechAnalyzer { var hasLimit: Bool { timeline.limit != nil } }
