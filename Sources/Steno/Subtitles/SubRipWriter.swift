/// Writes SubRip: numbered cues, hours always, a comma before the milliseconds.
enum SubRipWriter {
    static func write(_ transcript: Transcript) -> String {
        transcript.segments.enumerated().map { index, segment in
            let start = Timestamp.format(segment.start, alwaysHours: true, decimalMark: ",")
            let end = Timestamp.format(segment.end, alwaysHours: true, decimalMark: ",")
            return "\(index + 1)\n\(start) --> \(end)\n\(segment.cueText)\n\n"
        }.joined()
    }
}
