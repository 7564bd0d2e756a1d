#if Store
    package import Steno

    /// Stores the text of events; what could not be stored is tried again with the next final text.
    package struct EventRecorder {
        private let writer: SessionWriter
        private let onFailure: @Sendable (any Error) -> Void
        private var finals = FinalSegments()
        private var missing: [TranscriptSegment] = []
        private var mustClear = false
        private var language: String?
        private var partial = ""
        /// So many segments are stored at once: a disk that stays full is not tried with an hour of text at every word.
        private static let most = 64
        private var isFailing = false
        private var hasEnded = false
        private var position = 0.0
        /// The position from which partial text is stored again: once a second is enough, and spares the disk.
        private var nextPartial = 0.0

        /// - Parameter onFailure: Called when text cannot be stored, once until it can be stored again.
        package init(_ writer: SessionWriter, onFailure: @escaping @Sendable (any Error) -> Void) {
            (self.writer, self.onFailure) = (writer, onFailure)
        }

        /// Takes the next event; returns when its text is on the disk, or has failed to get there.
        package mutating func take(_ event: TranscriptionEvent) async {
            position = max(position, event.position)
            if event.state?.isEnd == true { hasEnded = true }
            await noteLanguage(event.language ?? event.snapshot?.language)
            switch finals.change(event) {
            case .append(let segments):
                partial = event.partialText
                missing += segments
                await store()
            case .replace(let segments):
                partial = event.partialText
                (mustClear, missing) = (true, segments)
                await store()
            case .none:
                if event.kind == .partial { await take(partial: event) }
            }
        }

        /// Stores what is missing and marks the session as finished, if its events came to their end; one whose events
        /// broke off was interrupted.
        ///
        /// - Returns: Whether everything is stored.
        package mutating func finish() async -> Bool {
            if !missing.isEmpty || mustClear { await store() }
            guard missing.isEmpty, !mustClear else { return false }
            guard hasEnded else { return true }
            let duration = position
            return await attempt { try await $0.finish(duration: duration) }
        }

        private mutating func noteLanguage(_ detection: LanguageDetection?) async {
            guard let detection, detection.language != language else { return }
            let isFirst = language == nil
            language = detection.language
            if isFirst { await attempt { try await $0.setLanguage(detection.language) } }
        }

        private mutating func take(partial event: TranscriptionEvent) async {
            partial = event.partialText
            guard event.position >= nextPartial else { return }
            nextPartial = event.position + 1
            let text = partial
            await attempt { try await $0.setPartial(text) }
        }

        private mutating func store() async {
            if mustClear, await attempt({ try await $0.clear() }) { mustClear = false }
            guard !mustClear else { return }
            while !missing.isEmpty {
                let (segments, language, partial) = (Array(missing.prefix(Self.most)), language, partial)
                guard await attempt({ try await $0.append(segments, language: language, partial: partial) }) else {
                    return
                }
                missing.removeFirst(segments.count)
            }
        }

        @discardableResult
        private mutating func attempt(_ body: (SessionWriter) async throws -> Void) async -> Bool {
            do {
                try await body(writer)
                isFailing = false
                return true
            } catch {
                if !isFailing { onFailure(error) }
                isFailing = true
                return false
            }
        }
    }
#endif
