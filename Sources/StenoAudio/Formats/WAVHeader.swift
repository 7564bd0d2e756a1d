/// The header of a WAV file.
///
///     "RIFF" size "WAVE"                       or "RF64"/"BW64", whose 64-bit sizes are in a chunk "ds64";
///                                              in "RIFX" all numbers are big-endian
///       id size bytes…  (a pad byte if odd)    any chunks, in any order; unknown ones are skipped
///       "fmt " 16…40 bytes                     codec, channels, rate, bits; 40 bytes in WAVE_FORMAT_EXTENSIBLE
///       "data" size                            the samples; a size of 0 or 0xFFFFFFFF means "until the end"
///
/// Sources: Microsoft/IBM "Multimedia Programming Interface and Data Specifications 1.0" (RIFF, WAVE); Microsoft,
/// "Multiple channel audio data and WAVE files" (extensible); EBU Tech 3306 and ITU-R BS.2088 (RF64, BW64).
struct WAVHeader: Equatable {
    let format: PCMFormat
    /// The size of the samples according to the header; nil for "until the end".
    let byteCount: Int?
    /// Whether all numbers have their most significant byte first.
    var isBigEndian = false

    /// The number of bytes `isWAV` needs.
    static let magicLength = 12

    /// Whether a recording that begins with these bytes is a WAV file, whatever its name.
    static func isWAV(_ head: [UInt8]) -> Bool {
        guard head.count >= magicLength else { return false }
        return ["RIFF", "RIFX", "RF64", "BW64"].contains(text(head[0..<4])) && text(head[8..<12]) == "WAVE"
    }

    static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: Unicode.ASCII.self) }
}

/// The samples of a WAV file are not PCM; another decoder may support them.
struct UnsupportedWAVCodec: Error {
    let tag: Int

    /// A name for the error message; the tags are those of `mmreg.h`.
    var name: String {
        let known = [
            2: "Microsoft ADPCM", 6: "A-law", 7: "mu-law", 0x11: "IMA ADPCM", 0x31: "GSM 6.10",
            0x50: "MPEG", 0x55: "MP3",
        ]
        return known[tag] ?? "codec 0x" + String(tag, radix: 16)
    }
}
