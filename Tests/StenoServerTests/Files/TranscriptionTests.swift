#if Server
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite("Transcriptions over HTTP") struct TranscriptionTests {
        @Test func theDefaultResponseIsJSONWithTheTextAndTheAudiosLength() async throws {
            let response = try await TestServer.answer(to: .upload(fields: [("model", "whisper-1"), ("unknown", "x")]))
            #expect(response.status == 200 && response.headers["content-type"] == "application/json")
            #expect(response.headers["x-request-id"]?.isEmpty == false)
            #expect(response.text == #"{"text": "one two three", "usage": {"seconds": 3, "type": "duration"}}"#)
        }

        private static let formats = [
            ("text", "text/plain; charset=utf-8", "one two three\n"),
            (
                "srt", "application/x-subrip; charset=utf-8",
                "1\n00:00:00,000 --> 00:00:00,900\none\n\n2\n00:00:01,000 --> 00:00:01,900\ntwo\n\n"
            ),
            (
                "vtt", "text/vtt; charset=utf-8",
                "WEBVTT\n\n00:00.000 --> 00:00.900\none\n\n00:01.000 --> 00:01.900\ntwo\n\n"
            ),
            (
                "verbose_json", "application/json",
                #"{"duration": 3, "language": "english", "segments": [{"avg_logprob": 0"#
            ),
            (
                "diarized_json", "application/json",
                #"{"duration": 3, "segments": [{"end": 0.9, "id": "seg_0", "speaker": "A""#
            ),
        ]

        @Test func everyFormatHasItsBodyAndContentType() async throws {
            let server = try await TestServer.run()
            for (name, type, start) in Self.formats {
                let response = try await server.send(.upload(fields: [("response_format", name)]))
                #expect(response.status == 200 && response.headers["content-type"] == type, "\(name)")
                #expect(response.text.hasPrefix(start), "\(response.text)")
            }
        }

        @Test func withTheGranularityWordThereAreWordTimesAndNoSegments() async throws {
            let server = try await TestServer.run()
            let response = try await server.send(
                .upload(fields: [("response_format", "verbose_json"), ("timestamp_granularities[]", "word")]))
            let words = response.json["words"] as? [[String: Any]]
            #expect(words?.map { $0["word"] as? String } == ["one", "two", "three"])
            #expect(words?[1]["start"] as? Double == 1)
            #expect(response.json["segments"] == nil)
            let both = try await server.send(
                .upload(fields: [
                    ("response_format", "verbose_json"), ("timestamp_granularities[]", "word"),
                    ("timestamp_granularities[]", "segment"),
                ]))
            #expect((both.json["segments"] as? [Any])?.count == 3 && (both.json["words"] as? [Any])?.count == 3)
        }

        @Test func probabilitiesComeWithIncludeLogprobs() async throws {
            let response = try await TestServer.answer(to: .upload(fields: [("include[]", "logprobs")]))
            let tokens = response.json["logprobs"] as? [[String: Any]]
            #expect(tokens?.map { $0["token"] as? String } == [" one", " two", " three"])
            #expect(tokens?[0]["logprob"] as? Double == 0)
        }

        @Test func aStreamedResponseHasDeltasThatAreTheTextTheEndAndDONE() async throws {
            let response = try await TestServer.answer(to: .upload(fields: [("stream", "true")]))
            #expect(response.headers["content-type"] == "text/event-stream")
            #expect(
                response.events == [
                    #"{"delta": "one", "type": "transcript.text.delta"}"#,
                    #"{"delta": " two", "type": "transcript.text.delta"}"#,
                    #"{"delta": " three", "type": "transcript.text.delta"}"#,
                    #"{"text": "one two three", "type": "transcript.text.done", "#
                        + #""usage": {"seconds": 3, "type": "duration"}}"#, "[DONE]",
                ])
        }

        /// Unsupported values are refused with their field's name.
        private static let unsupported: [Refusal] = [
            ("response_format", "xml"), ("temperature", "2"), ("temperature", "hot"), ("stream", "perhaps"),
            ("timestamp_granularities[]", "letter"), ("include[]", "everything"), ("language", "klingon"),
            ("chunking_strategy", "7"), ("known_speaker_names[]", "Ann"), ("model", "../../etc/passwd"),
        ].map { name, value in
            let status = name == "model" ? 404 : 400
            return (value, .upload(fields: [(name, value)]), status, "param", name.replacing("[]", with: ""))
        }

        /// OpenAI's clients often send them unasked, and OpenAI's own newer models ignore what they cannot take.
        @Test func hintsThatTheModelCannotTakeAreIgnored() async throws {
            let fields = [
                ("temperature", "0.5"), ("prompt", "A story."), ("keywords[]", "Kennedy"),
                ("chunking_strategy", "auto"),
            ]
            let server = try await TestServer.run(models: [("plain", SecondFamilyModel(options: []))])
            for sent in fields.map({ [$0] }) + [fields] {
                let response = try await server.send(.upload(fields: sent))
                #expect(response.status == 200 && response.json["text"] as? String == "one two three", "\(sent)")
            }
        }

        @Test func wordTimesAreRefusedByTheFieldThatNeedsThem() async throws {
            let verbose = ("response_format", "verbose_json")
            let server = try await TestServer.run(models: [("plain", SecondFamilyModel(options: []))])
            for (fields, field) in [
                ([("timestamp_granularities[]", "word"), verbose], "timestamp_granularities"),
                ([("include[]", "logprobs")], "include"), ([("response_format", "diarized_json")], "response_format"),
            ] {
                let response = try await server.send(.upload(fields: fields))
                #expect(response.status == 400 && response.error["param"] as? String == field, "\(response.text)")
                #expect((response.error["message"] as? String)?.hasPrefix(field) == true)
            }
        }

        private static func typed(_ type: String) -> RawRequest {
            var request = RawRequest.upload()
            request.headers = [("Content-Type", type)]
            return request
        }

        private typealias Refusal = (rule: String, request: RawRequest, status: Int, field: String, value: String)

        /// Requests that are refused, with a field of their error.
        private static let refusals: [Refusal] = [
            // Before the first text of a stream an error is an ordinary one.
            ("a stream", .upload(Array("no audio".utf8), fields: [("stream", "true")]), 400, "param", "file"),
            ("no file", .upload(nil), 400, "param", "file"), ("an empty file", .upload([]), 400, "param", "file"),
            ("text", .upload(Array("hello".utf8)), 400, "param", "file"),
            ("a playlist", .upload(Array("#EXTM3U\nfile:///etc/passwd\n".utf8)), 400, "param", "file"),
            ("another type of body", typed("application/json"), 415, "message", ""),
            ("a form without a boundary", typed("multipart/form-data"), 400, "message", ""),
            ("a form that is cut off", typed("multipart/form-data; boundary=other"), 400, "code", "invalid_multipart"),
            // The scripted model cannot translate.
            ("a translation", .upload(to: "/v1/audio/translations"), 400, "code", "unsupported_model"),
        ]

        @Test func invalidRequestsAreRefused() async throws {
            let server = try await TestServer.run()
            for (rule, request, status, field, value) in Self.refusals + Self.unsupported {
                let response = try await server.send(request)
                #expect(response.status == status, "\(rule): \(response.text)")
                let found = response.error[field] as? String ?? ""
                #expect(field == "message" ? !found.isEmpty : found == value, "\(rule): \(response.text)")
                #expect(value == "model" || !response.text.contains("/etc"), "\(rule)")
                #expect(response.error["type"] as? String == "invalid_request_error", "\(rule)")
                #expect(response.error.keys.sorted() == ["code", "message", "param", "type"], "\(rule)")
            }
        }

        @Test func anUploadBeyondTheLimitIsRefusedByItsHeaderOrOnArrival() async throws {
            let server = try await TestServer.run { $0.maximumUpload = 50_000 }
            let response = try await server.send(.upload())
            #expect(response.status == 413 && response.error["code"] as? String == "file_too_large")
            #expect(try await server.send(.upload(RawRequest.speech(seconds: 60))).status == 413)
            #expect(try await server.send(.upload(RawRequest.speech(seconds: 1))).status == 200)
        }

        @Test func modelsAreChosenByNameAndOpenAIsMeanTheDefaultOne() async throws {
            let models = [("first", SecondFamilyModel(words: ["a"])), ("second", SecondFamilyModel(words: ["b"]))]
            let server = try await TestServer.run(models: models)
            func text(_ model: String) async throws -> String? {
                try await server.send(.upload(fields: [("model", model)])).json["text"] as? String
            }
            #expect(try await text("second") == "b b b")
            #expect(try await text("gpt-4o-mini-transcribe-2025-12-15") == "a a a")
            let list = try await server.send(.get("/v1/models"))
            #expect((list.json["data"] as? [[String: Any]])?.map { $0["id"] as? String } == ["first", "second"])
            #expect(try await server.send(.get("/v1/models/second")).json["id"] as? String == "second")
            #expect(try await server.send(.get("/v1/models/whisper-1")).json["id"] as? String == "whisper-1")
            #expect(try await server.send(.get("/v1/models/third")).status == 404)
        }
    }

    extension RawRequest {
        static func upload(_ file: [UInt8]? = Self.speech(seconds: 3), fields: [(String, String)]) -> Self {
            .upload(file, to: "/v1/audio/transcriptions", fields)
        }
    }
#endif
