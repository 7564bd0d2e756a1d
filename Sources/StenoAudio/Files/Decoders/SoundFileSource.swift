import Foundation
import StenoCore

/// Audio in a format that libsndfile decodes, decoded as it is read; the channels are averaged, unless one is chosen.
final class SoundFileSource: NativeRateSource {
    let sampleRate: Int
    /// The number of channels in the file, including those that are not read.
    let channelCount: Int
    /// The length in seconds, according to the file; nil if it does not say.
    let duration: Double?

    private let library: SoundFileLibrary
    private let handle: SoundFileLibrary.Handle
    private let input: SoundFileInput
    private let head: ContentHead
    private let channel: Int?
    private let chunk: UnsafeMutableBufferPointer<Float>
    private let framesPerChunk: Int
    private let frameCount: Int?
    private var framesRead = 0
    private var hasEnded = false

    /// Opens a recording from its first byte; nil if the library does not know its format.
    ///
    /// - Parameter bytes: A file, since the library seeks.
    /// - Throws: `StenoError`: `audioDamaged` for rates and channels that no recording has, `invalidOption` if there is no such
    ///   channel, `audioUnreadable` and `cancelled` as reading does.
    init?(_ library: SoundFileLibrary, _ bytes: ByteReader, head: ContentHead, channel: Int?) throws {
        try bytes.seek(to: 0)
        let input = SoundFileInput(bytes)
        guard
            let (handle, information) = library.open(
                SoundFileInput.callbacks, context: Unmanaged.passUnretained(input).toOpaque())
        else {
            if let error = input.error { throw error }
            return nil
        }
        (self.library, self.handle, self.input, self.head, self.channel) = (library, handle, input, head, channel)
        sampleRate = information.sampleRate
        channelCount = information.channels
        framesPerChunk = 4096
        // The library writes every channel before one of them is chosen.
        chunk = .allocate(
            capacity: framesPerChunk * max(1, min(information.channels, PCMFormat.channelCounts.upperBound)))
        // Streams of unknown length have the largest number.
        let isKnown = information.frames > 0 && information.frames < Int.max / 2
        frameCount = isKnown ? information.frames : nil
        duration = isKnown ? Double(information.frames) / Double(max(1, information.sampleRate)) : nil
        try ensure(
            PCMFormat.sampleRates.contains(sampleRate) && PCMFormat.channelCounts.contains(channelCount),
            or: .audioDamaged,
            "\(bytes.name) claims \(channelCount) channels at \(sampleRate) Hz. Download or copy it again.")
        if let channel { try PCMFormat.checkChannel(channel, of: bytes.name, count: channelCount) }
    }

    deinit {
        library.close(handle)
        chunk.deallocate()
    }

    func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
        guard let samples = chunk.baseAddress, !buffer.isEmpty else { return 0 }
        let frames = library.read(handle, into: samples, frames: min(buffer.count, framesPerChunk))
        if let error = input.error { throw error }
        if frames == 0 { try end() }
        mix(frames, into: buffer)
        framesRead += frames
        return frames
    }

    func rewind() throws -> Bool {
        (framesRead, hasEnded) = (0, false)
        return library.rewind(handle)
    }

    /// Empty until the end of the audio.
    var warnings: [TranscriptionWarning] {
        guard hasEnded else { return [] }
        let seconds = Double(framesRead) / Double(sampleRate)
        // Without an index MP3 files have only an estimated length; FLAC has a count, and Ogg marks its last page.
        if head.flacDuration != nil, let frameCount, framesRead < frameCount {
            return [.truncated(input.name, seconds: seconds, expected: duration)]
        }
        if head.isCutOff { return [.truncated(input.name, seconds: seconds, expected: nil)] }
        guard let message = library.message(handle) else { return [] }
        return [
            TranscriptionWarning(
                .audioDamaged, "\(input.name) is damaged after \(Hundredths.rounded(seconds)) s: \(message)")
        ]
    }

    private func end() throws {
        hasEnded = true
        guard framesRead == 0, let message = library.message(handle) else { return }
        throw StenoError(.audioDamaged, "\(input.name) could not be decoded: \(message)")
    }

    private func mix(_ frames: Int, into buffer: UnsafeMutableBufferPointer<Float>) {
        let mixed = channel.map { $0..<($0 + 1) } ?? 0..<channelCount
        for frame in 0..<frames { buffer[frame] = PCMFormat.mean(of: mixed) { chunk[frame * channelCount + $0] } }
    }
}

/// What libsndfile reads: the bytes of a recording, by the callbacks of `SF_VIRTUAL_IO`.
private final class SoundFileInput {
    let bytes: ByteReader
    /// The first error of a callback, which C cannot throw.
    var error: (any Error)?

    init(_ bytes: ByteReader) { self.bytes = bytes }

    var name: String { bytes.name }

    private typealias Length = @convention(c) (UnsafeMutableRawPointer) -> Int64
    private typealias Seek = @convention(c) (Int64, CInt, UnsafeMutableRawPointer) -> Int64
    private typealias Read = @convention(c) (UnsafeMutableRawPointer, Int64, UnsafeMutableRawPointer) -> Int64
    private typealias Write = @convention(c) (UnsafeRawPointer, Int64, UnsafeMutableRawPointer) -> Int64

    /// The functions in the order of the C structure.
    static var callbacks: [UnsafeRawPointer] {
        let length: Length = { Int64(SoundFileInput.input($0).bytes.size ?? 0) }
        let seek: Seek = { SoundFileInput.input($2).seek($0, from: $1) }
        let read: Read = {
            SoundFileInput.input($2).read(UnsafeMutableRawBufferPointer(start: $0, count: Int(clamping: max(0, $1))))
        }
        let write: Write = { _, _, _ in 0 }
        let tell: Length = { Int64(SoundFileInput.input($0).bytes.position) }
        return [
            unsafeBitCast(length, to: UnsafeRawPointer.self), unsafeBitCast(seek, to: UnsafeRawPointer.self),
            unsafeBitCast(read, to: UnsafeRawPointer.self), unsafeBitCast(write, to: UnsafeRawPointer.self),
            unsafeBitCast(tell, to: UnsafeRawPointer.self),
        ]
    }

    private static func input(_ context: UnsafeMutableRawPointer) -> SoundFileInput {
        Unmanaged<SoundFileInput>.fromOpaque(context).takeUnretainedValue()
    }

    private func seek(_ offset: Int64, from origin: CInt) -> Int64 {
        let size = bytes.size ?? 0
        let start =
            switch origin {
            case SEEK_CUR: bytes.position
            case SEEK_END: size
            default: 0
            }
        // Damaged files ask for any position.
        let (target, overflow) = start.addingReportingOverflow(Int(offset))
        guard !overflow, (0...size).contains(target) else { return -1 }
        return attempt { try bytes.seek(to: target) } == nil ? -1 : Int64(target)
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int64 {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            guard let more = attempt({ try bytes.read(into: rest) }), more > 0 else { break }
            count += more
        }
        return Int64(count)
    }

    /// Keeps the error, after which nothing more is read.
    private func attempt<Result>(_ work: () throws -> Result) -> Result? {
        guard error == nil else { return nil }
        do { return try work() } catch {
            self.error = error
            return nil
        }
    }
}
