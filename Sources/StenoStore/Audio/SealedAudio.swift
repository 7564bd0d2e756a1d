#if Store
    import Foundation
    import Steno

    /// Audio of an encrypted history: a file of sealed chunks, each a second of 16-bit samples (16 kHz, mono).
    ///
    ///     "STENOAUD" 1 0 0 0     the magic and the version
    ///     size sealed…           as often as needed: 32 bits, little-endian, and that many bytes (``Sealer``)
    ///
    /// Each chunk is bound to the recording and its number, and the last one is marked as the last, so that exchanging,
    /// repeating or omitting chunks is detected. A file without a last chunk is incomplete, but intact to the second.
    enum SealedAudio {
        static let header: [UInt8] = Array("STENOAUD".utf8) + [1, 0, 0, 0]
        static let chunkLength = AudioFile.sampleRate

        static func place(_ name: String, _ number: Int, isLast: Bool) -> String {
            "audio \(name), \(isLast ? "last " : "")chunk \(number)"
        }

        /// A chunk as it is stored in the file.
        static func chunk(_ samples: some Sequence<Int16>, _ place: String, _ sealer: Sealer) throws -> [UInt8] {
            var bytes: [UInt8] = []
            for sample in samples { bytes.append(littleEndian: sample) }
            let sealed = try sealer.sealBytes(Data(bytes), at: place)
            var chunk: [UInt8] = []
            chunk.append(littleEndian: UInt32(sealed.count))
            return chunk + sealed
        }
    }

    /// Reads the audio of an encrypted history, chunk by chunk.
    final class SealedAudioReader {
        private let url: URL
        private let name: String
        private let sealer: Sealer
        private let file: OwnedDescriptor
        private var number = 0
        private var isAtEnd = false

        /// - Throws: `StenoError`: `audioNotFound`; `historyDamaged` if it is not such a file.
        init(_ url: URL, _ sealer: Sealer) throws {
            (self.url, self.sealer) = (url, sealer)
            name = url.deletingPathExtension().lastPathComponent
            file = try OwnedDescriptor.openForReading(url.path)
            guard try read(SealedAudio.header.count) == SealedAudio.header else { throw damaged() }
        }

        deinit { file.close() }

        /// The samples of the next chunk; nil at the end, which may have been cut off.
        ///
        /// - Throws: `StenoError.historyDamaged` if a chunk was changed, exchanged or omitted.
        func next() throws -> [Float]? {
            guard !isAtEnd else { return nil }
            let head = try read(4)
            // A program that was killed may have written part of a chunk.
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
                "The recording \(url.path) is damaged, or belongs to another history. The text can still be read.")
        }
    }

    /// Writes the audio of an encrypted history.
    ///
    /// A failed write has no lasting effect: the same samples can be written again when there is space.
    final class SealedAudioWriter: RecordingWriter {
        private let url: URL
        private let name: String
        private let sealer: Sealer
        private let file: OwnedDescriptor
        private var size = SealedAudio.header.count
        private var chunks = 0
        private var rest: [Int16] = []
        private var isOpen = true

        /// - Throws: `StenoError.outputFailed`.
        init(_ url: URL, _ sealer: Sealer) throws {
            (self.url, self.sealer) = (url, sealer)
            name = url.deletingPathExtension().lastPathComponent
            guard let file = OwnedDescriptor.open(url.path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600) else {
                throw StoreFolder.cannotWrite(url, SystemCallError(call: "open"))
            }
            self.file = file
            do { try write(SealedAudio.header, at: 0) } catch {
                // Otherwise a second attempt would find a file that it must not overwrite.
                unlink(url.path)
                throw error
            }
        }

        deinit { try? close() }

        func write(_ samples: [Float]) throws {
            let all = rest + samples.map(\.pcm16)
            var (bytes, count, start): ([UInt8], Int, Int) = ([], chunks, 0)
            while all.count - start >= SealedAudio.chunkLength {
                let end = start + SealedAudio.chunkLength
                bytes += try SealedAudio.chunk(all[start..<end], SealedAudio.place(name, count, isLast: false), sealer)
                (count, start) = (count + 1, end)
            }
            try write(bytes, at: size)
            (size, chunks, rest) = (size + bytes.count, count, Array(all[start...]))
        }

        func close() throws {
            guard isOpen else { return }
            isOpen = false
            defer { file.close() }
            // The remains of a failed write are not part of the audio.
            _ = ftruncate(file.rawValue, off_t(size))
            try write(SealedAudio.chunk(rest, SealedAudio.place(name, chunks, isLast: true), sealer), at: size)
        }

        /// Never, since only the history removes it.
        var isRemoved: Bool { false }
        func restore() throws {}

        private func write(_ bytes: [UInt8], at position: Int) throws {
            do { try bytes.withUnsafeBytes { try file.write($0, at: position) } } catch {
                throw StoreFolder.cannotWrite(url, error)
            }
        }
    }
#endif
