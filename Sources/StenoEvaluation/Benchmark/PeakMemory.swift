import Foundation

/// The peak memory of this process.
@_spi(Benchmarks) public enum PeakMemory {
    /// The peak of the resident set, in MB (a million bytes); NaN if it is unknown.
    public static var megabytes: Double { bytes / 1e6 }

    #if os(Linux)
        // Not getrusage: its peak survives exec, so a child would start with its parent's peak.
        private static var bytes: Double {
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            return kilobytes(in: status).map { $0 * 1024 } ?? .nan
        }

        /// The line `VmHWM:    123456 kB`.
        static func kilobytes(in status: String) -> Double? {
            status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
                .flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }
                .flatMap { Double($0) }
        }
    #else
        private static var bytes: Double {
            var usage = rusage()
            return getrusage(RUSAGE_SELF, &usage) == 0 ? Double(usage.ru_maxrss) : .nan
        }
    #endif
}
