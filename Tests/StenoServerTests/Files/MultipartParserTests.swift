#if Server
    import NIOCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite("Multipart bodies")
    struct MultipartParserTests {
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
            for _ in 0..<10_000 {
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
