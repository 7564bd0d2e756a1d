import Foundation
import StenoCore

/// Locates ffmpeg, the decoder for formats other than WAV.
package struct FFmpeg: Sendable {
    let path: String

    /// The ffmpeg on `PATH`; on macOS also in the usual folders, which are not on the `PATH` of apps started from the
    /// Finder.
    package static var installed: FFmpeg? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        #if os(macOS)
            return find(in: path + ":/opt/homebrew/bin:/usr/local/bin")
        #else
            return find(in: path)
        #endif
    }

    /// Looks through folders, separated by colons as in `PATH`.
    static func find(in folders: String) -> FFmpeg? {
        folders.split(separator: ":")
            .map { "\($0)/ffmpeg" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
            .map(FFmpeg.init)
    }

    /// The end of the error message when ffmpeg is not installed.
    static let missing = """
        ffmpeg, which decodes other formats, is not installed. Install it (Debian, Ubuntu: sudo apt install ffmpeg; \
        macOS: brew install ffmpeg), or convert the recording to WAV, which needs no other program.
        """

    /// The containers that may be read, by ffmpeg's names for their demuxers.
    ///
    /// An allow list, since every version of ffmpeg adds demuxers that open other files or the network (HLS, DASH,
    /// concat, SDP, numbered images). References to other files within MOV are not followed by default.
    private static let containers = [
        "aa", "aac", "aax", "ac3", "act", "adp", "ads", "adx", "aea", "afc", "aiff", "alaw", "amr", "amrnb", "amrwb",
        "ape", "apc", "asf", "asf_o", "ast", "au", "avi", "avr", "brstm", "caf", "codec2", "dsf", "dts", "dtshd", "dv",
        "eac3", "flac", "flv", "g722", "g726", "g726le", "g729", "gsm", "gxf", "iamf", "iff", "ilbc", "ircam", "kux",
        "live_flv", "lc3", "loas", "matroska", "mlp", "mmf", "mov", "mp3", "mpc", "mpc8", "mpeg", "mpegts", "mulaw",
        "mxf", "nistsphere", "nsv", "nut", "nuv", "ogg", "oma", "qcp", "rm", "rso", "sbc", "sds", "shn", "sln", "sox",
        "spdif", "tak", "truehd", "tta", "voc", "vqf", "w64", "wav", "wsd", "wtv", "wv", "xa", "xwma",
    ]

    /// The arguments with which ffmpeg writes an audio track of an input as 16-bit samples, 16 kHz, mono.
    ///
    /// - Parameters:
    ///   - input: The input as ffmpeg's command line names it.
    ///   - protocols: The protocols allowed for opening the input and anything it refers to.
    ///   - track: The audio track, counted from 0.
    static func arguments(input: String, protocols: String, track: Int = 0) -> [String] {
        headerArguments(input: input, protocols: protocols) + [
            "-map", "0:a:\(track)", "-f", "s16le", "-acodec", "pcm_s16le", "-ac", "1", "-ar",
            "\(AudioFile.sampleRate)", "pipe:1",
        ]
    }

    /// The arguments with which ffmpeg writes all channels of a track as a WAV file, whose header gives their number.
    static func channelArguments(input: String, protocols: String, track: Int = 0) -> [String] {
        headerArguments(input: input, protocols: protocols) + [
            "-map", "0:a:\(track)", "-f", "wav", "-acodec", "pcm_s16le", "-ar", "\(AudioFile.sampleRate)", "pipe:1",
        ]
    }

    /// The arguments with which ffmpeg reports what an input is; it then ends with an error, since it has no output.
    static func headerArguments(input: String, protocols: String) -> [String] {
        [
            "-hide_banner", "-nostdin", "-nostats", "-loglevel", "repeat+level+info", "-protocol_whitelist", protocols,
            "-format_whitelist", containers.joined(separator: ","), "-i", input,
        ]
    }

    /// The format that ffmpeg reports as not allowed; nil for any other message.
    ///
    ///     [hls @ 0x55dddaf54b40] Format not on whitelist 'aa,aac,…'
    static func refusedFormat(_ message: String) -> String? {
        guard let line = message.split(separator: "\n").first(where: { $0.contains("not on whitelist") }) else {
            return nil
        }
        guard line.hasPrefix("["), let end = line.range(of: " @ ") else { return "unknown" }
        return String(line[line.index(after: line.startIndex)..<end.lowerBound])
    }
}

#if os(Linux) || os(macOS)
    enum FFmpegInput {
        /// A file that ffmpeg opens itself.
        case file(path: String, name: String, Interruption)
        /// An open file, such as redirected standard input.
        case redirected(ByteReader)
        /// A pipe whose first bytes have been read.
        case pipe(ByteReader, head: [UInt8])

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
            case .file: return try .openForReading("/dev/null")
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
