#if Store
    import Foundation
    import Steno
    import Testing

    @testable import StenoStore

    struct StoredTranscriptTests {
        private let folder = HistoryFolder()
        private let finals: [LiveSegment] = [
            .spoken([(" One", "Ann"), (" two.", "Ben")], 0), .spoken([(" Three.", "Ben")], 1),
            .spoken([(" Four.", "Ann")], 2, utterance: 1),
        ]

        private func stored(_ finals: [LiveSegment]? = nil, in store: TranscriptStore) async throws -> UUID {
            let writer = try await store.begin(language: "en")
            try await writer.append(finals ?? self.finals)
            try await writer.finish(duration: 30)
            return writer.id
        }

        private func text(
            of id: UUID, in store: TranscriptStore, _ format: TranscriptFormat = .txt
        ) async throws -> String {
            format.text(of: try await store.transcript(of: id), subtitles: .readable)
        }

        @Test func exportsNameSpeakersLikeALiveSession() async throws {
            let store = try await folder.store()
            let id = try await stored(in: store)
            let live = LiveTranscript(stored: finals, position: 30).transcript(language: "en")
            let transcript = try await store.transcript(of: id)
            #expect(transcript.segments.map(\.speaker) == ["Ann", "Ben", "Ann"])
            #expect(transcript.segments.map(\.text) == [" One", " two. Three.", " Four."])
            #expect(transcript.segments.map(\.id) == [0, 1, 2])
            for format in TranscriptFormat.allCases {
                let text = try await text(of: id, in: store, format)
                #expect(text == format.text(of: live, subtitles: .readable), "\(format)")
                #expect(text.contains("Ben"), "\(format)")
            }
            #expect(try await text(of: id, in: store) == "Ann: One\nBen: two. Three.\nAnn: Four.\n")
        }

        @Test func manuallySetSpeakersAreInEveryFormat() async throws {
            let store = try await folder.store()
            let id = try await stored(in: store)
            try await store.setSpeaker("Cleo", of: 0, in: id)
            #expect(try await text(of: id, in: store) == "Cleo: One two.\nBen: Three.\nAnn: Four.\n")
            for format in TranscriptFormat.allCases {
                #expect(try await text(of: id, in: store, format).contains("Cleo"), "\(format)")
            }
            let transcript = try await store.transcript(of: id)
            #expect(transcript.speakers == ["Cleo", "Ben", "Ann"])
            #expect(transcript.words.map(\.speaker) == ["Cleo", "Cleo", "Ben", "Ann"])
            try await store.setSpeaker(nil, of: 0, in: id)
            #expect(try await text(of: id, in: store) == "Ann: One\nBen: two. Three.\nAnn: Four.\n")
        }

        @Test func aSpeakerCanBeSetWhereNoneWasRecognised() async throws {
            let store = try await folder.store()
            let id = try await store.add([" One.", " Two."])
            try await store.setSpeaker("Cleo", of: 1, in: id)
            #expect(try await text(of: id, in: store) == "One.\nCleo: Two.\n")
        }

        /// Even if it became final with the next word, as in a live transcript.
        @Test func punctuationBelongsToThePrecedingWord() async throws {
            let finals: [LiveSegment] = [
                .spoken([(" One", "Ann")], 0), .spoken([(".", "Ann"), (" Two", "Ben")], 1),
                .spoken([("?", "Ben"), (" Three", "Ben")], 2),
            ]
            let store = try await folder.store()
            let id = try await stored(finals, in: store)
            let transcript = try await store.transcript(of: id)
            let live = LiveTranscript(stored: finals, position: 30).transcript(language: "en")
            for words in [transcript.words, live.words] {
                #expect(words.map(\.rawText) == [" One.", " Two?", " Three"])
                #expect(words.map(\.speaker) == ["Ann", "Ben", "Ben"])
            }
            try await store.edit(1, of: id, ". Too")
            let edited = try await store.transcript(of: id)
            #expect(edited.segments.map(\.text) == [" One", ". Too? Three"])
            #expect(edited.segments.map(\.speaker) == ["Ann", "Ben"])
        }

        @Test func anEditedTextBelongsToItsFirstSpeaker() async throws {
            let store = try await folder.store()
            let id = try await stored(in: store)
            try await store.edit(0, of: id, " Won too.")
            let transcript = try await store.transcript(of: id)
            #expect(transcript.segments.map(\.text) == [" Won too.", " Three.", " Four."])
            #expect(transcript.segments.map(\.speaker) == ["Ann", "Ben", "Ann"])
            #expect(transcript.segments.map(\.words?.count) == [nil, 1, 1])
        }
    }
#endif
