import Foundation
import Steno

#if canImport(AVFoundation)
    public import AVFoundation
    public import CoreMedia
#endif

// MARK: - Sequences

extension SpeechAnalyzer {
    /// Starts analysing a sequence of inputs, and returns when the models are loaded.
    ///
    /// Even while they load, the sequence is the current input: a finishing call waits for its end. The session
    /// continues after the sequence ends, until another input or a finishing call follows.
    /// - Throws: ``SFSpeechError``: `analyzerState` if another input is being read or the session is finished;
    ///   otherwise as ``prepareToAnalyze(in:)`` does. Later failures are thrown by the modules' results.
    public func start<InputSequence>(inputSequence: InputSequence) async throws
    where InputSequence: Sendable, InputSequence: AsyncSequence, InputSequence.Element == AnalyzerInput {
        try await prepared(try read(inputSequence))
    }

    /// Analyses a sequence of inputs, and returns when it has read all of them.
    ///
    /// The last results may still be pending: ``finalizeAndFinish(through:)`` waits for them. Cancelling the waiting
    /// task stops reading, and the session continues.
    /// - Returns: The end of the audio; nil if there was none.
    /// - Throws: As ``start(inputSequence:)`` does, and errors while reading the sequence.
    public func analyzeSequence<InputSequence>(_ inputSequence: InputSequence) async throws -> CMTime?
    where InputSequence: Sendable, InputSequence: AsyncSequence, InputSequence.Element == AnalyzerInput {
        try await read(inputSequence).task.childValue
    }

    private func read<InputSequence>(_ sequence: InputSequence) throws -> InputReading
    where InputSequence: Sendable, InputSequence: AsyncSequence, InputSequence.Element == AnalyzerInput {
        try read { [weak self] in
            for try await input in sequence {
                // Nothing retains the analyzer between two inputs, so that an unreferenced one ends.
                guard let analyzer = self else { throw CancellationError() }
                guard try await analyzer.take(input) else { break }
            }
        }
    }

    /// Takes the next input; returns false if no more is wanted.
    private func take(_ input: AnalyzerInput) async throws -> Bool {
        try checkOpen()
        try await append(try timeline.take(input))
        return !timeline.isComplete
    }
}

// MARK: - Files

extension SpeechAnalyzer {
    /// Creates an analyzer and starts analysing a file.
    ///
    /// - Parameters:
    ///   - inputAudioFile: The file, from its `framePosition` on.
    ///   - modules: As in ``init(modules:options:)``.
    ///   - options: As in ``init(modules:options:)``.
    ///   - analysisContext: Words to expect.
    ///   - finishAfterFile: Whether to finish the session after the file.
    ///   - volatileRangeChangedHandler: As in ``setVolatileRangeChangedHandler(_:)``.
    /// - Throws: As ``start(inputAudioFile:finishAfterFile:)``.
    public init(
        inputAudioFile: sending AVAudioFile, modules: [any SpeechModule], options: Options? = nil,
        analysisContext: AnalysisContext = .init(), finishAfterFile: Bool = false,
        volatileRangeChangedHandler: sending ((CMTimeRange, Bool, Bool) -> Void)? = nil
    ) async throws {
        self.init(modules: modules, options: options)
        vocabulary = analysisContext
        volatile.setHandler(volatileRangeChangedHandler)
        try await start(FilePart(inputAudioFile), finishAfterFile: finishAfterFile)
    }

    /// Starts analysing a file, and returns when the models are loaded.
    ///
    /// - Parameters:
    ///   - audioFile: The file, from its `framePosition` on.
    ///   - finishAfterFile: Whether to finish the session after the file.
    /// - Throws: As ``start(inputSequence:)`` does. Later failures are thrown by the modules' results.
    public nonisolated(nonsending) func start(
        inputAudioFile audioFile: AVAudioFile, finishAfterFile: Bool = false
    ) async throws {
        try await start(FilePart(audioFile), finishAfterFile: finishAfterFile)
    }

    /// Analyses a file, and returns when it has read all of it.
    ///
    /// - Parameter audioFile: The file, from its `framePosition` on. It is opened a second time, so the position does
    ///   not change.
    /// - Returns: The end of the audio; nil if there was none.
    /// - Throws: As ``analyzeSequence(_:)``.
    public nonisolated(nonsending) func analyzeSequence(from audioFile: AVAudioFile) async throws -> CMTime? {
        try await analyze(FilePart(audioFile))
    }

    private func start(_ file: FilePart, finishAfterFile: Bool) async throws {
        let reading = try read(file)
        try await prepared(reading)
        guard finishAfterFile else { return }
        Task(priority: options.priority) {
            _ = try await reading.task.value
            try await finalizeAndFinishThroughEndOfInput()
        }
    }

    private func analyze(_ file: FilePart) async throws -> CMTime? { try await read(file).task.childValue }

    private func read(_ file: FilePart) throws -> InputReading {
        let (start, skipped) = (timeline.end, file.firstSample)
        let reading = try read { [weak self] in
            for try await chunk in try await FileSource(file.url, pace: .unlimited, chunkDuration: 1).start() {
                guard let chunk = chunk.dropping(skipped) else { continue }
                guard let analyzer = self else { throw CancellationError() }
                guard try await analyzer.take(chunk, from: start) else { break }
            }
        }
        // Reading a file waits for decoding, so the text is the same on every run.
        if !areLanesOpen { pace = .fast }
        return reading
    }

    private func take(_ chunk: AudioChunk, from start: Int) async throws -> Bool {
        try checkOpen()
        try await append(timeline.take(chunk, from: start))
        return !timeline.isComplete
    }
}

private struct FilePart: Sendable {
    let url: URL
    /// The first sample, at 16 kHz.
    let firstSample: Int

    init(_ file: AVAudioFile) {
        url = file.url
        firstSample = max(0, Double(file.framePosition) / file.processingFormat.sampleRate).samples
    }
}

extension AudioChunk {
    /// The chunk without the first samples of the file, with its position counted from the first one kept; nil if none
    /// is left.
    fileprivate func dropping(_ count: Int) -> AudioChunk? {
        guard count > 0 else { return self }
        let dropped = min(samples.count, max(0, count - position))
        guard dropped < samples.count else { return nil }
        return AudioChunk(position: position + dropped - count, samples: Array(samples[dropped...]))
    }
}

// MARK: - Reading

/// The work on one input: loading the models, and then reading it.
private struct InputReading {
    /// The task that loads the models.
    let preparing: Task<Void, any Error>
    /// The task that waits for the models and reads the input; its value is the end of the audio.
    let task: Task<CMTime?, any Error>
}

extension SpeechAnalyzer {
    /// Makes an input the current one, and loads the models before reading it.
    ///
    /// The input counts from now on, not from the end of loading: audio fed while the models load belongs to the
    /// session, and finishing waits for it.
    ///
    /// - Parameter feed: Takes the input's audio, to its end.
    private func read(_ feed: @escaping @Sendable () async throws -> Void) throws -> InputReading {
        try checkIdle()
        let preparing = Task(priority: options.priority) { try await prepareInput() }
        let task = Task(priority: options.priority) { [weak self] () -> CMTime? in
            try await preparing.childValue
            do {
                try await feed()
                try Task.checkCancellation()
                return try await self?.endInput()
            } catch { throw await self?.endInput(after: error) ?? error }
        }
        input = task
        return InputReading(preparing: preparing, task: task)
    }

    /// Loads the models of an input; when that fails, another input may be tried.
    private func prepareInput() async throws {
        do { try await prepare() } catch {
            input = nil
            // There will be no audio to wait for.
            hasAudio.end()
            if ending == nil { hasAudio = Milestone() }
            throw error
        }
    }

    /// Waits until the models of an input are loaded; cancelling the waiting task ends the reading.
    private func prepared(_ reading: InputReading) async throws {
        do { try await reading.preparing.childValue } catch is CancellationError where !Task.isCancelled {
            // The session has ended meanwhile.
            try checkOpen()
            throw CancellationError()
        }
    }

    /// Throws when the session is finished or reads an input.
    private func checkIdle() throws {
        try checkOpen()
        guard input == nil else {
            throw SFSpeechError(
                .analyzerState,
                "The analyzer is already reading an input, and it reads one at a time. Wait for it to end, or make a "
                    + "second analyzer.")
        }
    }

    /// Gives audio to every module.
    private func append(_ chunks: [AudioChunk]) async throws {
        guard !chunks.isEmpty, let origin = timeline.origin else { return }
        // In its own task: engines whose start was cancelled have ended, so the next input could not use them.
        try await Task { try await openLanes() }.value
        for chunk in chunks {
            for lane in lanes { try await lane.engine.append(chunk) }
        }
        volatile.take(to: timeline.end, origin: origin)
    }

    /// Ends the input that was read; returns the end of the audio.
    private func endInput() async throws -> CMTime? {
        try await append(timeline.endSequence())
        input = nil
        return timeline.endTime.map { CMTime($0) }
    }

    /// Ends the input after an error, which ends the session unless the reading was cancelled; returns what to throw.
    private func endInput(after error: any Error) async -> any Error {
        if ending == nil, error is CancellationError {
            // The session continues with another input, which may have another format.
            try? await append(timeline.endSequence())
        }
        input = nil
        if case .failed(let earlier) = ending { return earlier }
        guard ending == nil else { return CancellationError() }
        guard let failure = SFSpeechError.translating(error) as? SFSpeechError else { return error }
        await fail(failure)
        return failure
    }
}
