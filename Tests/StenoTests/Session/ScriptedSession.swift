import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// A session whose parts are scripts, with a fault in one of them, and a record of what came of it.
final class ScriptedSession: Sendable {
    /// A call to the session, or a few that belong together.
    enum Call: CaseIterable {
        case start, append, gap, finalize, clear, change, finish, cancel
    }

    enum Fault {
        case none, preparation, decoding, stuckPreparation, stuckDecoding

        /// Faults with which a session ends by itself.
        static let passing: [Fault] = [.none, .preparation, .decoding]
    }

    enum QueueKind {
        case immediate, thread
    }

    let session: LiveSession
    let events: TranscriptionEvents
    /// Open when a stuck preparation or decoding has begun.
    let preparationBegan = AsyncGate(), decodingBegan = AsyncGate()

    private let seconds = Counter()
    /// Open when the decoder, which the session's threads hold, is released.
    private let decoderGone: AsyncGate
    private let fault: Fault

    /// One word per second: from 0.3 to 0.7 s of it.
    private static let talk = ScriptedTalk(
        (0..<400).flatMap { _ in [ScriptedTalk.Part.silence(0.3), .word(0.4), .silence(0.3)] })

    init(
        fault: Fault = .none, queue kind: QueueKind = .immediate, limit: Int = 160_000,
        talk: ScriptedTalk = ScriptedSession.talk
    ) {
        self.fault = fault
        let decoderGone = AsyncGate(), preparationBegan = preparationBegan, decodingBegan = decodingBegan
        self.decoderGone = decoderGone
        session = LiveSession(limit: limit) { session in
            let ended = session.ended
            if fault == .stuckPreparation {
                preparationBegan.open()
                ended.waitUntilCancelled()
            }
            if fault == .preparation { throw StenoError(.outOfMemory, "There is no memory.") }
            let decoder = FaultyDecoder(talk, fault, ended, began: decodingBegan, gone: decoderGone)
            decoder.isCancelled = { ended.isCancelled }
            let queue: any DecodingQueue =
                switch kind {
                case .immediate: ImmediateQueue(decoder, cost: { _, _ in 0.1 }, now: { 0 })
                case .thread: ThreadQueue(decoder, ended: ended) { [weak session] in session?.postResult() }
                }
            return LivePipeline(
                LiveOptions(language: "en").with { $0.endpoint = 0.5 }, detector: ScriptedEar(), queue: queue,
                didFinalize: { [weak session] in session?.didFinalize($0) }
            ) { [weak session] in session?.emit($0) }
        }
        events = session.broadcast.events(buffering: .unbounded)
    }

    /// Makes a call; returns whether it succeeded.
    func perform(_ call: Call) async -> Bool {
        do {
            switch call {
            case .start: try await session.start()
            case .append: try await append(after: 0)
            case .gap: try await append(after: 3)
            case .finalize: try await session.finalize(through: nil)
            case .clear: try session.request(.clear)
            case .change: try session.request(.change(SpeechSettings(language: "de", vocabulary: ["Norway"])))
            case .finish: try await session.finish()
            case .cancel: session.cancel()
            }
            return true
        } catch {
            return false
        }
    }

    /// Appends the next second after a gap of some seconds.
    private func append(after gap: Int) async throws {
        let second = seconds.change { next -> Int in
            next += gap + 1
            return next - 1
        }
        let samples = Self.talk.samples(second * 16_000..<(second + 1) * 16_000)
        try await session.append(AudioChunk(position: second * 16_000, samples: samples))
    }

    /// Makes calls one after the other, and checks the end and the text.
    func run(_ calls: [Call]) async throws {
        var made: [(call: Call, succeeded: Bool)] = []
        for call in calls { made.append((call, await perform(call))) }
        try await checkEnd("\(fault) \(calls)", made)
    }

    /// Ends the session if nothing did, waits until its threads are gone, and checks its events.
    ///
    /// - Parameter calls: The calls, if one task made them all: then the text is checked too.
    func checkEnd(
        _ comment: String, _ calls: [(call: Call, succeeded: Bool)]? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        session.cancel()
        let events = await collect(events)
        func expect(_ holds: Bool, _ what: String) {
            if !holds { Issue.record("\(what): \(comment)", sourceLocation: sourceLocation) }
        }
        expect(events.map(\.sequence) == Array(0..<events.count), "numbers have no gap")
        let states = events.compactMap(\.state)
        expect(
            states.count(where: \.isEnd) == 1 && events.last?.state?.isEnd == true, "there is one end, and it is last")
        let order: [TranscriptionState] = [.preparing, .running, .finishing]
        expect(states.dropLast().elementsEqual(order.prefix(max(0, states.count - 1))), "states come in order")
        expectOrder(of: events, Comment(rawValue: comment), sourceLocation: sourceLocation)
        // A decoder exists once the preparation succeeded.
        if states.contains(.running) { await decoderGone.wait() }

        guard let calls, let last = calls.firstIndex(where: { $0 == (.finish, true) }) else { return }
        expect(states.last == .finished, "finish() returned, so the session finished")
        let before = calls[..<last]
        guard !before.contains(where: { $0.call == .clear }) else { return }
        var second = -1
        var spoken: [String] = []
        for (call, succeeded) in before where call == .append || call == .gap {
            second += call == .gap ? 4 : 1
            if succeeded { spoken.append(" w\(second)") }
        }
        let finals = events.flatMap { $0.kind == .final ? $0.segments.flatMap(\.words).map(\.rawText) : [] }
        expect(finals == spoken, "no final is lost: \(finals) of \(spoken)")
    }

    /// Understands the talk, until it fails or gets stuck.
    private final class FaultyDecoder: SpanDecoder {
        var isCancelled: () -> Bool = { false }
        private let model: ScriptedModel
        private let fault: Fault
        private let ended: CancellationFlag
        private let began: AsyncGate, gone: AsyncGate
        private var count = 0

        init(_ talk: ScriptedTalk, _ fault: Fault, _ ended: CancellationFlag, began: AsyncGate, gone: AsyncGate) {
            model = ScriptedModel(talk)
            (self.fault, self.ended, self.began, self.gone) = (fault, ended, began, gone)
        }

        deinit { gone.open() }

        func decode(_ samples: [Float], _ decoding: LiveDecoding) throws -> UtteranceHypothesis {
            count += 1
            if fault == .decoding, count == 2 { throw StenoError(.modelDamaged, "The logits are not finite.") }
            if fault == .stuckDecoding {
                began.open()
                ended.waitUntilCancelled()
                guard isCancelled() else { throw StenoError(.invalidOption, "The decoder does not hear of the end.") }
                throw StenoError(.cancelled, "The transcription was cancelled.")
            }
            return try model.decode(samples, decoding)
        }
    }
}

extension CancellationFlag {
    /// Blocks the thread until the work is to stop.
    fileprivate func waitUntilCancelled() {
        let passed = DispatchSemaphore(value: 0)
        whenCancelled { passed.signal() }
        passed.wait()
    }
}
