#if Store
    import Foundation
    import Steno

    /// Audio of an encrypted history: a file of sealed chunks, each a second of 16-bit samples (16 kHz, mono).
    ///
    ///     "STENOAUD" 1 0 0 0                 the magic and the version size sealed…                       as often as
    ///     needed: 32 bits, little-endian, and that many bytes (``Sealer``)
    ///
    /// Each chunk is bound to the recording and its number, and the last one to being the last, so that none can be
    /// exchanged, repeated or left out without notice. A file without a last chunk is incomplete, but whole to the
    /// second.
    enum SealedAudio {
        static let header: [UInt8] = Array("STENOAUD".utf8) + [1, 0, 0, 0]
        /// The samples in a chunk.
        static let chunkLength = AudioFile.sampleRate

        /// The context that a chunk is bound to.
        static func place(_ name: String, _ number: Int, isLast: Bool) -> String {
            "audio \(name), \(isLast ? "last " : "")chunk \(number)"
        }

        /// A chunk as it stands in the file.
        static func chunk(_ samples: some Sequence<Int16>, _ place: String, _ sealer: Sealer) throws -> [UInt8] {
            var bytes: [UInt8] = []
            for sample in samples { bytes.append(littleEndian: sample) }
            let sealed = try sealer.sealBytes(Data(bytes), at: place)
            var chunk: [UInt8] = []
            chunk.append(littleEndian: UInt32(sealed.count))
            return chunk + sealed
        }
    }
#endif
