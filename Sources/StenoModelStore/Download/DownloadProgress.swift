import Steno

/// How far a download has come.
public struct DownloadProgress: Sendable, Hashable, Codable {
    /// The current step; later versions may add steps.
    public struct Phase: RawRepresentable, Sendable, Hashable, Codable {
        /// Asking the hub which files there are.
        public static let preparing = Phase(rawValue: "preparing")
        /// Waiting for another process that downloads the same model.
        public static let waiting = Phase(rawValue: "waiting")
        /// Receiving files.
        public static let downloading = Phase(rawValue: "downloading")
        /// All files are verified, and the model is installed.
        public static let installed = Phase(rawValue: "installed")

        /// The name, as in JSON.
        public let rawValue: String

        /// Creates a phase with a name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The current step.
    public var phase: Phase
    /// The file being received; empty before the first.
    public var file = ""
    /// The downloaded bytes of that file, including earlier runs.
    public var fileReceived = 0
    /// The size of that file in bytes; 0 when it is unknown.
    public var fileSize = 0
    /// The downloaded bytes of all files, including earlier runs.
    public var received = 0
    /// The size of all files in bytes; 0 until it is known.
    public var size = 0
    /// The speed of the last seconds, in bytes per second; nil until it is known.
    public var bytesPerSecond: Double?

    init(phase: Phase) { self.phase = phase }

    /// The downloaded fraction, from 0 to 1; nil until the size is known.
    public var fraction: Double? { size > 0 ? min(1, Double(received) / Double(size)) : nil }

    /// The seconds left at the current speed; nil until that is known.
    public var secondsLeft: Double? {
        guard let bytesPerSecond, bytesPerSecond > 0, size > 0 else { return nil }
        return Double(max(0, size - received)) / bytesPerSecond
    }
}

extension AssetProgress {
    /// The progress of a download, as a sentence for users.
    package init(_ progress: DownloadProgress) {
        let part = progress.size > 0 ? ": \(ByteCount(progress.received)) of \(ByteCount(progress.size))" : ""
        self.init(fraction: progress.fraction, message: "Downloading the model\(part).")
    }
}
