import CSteno
import Foundation
import Steno
import StenoC
import StenoTestSupport
import Testing

@Suite struct ModelTests {
    @Test func theVersionIsTheLibrarys() {
        #expect(stenoVersion().map { String(cString: $0) } == StenoVersion.current)
    }

    @Test func aModelDescribesItself() async throws {
        try await withModel { model in
            var text: UnsafeMutablePointer<CChar>?
            #expect(stenoModelInformation(model.pointer, &text) == STENO_OK)
            let json = try JSONSerialization.jsonObject(with: Data(try taken(text).utf8))
            let fields = try #require(json as? [String: Any])
            #expect(fields["family"] as? String == "Whisper")
            #expect((fields["languages"] as? [String])?.contains("en") == true)
            #expect((fields["specialTokens"] as? [String: Int])?["<|en|>"] != nil)
        }
    }

    @Test func modelsAreListed() async throws {
        try await onThread {
            var text: UnsafeMutablePointer<CChar>?
            #expect(stenoModels(&text) == STENO_OK)
            let json = try JSONSerialization.jsonObject(with: Data(try taken(text).utf8)) as? [String: Any]
            let known = try #require(json?["known"] as? [[String: Any]])
            #expect(known.contains { $0["name"] as? String == "large-v3" })
        }
    }

    @Test func tokensAndText() async throws {
        try await withModel { model in
            var tokens: UnsafeMutablePointer<Int32>?
            var count = 0
            #expect(stenoModelEncode(model.pointer, " Hello, über", &tokens, &count) == STENO_OK)
            defer { stenoFree(tokens) }
            var text: UnsafeMutablePointer<CChar>?
            #expect(stenoModelDecode(model.pointer, tokens, count, &text) == STENO_OK)
            let decoded = try taken(text)
            #expect(decoded == " Hello, über")
        }
    }

    @Test func filesAreDecodedByChannel() async throws {
        try await onThread {
            let path = Fixtures.file("speech/talk.flac").path
            let expected = try talk()
            var samples: UnsafeMutablePointer<Float>?
            var (count, channels) = (0, Int32(-1))
            #expect(stenoDecodeFile(path, -1, &samples, &count, &channels) == STENO_OK)
            #expect(Array(UnsafeBufferPointer(start: samples, count: count)) == expected)
            #expect(channels == 0)
            stenoFree(samples)
            #expect(stenoDecodeFile(path, 0, &samples, &count, &channels) == STENO_OK)
            #expect(channels == 1)
            stenoFree(samples)
            #expect(stenoDecodeFile("/no/such/file", -1, &samples, &count, nil) == STENO_ERROR_AUDIO_NOT_FOUND)
        }
    }

    @Test func speechIsFound() async throws {
        try await onThread {
            let speech = try talk()
            var spans: UnsafeMutablePointer<steno_span>?
            var count = 0
            #expect(stenoFindSpeech(speech, speech.count, #"{"minSilenceSeconds": 0.1}"#, &spans, &count) == STENO_OK)
            defer { stenoFree(spans) }
            let found = UnsafeBufferPointer(start: spans, count: count)
            #expect(!found.isEmpty)
            #expect(found.allSatisfy { $0.start < $0.end && $0.end <= speech.count })
            #expect(
                stenoFindSpeech(speech, speech.count, #"{"threshold": 2}"#, &spans, &count)
                    == STENO_ERROR_INVALID_OPTION)
        }
    }

    @Test func theLanguageIsDetected() async throws {
        try await withModel { model in
            let speech = try talk()
            var pointer: OpaquePointer?
            #expect(stenoDetectLanguage(model.pointer, speech, speech.count, nil, &pointer) == STENO_OK)
            let job = try Handle(pointer, free: stenoJobFree)
            var event: UnsafePointer<steno_event>?
            #expect(stenoJobNext(job.pointer, -1, &event) == STENO_OK)
            let detection = try #require(event?.pointee)
            let languages = UnsafeBufferPointer(start: detection.languages, count: detection.language_count)
            #expect(languages.first?.probability == detection.probability)
            #expect(zip(languages, languages.dropFirst()).allSatisfy { $0.probability >= $1.probability })
            #expect(stenoJobNext(job.pointer, -1, &event) == STENO_END)
        }
    }
}
