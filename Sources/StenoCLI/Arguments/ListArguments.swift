import ArgumentParser
import Foundation
import Steno
import StenoCommandLine

/// Whether a list names the recordings, and how many of them are decoded at once.
struct ListArguments: ParsableArguments {
    private static let standardRecordings = 4

    @Option(
        help: .init(
            "Transcribe the recordings named in this file, or on standard input with -, as they arrive: one path per "
                + "line, or JSON with \"path\" or \"url\", \"id\" and \"options\". The output is one line of JSON per "
                + "recording, in the order in which they finish.", valueName: "file"))
    var fromList: String?
    @Option(
        help: .init(
            "Number of recordings of --from-list decoded at once (default: \(standardRecordings)); it does not change "
                + "the text.", valueName: "n"))
    var atOnce: Int?

    var recordings: Int { atOnce ?? Self.standardRecordings }

    func validate() throws {
        if let fromList, fromList.isEmpty {
            throw ValidationError("--from-list is empty: name the file of the list, or - for standard input.")
        }
        guard let atOnce else { return }
        guard fromList != nil else {
            throw ValidationError("--at-once is for --from-list. For files on the command line, use --batch-size.")
        }
        guard (1...64).contains(atOnce) else { throw ValidationError("--at-once must be from 1 to 64.") }
    }

    /// - Throws: `StenoError.invalidOption` if there is no such file.
    func open() throws -> OwnedDescriptor {
        guard let fromList, fromList != "-" else { return try .duplicating(STDIN_FILENO, name: "Standard input") }
        let file = LocalFile.url(fromList)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue else {
            throw StenoError(
                .invalidOption,
                isFolder.boolValue
                    ? "--from-list: “\(fromList)” is a folder. Name a file with one recording per line; - is standard "
                        + "input."
                    : "--from-list: there is no file “\(fromList)”. Check the path; - is standard input.")
        }
        return try .openForReading(file.path, name: "“\(fromList)”")
    }
}
