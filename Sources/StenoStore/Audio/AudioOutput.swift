#if Store
    import Foundation
    import Steno

    /// A WAV file that replaces another when it is complete (``AtomicFile``).
    ///
    /// Errors are thrown as the system's, without the file's temporary name, which would mean nothing to the user.
    final class AudioOutput {
        private let writer: WAVWriter
        /// The samples so far.
        private var length = 0

        /// - Parameter mode: The permissions of the file that it replaces, if there is one.
        init(_ path: String, mode: mode_t?) throws {
            writer = try Self.unnamed { try WAVWriter(URL(fileURLWithPath: path), overwriting: false) }
            if let mode, chmod(path, mode) != 0 { throw SystemCallError(call: "chmod") }
        }

        func append(_ samples: [Float]) throws {
            try Self.unnamed { try writer.write(samples) }
            length += samples.count
        }

        /// Appends silence up to a position in samples; calls `step` for each second of it.
        func append(silenceUpTo end: Int, _ step: () throws -> Void) throws {
            while end > length {
                try step()
                try append([Float](repeating: 0, count: min(end - length, AudioFile.sampleRate)))
            }
        }

        func close() throws { try Self.unnamed { try writer.close() } }

        private static func unnamed<Value>(_ body: () throws -> Value) throws -> Value {
            do { return try body() } catch let error as StenoError { throw error.underlying ?? error }
        }
    }
#endif
