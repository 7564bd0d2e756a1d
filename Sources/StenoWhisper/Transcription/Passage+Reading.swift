import StenoCore

extension Passage {
    /// A decoded window whose encoding is still in its lane.
    struct Window {
        /// The window's frames, all of them audio.
        var frames: Range<Int>
        /// The number of frames in the whole recording, if known.
        var content: Int?
        var lane: WindowLane
    }

    /// Converts a window's result to segments, without changing the passage.
    func read(_ result: WindowText, _ window: Window) throws -> WindowSegments {
        let seek = window.frames.lowerBound, end = window.frames.upperBound
        let isDoubtful = presence?.isWithoutSpeech == true && plan.thresholds.isDoubtful(result.quality)
        guard !plan.thresholds.isSilence(result.quality), !isDoubtful else { return WindowSegments(next: end) }
        var (drafts, next, isComplete) = plan.splitter.split(
            result.tokens, seek: seek, size: window.frames.count, isRest: !known.isEmpty)
        // Without timestamp rules the last pair may be at 0.00 s; the window still counts as done.
        if next <= seek { next = end }
        var lastWordEnd: Double?
        if options.findsWords {
            let stamped = drafts
            try addWords(to: &drafts, window)
            if whisper.guards != nil {
                for index in drafts.indices { drafts[index].spreadWords(ifAtOneMomentOver: stamped[index]) }
            }
            if !isComplete, let end = drafts.lastWordEnd, end > seconds(seek) { next = frame(end) }
            switch hallucinationVerdict(drafts, window) {
            case .keep: break
            case .restart(let frame): return WindowSegments(next: frame)
            case .cut(let index, let frame):
                drafts.removeSubrange(index...)
                next = frame
            }
            lastWordEnd = drafts.lastWordEnd
        }
        return WindowSegments(
            segments: drafts.compactMap { segment($0, result, seek: seek) }, next: next, lastSpeech: lastWordEnd,
            endsContext: !whisper.conditionOnPreviousText || result.temperature > whisper.promptResetOnTemperature)
    }

    private func addWords(to drafts: inout [SegmentDraft], _ window: Window) throws {
        let endOfText = model.tokenizer.specialTokens.endOfText
        let text = drafts.flatMap(\.tokens).filter { $0 < endOfText }
        // Without timestamps the prompt's last token is not part of the sequence, because alignment adds it itself.
        let start = whisper.withoutTimestamps ? sequence.dropLast() : sequence[...]
        let aligned = try window.lane.align(
            text, sequence: Array(start), frames: window.frames.count, language: language)
        WordTiming(aligned, merger: plan.merger).attach(
            to: &drafts, offset: seconds(window.frames.lowerBound), lastSpeech: lastSpeech, endOfText: endOfText)
    }

    private func hallucinationVerdict(_ drafts: [SegmentDraft], _ window: Window) -> HallucinationFilter.Verdict {
        guard let threshold = whisper.hallucinationSilenceThreshold else { return .keep }
        let frames = window.frames
        return HallucinationFilter(threshold: threshold).verdict(
            drafts, window: seconds(frames.lowerBound)..<seconds(frames.upperBound),
            fullWindowEnd: seconds(frames.lowerBound + plan.windowFrames), lastSpeech: lastSpeech,
            content: window.content)
    }

    /// The draft's segment; nil if it has no duration or no text.
    private func segment(_ draft: SegmentDraft, _ result: WindowText, seek: Int) -> Segment? {
        let text = model.tokenizer.decode(draft.tokens)
        guard draft.start != draft.end, !text.trimmingWhitespace.isEmpty else { return nil }
        return Segment(
            id: 0, start: draft.start, end: draft.end, text: text,
            language: plan.detectsEveryLanguage ? language : nil, words: draft.words,
            whisper: WhisperSegmentDetails(
                seek: seek, tokens: draft.tokens, temperature: result.temperature,
                averageLogProbability: result.quality.averageLogProbability,
                compressionRatio: result.quality.compressionRatio,
                noSpeechProbability: result.quality.noSpeechProbability))
    }

    private func seconds(_ frame: Int) -> Double { Double(frame) / 100 }

    private func frame(_ seconds: Double) -> Int { Int((seconds * 100).rounded(.toNearestOrEven)) }
}
