import Steno

/// How far a download has come.
public struct DownloadProgress: Sendable, Hashable, Codable {
    /// What is being done; there may be more in later versions.
    public struct Phase: RawRepresentable, Sendable, Hashable, Codable {
        /// Asking the hub which files there are.
        public static let preparing = Phase(rawValue: "preparing")
        /// Waiting for another process that downloads the same model.
        public static let waiting = Phase(rawValue: "waiting")
        /// Receiving files.
        public static let downloading = Phase(rawValue: "downloading")
        /// All files are there and verified, and the model is in its place.
        public static let installed = Phase(rawValue: "installed")

        /// The name, as in JSON.
        public let rawValue: String

        /// Creates a phase with a name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// What is being done.
    public var phase: Phase
    /// The file that is being received; empty before the first.
    public var file = ""
    /// The bytes that are there of that file, those of earlier runs included.
    public var fileReceived = 0
    /// The size of that file in bytes; 0 when it is unknown.
    public var fileSize = 0
    /// The bytes that are there of all files, those of earlier runs included.
    public var received = 0
    /// The size of all files in bytes; 0 until it is known.
    public var size = 0
    /// The bytes per second of the last seconds; nil until there are some.
    public var bytesPerSecond: Double?

    init(phase: Phase) { self.phase = phase }

    /// The part of all bytes that is there, from 0 to 1; nil until the size is known.
    public var fraction: Double? { size > 0 ? min(1, Double(received) / Double(size)) : nil }

    /// The seconds left at the speed of the last seconds; nil until that is known.
    public var secondsLeft: Double? {
        guard let bytesPerSecond, bytesPerSecond > 0, size > 0 else { return nil }
        return Double(max(0, size - received)) / bytesPerSecond
    }
}

extension AssetProgress {
    /// What a download reports, as a sentence for users.
    package init(_ progress: DownloadProgress) {
        let part = progress.size > 0 ? ": \(ByteCount(progress.received)) of \(ByteCount(progress.size))" : ""
        self.init(fraction: progress.fraction, message: "Downloading the model\(part).")
    }
}
