#if Store
    import Foundation
    import Steno

    /// Reads the audio of an encrypted history, chunk by chunk.
    final class SealedAudioReader {
        private let url: URL
        private let name: String
        private let sealer: Sealer
        private let file: OwnedDescriptor
        private var number = 0
        private var isAtEnd = false

        /// - Throws: `StenoError`: `audioNotFound`, `historyDamaged` if it is no such file.
        init(_ url: URL, _ sealer: Sealer) throws {
            (self.url, self.sealer) = (url, sealer)
            name = url.deletingPathExtension().lastPathComponent
            file = try OwnedDescriptor.openForReading(url.path)
            guard try read(SealedAudio.header.count) == SealedAudio.header else { throw damaged() }
        }

        deinit { file.close() }

        /// The samples of the next chunk; nil at the end, which may have been cut off.
        ///
        /// - Throws: `StenoError.historyDamaged` when a chunk was changed, exchanged or left out.
        func next() throws -> [Float]? {
            guard !isAtEnd else { return nil }
            let head = try read(4)
            // A program that was killed has written a part of a chunk.
            guard head.count == 4 else { return nil }
            let size = head.reversed().reduce(0) { $0 << 8 | Int($1) }
            guard size <= SealedAudio.chunkLength * 2 + Sealer.overhead else { throw damaged() }
            let sealed = try read(size)
            guard sealed.count == size else { return nil }
            let samples = try open(Data(sealed))
            number += 1
            return samples
        }

        private func open(_ sealed: Data) throws -> [Float] {
            let place = SealedAudio.place(name, number, isLast: false)
            let bytes: Data
            if let regular = try? sealer.openBytes(sealed, at: place) {
                bytes = regular
            } else {
                bytes = try sealer.openBytes(sealed, at: SealedAudio.place(name, number, isLast: true))
                isAtEnd = true
            }
            let values = Array(bytes)
            return stride(from: 0, to: values.count - 1, by: 2).map { index in
                Float(Int16(truncatingIfNeeded: Int(values[index]) | Int(values[index + 1]) << 8)) / 32_768
            }
        }

        private func read(_ count: Int) throws -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            var filled = 0
            while filled < count {
                let more = bytes.withUnsafeMutableBytes { bytes in
                    retrying { Foundation.read(file.rawValue, bytes.baseAddress?.advanced(by: filled), count - filled) }
                }
                guard more >= 0 else { throw damaged() }
                if more == 0 { break }
                filled += more
            }
            return Array(bytes.prefix(filled))
        }

        private func damaged() -> StenoError {
            StenoError(
                .historyDamaged,
                "The recording \(url.path) is damaged, or belongs to another history. The "
                    + "text can still be read.")
        }
    }
#endif
