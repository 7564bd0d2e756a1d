import Foundation

/// ffmpeg's report about an input: its tracks, its length, and errors.
///
/// Its lines have the form of `-loglevel level+info`: `[mov,mp4 @ 0x55] [error] moov atom not found`.
struct FFmpegLog: Sendable {
    /// The length of the container in seconds, if it is known.
    private(set) var duration: Double?
    /// Whether the length was computed from the bit rate.
    private(set) var isEstimate = false
    /// For each audio track, whether the container marks it as the default.
    private(set) var audioTracks: [Bool] = []
    private(set) var hasVideo = false
    private(set) var isRecognised = false
    private(set) var isCutOff = false
    private(set) var damagedPackets = 0
    /// The format that ffmpeg recognised but may not read.
    private(set) var refusedFormat: String?
    /// The last error messages.
    private(set) var errors: [String] = []

    /// Whether the lines are still about the input.
    private var isAboutInput = true

    /// The number of messages kept: the last ones give the reason.
    private static let messageCount = 3
    private static let cuts = ["partial file", "ended prematurely", "moov atom not found"]
    private static let damages = ["Error while decoding stream", "Error submitting packet", "Error processing packet"]

    /// The track that a player would choose, counted from 0: the first that is marked, otherwise the first.
    var defaultTrack: Int { audioTracks.firstIndex(of: true) ?? 0 }

    /// The length in seconds that the only track should have according to its header; nil if it is unknown.
    var expectedDuration: Double? { isEstimate || hasVideo || audioTracks.count != 1 ? nil : duration }

    mutating func add(_ line: String) {
        let (level, rest) = Self.split(line)
        let text = String(rest)
        switch level {
        case "info": if isAboutInput { addHeader(text) }
        case "warning": if text.contains("Estimating duration from bitrate") { isEstimate = true }
        default: addError(text, line)
        }
    }

    private mutating func addHeader(_ text: String) {
        if text.hasPrefix("Input #0") { isRecognised = true }
        if text.hasPrefix("Stream mapping") || text.hasPrefix("Output #0") { isAboutInput = false }
        let text = text.drop { $0 == " " }
        if text.hasPrefix("Duration: ") {
            duration = Self.seconds(text.dropFirst("Duration: ".count).prefix { $0 != "," })
        } else if text.hasPrefix("Stream #0:") {
            if text.contains(": Audio: ") {
                audioTracks.append(text.contains("(default)"))
            } else if text.contains(": Video: "), !text.contains("(attached pic)") {
                hasVideo = true
            }
        }
    }

    private mutating func addError(_ text: String, _ line: String) {
        if Self.cuts.contains(where: text.contains) { isCutOff = true }
        if Self.damages.contains(where: text.hasPrefix) { damagedPackets += 1 }
        if text.contains("not on whitelist") { refusedFormat = FFmpeg.refusedFormat(line) }
        errors.append(text)
        errors.removeFirst(max(0, errors.count - Self.messageCount))
    }

    /// The level of a line (nil if it has none) and its text.
    private static func split(_ line: String) -> (level: String?, text: Substring) {
        for level in ["info", "warning", "error", "fatal", "panic"] {
            let mark = "[\(level)] "
            guard let place = line.range(of: mark) else { continue }
            let context = line[..<place.lowerBound]
            if context.isEmpty || context.hasPrefix("[") && context.hasSuffix("] ") {
                return (level, line[place.upperBound...])
            }
        }
        return (nil, line[...])
    }

    /// The seconds in a time such as `01:02:03.45`.
    private static func seconds(_ time: Substring) -> Double? {
        let parts = time.split(separator: ":").map { Double($0) }
        guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2] else { return nil }
        return hours * 3600 + minutes * 60 + seconds
    }
}

/// A log that is written on one thread and read on another.
///
/// `@unchecked Sendable`: the log is accessed only while `lock` is held.
final class FFmpegMessages: @unchecked Sendable {
    private let lock = NSLock()
    private var current = FFmpegLog()

    var log: FFmpegLog { lock.withLock { current } }

    func add(_ line: String) { lock.withLock { current.add(line) } }
}
