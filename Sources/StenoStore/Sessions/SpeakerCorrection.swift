#if Store
    import Steno

    enum SpeakerCorrection: Sendable {
        /// A live session's corrections to the segments before a number; later segments had the right labels from the
        /// start.
        case changes([SpeakerChange], before: Int)
        /// The speakers of segments, for readers that missed the corrections.
        case labels([LiveSegment])

        struct Stored {
            let number: Int
            let content: SegmentContent
        }

        /// Words may extend beyond their segment by less than this, in seconds.
        private static let margin = 1.0

        /// The numbers of the segments that it may change; nil if there are none.
        var numbers: ClosedRange<Int>? {
            switch self {
            case .changes(_, let end): return end > 0 ? 0...(end - 1) : nil
            case .labels(let segments):
                let numbers = segments.map(\.id)
                guard let first = numbers.min(), let last = numbers.max() else { return nil }
                return first...last
            }
        }

        /// Whether it may affect the text between two times.
        func concerns(_ start: Double, _ end: Double) -> Bool {
            guard case .changes(let changes, _) = self else { return true }
            return changes.contains { change in
                let changeEnd = change.end ?? .infinity
                return change.start <= end + Self.margin && start <= changeEnd + Self.margin
            }
        }

        /// The words of segments with the right speakers.
        func words(of stored: [Stored]) -> [[Word]] {
            switch self {
            case .changes(let changes, _):
                // Applied as by every other reader of the session.
                var text = LiveTranscript(stored: stored.map(\.segment), position: 0)
                text.apply(.init(.speakers(changes), position: 0))
                return text.finals.map(\.words)
            case .labels(let segments):
                let known = Dictionary(segments.map { ($0.id, $0.words) }) { _, last in last }
                return stored.map { Self.labelled($0.content.words, as: known[$0.number] ?? []) }
            }
        }

        /// Words with the speakers of others, if their numbers are equal.
        private static func labelled(_ words: [Word], as others: [Word]) -> [Word] {
            guard words.count == others.count else { return words }
            var labelled = words
            for index in labelled.indices { labelled[index].speaker = others[index].speaker }
            return labelled
        }
    }

    extension SpeakerCorrection.Stored {
        /// The parts of a live segment that its words need.
        fileprivate var segment: LiveSegment {
            LiveSegment(id: number, start: 0, end: 0, text: "", isFinal: true, words: content.words)
        }
    }
#endif
