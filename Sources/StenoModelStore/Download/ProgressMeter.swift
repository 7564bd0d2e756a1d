import Foundation
import Steno

/// Counts the bytes of a download and reports them, at most ten times a second.
///
/// `@unchecked Sendable`: all mutable state is accessed under the lock, which is held while reports are sent, so that
/// they arrive in order.
final class ProgressMeter: @unchecked Sendable {
    private let lock = NSLock()
    private let now: @Sendable () -> Double
    private let report: @Sendable (DownloadProgress) -> Void
    private var progress = DownloadProgress(phase: .preparing)
    private var lastReport = -Double.infinity
    private var rate: Rate
    private var fileBytes: [String: Int] = [:]

    static let interval = 0.1

    init(now: @escaping @Sendable () -> Double, report: @escaping @Sendable (DownloadProgress) -> Void) {
        self.now = now
        self.report = report
        rate = Rate(start: now())
    }

    func enter(_ phase: DownloadProgress.Phase) {
        lock.withLock {
            guard progress.phase != phase || lastReport == -.infinity else { return }
            progress.phase = phase
            if phase == .downloading { rate = Rate(start: now()) }
            send()
        }
    }

    func setSize(_ size: Int) { lock.withLock { progress.size = size } }

    /// Begins a file, part of which may already have been downloaded.
    func begin(_ file: String, size: Int?) {
        lock.withLock {
            progress.file = file
            progress.fileSize = size ?? 0
            progress.fileReceived = fileBytes[file] ?? 0
            send()
        }
    }

    /// Sets the existing bytes of a file before any are received.
    func setPresent(_ bytes: Int, of file: String) { lock.withLock { setBytes(bytes, of: file) } }

    /// Sets the existing bytes of a file after some were received.
    func setReceived(_ bytes: Int, of file: String, new: Int) {
        lock.withLock {
            setBytes(bytes, of: file)
            rate.add(new, at: now())
            progress.bytesPerSecond = rate.bytesPerSecond
            if now() - lastReport >= Self.interval || progress.fileReceived == progress.fileSize { send() }
        }
    }

    private func setBytes(_ bytes: Int, of file: String) {
        progress.received += bytes - (fileBytes[file] ?? 0)
        fileBytes[file] = bytes
        if progress.file == file { progress.fileReceived = bytes }
    }

    private func send() {
        lastReport = now()
        report(progress)
    }
}

/// The recent speed: averages over half a second, weighted less the older they are.
struct Rate {
    private var start: Double
    private var bytes = 0
    private(set) var bytesPerSecond: Double?

    private static let span = 0.5
    private static let weight = 0.3

    init(start: Double) { self.start = start }

    mutating func add(_ count: Int, at time: Double) {
        bytes += count
        let elapsed = time - start
        guard elapsed >= Self.span else { return }
        let now = Double(bytes) / elapsed
        bytesPerSecond = bytesPerSecond.map { $0 + Self.weight * (now - $0) } ?? now
        start = time
        bytes = 0
    }
}

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
    package init(_ progress: DownloadProgress) {
        let part = progress.size > 0 ? ": \(ByteCount(progress.received)) of \(ByteCount(progress.size))" : ""
        self.init(fraction: progress.fraction, message: "Downloading the model\(part).")
    }
}
