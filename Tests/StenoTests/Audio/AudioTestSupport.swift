import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio
@testable import StenoCore

extension TemporaryFolder {
    func file(_ name: String, _ bytes: [UInt8]) throws -> URL {
        let file = url.appendingPathComponent(name)
        try Data(bytes).write(to: file)
        return file
    }

    func namedPipe(_ name: String) throws -> URL {
        let pipe = url.appendingPathComponent(name)
        try #require(mkfifo(pipe.path, 0o600) == 0)
        return pipe
    }
}

func permissions(of file: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
}

/// Reads bytes as a file, with native decoders only.
func readFile(_ bytes: [UInt8]) throws -> [Float] {
    let folder = try TemporaryFolder()
    return try readAll(AudioOpener(ffmpeg: nil).open(folder.file("sound", bytes)))
}

/// Reads bytes through a real pipe; they must fit into its buffer (64 kB).
func readPipe(_ bytes: [UInt8], format: PCMFormat? = nil) throws -> [Float] {
    try readAll(openPipe(bytes, format: format))
}

func openPipe(_ bytes: [UInt8], format: PCMFormat? = nil) throws -> AudioFile {
    try AudioOpener(ffmpeg: nil, format: format).open(filledPipe(bytes), name: "Standard input", path: nil)
}

/// The read end of a pipe that holds some bytes and has no writer any more.
func filledPipe(_ bytes: [UInt8]) throws -> OwnedDescriptor {
    let (readEnd, writeEnd) = try OwnedDescriptor.pipe()
    precondition(bytes.count <= 1 << 16)
    #expect(write(writeEnd.rawValue, bytes, bytes.count) == bytes.count)
    writeEnd.close()
    return readEnd
}

func stenoError(_ work: () throws -> Any, sourceLocation: SourceLocation = #_sourceLocation) throws -> StenoError {
    try #require(throws: StenoError.self, sourceLocation: sourceLocation) { _ = try work() }
}

#if os(Linux) || os(macOS)
    extension TemporaryFolder {
        /// A file that ffmpeg writes from another one.
        func convert(_ source: URL, to name: String, _ arguments: [String] = []) async throws -> URL {
            let output = url.appendingPathComponent(name)
            try await runFFmpeg(["-i", "file:" + source.path] + arguments + ["file:" + output.path])
            return output
        }
    }

    /// A pipe that a thread fills with a file.
    func pipe(of file: URL) throws -> OwnedDescriptor {
        let (readEnd, writeEnd) = try OwnedDescriptor.pipe()
        PipePump(head: [], from: try .openForReading(file.path), to: writeEnd, interruption: try Interruption()).start()
        return readEnd
    }

    func runFFmpeg(_ arguments: [String]) async throws {
        let path = try #require(FFmpeg.installed).path
        let status = try await onThread {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = ["-nostdin", "-loglevel", "error", "-y"] + arguments
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }
        try #require(status == 0)
    }
#endif

extension Trait where Self == ConditionTrait {
    static var needsFFmpeg: Self { .enabled(if: hasFFmpeg, "ffmpeg is not installed") }
    #if os(Linux) || os(macOS)
        static var needsSoundFileLibrary: Self {
            .enabled(if: SoundFileLibrary.installed != nil || mustRun, "libsndfile is not installed")
        }
    #endif
    #if os(Linux)
        static var needsPulseAudio: Self {
            .enabled(
                if: PulseAudioServer.isInstalled || mustRun,
                "pulseaudio or its programs (pulseaudio-utils) are not installed")
        }
    #endif
}

struct WAVBuilder {
    enum Form: CaseIterable {
        case riff
        case extensible
        case rf64
    }

    var format: PCMFormat
    var form = Form.riff
    var samples: [Double]
    /// Whole chunks (head, bytes, pad) before "fmt ".
    var leading: [UInt8] = []
    /// Whole chunks between "fmt " and "data".
    var middle: [UInt8] = []
    var trailing: [UInt8] = []
    /// What the header claims in place of the true size.
    var claimedDataSize: UInt32?
    var claimedRIFFSize: UInt32?
    var claimedTag: UInt16?
    var claimedChannels: UInt16?
    var claimedRate: UInt32?
    var claimedBits: UInt16?
    var claimedBytesPerFrame: UInt16?
    var claimedFormatSize: UInt32?

    init(_ format: PCMFormat, form: Form = .riff, samples: [Double]) {
        self.format = format
        self.form = form
        self.samples = samples
    }

    /// A short 16-bit file.
    static func simple(_ count: Int = 100, rate: Int = 16_000) throws -> WAVBuilder {
        let samples = (0..<count).map { Double($0 % 64 - 32) / 64 }
        return WAVBuilder(try PCMFormat(.int16, sampleRate: rate), samples: samples)
    }

    static func chunk(_ id: String, _ bytes: [UInt8]) -> [UInt8] {
        Array(id.utf8) + le(UInt32(bytes.count)) + bytes + (bytes.count % 2 == 1 ? [0] : [])
    }

    var data: [UInt8] { samples.flatMap { Self.encode($0, format.encoding) } }

    var bytes: [UInt8] {
        let data = self.data
        let is64 = form == .rf64
        let dataSize = claimedDataSize ?? (is64 ? .max : UInt32(data.count))
        var body = Array("WAVE".utf8)
        if is64 {
            body += Self.chunk(
                "ds64", Self.le(UInt64(0)) + Self.le(UInt64(data.count)) + Self.le(UInt64(0)) + Self.le(UInt32(0)))
        }
        body += leading + formatChunk + middle + Array("data".utf8) + Self.le(dataSize)
        body += data + (data.count % 2 == 1 ? [0] : []) + trailing
        let size = claimedRIFFSize ?? (is64 ? .max : UInt32(body.count))
        return Array((is64 ? "RF64" : "RIFF").utf8) + Self.le(size) + body
    }

    /// The plain form with all numbers big-endian, "RIFX".
    var bigEndian: [UInt8] {
        var bytes = self.bytes
        bytes.replaceSubrange(0..<4, with: Array("RIFX".utf8))
        func swap(_ start: Int, _ size: Int) { bytes[start..<(start + size)].reverse() }
        swap(4, 4)
        var position = 12
        while position + 8 <= bytes.count {
            let id = String(decoding: bytes[position..<(position + 4)], as: UTF8.self)
            let size = bytes[(position + 4)..<(position + 8)].reversed().reduce(0) { $0 << 8 | Int($1) }
            swap(position + 4, 4)
            position += 8
            if id == "fmt " {
                for (start, size) in [(0, 2), (2, 2), (4, 4), (8, 4), (12, 2), (14, 2)] { swap(position + start, size) }
            }
            if id == "data" {
                let step = format.encoding.bytesPerSample
                for start in stride(from: position, to: position + size, by: step) { swap(start, step) }
            }
            position += size + size % 2
        }
        return bytes
    }

    private var isFloat: Bool { [.float32, .float64].contains(format.encoding) }

    private var formatChunk: [UInt8] {
        let bits = UInt16(format.encoding.bytesPerSample * 8)
        let tag = claimedTag ?? (isFloat ? 3 : 1)
        let channels = claimedChannels ?? UInt16(format.channels)
        let rate = claimedRate ?? UInt32(format.sampleRate)
        let bytesPerFrame = claimedBytesPerFrame ?? UInt16(format.bytesPerFrame)
        var fields = Self.le(form == .extensible ? 0xFFFE : tag) + Self.le(channels) + Self.le(rate)
        fields += Self.le(rate &* UInt32(bytesPerFrame)) + Self.le(bytesPerFrame) + Self.le(claimedBits ?? bits)
        if form == .extensible {
            fields += Self.le(UInt16(22)) + Self.le(bits) + Self.le(UInt32(0)) + Self.le(tag)
            fields += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        }
        return Array("fmt ".utf8) + Self.le(claimedFormatSize ?? UInt32(fields.count)) + fields
    }

    static func encode(_ value: Double, _ encoding: PCMFormat.Encoding) -> [UInt8] {
        func integer(_ scale: Double) -> Int32 { Int32(max(-scale, min(scale - 1, (value * scale).rounded()))) }
        return switch encoding {
        case .uint8: [UInt8(Int(integer(128)) + 128)]
        case .int16: le(Int16(integer(32_768)))
        case .int24: Array(le(integer(8_388_608)).prefix(3))
        case .int32: le(integer(2_147_483_648))
        case .float32: le(Float(value).bitPattern)
        case .float64: le(value.bitPattern)
        }
    }

    static func le(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}
