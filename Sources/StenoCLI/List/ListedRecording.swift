import Foundation
import Steno
import StenoCommandLine

struct ListedRecording {
    /// How the answer refers to it, as JSON: its `id`, or else its path.
    let id: String
    let path: String
    let options: ListedOptions

    /// Only regular files: the writer of a named pipe could keep every other recording waiting forever.
    ///
    /// - Parameter channel: The only channel to read, counted from 0; nil averages all.
    func open(_ reading: InputReading, channel: Int? = nil) throws -> AudioFile {
        let file = LocalFile.url(path)
        var status = stat()
        if stat(file.path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
            throw StenoError(
                .audioUnreadable,
                "“\(path)” is not a regular file. Lists are for files; pass a pipe as an argument of the command.")
        }
        return try AudioFile.open(
            file, format: reading.raw, track: options.audioTrack ?? reading.track,
            channel: channel)
    }
}

/// A line that does not name a recording.
struct InvalidLine: Error {
    /// The line's `id` as JSON, if it has one.
    var id: String?
    let error: StenoError

    init(id: String? = nil, code: StenoError.Code = .invalidLine, _ message: String) {
        self.id = id
        error = StenoError(code, message)
    }
}

extension ListedRecording {
    /// Reads a line: a path, or a JSON object.
    ///
    /// - Throws: ``InvalidLine``.
    init(line: [UInt8]) throws {
        guard let text = String(bytes: line, encoding: .utf8) else {
            throw InvalidLine("The line is not UTF-8. Give a recording whose name is not UTF-8 another name.")
        }
        if text.drop(while: \.isWhitespace).hasPrefix("{") {
            try self.init(json: Data(line))
        } else {
            try self.init(id: JSONText.string(text), checking: text, ListedOptions())
        }
    }

    private init(json: Data) throws {
        let id = (try? JSONDecoder().decode(Identity.self, from: json))?.id?.json
        let line: Line
        do {
            line = try JSONDecoder().decode(Line.self, from: json)
        } catch {
            throw InvalidLine(id: id, Self.sentence(error))
        }
        let path = try line.path ?? Self.path(line.url, id)
        try self.init(id: id ?? JSONText.string(path), checking: path, line.options ?? ListedOptions())
    }

    private init(id: String, checking path: String, _ options: ListedOptions) throws {
        guard !path.isEmpty else { throw InvalidLine(id: id, "The path of the recording is empty.") }
        guard !path.utf8.contains(0) else {
            throw InvalidLine(id: id, "The path of the recording contains a NUL byte.")
        }
        self.id = id
        self.path = path
        self.options = options
    }

    /// The path of a file on this machine, or on storage mounted here.
    private static func path(_ url: String?, _ id: String?) throws -> String {
        guard let url else { throw InvalidLine(id: id, "The line has neither \"path\" nor \"url\".") }
        guard let parsed = URL(string: url), parsed.isFileURL, ["", "localhost"].contains(parsed.host ?? "") else {
            throw InvalidLine(
                id: id, code: .audioNotFound,
                "“\(url)” is not a file on this machine. Mount the volume and name its files: file:///store/talk.mp3.")
        }
        return parsed.path
    }

    /// The error, described in terms of the line rather than of the program.
    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as StenoError: error.message
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            context.codingPath.last.map { "\"\($0.stringValue)\" is of the wrong type." }
                ?? "The line is not a JSON object."
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            "\(context.debugDescription)"
        default: "The line is neither valid JSON nor the name of a file. Write a file name that begins with { as ./{…"
        }
    }

    private struct Line: Decodable {
        var id: ListedID?
        var path: String?
        var url: String?
        var options: ListedOptions?
    }

    private struct Identity: Decodable {
        var id: ListedID?
    }
}

/// A string or a whole number.
private struct ListedID: Decodable {
    /// The same in JSON.
    let json: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            json = String(number)
        } else {
            json = JSONText.string(try container.decode(String.self))
        }
    }
}
