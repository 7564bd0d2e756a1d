import Foundation
import StenoCore
import StenoWhisper

/// Loads a model of whatever family its files are.
///
/// This is the one place of the library that names a family.
enum ModelFamily {
    /// Loads a model on the calling thread.
    static func load(
        _ folder: URL, precision: Precision, threads: Int?, isCancelled: @escaping () -> Bool
    ) throws -> any SpeechModel {
        try WhisperModel.load(folder: folder, precision: precision, threads: threads, isCancelled: isCancelled)
    }
}
