import StenoCore

/// Decodes the windows of recordings, sequentially or as batches, of one recording or of several.
///
/// Each lane of the decoder has one window. When its text is complete, the lane gets the next window of its passage,
/// otherwise of another passage of an open recording, otherwise of the next recording. The results do not depend on the
/// number of lanes. Recordings may have their own options, as long as these need no more hypotheses than the loop's
/// plan.
final class TranscriptionLoop {
    /// Opens the next recording; nil when there are no more, or none now.
    ///
    /// If `waits` is true there is nothing else to do, so it may wait for a recording; nil then ends the loop.
    typealias Opener = (_ waits: Bool) throws -> Transcription?
    /// Receives a recording that is finished or has failed.
    typealias Ending = (Transcription, (any Error)?) -> Void

    /// A passage whose next window is being decoded.
    private struct Job {
        let audio: Transcription
        let passage: Passage
        var window: (frames: Range<Int>, attempts: WindowAttempts)?
    }

    private let plan: TranscriptionPlan
    private let decoder: WindowDecoder
    private let isCancelled: () -> Bool
    private let open: Opener
    private let end: Ending
    private var recordings: [Transcription] = []
    private var jobs: [Job?]

    init(
        _ plan: TranscriptionPlan, isCancelled: @escaping () -> Bool, open: @escaping Opener, end: @escaping Ending
    ) throws {
        (self.plan, self.isCancelled, self.open, self.end) = (plan, isCancelled, open, end)
        decoder = try WindowDecoder(
            plan.model, hypotheses: plan.whisper.hypotheses, lanes: plan.lanes, isCancelled: isCancelled)
        jobs = Array(repeating: nil, count: plan.lanes)
    }

    /// Decodes until there are no more recordings.
    ///
    /// - Throws: ``StenoError`` with code `cancelled`; any other error ends only the recording it belongs to.
    func run() throws {
        while true {
            // Waits for a recording if there is nothing to decode.
            for lane in jobs.indices { try fill(lane) }
            guard jobs.contains(where: { $0 != nil }) else { return }
            try step()
            for lane in jobs.indices { reportPosition(lane) }
            for lane in jobs.indices { try collect(lane) }
        }
    }

    /// One pass of the decoder, whose time is divided among the recordings that take part in it.
    private func step() throws {
        let start = ContinuousClock.now
        try decoder.step()
        // Without a copy of the jobs: this runs for every token.
        let share = (ContinuousClock.now - start) / .seconds(max(1, jobs.count { $0 != nil }))
        for case let job? in jobs { job.audio.seconds += share }
    }

    private func fill(_ lane: Int) throws {
        while jobs[lane]?.window == nil {
            guard let job = try jobs[lane] ?? nextJob(lane) else { return }
            jobs[lane] = job
            try attempt(job.audio) {
                if let frames = try job.audio.encodeWindow(of: job.passage, in: decoder.lanes[lane]) {
                    start(frames, of: job.passage, lane)
                } else {
                    jobs[lane] = nil
                    try closeIfFinished(job.audio)
                }
            }
        }
    }

    /// Starts the search for the text of the window that a lane has encoded.
    private func start(_ frames: Range<Int>, of passage: Passage, _ lane: Int) {
        let attempts = WindowAttempts(
            plan.model, passage.prompt(at: frames.lowerBound), rules: passage.plan.rules, options: passage.whisper,
            seek: frames.lowerBound, known: passage.known.count)
        decoder.lanes[lane].start(attempts.request)
        jobs[lane]?.window = (frames, attempts)
    }

    /// Reports how far the text of a lane's window has come, so that progress is smooth within a window too.
    private func reportPosition(_ lane: Int) {
        guard let job = jobs[lane], let frames = job.window?.frames else { return }
        job.audio.report(decoder.lanes[lane].position(in: frames), of: job.passage)
    }

    /// Adds a completed text to its passage, or starts another attempt.
    private func collect(_ lane: Int) throws {
        guard let job = jobs[lane], let window = job.window else { return }
        let frames = window.frames
        var attempts = window.attempts
        try attempt(job.audio) {
            guard let found = try decoder.lanes[lane].found() else { return }
            let silence = decoder.lanes[lane].noSpeechProbability
            if let result = attempts.accept(found, noSpeechProbability: silence) {
                jobs[lane]?.window = nil
                let isDone = try job.audio.add(result, of: frames, to: job.passage, decodedIn: decoder.lanes[lane])
                if !isDone { start(frames, of: job.passage, lane) }
            } else {
                decoder.lanes[lane].start(attempts.request)
                jobs[lane]?.window = (frames, attempts)
            }
        }
    }

    /// The next passage of an open recording, otherwise of one that is opened now.
    private func nextJob(_ lane: Int) throws -> Job? {
        for audio in recordings {
            var passage: Passage?
            try attempt(audio) { passage = try audio.nextPassage() }
            if let passage { return Job(audio: audio, passage: passage) }
        }
        while let audio = try open(recordings.isEmpty) {
            recordings.append(audio)
            var passage: Passage?
            try attempt(audio) {
                try audio.start(in: decoder.lanes[lane])
                passage = try audio.nextPassage()
                if passage == nil { try closeIfFinished(audio) }
            }
            if let passage { return Job(audio: audio, passage: passage) }
        }
        return nil
    }

    private func closeIfFinished(_ audio: Transcription) throws {
        if try audio.isFinished() { close(audio, nil) }
    }

    /// Runs work for one recording: an error ends only that recording, unless everything was cancelled.
    private func attempt(_ audio: Transcription, _ work: () throws -> Void) throws {
        do {
            let start = ContinuousClock.now
            defer { audio.seconds += (ContinuousClock.now - start) / .seconds(1) }
            try work()
        } catch let error as StenoError where error.code == .cancelled {
            throw error
        } catch {
            // An interrupted source fails with errors of its own, so cancellation is checked first.
            try ensure(!isCancelled(), or: .cancelled, "The transcription was cancelled.")
            for lane in jobs.indices where jobs[lane]?.audio === audio {
                decoder.lanes[lane].cancel()
                jobs[lane] = nil
            }
            close(audio, error)
        }
    }

    private func close(_ audio: Transcription, _ error: (any Error)?) {
        recordings.removeAll { $0 === audio }
        end(audio, error)
    }
}
