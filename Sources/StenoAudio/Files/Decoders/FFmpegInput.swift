import StenoCore

#if os(Linux) || os(macOS)
    import Foundation

    /// The input of ffmpeg.
    enum FFmpegInput {
        /// A file that ffmpeg opens itself.
        case file(path: String, name: String, Interruption)
        /// An open file, such as redirected standard input.
        case redirected(ByteReader)
        /// A pipe whose first bytes have been read.
        case pipe(ByteReader, head: [UInt8])

        /// Chooses the kind of input.
        init(_ bytes: ByteReader, path: String?, what: String) throws {
            if bytes.isSeekable {
                self = path.map { .file(path: $0, name: bytes.name, bytes.interruption) } ?? .redirected(bytes)
            } else if let head = bytes.passed {
                bytes.forgetPassed()
                self = .pipe(bytes, head: head)
            } else {
                throw StenoError(
                    .audioDamaged, "\(what), after a header of more than 1 MB. Save it to a file and use that.")
            }
        }

        var name: String {
            switch self {
            case .file(_, let name, _): name
            case .redirected(let bytes), .pipe(let bytes, _): bytes.name
            }
        }

        var interruption: Interruption {
            switch self {
            case .file(_, _, let interruption): interruption
            case .redirected(let bytes), .pipe(let bytes, _): bytes.interruption
            }
        }

        var canRestart: Bool {
            if case .pipe = self { false } else { true }
        }

        /// The name on ffmpeg's command line.
        ///
        /// After "file:" a name is taken literally. A redirected file is named by its device, because ffmpeg can seek
        /// in it but not in "pipe:0", and MP4 files need seeking.
        var argument: String {
            switch self {
            case .file(let path, _, _): "file:" + path
            case .redirected: "file:/dev/stdin"
            case .pipe: "pipe:0"
            }
        }

        /// The only protocol ffmpeg may use, also for anything the input refers to.
        var protocols: String {
            if case .pipe = self { "pipe" } else { "file" }
        }

        /// Opens what becomes ffmpeg's standard input; for a pipe, this starts the thread that fills it.
        func openStandardInput() throws -> OwnedDescriptor {
            switch self {
            case .file:
                return try .openForReading("/dev/null")
            case .redirected(let bytes):
                try bytes.seek(to: 0)
                return bytes.descriptor
            case .pipe(let bytes, let head):
                let (readEnd, writeEnd) = try OwnedDescriptor.pipe()
                PipePump(head: head, from: bytes.descriptor, to: writeEnd, interruption: bytes.interruption).start()
                return readEnd
            }
        }
    }
#endif
