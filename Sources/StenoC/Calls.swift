import CSteno
import Foundation
import StenoCore

/// Runs the body of a function that can fail: its error becomes the status, and the sentence of `steno_last_error`.
///
/// - Parameter isThreaded: Whether it starts threads, so that a process forked later cannot use the library.
func call(isThreaded: Bool = true, _ body: () throws -> Int) -> Int32 {
    guard !steno_state_is_forked() else { return fail(Forked()) }
    if isThreaded { steno_state_use() }
    _ = setLibraryFolder
    do { return Int32(try body()) } catch { return fail(error) }
}

/// Sets the folder of the resources, once: they are next to this library.
private let setLibraryFolder: Void = {
    guard let path = steno_state_path() else { return }
    ResourceFolder.libraryFolder = URL(fileURLWithPath: String(cString: path)).resolvingSymlinksInPath()
        .deletingLastPathComponent()
}()

/// Runs the body of a function that returns no status; in a forked process it does nothing.
func release(_ body: () -> Void) { if !steno_state_is_forked() { body() } }

/// Runs asynchronous work and blocks the calling thread, which is never one of Swift's own, until it is done.
func blocking<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = Monitor<Result<Value, any Error>?>(nil)
    Task.detached {
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
        result.update { $0 = outcome }
    }
    return try result.block { $0 }.get()
}

/// A process was forked from one that had used the library.
struct Forked: Error, CustomStringConvertible {
    let description =
        "This process was forked from one that had used Steno, whose threads it did not inherit. Fork before the first "
        + "use, or start a new process (in Python: multiprocessing with the start method \"spawn\")."
}

/// A pointer that must not be NULL is.
struct MissingArgument: Error, CustomStringConvertible {
    let name: String
    var description: String { "The argument \(name) is NULL. Pass a valid pointer." }
}

/// A number of elements, of this many bytes each, that can be in memory; −1 of a function that failed cannot.
func possible(_ count: Int, _ name: String, size: Int = 1) throws -> Int {
    guard count >= 0, count < Int.max / size else {
        throw StenoError(
            .invalidOption,
            "The argument \(name) is impossible: \(count). Pass the number of elements that the memory holds.")
    }
    return count
}

/// The elements that a caller passes; NULL is valid for none.
func elements<Element: BitwiseCopyable>(
    _ start: UnsafePointer<Element>?, _ name: String, _ count: Int, _ countName: String = "count"
) throws -> UnsafeBufferPointer<Element> {
    let count = try possible(count, countName, size: MemoryLayout<Element>.stride)
    return UnsafeBufferPointer(start: count > 0 ? try required(start, name) : start, count: count)
}

/// The bytes of a file that a caller passes.
func data(_ bytes: UnsafeRawPointer?, _ count: Int) throws -> Data {
    let count = try possible(count, "count")
    return try Data(bytes: required(bytes, "bytes"), count: count)
}

func required<Value>(_ value: Value?, _ name: String) throws -> Value {
    guard let value else { throw MissingArgument(name: name) }
    return value
}
