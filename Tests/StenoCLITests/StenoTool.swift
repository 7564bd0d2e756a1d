import Foundation
import Steno
import StenoTestSupport
import Testing

/// Runs the command built with the tests, as a shell would.
struct StenoTool {
    static let executable = BuiltTool.executable("steno")

    static let nano = ["STENO_MODEL": Fixtures.nano.path]

    let folder = TemporaryFolder.ofSuite()
    private let environment: [String: String]

    /// - Parameter environment: The environment of every command; by default, only the bundled model is there.
    init(environment: [String: String] = [:]) { self.environment = environment }

    func url(_ path: String) -> URL { folder.url.appendingPathComponent(path) }

    func text(_ path: String) throws -> String { try String(contentsOf: url(path), encoding: .utf8) }

    /// The files in the folder besides the commands' output.
    func names() throws -> [String] { try folder.names().filter { !$0.hasPrefix(".run") } }
    /// A sentence as a WAV file with the header of a stream, so that more may follow.
    static func stream() throws -> Data {
        var bytes = try Data(contentsOf: Fixtures.file("sounds/tomorrow.wav"))
        bytes.replaceSubrange(40..<44, with: Data(repeating: 0xFF, count: 4))
        return bytes
    }
    /// The events of an output, one on each line.
    static func events(_ output: String) throws -> [TranscriptionEvent] {
        try output.split(separator: "\n").map { try TranscriptionEvent(jsonLine: $0) }
    }

    /// The final text of a live session's events, without spaces, which the writers set as they like.
    static func finalLetters(_ output: String) throws -> String {
        let pieces = try events(output).filter { $0.kind == .final || $0.kind == .utteranceEnd }
        return letters(pieces.map(\.text).joined())
    }

    static func letters(_ text: String) -> String { text.filter { !$0.isWhitespace } }

    /// Starts the command in the temporary folder, with no models but those a test puts there.
    ///
    /// - Parameter program: A copy of the command or a link to it; nil is the one that was built.
    func start(
        program: URL? = nil, _ arguments: [String], environment: [String: String] = [:], input: Any? = nil,
        output: OutputReader? = nil, errors: Any? = nil
    ) throws -> StartedProgram {
        try folder.start(
            program ?? Self.path(), arguments, environment: self.environment.merging(environment) { $1 },
            input: input, output: output, errors: errors)
    }

    func run(
        program: URL? = nil, _ arguments: String..., environment: [String: String] = [:], input: Any? = nil
    ) throws -> ProgramResult {
        try start(program: program, arguments, environment: environment, input: input).wait()
    }

    /// Runs a line of shell, in which `$0` is the command and `$1` and so on are the arguments.
    func runShell(_ line: String, _ arguments: String..., environment: [String: String] = [:]) throws -> ProgramResult {
        try startShell(line, arguments, environment: environment).wait()
    }

    func startShell(
        _ line: String, _ arguments: [String] = [], environment: [String: String] = [:], input: Any? = nil,
        output: OutputReader? = nil
    ) throws -> StartedProgram {
        try start(
            program: URL(fileURLWithPath: "/bin/sh"), ["-c", line, try Self.path().path] + arguments,
            environment: environment, input: input, output: output)
    }

    private static func path() throws -> URL {
        guard let executable else { throw CocoaError(.fileNoSuchFile) }
        return executable
    }

    #if os(Linux)
        /// A new terminal: its controlling end, and the name of the other.
        ///
        /// Only this process has it: another test's program that inherited it would keep it open.
        static func openTerminal(columns: UInt16 = 80) throws -> (main: Int32, name: String) {
            let main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (isLocked, number) = (Int32(0), UInt32(0))
            var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which Swift does not import.
            try #require(main >= 0 && ioctl(main, 0x4004_5431, &isLocked) == 0)
            try #require(ioctl(main, 0x8004_5430, &number) == 0)
            try #require(ioctl(main, UInt(TIOCSWINSZ), &size) == 0)
            return (main, "/dev/pts/\(number)")
        }

        /// Runs a program whose standard error is a terminal, and returns what is written there as well.
        func runOnTerminal(
            program: URL? = nil, _ arguments: [String], environment: [String: String], columns: UInt16 = 80
        ) throws -> (result: ProgramResult, text: String) {
            let (terminal, name) = try Self.openTerminal(columns: columns)
            defer { close(terminal) }
            let end = FileHandle(fileDescriptor: open(name, O_RDWR | O_NOCTTY | O_CLOEXEC), closeOnDealloc: false)
            let running = try start(program: program, arguments, environment: environment, errors: end)
            // Reading ends with the command, which alone has it open by then.
            try end.close()
            let text = OutputReader(descriptor: terminal).readToEnd()
            return (running.wait(), text)
        }
    #endif
}

extension ProgramResult {
    /// Whether it failed with one line on standard error that has these words, and printed nothing.
    func isRefusal(code expected: Int32, _ parts: String...) -> Bool {
        code == expected && output == "" && errors.hasPrefix("steno: ") && errors.split(separator: "\n").count == 1
            && parts.allSatisfy { errors.contains($0) }
    }

    /// The output as a JSON object.
    func object() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any], "\(self)")
    }
}
