#if Server
    /// The companded 8-bit samples of telephony (ITU-T G.711), decoded as its tables define them.
    package enum G711: Sendable, Hashable {
        /// North America and Japan.
        case muLaw
        /// Everywhere else.
        case aLaw

        /// Samples per second.
        package static let sampleRate = 8000

        /// A sample from −32,124 to 32,124 (µ-law, 14 bits) or from −32,256 to 32,256 (A-law, 13 bits), both at a scale of 16.
        package func decode(_ byte: UInt8) -> Int16 {
            self == .muLaw ? Self.muLawTable[Int(byte)] : Self.aLawTable[Int(byte)]
        }

        private static let muLawTable = (0...255).map { decodeMuLaw(UInt8($0)) }
        private static let aLawTable = (0...255).map { decodeALaw(UInt8($0)) }

        /// All bits are sent inverted; the magnitude has a bias of 33 (at a scale of 4: 132), so that every segment is a
        /// power of two.
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
