#if Store
    import Foundation
    import Steno

    /// Writes the audio of an encrypted history.
    ///
    /// A write that fails changes nothing that counts: the same samples can be written again when there is room.
    final class SealedAudioWriter: RecordingWriter {
        private let url: URL
        private let name: String
        private let sealer: Sealer
        private let file: OwnedDescriptor
        private var size = SealedAudio.header.count
        private var chunks = 0
        /// The samples of the chunk that is not full.
        private var rest: [Int16] = []
        private var isOpen = true

        /// Creates the file.
        ///
        /// - Throws: `StenoError.outputFailed`.
        init(_ url: URL, _ sealer: Sealer) throws {
            (self.url, self.sealer) = (url, sealer)
            name = url.deletingPathExtension().lastPathComponent
            let descriptor = retrying { open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
            guard descriptor >= 0 else { throw StoreFolder.cannotWrite(url, SystemCallError(call: "open")) }
            file = OwnedDescriptor(descriptor)
            do {
                try write(SealedAudio.header, at: 0)
            } catch {
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
                bytes += try SealedAudio.chunk(
                    all[start..<end], SealedAudio.place(name, count, isLast: false), sealer)
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

        /// Only the history removes it.
        var isRemoved: Bool { false }
        func restore() throws {}

        private func write(_ bytes: [UInt8], at position: Int) throws {
            var written = 0
            while written < bytes.count {
                let count = bytes.withUnsafeBytes { bytes in
                    retrying {
                        pwrite(
                            file.rawValue, bytes.baseAddress?.advanced(by: written), bytes.count - written,
                            off_t(position + written))
                    }
                }
                guard count > 0 else { throw StoreFolder.cannotWrite(url, SystemCallError(call: "pwrite")) }
                written += count
            }
        }
    }
#endif
