import Foundation
import Steno
import StenoCore

/// The recordings named by the lines of a list; the model requests the next one when it has room.
///
/// `@unchecked Sendable`: everything but `lock`, `isStopped` and `interruption` is used only on the model's thread;
/// `isStopped` is accessed under the lock.
final class RecordingList: RecordingFeed, @unchecked Sendable {
    /// A recording that was given to the model and is not finished.
    struct Begun {
        let recording: ListedRecording
        let line: Int
    }

    /// Why the list could not be read to the end.
    private(set) var failure: (any Error)?

    private let options: ListOptions
    private let reading: InputReading
    private let refuse: @Sendable (_ line: Int, InvalidLine) -> Void
    private let interruption: Interruption
    private let lock = NSLock()
    private var isStopped = false
    private var lines: LineReader
    private var lineNumber = 0
    private var begun: [Int: Begun] = [:]

    /// - Parameters:
    ///   - options: The options, which a line can override.
    ///   - refuse: Receives the invalid lines, on the model's thread.
    init(
        _ descriptor: OwnedDescriptor, options: ListOptions, reading: InputReading,
        refuse: @escaping @Sendable (_ line: Int, InvalidLine) -> Void
    ) throws {
        interruption = try Interruption()
        lines = LineReader(descriptor, interruption: interruption)
        self.options = options
        self.reading = reading
        self.refuse = refuse
    }

    /// The recording of the next valid line; its number is the line's.
    func next(waits: Bool) -> FedRecording? {
        while !lock.withLock({ isStopped }), let line = nextLine(waits: waits) {
            do {
                let listed = try ListedRecording(line: line.get())
                begun[lineNumber] = Begun(recording: listed, line: lineNumber)
                return FedRecording(number: lineNumber, options: options.options(of: listed.options)) { [reading] in
                    try listed.open(reading)
                }
            } catch let invalid as InvalidLine {
                refuse(lineNumber, invalid)
            } catch {
                refuse(lineNumber, InvalidLine(error.localizedDescription))
            }
        }
        return nil
    }

    /// Opens a channel of a recording that the model has taken.
    func open(_ number: Int, channel: Int) throws -> AudioFile {
        guard let begun = begun[number] else {
            throw StenoError(.invalidLine, "Line \(number) of the list has no recording that is being transcribed.")
        }
        return try begun.recording.open(reading, channel: channel)
    }

    func stop() {
        lock.withLock { isStopped = true }
        interruption.interrupt()
    }

    func finish(_ number: Int) -> Begun? { begun.removeValue(forKey: number) }

    /// The next line that is not blank; nil at the end, or if it has not been written yet.
    private func nextLine(waits: Bool) -> Result<[UInt8], InvalidLine>? {
        while true {
            do {
                switch try lines.next(waits: waits) {
                case .notYet, .end: return nil
                case .tooLong(let start):
                    lineNumber += 1
                    return .failure(Self.tooLong(start))
                case .line(var line):
                    lineNumber += 1
                    if lineNumber == 1, line.starts(with: Self.byteOrderMark) { line.removeFirst(3) }
                    if line.last == UInt8(ascii: "\r") { line.removeLast() }
                    guard line.contains(where: { $0 > 0x20 }) else { continue }
                    return .success(line)
                }
            } catch {
                // A stopped list is not a failure.
                if !lock.withLock({ isStopped }) { failure = error }
                stop()
                return nil
            }
        }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func tooLong(_ start: [UInt8]) -> InvalidLine {
        let text = String(decoding: start.prefix(40), as: UTF8.self)
        return InvalidLine("The line is longer than \(ByteCount(LineReader.limit)); it begins with “\(text)…”.")
    }
}
