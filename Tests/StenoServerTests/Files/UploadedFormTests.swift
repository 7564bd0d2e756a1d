#if Server
    import Foundation
    import NIOCore
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite("Uploaded forms") struct UploadedFormTests {
        /// Reads a form whose body arrives in pieces of a size.
        private func read(
            _ request: RawRequest, piece: Int = 1000, limit: Int = 1 << 20,
            budget: UploadBudget = .init(limit: 1 << 20), memory: UploadBudget? = nil,
            folder: URL = FileManager.default.temporaryDirectory
        ) async throws -> UploadedForm {
            let (pieces, input) = AsyncStream.makeStream(of: ByteBuffer.self)
            var rest = (request.body ?? [])[...]
            while !rest.isEmpty {
                input.yield(ByteBuffer(bytes: rest.prefix(piece)))
                rest = rest.dropFirst(piece)
            }
            input.finish()
            return try await UploadedForm.read(
                pieces, contentType: "multipart/form-data; boundary=xyz", keeping: ["model", "include", "voice"],
                long: ["voice": UploadedForm.FieldLimit(each: 250_000, all: 400_000)], memory: memory,
                file: UploadedFile(limit: limit, budget: budget, folder: folder))
        }

        @Test func fieldsAreKeptByNameAndOrderAndOthersAreLeftOut() async throws {
            let form = try await read(
                .upload(fields: [
                    ("model", "a"), ("include[]", "x"), ("include[1]", "y"), ("other[]", "z"), ("model", ""),
                ]))
            #expect(form["model"] == nil && form.values == ["model": ["a", ""], "include": ["x", "y"]])
        }

        @Test func longFieldsUseTheSharedMemoryBudgetOnlyWhileTheirFormIsHeld() async throws {
            let memory = UploadBudget(limit: 300_000)
            let voice = ("voice[]", String(repeating: "x", count: 200_000))
            let upload = RawRequest.upload(fields: [voice])
            do {
                let form = try await read(upload, memory: memory)
                #expect(form["voice"] == voice.1 && memory.used == 200_000)
                await #expect(throws: ServerError.busy(retryAfter: 10)) { try await read(upload, memory: memory) }
                #expect(memory.used == 200_000, "a refused form holds nothing")
                withExtendedLifetime(form) {}
            }
            #expect(memory.used == 0)
            await #expect(throws: ServerError.self) { try await read(.upload(fields: [voice, voice, voice])) }
        }

        @Test(.timeLimit(.minutes(15)), arguments: [1, 77, 400_000])
        func theFileIsTheUploadedAudioAndUsesTheBudgetOnlyWhileItIsHeld(piece: Int) async throws {
            let budget = UploadBudget(limit: 1 << 20)
            let audio = RawRequest.speech(seconds: 2)
            do {
                let form = try await read(.upload(audio), piece: piece, budget: budget)
                #expect(form.file?.byteCount == audio.count)
                #expect(budget.used == audio.count)
                #expect(try form.file?.open().duration == 2)
            }
            // The thread that wrote it may hold it for a moment.
            try await waitWhile(budget.used > 0)
            #expect(budget.used == 0)
        }

        #if os(Linux)
            @Test func aFileOnDiskHasNoName() async throws {
                let folder = try TemporaryFolder()
                let form = try await read(.upload(RawRequest.speech(seconds: 20)), folder: folder.url)
                #expect(try folder.names().isEmpty)
                #expect(try form.file?.open().duration == 20)
            }
        #endif

        @Test func aFileBeyondItsLimitTheSharedBudgetOrTheDiskIsRefused() async throws {
            func error(_ read: () async throws -> UploadedForm) async -> ServerError? {
                await #expect(throws: ServerError.self) { try await read() }
            }
            let audio = RawRequest.speech(seconds: 3), upload = RawRequest.upload(audio)
            #expect(await error { try await read(upload, limit: audio.count - 1) }?.status == 413)
            #expect(try await read(upload, limit: audio.count).file?.byteCount == audio.count)
            let budget = UploadBudget(limit: 5000)
            #expect(await error { try await read(upload, budget: budget) }?.code == "server_busy")
            #expect(budget.used == 0)
            let folder = try TemporaryFolder().url
            #expect(await error { try await read(upload, folder: folder) }?.code == "storage_failed")
        }

        @Test func twoFilesAFileWithoutANameALongAndABinaryFieldAreRefused() async throws {
            var twice = RawRequest.upload()
            twice.body = (twice.body ?? []).dropLast("--xyz--\r\n".utf8.count) + (twice.body ?? [])
            let long = String(repeating: "x", count: 70_000)
            var binary = RawRequest.upload(fields: [("model", "QQ")])
            binary.body = (binary.body ?? []).map { $0 == UInt8(ascii: "Q") ? 0xFF : $0 }
            let unnamed = RawRequest.upload(nil, fields: [("file", "x")])
            for request in [twice, unnamed, .upload(fields: [("model", long)]), binary] {
                await #expect(throws: ServerError.self) { try await read(request) }
            }
            _ = try await read(.upload(fields: [("other", long)]))
        }
    }

    @Suite("Multipart bodies") struct MultipartParserTests {
        /// A part as it was read.
        struct Part: Equatable {
            var name: String
            var isFile: Bool
            var content: [UInt8] = []
        }

        /// Parses a body in pieces of a size; nil where it ends too early.
        static func parse(_ body: [UInt8], boundary: String = "xyz", piece: Int = .max) throws -> [Part]? {
            var parser = MultipartParser(boundary: boundary)
            var parts: [Part] = []
            var rest = body[...]
            while !rest.isEmpty {
                parser.append(ByteBuffer(bytes: rest.prefix(piece)))
                rest = rest.dropFirst(piece)
                while let event = try parser.next() {
                    switch event {
                    case .part(let name, let isFile): parts.append(Part(name: name, isFile: isFile))
                    case .data(let data): parts[parts.count - 1].content += Array(data.readableBytesView)
                    case .partEnd: break
                    }
                }
            }
            return parser.isComplete ? parts : nil
        }

        static let body = Array(
            ("preamble\r\n--xyz\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\nwhisper-1\r\n"
                + "--xyz \t\r\ncontent-disposition: form-data; filename=\"a;\\\".wav\"; name=file\r\n"
                + "Content-Type: audio/wav\r\n\r\n\r\n--xy\r\n--x\r\r\n\r\n--xyz\r\n"
                + "Content-Disposition: form-data; name=\"empty\"\r\n\r\n\r\n--xyz--\r\nepilogue --xyz").utf8)

        static let parts = [
            Part(name: "model", isFile: false, content: Array("whisper-1".utf8)),
            Part(name: "file", isFile: true, content: Array("\r\n--xy\r\n--x\r\r\n".utf8)),
            Part(name: "empty", isFile: false),
        ]

        @Test(arguments: [1, 2, 3, 5, 7, 8, 13, 64, 1000])
        func howeverABodyIsCutThePartsAreTheSame(of size: Int) throws {
            #expect(try Self.parse(Self.body, piece: size) == Self.parts)
        }

        @Test func aBodyThatBeginsWithItsBoundaryHasNoPreamble() throws {
            let body = Array("--xyz\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--xyz--".utf8)
            #expect(try Self.parse(body) == [Part(name: "a", isFile: false, content: Array("b".utf8))])
        }

        @Test func aBodyThatEndsBeforeItsLastBoundaryIsNotComplete() throws {
            for length in 0..<Self.body.count - 20 {
                #expect(try Self.parse(Array(Self.body.prefix(length))) == nil, "\(length) bytes")
            }
        }

        @Test(arguments: [
            "--xyz\r\n\r\nno header\r\n--xyz--", "--xyzContent-Disposition: form-data; name=\"a\"\r\n\r\n",
            "--xyz\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\n",
            "--xyz\r\nContent-Disposition: form-data\r\n\r\n",
            "--xyz\r\nno colon\r\n\r\n", "--xyz\r\n" + String(repeating: "a", count: 9000),
        ])
        func aMalformedPartIsRefused(_ text: String) {
            #expect(throws: ServerError.self) { try Self.parse(Array(text.utf8)) }
        }

        @Test func mutatedBodiesEndWithPartsAnErrorOrANeedForMore() {
            var random = SplitMix64(seed: 18)
            for _ in 0..<(isLong ? 10_000 : 1000) {
                var body = Self.body
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    let place = Int.random(in: 0..<body.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: body[place] = UInt8.random(in: 0...255, using: &random)
                    case 1: body.remove(at: place)
                    case 2: body.insert(contentsOf: [13, 10, 45, 45], at: place)
                    default: body.removeSubrange(place..<min(body.count, place + 20))
                    }
                    if body.isEmpty { body = [0] }
                }
                let whole = Result { try Self.parse(body) }
                let pieces = Result { try Self.parse(body, piece: Int.random(in: 1...40, using: &random)) }
                #expect((try? whole.get()) == (try? pieces.get()))
            }
        }
    }
#endif
