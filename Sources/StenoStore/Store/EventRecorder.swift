#if Store
    package import Steno

    /// Stores the text of events; text that could not be stored is retried with the next final text.
    package struct EventRecorder {
        private let writer: SessionWriter
        private let onFailure: @Sendable (any Error) -> Void
        private let onLoss: @Sendable () -> Void
        private var live = LiveTranscript()
        private var missing: [(segment: LiveSegment, language: String?)] = []
        /// Punctuation to append to the last stored segment.
        private var mark = ""
        private var mustClear = false
        /// Speaker labels still to be corrected in the stored text.
        private var corrections: [SpeakerCorrection] = []
        private var log = ClearedLog()
        private var language: String?
        /// The language of the session, until it is stored.
        private var newLanguage: String?
        private var partial = ""
        /// The number of segments stored at once, so that on a full disk each word does not retry an hour of text.
        private static let most = 64
        private var isFailing = false
        private var position = 0.0
        /// The position from which partial text is stored again: once a second is enough, and spares the disk.
        private var nextPartial = 0.0

        /// - Parameters:
        ///   - onFailure: Called once per period of failure when text cannot be stored, or cannot be removed from the
        ///     log.
        ///   - onLoss: Also called when text cannot be stored.
        package init(
            _ writer: SessionWriter, onFailure: @escaping @Sendable (any Error) -> Void,
            onLoss: @escaping @Sendable () -> Void = {}
        ) { (self.writer, self.onFailure, self.onLoss) = (writer, onFailure, onLoss) }

        /// Takes the next event; returns when its text is on disk or could not be stored.
        package mutating func take(_ event: TranscriptionEvent) async {
            position = max(position, event.position)
            await noteLanguage(event.language ?? event.snapshot?.language)
            let rest = event.snapshot?.partialText ?? event.partialText
            switch live.update(with: event).finals {
            case .append(let mark, let segments):
                partial = rest
                noteSpeakers(event, new: segments.count)
                join(mark)
                add(segments)
                await store()
            case .replace(let segments):
                partial = rest
                (mustClear, mark, missing, corrections) = (true, "", [], [])
                add(segments)
                await store()
            case .none:
                if noteSpeakers(event) { await store() }
                if event.kind == .partial || event.snapshot != nil { await take(partial: rest, at: event.position) }
            }
        }

        /// Stores the rest, and marks the session as finished if its events are complete; otherwise it was interrupted.
        ///
        /// - Parameter isWhole: Whether the events were meant to end there, even without an end event.
        /// - Returns: Whether everything is stored, and cleared text is gone from the files.
        package mutating func finish(isWhole: Bool = false) async -> Bool {
            if isBehind { await store() }
            await log.empty(of: writer, onFailure)
            guard !isBehind else { return false }
            guard live.state.isEnd || isWhole else { return log.isEmpty }
            let duration = position
            return await attempt { try await $0.finish(duration: duration) } && log.isEmpty
        }

        /// Whether something has not reached the disk.
        private var isBehind: Bool {
            mustClear || !mark.isEmpty || !missing.isEmpty || !corrections.isEmpty || newLanguage != nil
        }

        private mutating func join(_ mark: String) {
            if let last = missing.indices.last { missing[last].segment.join(mark) } else { self.mark += mark }
        }

        private mutating func add(_ segments: [LiveSegment]) {
            for segment in segments { missing.append((segment, language)) }
        }

        /// Records the speakers that an event corrects in earlier text.
        ///
        /// - Parameter new: The number of segments at the end of a snapshot that are not stored yet.
        /// - Returns: Whether there are corrections.
        @discardableResult
        private mutating func noteSpeakers(_ event: TranscriptionEvent, new: Int = 0) -> Bool {
            if !event.speakerChanges.isEmpty {
                let next = live.finals.last.map { $0.id + 1 } ?? 0
                corrections.append(.changes(event.speakerChanges, before: next))
                return true
            }
            // A reader that fell behind gets the corrected labels instead of the corrections.
            guard let known = event.snapshot?.finals.dropLast(new),
                known.contains(where: { segment in segment.words.contains { $0.speaker != nil } })
            else { return false }
            corrections = [.labels(Array(known))]
            return true
        }

        private mutating func noteLanguage(_ detection: LanguageDetection?) async {
            guard let detection else { return }
            if language == nil { newLanguage = detection.language }
            language = detection.language
            await storeLanguage()
        }

        private mutating func storeLanguage() async {
            guard let code = newLanguage else { return }
            guard await attempt({ try await $0.setLanguage(code) }) else { return }
            newLanguage = nil
            noteSuccess()
        }

        private mutating func storeSpeakers() async {
            while let first = corrections.first {
                guard await attempt({ try await $0.correct(first) }) else { return }
                corrections.removeFirst()
            }
        }

        private mutating func take(partial text: String, at time: Double) async {
            partial = text
            guard time >= nextPartial else { return }
            nextPartial = time + 1
            await attempt { try await $0.setPartial(text) }
        }

        private mutating func store() async {
            if mustClear {
                let position = position
                guard await attempt({ try await $0.removeContent(at: position) }) else { return }
                mustClear = false
                log.noteClearing(at: position)
            }
            await storeLanguage()
            if !mark.isEmpty {
                let mark = mark
                guard await attempt({ try await $0.join(mark) }) else { return }
                self.mark = ""
            }
            while let first = missing.first {
                let batch = missing.prefix(Self.most).prefix { $0.language == first.language }.map { $0.segment }
                let partial = partial
                guard await attempt({ try await $0.append(batch, language: first.language, partial: partial) }) else {
                    return
                }
                missing.removeFirst(batch.count)
            }
            // After the text, which matters more when space is short.
            await storeSpeakers()
            noteSuccess()
            await log.empty(of: writer, at: position, onFailure)
        }

        /// A failure is over only when everything is stored: a partial text may fit where a longer final text does not.
        private mutating func noteSuccess() { if !isBehind { isFailing = false } }

        @discardableResult
        private mutating func attempt(_ body: (SessionWriter) async throws -> Void) async -> Bool {
            do {
                try await body(writer)
                noteSuccess()
                return true
            } catch {
                if !isFailing {
                    onFailure(error)
                    onLoss()
                }
                isFailing = true
                return false
            }
        }
    }

    /// The work after clearing a transcript: while other connections read the history, removed text stays in the
    /// database's log.
    ///
    /// It does not delay storing: only the attempt at the end of the session waits for readers.
    struct ClearedLog {
        /// Whether all cleared text is gone from the log.
        private(set) var isEmpty = true
        private var isReported = false
        /// Where the text was removed, in seconds of audio.
        private var start = 0.0
        /// The position in the session from which it is attempted again.
        private var next = 0.0

        /// For this many seconds of audio, every final text triggers an attempt: most readers finish within
        /// milliseconds.
        private static let grace = 10.0
        /// The time between later attempts, in seconds of audio.
        private static let pause = 60.0

        /// Records that text was removed at a position.
        mutating func noteClearing(at position: Double) { (isEmpty, start, next) = (false, position, position) }

        /// Empties the log if that is due; a persistent failure is reported once.
        ///
        /// - Parameter position: The position in the session; nil for its end, where it is always due.
        mutating func empty(
            of writer: SessionWriter, at position: Double? = nil, _ onFailure: @Sendable (any Error) -> Void
        ) async {
            guard !isEmpty, position.map({ $0 >= next }) ?? true else { return }
            do {
                if position == nil {
                    try await writer.store.emptyLog()
                } else {
                    try await writer.store.emptyLogAtOnce()
                }
                (isEmpty, isReported) = (true, false)
            } catch {
                if let position, position < start + Self.grace { return }
                if !isReported { onFailure(error) }
                (isReported, next) = (true, (position ?? 0) + Self.pause)
            }
        }
    }
#endif
