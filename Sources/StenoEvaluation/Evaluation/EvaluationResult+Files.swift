public import Foundation
import Steno
import StenoCore

extension EvaluationResult {
    /// Reads a result that ``json(_:)`` wrote.
    ///
    /// - Throws: `StenoError` `evaluationInput` when the file is not a result.
    public static func load(_ file: URL) throws -> Self {
        let text = try EvaluationInput.text(file)
        do {
            return try JSONDecoder().decode(Self.self, from: Data(text.utf8))
        } catch {
            throw EvaluationInput.failure("\(file.path) is not a result of steno evaluate --json.", error)
        }
    }

    /// Checks that a result can be written, because an evaluation can take hours.
    ///
    /// - Throws: `StenoError` `outputFailed` if the file's folder is missing or not writable.
    public static func checkDestination(_ file: URL) throws {
        let folder = file.deletingLastPathComponent()
        guard !file.isFolder, AtomicFile.canWrite(in: folder) else {
            throw StenoError(
                .outputFailed,
                "\(file.path) cannot be written. Check the folder's permissions and free "
                    + "space.")
        }
    }

    /// Writes a result, or a text about it; the file is written atomically.
    ///
    /// - Throws: `StenoError` `outputFailed`.
    public static func write(_ text: String, to file: URL) throws { try AtomicFile.write(text, to: file) }
}
