#if Server
    package import Steno
    import StenoCore

    // MARK: Events of the engine

    extension RealtimeProtocol {
        package mutating func speechBegan(at time: Double) -> [RealtimeAction] {
            guard let turns = configuration.turnDetection, items.last?.end != nil || items.isEmpty else { return [] }
            return open(at: max(boundary, time - Double(turns.prefixPadding) / 1000))
        }

        /// Speech ended.
        ///
        /// - Parameter noticed: The audio time at which the silence had lasted long enough.
        package mutating func speechEnded(at time: Double, noticed: Double) -> [RealtimeAction] {
            var actions: [RealtimeAction] = []
            if items.last.map({ $0.end != nil }) ?? true {
                // After a clear, the turn has only the audio since then.
                guard configuration.turnDetection != nil, time > boundary + Self.shortestCommit else { return [] }
                actions += open(at: boundary)
            }
            guard let item = items.last else { return actions }
            actions.append(
                event(
                    "input_audio_buffer.speech_stopped",
                    ["audio_end_ms": milliseconds(noticed), "item_id": .string(item.id)]))
            // The engine also splits its utterances in the middle of the silence.
            return actions + close(at: (time + noticed) / 2)
        }

        /// Takes final text; each word goes to the turn in which it begins.
        package mutating func heard(_ segment: LiveSegment) -> [RealtimeAction] {
            let parts = segment.split { left, right in
                index(of: left.start) != index(of: right.start)
                    || isCleared(left.start, left.end) != isCleared(right.start, right.end)
            }
            var actions: [RealtimeAction] = []
            for part in parts {
                lastItem = nil
                if isCleared(part.words.first?.start ?? part.start, part.words.last?.end ?? part.end) { continue }
                if let index = index(of: part.start) { actions += add(part, to: index) } else { waiting.append(part) }
            }
            return actions
        }

        /// Takes punctuation after the last final word, which goes where that word went.
        ///
        /// The transcript of a completed item no longer changes.
        package mutating func heard(mark: String) -> [RealtimeAction] {
            guard !mark.isEmpty else { return [] }
            if let last = waiting.indices.last {
                waiting[last].join(mark)
                return []
            }
            guard let index = items.firstIndex(where: { $0.id == lastItem }) else { return [] }
            items[index].join(mark)
            var members: [String: JSONValue] = [
                "item_id": .string(items[index].id), "content_index": 0, "delta": .string(mark),
            ]
            if configuration.includesLogprobs { members["logprobs"] = [] }
            return [event("conversation.item.input_audio_transcription.delta", members)]
        }

        /// Whether text belongs to audio that the client discarded: words that span that moment, and committed audio,
        /// are kept.
        private func isCleared(_ start: Double, _ end: Double) -> Bool {
            guard start < cleared - 1e-9, end <= cleared else { return false }
            guard let item = index(of: start), let committed = items[item].end else { return true }
            return committed > cleared
        }

        private func index(of time: Double) -> Int? { items.firstIndex { $0.end.map { time < $0 } ?? true } }

        /// Completes an item and those before it, once ``heard(_:)`` has all of their text.
        package mutating func finalized(_ id: String) -> [RealtimeAction] {
            guard let index = items.firstIndex(where: { $0.id == id }) else { return [] }
            let done = items[...index]
            items.removeSubrange(...index)
            return done.map { completed($0) }
        }

        /// Fails all open items: transcription has ended, and their missing text will not come.
        package mutating func engineFailed(_ error: ServerError) -> [RealtimeAction] {
            let failed = items.map { item in
                event(
                    "conversation.item.input_audio_transcription.failed",
                    ["item_id": .string(item.id), "content_index": 0, "error": error.json(cause: nil)])
            }
            items = []
            return failed + fail(error, event: nil)
        }

        /// Ends the audio; commits the rest, so that no text is lost.
        package mutating func finish() -> [RealtimeAction] {
            let now = clock.seconds
            if items.last?.end == nil, !items.isEmpty { return close(at: now) }
            guard configuration.turnDetection == nil, now - boundary >= Self.shortestCommit else { return [] }
            items.append(RealtimeItem(id: newID("item"), start: boundary))
            return close(at: now)
        }

        /// Completes all committed items, because all text has been heard.
        package mutating func finished() -> [RealtimeAction] {
            items.last { $0.end != nil }.map { finalized($0.id) } ?? []
        }

        /// The seconds of audio received so far.
        package var received: Double { clock.seconds }
    }

    // MARK: Items

    extension RealtimeProtocol {
        /// Begins a turn that the server detected; text without a turn goes to it.
        mutating func open(at time: Double) -> [RealtimeAction] {
            let item = RealtimeItem(id: newID("item"), start: time)
            items.append(item)
            var actions = [
                event(
                    "input_audio_buffer.speech_started",
                    ["audio_start_ms": milliseconds(time), "item_id": .string(item.id)])
            ]
            for segment in waiting { actions += add(segment, to: items.count - 1) }
            waiting = []
            return actions
        }

        /// Ends the last turn: commits its audio and requests its text.
        mutating func close(at time: Double) -> [RealtimeAction] {
            guard let index = items.indices.last else { return [] }
            items[index].end = time
            boundary = time
            let item = items[index]
            let before = previous.map(JSONValue.string) ?? .null
            previous = item.id
            var actions = [
                event("input_audio_buffer.committed", ["item_id": .string(item.id), "previous_item_id": before])
            ]
            for name in dialect == .beta ? ["created"] : ["added", "done"] {
                actions.append(event("conversation.item.\(name)", ["item": item.json, "previous_item_id": before]))
            }
            let text = waiting.flatMap { $0.split { left, right in left.start < time && right.start >= time } }
            waiting = text.filter { $0.start >= time }
            for segment in text where segment.start < time { actions += add(segment, to: index) }
            return actions + [.finalize(item: item.id, through: time)]
        }

        private mutating func add(_ segment: LiveSegment, to index: Int) -> [RealtimeAction] {
            let delta = items[index].add(segment)
            let item = items[index]
            lastItem = item.id
            var members: [String: JSONValue] = [
                "item_id": .string(item.id), "content_index": 0, "delta": .string(delta),
            ]
            if configuration.includesLogprobs { members["logprobs"] = .array(segment.words.map(\.logprob)) }
            var actions = [event("conversation.item.input_audio_transcription.delta", members)]
            if configuration.includesSegments {
                // Not the engine's number, which the parts of a segment share and the next engine reuses.
                let segmentID = newID("seg")
                actions.append(
                    event(
                        "conversation.item.input_audio_transcription.segment",
                        [
                            "id": .string(segmentID), "item_id": .string(item.id), "content_index": 0,
                            "start": .seconds(segment.start), "end": .seconds(segment.end), "speaker": "",
                            "text": .string(delta),
                        ]))
            }
            return actions
        }

        private mutating func completed(_ item: RealtimeItem) -> RealtimeAction {
            var members: [String: JSONValue] = [
                "item_id": .string(item.id), "content_index": 0, "transcript": .string(item.text),
                "words": .array(item.words.map(\.timed)),
                "usage": ["type": "duration", "seconds": .seconds(max(0, (item.end ?? item.start) - item.start))],
            ]
            if configuration.includesLogprobs { members["logprobs"] = .array(item.words.map(\.logprob)) }
            return event("conversation.item.input_audio_transcription.completed", members)
        }
    }
#endif
