public import CSteno
import Foundation
import Steno
import StenoCore
import StenoVoiceActivity

// The functions of `steno.h` for audio; the header describes them.

/// `steno_decode_file`, as the header describes it.
@_cdecl("steno_decode_file")
public func stenoDecodeFile(
    _ path: UnsafePointer<CChar>?, _ channel: Int32, _ samples: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?,
    _ count: UnsafeMutablePointer<Int>?, _ channels: UnsafeMutablePointer<Int32>?
) -> Int32 {
    call {
        let file = try FilePath(required(path, "path"))
        let (decoded, channelCount) = try read(countsChannels: channel >= 0) {
            try file.open(channel: channel >= 0 ? Int(channel) : nil)
        }
        channels?.pointee = Int32(channelCount)
        return try give(decoded, required(samples, "samples"), required(count, "count"))
    }
}

/// `steno_decode_data`, as the header describes it.
@_cdecl("steno_decode_data")
public func stenoDecodeData(
    _ bytes: UnsafeRawPointer?, _ count: Int, _ samples: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?,
    _ sampleCount: UnsafeMutablePointer<Int>?
) -> Int32 {
    call {
        let data = try data(bytes, count)
        let (decoded, _) = try read(countsChannels: false) { try AudioFile.open(data: data) }
        return try give(decoded, required(samples, "samples"), required(sampleCount, "sample_count"))
    }
}

/// `steno_find_speech`, as the header describes it.
@_cdecl("steno_find_speech")
public func stenoFindSpeech(
    _ samples: UnsafePointer<Float>?, _ count: Int, _ options: UnsafePointer<CChar>?,
    _ spans: UnsafeMutablePointer<UnsafeMutablePointer<steno_span>?>?, _ spanCount: UnsafeMutablePointer<Int>?
) -> Int32 {
    call {
        let heard = try elements(samples, "samples", count)
        let options = try OptionsText(options).voiceActivity()
        try options.validate()
        var stream = VoiceActivityStream(try options.detector.makeFilter())
        let probabilities = stream.push(heard) + stream.finish()
        let speech = SpeechTimestamps.chunks(of: probabilities, sampleCount: heard.count, options: options)
        return try give(
            speech.map { steno_span(start: Int64($0.lowerBound), end: Int64($0.upperBound)) },
            required(spans, "spans"), required(spanCount, "span_count"))
    }
}

/// A file whose name may not be UTF-8.
struct FilePath {
    private let bytes: [CChar]

    /// - Throws: `StenoError.invalidOption` for an empty path, which would mean the current folder.
    init(_ path: UnsafePointer<CChar>) throws {
        bytes = Array(UnsafeBufferPointer(start: path, count: strlen(path) + 1))
        guard bytes.count > 1 else {
            throw StenoError(.invalidOption, "The argument path is empty. Pass the path of a file.")
        }
    }

    func open(channel: Int?) throws -> AudioFile {
        let text = bytes.withUnsafeBufferPointer { bytes in bytes.baseAddress.flatMap { String(validatingCString: $0) }
        }
        guard let text else {
            let name = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return try AudioFile.open(rawPath: bytes, name: name)
        }
        return try AudioFile.open(URL(fileURLWithPath: text), format: nil, channel: channel)
    }
}

/// All samples of a recording, read on a thread of the library, and the number of its channels.
private func read(
    countsChannels: Bool, _ open: @escaping @Sendable () throws -> AudioFile
) throws -> (samples: [Float], channels: Int) {
    try blocking {
        try await Worker.run("steno.decode") { flag in
            let audio = try CancellationFlag.$current.withValue(flag) { try open() }
            let channels = countsChannels ? try audio.channelCount() : 0
            if countsChannels, try !audio.rewind() {
                throw StenoError(.invalidOption, "A channel of a pipe cannot be read. Name a file.")
            }
            var samples: [Float] = []
            try withUnsafeTemporaryAllocation(of: Float.self, capacity: 1 << 16) { buffer in
                while true {
                    let count = try audio.read(into: buffer)
                    if count == 0 { return }
                    samples.append(contentsOf: buffer[..<count])
                }
            }
            return (samples, channels)
        }
    }
}
