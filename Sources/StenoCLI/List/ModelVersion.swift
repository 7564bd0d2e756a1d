import Foundation
import Steno
import StenoModelStore

/// What identifies a model wherever its files are.
enum ModelVersion {
    /// SHA-256 of the model's weights, the largest of its files: as the receipt of the download has it, or else read.
    ///
    /// - Throws: `CancellationError`, `SystemCallError`.
    static func of(_ location: URL, isCancelled: () -> Bool) throws -> String {
        if let known = ModelReceipt.read(location)?.files.max(by: { $0.size < $1.size }) {
            return "sha256-" + known.sha256
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: location.path)) ?? []
        let files = names.sorted().map { location.appendingPathComponent($0) }
        let sizes = files.map { (file: $0, size: FileBytes.size($0) ?? 0) }
        let weights = sizes.max { $0.size < $1.size }?.file ?? location
        return "sha256-" + (try FileBytes.hash(weights, isCancelled: isCancelled)).hasher.sha256Digits
    }
}
