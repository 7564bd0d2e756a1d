import Foundation
import Steno
public import StenoCore

enum StoreFailure {
    /// Runs code that reads or writes a place; its disk failures become errors that say what to do.
    static func explaining<Value>(_ place: URL, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw explained(error, at: place)
        }
    }

    /// The error for a failure at a place; other errors are returned unchanged.
    static func explained(_ error: any Error, at place: URL) -> any Error {
        if let error = error as? SystemCallError { return of(error, at: place) }
        if let error = error as? StenoError {
            // Shared code for writing files does not know that a full disk has its own error code here.
            guard error.code == .outputFailed, let cause = error.underlying as? SystemCallError else { return error }
            return of(cause, at: place)
        }
        if let number = systemNumber(of: error) {
            return of(SystemCallError(call: "write", number: number), at: place)
        }
        return error is CocoaError ? cannotWrite(place, error.localizedDescription) : error
    }

    static func of(_ error: SystemCallError, at place: URL) -> StenoError {
        if error.number == ENOSPC || error.number == EDQUOT { return full(place) }
        if error.number == EXDEV { return otherDisk(place) }
        return error.call == "read" ? cannotRead(place, "\(error)") : cannotWrite(place, "\(error)")
    }

    static func cannotWrite(_ place: URL, _ reason: String) -> StenoError {
        StenoError(
            .outputFailed,
            "\(place.path) cannot be written: \(sentence(reason)) Check the permissions of its folder, or keep models "
                + "elsewhere: STENO_MODELS=/other/folder.")
    }

    private static func cannotRead(_ place: URL, _ reason: String) -> StenoError {
        StenoError(
            .outputFailed,
            "\(place.path) cannot be read: \(sentence(reason)) Its disk may be failing: keep models on another one, "
                + "with STENO_MODELS=/other/disk/models.")
    }

    static func full(_ place: URL) -> StenoError {
        StenoError(
            .diskFull,
            "The disk of \(place.path) is full. Free some space and run the same command again: it continues the "
                + "download. Or store models elsewhere: STENO_MODELS=/other/disk/models.")
    }

    static func otherDisk(_ place: URL) -> StenoError {
        StenoError(
            .outputFailed,
            "\(place.path) is on a different disk from the models folder, so downloads cannot be moved there. Replace "
                + "the link in the models folder with a folder, or set STENO_MODELS to a folder on the other disk.")
    }

    /// - Parameter names: The files in that place that Steno did not download.
    static func notOurs(_ place: URL, _ names: [String]) -> StenoError {
        let more = names.count > 3 ? " and \(names.count - 3) more" : ""
        let shown = names.prefix(3).joined(separator: ", ") + more
        return StenoError(
            .outputFailed,
            "\(place.path) has files that Steno did not download (\(shown)) and will not replace. Move them to "
                + "another folder and try again, or keep downloads elsewhere: STENO_MODELS=/other/folder.")
    }

    /// Foundation's reasons end with a full stop, the system's do not.
    private static func sentence(_ reason: String) -> String { reason.hasSuffix(".") ? reason : reason + "." }

    /// The errno value behind one of Foundation's errors.
    private static func systemNumber(of error: any Error) -> Int32? {
        if let error = error as? POSIXError { return error.code.rawValue }
        guard let error = error as? CocoaError else { return nil }
        if error.code == .fileWriteOutOfSpace { return ENOSPC }
        guard let cause = error.underlying else { return nil }
        return systemNumber(of: cause)
    }
}

extension StenoError.Code {
    /// The hub or the network did not deliver the files of a model, or delivered wrong ones.
    public static let downloadFailed = Self("downloadFailed")
    /// A download is needed, but `HF_HUB_OFFLINE` forbids the network.
    public static let offline = Self("offline")
    /// The disk has no space for a model.
    public static let diskFull = Self("diskFull")
}
