package import Foundation

#if os(Linux) || os(macOS)
    package struct ProgramResult: Equatable {
        package var code: Int32
        package var output: String
        package var errors: String

        /// The result of a program that printed a text, by default without an error.
        package static func printed(_ output: String = "", code: Int32 = 0, errors: String = "") -> ProgramResult {
            ProgramResult(code: code, output: output, errors: errors)
        }
    }

    /// A running program; without a reader its output goes to files, so that no pipe can fill up.
    package struct StartedProgram {
        package let process: Process
        fileprivate let reader: OutputReader?
        fileprivate let output: URL
        fileprivate let errors: URL

        package func wait() -> ProgramResult {
            let read = reader?.readToEnd()
            process.waitUntilExit()
            return ProgramResult(
                code: process.terminationStatus,
                output: read ?? (try? String(contentsOf: output, encoding: .utf8)) ?? "",
                errors: (try? String(contentsOf: errors, encoding: .utf8)) ?? "")
        }
    }

    /// Output of a program as it is written: a test waits for text, not for time to pass.
    package final class OutputReader {
        package let pipe = Pipe()
        private let descriptor: Int32
        private var bytes: [UInt8] = []

        package init() { descriptor = pipe.fileHandleForReading.fileDescriptor }

        /// Reads something else, such as a terminal.
        package init(descriptor: Int32) { self.descriptor = descriptor }

        package var text: String { String(decoding: bytes, as: UTF8.self) }

        /// Reads until the text appears; false when the output ends first, or nothing arrives for minutes.
        package func wait(for text: String) -> Bool { wait { $0.contains(text) } }

        package func wait(until isExpected: (String) -> Bool) -> Bool {
            while !isExpected(text) { guard more() else { return false } }
            return true
        }

        package func readToEnd() -> String {
            while more() {}
            return text
        }

        private func more() -> Bool {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // The limit is for a command that hangs; a busy machine does not reach it.
            guard poll(&entry, 1, 300_000) == 1 else { return false }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = read(entry.fd, &buffer, buffer.count)
            bytes += buffer[..<max(0, count)]
            return count > 0
        }
    }

    /// A program ignores the signals that its parent ignores, such as SIGHUP under nohup and SIGINT in a shell's background; then the
    /// tests that send one would wait for ever.
    private let heededSignals: Void = { for name in [SIGHUP, SIGINT, SIGTERM] { signal(name, SIG_DFL) } }()

    extension TemporaryFolder {
        /// Starts a program in the folder, which is also its home.
        ///
        /// - Parameters:
        ///   - environment: What it has besides the search path, the home and the options of the sanitizers.
        ///   - input: A `Pipe` or a `FileHandle`; nil is an empty input.
        ///   - errors: A `Pipe` or a `FileHandle`; nil is a file.
        package func start(
            _ program: URL, _ arguments: [String], environment: [String: String] = [:], input: Any? = nil,
            output reader: OutputReader? = nil, errors pipe: Any? = nil
        ) throws -> StartedProgram {
            _ = heededSignals
            let process = Process()
            process.executableURL = program
            process.arguments = arguments
            process.currentDirectoryURL = url
            process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": url.path]
                .merging(sanitizerOptions) { $1 }.merging(environment) { $1 }
            process.standardInput = input ?? FileHandle.nullDevice
            let (output, errors) = try (runFile(), runFile())
            process.standardOutput = try reader?.pipe ?? FileHandle(forWritingTo: output) as Any
            process.standardError = try pipe ?? FileHandle(forWritingTo: errors) as Any
            try process.run()
            return StartedProgram(process: process, reader: reader, output: output, errors: errors)
        }

        private func runFile() throws -> URL { try write("", to: ".run/\(UUID().uuidString)") }
    }
#endif

/// A shell command that outlasts every time limit: a test of ending it cannot pass because it ended by itself.
package let endlessProgram = "exec sleep 1000000"

/// Shell commands that limit the size of files: writes fail as on a full disk, without special privileges.
///
/// At its start the thread sanitizer writes a larger file to the temporary folder, and does without if there is none.
package func fileSizeLimit(blocks: Int) -> String { "export TMPDIR=/nowhere; ulimit -f \(blocks)" }

package enum InstalledTool {
    /// The first program of that name on the search path, or nil.
    package static func find(_ name: String) -> URL? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}

#if os(Linux) || os(macOS)
    /// Standard input of a program that may end before it has read everything.
    ///
    /// A plain write to a pipe without a reader would end this process, and all tests with it, with SIGPIPE.
    package final class ProgramInput: Sendable {
        package let pipe = Pipe()
        private let descriptor: Int32

        package init() {
            descriptor = pipe.fileHandleForWriting.fileDescriptor
            #if os(macOS)
                _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
            #endif
        }

        /// Writes everything, or what is read before the program ends.
        package func write(_ bytes: Data) {
            Self.withoutBrokenPipeSignal {
                bytes.withUnsafeBytes { bytes in
                    var rest = bytes[...]
                    while !rest.isEmpty {
                        let chunk = UnsafeRawBufferPointer(rebasing: rest)
                        let count = Foundation.write(descriptor, chunk.baseAddress, chunk.count)
                        if count < 0, errno == EINTR { continue }
                        guard count > 0 else { return }
                        rest = rest.dropFirst(count)
                    }
                }
            }
        }

        package func close() throws { try pipe.fileHandleForWriting.close() }

        /// The signal goes to the writing thread, so it is blocked there and consumed before it is unblocked.
        private static func withoutBrokenPipeSignal(_ body: () -> Void) {
            #if os(Linux)
                var (brokenPipe, before) = (sigset_t(), sigset_t())
                sigemptyset(&brokenPipe)
                sigaddset(&brokenPipe, SIGPIPE)
                pthread_sigmask(SIG_BLOCK, &brokenPipe, &before)
                defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
                body()
                var now = timespec()
                while sigtimedwait(&brokenPipe, nil, &now) == SIGPIPE {}
            #else
                body()
            #endif
        }
    }

    extension TemporaryFolder {
        /// Copies a program to a path in the folder, creating subfolders as needed, and returns its location.
        ///
        /// Another process writes it: a file open for writing cannot be run ("Text file busy"), and a process that another
        /// test starts at that moment would inherit this process's open file.
        @discardableResult package func install(_ program: URL, as path: String) throws -> URL {
            let place = url.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/install")
            process.arguments = ["-m", "755", program.path, place.path]
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
            return place
        }

        /// Copies a program, and links the wanted files and folders of its own folder next to the copy.
        package func install(_ program: URL, as path: String, linking isWanted: (String) -> Bool) throws -> URL {
            let copy = try install(program, as: path)
            let folder = program.resolvingSymlinksInPath().deletingLastPathComponent()
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where isWanted(name) {
                let link = copy.deletingLastPathComponent().appendingPathComponent(name)
                try FileManager.default.createSymbolicLink(
                    at: link, withDestinationURL: folder.appendingPathComponent(name))
            }
            return copy
        }

        /// Writes a shell script that can be run, and returns its location.
        @discardableResult package func script(_ text: String, as path: String) throws -> URL {
            try install(write("#!/bin/sh\n\(text)\n", to: path + ".text"), as: path)
        }
    }
#endif
