#if Server
    import Foundation
    import Steno
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// Two sentences by a woman and two by a man; the scripted model hears one word per second.
    @Suite("Speakers over HTTP", .enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct DiarizationTests {
        private let format = ("response_format", "diarized_json")

        @Test func diarizedJsonNamesTheSpeakersByFirstAppearance() async throws {
            let (recording, change) = try await conversation()
            let server = try await TestServer.run()
            let response = try await server.send(.upload(recording, fields: [format]))
            try expect(response, before: "A", after: "B", change)
            #expect(response.json.keys.sorted() == ["duration", "segments", "task", "text", "usage"])
            // A stream sends labelled segments at the end.
            let events = try await server.send(.upload(recording, fields: [format, ("stream", "true")])).events
            #expect(events.count == 18 && events.last == "[DONE]")
            #expect(events.first?.contains(#""speaker": "A""#) == true)
            #expect(events.dropLast(2).last?.contains(#""speaker": "B""#) == true)
            #expect(events.dropLast().last?.contains("transcript.text.done") == true)
            // Known voices have their names, and others letters.
            let known = [("known_speaker_names[]", "Ann"), ("known_speaker_references[]", try await url(of: [2, 3]))]
            let named = try await server.send(.upload(recording, fields: [format] + known))
            try expect(named, before: "Ann", after: "A", change)
        }

        @Test func aTakenLetterIsNotReusedAndTextWithoutAVoiceHasANeighbours() {
            let speakers: [String?] = [nil, "A", "Speaker 1", nil, "Speaker 2"]
            let segments = speakers.enumerated().map { index, speaker in
                Segment(id: index, start: 0, end: 1, text: "", speaker: speaker)
            }
            let transcript = Transcript(language: "en", duration: 1, segments: segments)
            #expect(TranscriptBody.speakers(of: transcript, named: ["A"]) == ["A", "A", "B", "B", "C"])
        }

        @Test func anUnusableVoiceIsRefusedWithItsFieldsName() async throws {
            let empty = "data:audio/wav;base64,AAAA", typeless = "data:;base64,AAAA"
            let server = try await TestServer.run()
            for (names, references, parameter) in [
                (["Ann"], [], "references"), ([], [empty], "references"), (["Ann"], [empty], "references"),
                (["Ann"], ["https://example.com/ann.wav"], "references"),
                (["Ann", "Ann"], [typeless, typeless], "names"),
            ] {
                let known =
                    names.map { ("known_speaker_names[]", $0) }
                    + references.map { ("known_speaker_references[]", $0) }
                let response = try await server.send(
                    .upload(fields: [("response_format", "diarized_json")] + known))
                #expect(response.status == 400)
                #expect(response.error["param"] as? String == "known_speaker_\(parameter)", "\(response.text)")
            }
        }

        private func samples(_ numbers: [Int]) async throws -> [Float] {
            var samples: [Float] = []
            for number in numbers { samples += try await decoded(Fixtures.file("speech/en-00\(number).flac")) }
            return samples
        }

        /// The file, and when the man starts, in seconds.
        private func conversation() async throws -> (recording: [UInt8], change: Double) {
            let (woman, man) = (try await samples([0, 1]), try await samples([5, 6]))
            return (RawRequest.wav(woman + man), Double(woman.count) / 16_000)
        }

        private func url(of numbers: [Int]) async throws -> String {
            "data:audio/wav;base64," + Data(RawRequest.wav(try await samples(numbers))).base64EncodedString()
        }

        /// Expects one speaker before the change and the other after it.
        private func expect(_ response: RawResponse, before: String, after: String, _ change: Double) throws {
            let segments = try #require(response.json["segments"] as? [[String: Any]], "\(response.text)")
            #expect(segments.count == 16)
            for segment in segments {
                let (start, end) = (segment["start"] as? Double ?? 0, segment["end"] as? Double ?? 0)
                // The change itself may be found a moment early or late.
                guard end < change - 0.5 || start > change + 0.5 else { continue }
                #expect(segment["speaker"] as? String == (end < change ? before : after), "\(start) s")
            }
        }
    }
#endif
