public import StenoCore

/// The content of a live text view: all final text, followed by the partial text.
///
///     for await event in session.events {
///         if transcript.apply(event) { text.show(transcript.text) }
///     }
///
/// It is a value, so keep it in a view's state. The cost of adding text does not depend on the length of the
/// transcript.
public struct LiveTranscript: Sendable, Hashable {
    /// How an event changes the final text, for readers that write text as it becomes final.
    package enum FinalChange: Sendable, Hashable {
        case none
        /// Punctuation (if not empty) joins the last word, and then these segments follow.
        case append(mark: String, [LiveSegment])
        /// These segments replace all of it.
        case replace([LiveSegment])
    }

    /// The final segments, in order; new ones are appended, and their text stays until the session is cleared.
    ///
    /// Punctuation may join the text of the last one at the end of its utterance.
    public private(set) var finals: [LiveSegment] = []
    /// The partial segments after them; a new partial event replaces them all.
    public private(set) var partials: [LiveSegment] = []
    /// The text of the final segments.
    public private(set) var finalText = ""
    /// The partial text after it.
    public private(set) var partialText = ""
    /// The last detected language.
    public private(set) var language: LanguageDetection?
    /// The seconds of audio heard.
    package private(set) var position = 0.0
    /// The state of the session.
    public private(set) var state = TranscriptionState.idle
    /// The id of the session's first segment; segments with smaller ids belong to the session that it continues.
    private var firstSegment = 0

    /// Creates an empty transcript.
    public init() {}

    /// All text, including the partial text at the end.
    public var text: String { finalText + (finalText.isEmpty ? String(partialText.trimmingPrefix(" ")) : partialText) }

    /// All segments; a partial one keeps its id when it becomes final, so a list does not flicker.
    public var segments: [LiveSegment] { finals + partials }

    /// Applies an event; returns whether the text changed.
    @discardableResult
    public mutating func apply(_ event: TranscriptionEvent) -> Bool { update(with: event).isNews }

    /// Applies an event; returns whether the text changed, and how the final text did.
    package mutating func update(with event: TranscriptionEvent) -> (isNews: Bool, finals: FinalChange) {
        if case .snapshot(let snapshot) = event.payload { return replace(with: snapshot) }
        position = max(position, event.position)
        switch event.payload {
        case .final(let text, let segments, let rest):
            finals += segments
            finalText += finalText.isEmpty ? String(text.trimmingPrefix(" ")) : text
            partials = rest
            partialText = event.partialText
            return (true, segments.isEmpty ? .none : .append(mark: "", segments))
        case .partial(let text, let segments):
            guard text != partialText else { break }
            partials = segments
            partialText = text
            return (true, .none)
        case .utteranceEnd(let index, let mark):
            guard !mark.isEmpty, let last = finals.indices.last, finals[last].utterance == index else { break }
            finals[last].join(mark)
            finalText += mark
            return (true, .append(mark: mark, []))
        case .cleared:
            let hadText = !finals.isEmpty || !partialText.isEmpty
            (finals, partials, finalText, partialText) = ([], [], "", "")
            // A snapshot that follows replaces the text of earlier sessions, too.
            firstSegment = 0
            return (hadText, .replace([]))
        case .language(let detection): language = detection
        case .state(let state): self.state = state
        case .speakers(let changes):
            for change in changes { change.apply(to: &finals) }
        default: break
        }
        return (false, .none)
    }

    /// Replaces the text of the session with that of a snapshot; text of an earlier session, which the snapshot lacks,
    /// stays.
    private mutating func replace(with snapshot: LiveTranscript) -> (isNews: Bool, finals: FinalChange) {
        let earlier = finals.prefix { $0.id < snapshot.firstSegment }
        let change = Self.change(from: finals[earlier.count...], to: snapshot.finals)
        let before = (finalText, partialText)
        guard !earlier.isEmpty else {
            self = snapshot
            return ((finalText, partialText) != before, change)
        }
        finals = earlier + snapshot.finals
        finalText = String(finals.map(\.text).joined().trimmingPrefix(" "))
        (partials, partialText) = (snapshot.partials, snapshot.partialText)
        language = snapshot.language ?? language
        position = max(position, snapshot.position)
        state = snapshot.state
        let isNews = (finalText, partialText) != before
        if case .replace = change { return (isNews, .replace(finals)) }
        return (isNews, change)
    }

    /// What is new in the final text of a snapshot.
    private static func change(from known: ArraySlice<LiveSegment>, to now: [LiveSegment]) -> FinalChange {
        guard let last = known.last else { return now.isEmpty ? .none : .append(mark: "", now) }
        guard now.count >= known.count, now[known.count - 1].continues(last) else { return .replace(now) }
        let mark = now[known.count - 1].mark(after: last.text)
        return mark.isEmpty && now.count == known.count
            ? .none : .append(mark: mark, Array(now[known.count...]))
    }

    /// The final text as a transcript, with one segment per utterance and speaker, for subtitles or JSON.
    ///
    /// - Parameter given: The language code; nil for the detected one.
    public func transcript(language given: String? = nil) -> Transcript {
        var segments: [Segment] = []
        var utterance: Int?
        for final in finals.flatMap(\.bySpeaker) {
            if final.utterance == utterance, let last = segments.indices.last, segments[last].speaker == final.speaker {
                segments[last].append(final)
            } else {
                segments.append(Segment(final, id: segments.count))
            }
            utterance = final.utterance
        }
        return Transcript(
            language: given ?? language?.language ?? "",
            languageProbability: given == nil ? language?.probability ?? 0 : 1,
            duration: position, segments: segments)
    }

    init(from start: SessionStart) { firstSegment = start.segment }

    /// Restores the stored text of an ended session.
    package init(stored finals: [LiveSegment], position: Double) {
        self.init(finals: finals, partials: [], language: nil, position: position, state: .finished)
    }

    /// Restores a snapshot.
    init(
        finals: [LiveSegment], partials: [LiveSegment], language: LanguageDetection?, position: Double,
        state: TranscriptionState
    ) {
        self.finals = finals
        self.partials = partials
        finalText = String(finals.map(\.text).joined().trimmingPrefix(" "))
        partialText = partials.map(\.text).joined()
        self.language = language
        self.position = position
        self.state = state
    }
}

extension Segment {
    /// A live segment, without the details of a whole window's decoding.
    fileprivate init(_ live: LiveSegment, id: Int) {
        self.init(id: id, start: live.start, end: live.end, text: live.text, words: live.words, speaker: live.speaker)
    }

    fileprivate mutating func append(_ live: LiveSegment) {
        end = max(end, live.end)
        text += live.text
        words = (words ?? []).continued(by: live.words)
    }
}
