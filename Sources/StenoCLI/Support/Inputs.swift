import ArgumentParser
import Foundation
import Steno
import StenoCommandLine
import StenoModelStore

struct InputReading: Sendable {
    /// The format of audio without a header; nil detects the format.
    var raw: PCMFormat?
    /// The audio track, counted from 1; nil is the default one.
    var track: Int?
}

enum Inputs {
    /// Opens a file, or standard input for `-`; must be called on the thread that reads it.
    static func open(_ input: String, _ reading: InputReading = InputReading()) throws -> any SampleSource {
        if input == "-" { return try AudioFile.standardInput(format: reading.raw, track: reading.track) }
        if let path = rawPath(input) { return try AudioFile.open(rawPath: path, name: input, track: reading.track) }
        return try AudioFile.open(LocalFile.url(input), format: reading.raw, track: reading.track)
    }

    /// Opens one channel of a file, counted from 0.
    static func open(_ input: String, _ reading: InputReading, channel: Int) throws -> AudioFile {
        guard input != "-", !input.contains("\u{FFFD}") else {
            throw StenoError(
                .invalidOption,
                "--channels separate reads a recording several times, which needs a file name in UTF-8. Rename "
                    + "\(input).")
        }
        return try AudioFile.open(LocalFile.url(input), format: reading.raw, track: reading.track, channel: channel)
    }

    /// The bytes of an argument that is not UTF-8, which a Swift string cannot represent; nil for one that is.
    private static func rawPath(_ input: String) -> [CChar]? {
        guard input.contains("\u{FFFD}") else { return nil }
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index], String(cString: argument) == input else { continue }
            return Array(UnsafeBufferPointer(start: argument, count: strlen(argument) + 1))
        }
        return nil
    }

    /// The name of an input in messages.
    static func displayName(_ input: String) -> String {
        input == "-" ? "standard input" : LocalFile.url(input).lastPathComponent
    }

    /// Standard input can be read only once.
    static func validate(_ inputs: [String]) throws {
        guard !inputs.isEmpty else {
            throw ValidationError("Name the recordings, such as talk.mp3; - is standard input.")
        }
        guard !inputs.contains("") else {
            throw ValidationError("A file name is empty. Check your quotes and variables.")
        }
        guard inputs.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("Standard input (-) can be given only once.")
        }
    }

    /// Processes inputs in order, and returns the exit code; one that fails is reported and does not stop the others.
    static func forEach(
        _ inputs: [String], _ console: Console, _ work: (String) async throws -> Void
    ) async throws -> Int32 {
        var code: Int32 = 0
        for input in inputs {
            do {
                try await work(input)
            } catch let error where !(error is CancellationError) {
                console.fail(input == "-" ? displayName(input) : ModelReference.withoutPassword(input), error)
                code = error.exitCode
                // An invalid option fails for every other file too.
                if code == ExitCode.validationFailure.rawValue { break }
            }
        }
        return code
    }
}
