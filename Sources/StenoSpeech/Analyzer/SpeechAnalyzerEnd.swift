import Steno

#if canImport(CoreMedia)
    public import CoreMedia
#endif

// MARK: - Finalizing

extension SpeechAnalyzer {
    /// Makes the results of the audio before a time final and returns when the modules have delivered them; the session
    /// continues.
    ///
    /// - Parameter through: The time. If it is in the future, the call waits; nil means the end of all audio so far.
    /// - Throws: `CancellationError` if the session finishes before that time; the error that ended the session.
    public func finalize(through: CMTime?) async throws {
        if try isOver() { return }
        await beginning.current?.value
        let time = through.flatMap { AudioTime($0) }
        if timeline.origin == nil || !areLanesOpen {
            // Without audio there is nothing to do, unless a future time was requested.
            guard time != nil, input != nil else { return }
            await hasAudio.wait(for: 0)
            guard try !isOver() else { throw CancellationError() }
        }
        let seconds = time.flatMap { timeline.seconds(to: $0) }
        for lane in lanes {
            do { try await lane.finalize(through: seconds) } catch {
                // The failure that ended the session is more informative than the end of an engine.
                if case .failed(let failure) = ending { throw failure }
                throw ending == nil ? SFSpeechError.translating(error) : CancellationError()
            }
        }
    }

    /// Stops the analysis of audio before a time, if you no longer need its results.
    ///
    /// This includes audio that has not arrived yet. Some results from before the time may still arrive.
    public func cancelAnalysis(before: CMTime) {
        guard ending == nil, let time = AudioTime(before) else { return }
        timeline.firstWanted = max(timeline.firstWanted ?? time, time)
        guard let seconds = timeline.seconds(to: time) else { return }
        for lane in lanes { try? lane.engine.forget(before: seconds) }
    }
}

// MARK: - Finishing

extension SpeechAnalyzer {
    /// Waits until the input has ended, makes all results final, and finishes the session.
    ///
    /// End the input sequence yourself (`inputBuilder.finish()`). Cancelling the waiting task finishes the session
    /// immediately.
    /// - Throws: The error that ended the session, `CancellationError` if it was cancelled.
    public func finalizeAndFinishThroughEndOfInput() async throws {
        if try isOver() { return }
        try await waitForInput()
        try await finishLanes()
    }

    /// Makes the results of the audio before a time final, and finishes the session; later audio is not analysed.
    ///
    /// - Parameter through: The time. If it is in the future, the call waits while there is input.
    /// - Throws: As ``finalizeAndFinishThroughEndOfInput()``.
    public func finalizeAndFinish(through: CMTime) async throws {
        if try isOver() { return }
        guard let time = AudioTime(through) else { return try await finalizeAndFinishThroughEndOfInput() }
        guard let end = timeline.endTime, end > time else {
            timeline.limit = time
            try await waitForInput()
            return try await finishLanes()
        }
        input?.cancel()
        try await finalize(through: through)
        await cancelAndFinishNow()
    }

    /// Finishes the session once the audio before a time has arrived, without waiting for results that are not final.
    ///
    /// - Throws: As ``finalizeAndFinishThroughEndOfInput()``.
    public func finish(after: CMTime) async throws {
        if try isOver() { return }
        if let time = AudioTime(after), timeline.endTime.map({ $0 < time }) ?? true {
            timeline.limit = time
            try await waitForInput()
        }
        await cancelAndFinishNow()
    }

    /// Finishes the session immediately: results that are not final are lost, and the modules' results have ended when
    /// it returns.
    public func cancelAndFinishNow() async {
        guard ending == nil else { return }
        await end(.finished)
    }

    /// Finishes the session with an error, which the modules' results throw.
    func fail(_ error: SFSpeechError) async {
        guard ending == nil else { return }
        await end(.failed(error))
    }

    /// Whether the session is finished.
    ///
    /// - Throws: The error that ended it.
    private func isOver() throws -> Bool {
        if case .failed(let error) = ending { throw error }
        return ending != nil
    }

    private func waitForInput() async throws {
        await beginning.current?.value
        if try isOver() { throw CancellationError() }
        guard let input else { return }
        do {
            try await withTaskCancellationHandler {
                _ = try await input.value
            } onCancel: {
                Task { await self.cancelAndFinishNow() }
            }
        } catch let error as SFSpeechError {
            // If its models could not be loaded, another input could be tried, but none will follow.
            await fail(error)
            throw error
        }
        // The session was finished meanwhile.
        guard ending == nil else { throw CancellationError() }
    }

    /// Decodes the last words.
    private func finishLanes() async throws {
        do {
            for lane in lanes { try await lane.engine.finish() }
        } catch {
            if case .failed(let failure) = ending { throw failure }
            guard ending == nil, !(error is CancellationError) else {
                await cancelAndFinishNow()
                throw CancellationError()
            }
            await fail(SFSpeechError(error))
            throw SFSpeechError(error)
        }
        if try !isOver() { await end(.finished) }
    }

    private func end(_ ending: Ending) async {
        self.ending = ending
        input?.cancel()
        input = nil
        hasAudio.end()
        let (lanes, modules) = (lanes, ownModules)
        (self.lanes, loaded) = ([], [:])
        // With an error the results end before the engines do, which would end them without it.
        if case .failed(let error) = ending { for module in modules { module.finish(throwing: error) } }
        for lane in lanes { await lane.engine.cancel() }
        for lane in lanes { await lane.reading.value }
        for module in modules { module.finish(throwing: nil) }
    }
}
