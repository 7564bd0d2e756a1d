#if Server
    import Testing

    @testable import StenoServer

    /// Against values that follow from the tables of ITU-T G.711.
    @Suite struct G711Tests {
        @Test(arguments: [
            (0x00, -32124), (0x01, -31100), (0x0F, -16764), (0x10, -15996), (0x7E, -8), (0x7F, 0), (0x80, 32124),
            (0x8F, 16764), (0x90, 15996), (0xEF, 132), (0xF0, 120), (0xFE, 8), (0xFF, 0),
        ])
        func muLawHasTheValuesOfTheStandard(_ byte: Int, _ value: Int) {
            #expect(Int(G711.muLaw.decode(UInt8(byte))) == value)
        }

        @Test(arguments: [
            (0x00, -5504), (0x2A, -32256), (0x55, -8), (0x54, -24), (0xD5, 8), (0xD4, 24), (0xAA, 32256), (0xC5, 264),
            (0x80, 5504), (0xF5, 528),
        ])
        func aLawHasTheValuesOfTheStandard(_ byte: Int, _ value: Int) {
            #expect(Int(G711.aLaw.decode(UInt8(byte))) == value)
        }

        @Test(arguments: [G711.muLaw, .aLaw])
        func positiveAndNegativeValuesAreSymmetricAndRiseWithTheCode(_ law: G711) {
            for byte in UInt8(0)...127 { #expect(law.decode(byte) == -law.decode(byte | 128)) }
            let values = (0...127).map { byte in
                law == .muLaw ? law.decode(255 - UInt8(byte)) : law.decode((UInt8(byte) | 128) ^ 0x55)
            }
            #expect(values == values.sorted() && Set(values).count == 128)
        }

        @Test func bytesBecomeSamples() {
            #expect(RealtimeAudioFormat.g711(.muLaw).samples([0x00, 0xFF, 0x80]) == [-32124, 0, 32124])
            #expect(
                RealtimeAudioFormat.pcm(rate: 24_000).samples([0x01, 0x00, 0xFF, 0xFF, 0x00, 0x80, 7]) == [
                    1, -1, -32768,
                ])
        }
    }
#endif
