#if Server
    /// The encoding of a client's audio, which has one channel.
    package enum RealtimeAudioFormat: Sendable, Hashable {
        /// 16 bits, little-endian (`audio/pcm`, formerly `pcm16`).
        case pcm(rate: Int)
        /// 8 kHz (`audio/pcmu` and `audio/pcma`, formerly `g711_ulaw` and `g711_alaw`).
        case g711(G711)

        package static let standard = RealtimeAudioFormat.pcm(rate: 24_000)
        /// The sample rates of PCM; OpenAI's server accepts only 24 kHz.
        static let rates = [8_000, 16_000, 24_000, 32_000, 44_100, 48_000]

        package var sampleRate: Int { if case .pcm(let rate) = self { rate } else { G711.sampleRate } }
        package var bytesPerSample: Int { if case .pcm = self { 2 } else { 1 } }

        /// Decodes whole samples; an incomplete one at the end is ignored.
        package func samples(_ bytes: some RandomAccessCollection<UInt8>) -> [Int16] {
            switch self {
            case .g711(let law): return bytes.map(law.decode)
            case .pcm:
                let bytes = Array(bytes)
                return stride(from: 0, to: bytes.count - 1, by: 2).map {
                    Int16(truncatingIfNeeded: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
                }
            }
        }

        /// Reads both forms of the protocol: an object with a type, or a name of the beta protocol.
        ///
        /// - Throws: ``ServerError`` that names the field.
        init(_ value: JSONValue, _ field: String) throws(ServerError) {
            let name = value.string ?? value["type"]?.string ?? ""
            switch name {
            case "audio/pcm", "pcm16":
                let rate = value["rate"] ?? .null
                let hertz = rate.isNull ? 24_000 : rate.integer ?? 0
                guard Self.rates.contains(hertz) else {
                    throw .invalidValue(
                        "The rate of audio/pcm must be one of \(Self.rates.map(String.init).joined(separator: ", ")).",
                        field + ".rate")
                }
                self = .pcm(rate: hertz)
            case "audio/pcmu", "g711_ulaw": self = .g711(.muLaw)
            case "audio/pcma", "g711_alaw": self = .g711(.aLaw)
            default: throw .invalidValue("The audio format must be audio/pcm, audio/pcmu or audio/pcma.", field)
            }
        }

        /// The form of the general-availability protocol.
        var json: JSONValue {
            switch self {
            case .pcm(let rate): ["type": "audio/pcm", "rate": JSONValue(integerLiteral: rate)]
            case .g711(.muLaw): ["type": "audio/pcmu"]
            case .g711(.aLaw): ["type": "audio/pcma"]
            }
        }

        /// The name in the beta protocol.
        var formerName: String {
            switch self {
            case .pcm: "pcm16"
            case .g711(.muLaw): "g711_ulaw"
            case .g711(.aLaw): "g711_alaw"
            }
        }
    }

    /// The companded 8-bit samples of telephony (ITU-T G.711), decoded by its tables.
    package enum G711: Sendable, Hashable {
        /// North America and Japan.
        case muLaw
        /// Everywhere else.
        case aLaw

        package static let sampleRate = 8000

        /// A sample from −32,124 to 32,124 (µ-law, 14 bits) or from −32,256 to 32,256 (A-law, 13 bits), both at a scale of 16.
        package func decode(_ byte: UInt8) -> Int16 {
            self == .muLaw ? Self.muLawTable[Int(byte)] : Self.aLawTable[Int(byte)]
        }

        private static let muLawTable = (0...255).map { decodeMuLaw(UInt8($0)) }
        private static let aLawTable = (0...255).map { decodeALaw(UInt8($0)) }

        /// All bits are sent inverted; the magnitude has a bias of 33 (132 at a scale of 4), so that every segment
        /// starts at a power of two.
        private static func decodeMuLaw(_ byte: UInt8) -> Int16 {
            let bits = ~byte
            let magnitude = ((Int(bits & 0x0F) << 3) + 132) << Int((bits & 0x70) >> 4) - 132
            return Int16(bits & 0x80 == 0 ? magnitude : -magnitude)
        }

        /// Every other bit is sent inverted; the first two segments have the same step.
        private static func decodeALaw(_ byte: UInt8) -> Int16 {
            let bits = byte ^ 0x55
            let segment = Int((bits & 0x70) >> 4)
            let step = Int(bits & 0x0F) << 4 + 8
            let magnitude = segment == 0 ? step : (step + 256) << (segment - 1)
            // In A-law the sign bit is set for positive samples.
            return Int16(bits & 0x80 == 0 ? -magnitude : magnitude)
        }
    }
#endif
