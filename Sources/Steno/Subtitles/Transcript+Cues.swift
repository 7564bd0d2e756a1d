import StenoCore

extension Transcript {
    /// Cuts the transcript into cues, in the order of their times; no text is lost and no word comes twice.
    ///
    /// - Parameter options: Where lines and cues end; without any, a cue is a segment.
    public func cues(_ options: SubtitleOptions = SubtitleOptions()) -> [Cue] {
        if let splitting = options.splitting { return CueSplitter(self, splitting).cues() }
        // As openai-whisper does: once there are words, their times are the cue's.
        guard options.needsWords || segments.first?.words != nil else { return segments.map(Cue.init) }
        return OpenAIWhisperLayout.cues(of: segments.map(\.timedWords), options)
    }
}

extension Cue {
    /// A whole segment as a cue.
    fileprivate init(_ segment: Segment) {
        let word = CueWord(text: segment.text.strippingWhitespace, start: segment.start, end: segment.end)
        self.init(start: segment.start, end: segment.end, lines: [[word]])
    }
}
