import ArgumentParser
import Steno

/// The format of raw audio, as ffmpeg names it: `s16le,16000` or `f32le,48000,2`.
struct RawAudio: ExpressibleByArgument, Sendable {
    let format: PCMFormat

    init?(argument: String) {
        let parts = argument.lowercased().split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }
        guard (2...3).contains(parts.count), let encoding = Self.encodings[String(parts[0])],
            let rate = Int(parts[1]), let channels = parts.count == 3 ? Int(parts[2]) : 1,
            let format = try? PCMFormat(encoding, sampleRate: rate, channels: channels)
        else { return nil }
        self.format = format
    }

    static let encodings: [String: PCMFormat.Encoding] = [
        "u8": .uint8, "s16le": .int16, "s16": .int16, "s24le": .int24, "s24": .int24, "s32le": .int32, "s32": .int32,
        "f32le": .float32, "f32": .float32, "f64le": .float64, "f64": .float64,
    ]
}
