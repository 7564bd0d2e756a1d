#if os(Linux) || os(macOS)
    import StenoCore
    package import Subprocess

    #if canImport(System)
        import System
    #else
        import SystemPackage
    #endif

    /// One run of a program, with its output in a pipe.
    ///
    /// The process is awaited in a task; only the thread that reads the samples blocks, in `read` on the pipe. A full
    /// pipe pauses the program, so memory is bounded. When the object is released, the process is ended and reaped.
    package final class PipedProcess: Sendable {
        /// The outcome of the process; a failure has the end of its error messages.
        package enum Ending: Sendable {
            case success
            case failure(String)
            case notStarted(any Error)
            /// It has ended, but nobody knows how: the system keeps no exit status where SIGCHLD is ignored, or where the
            /// host awaits all of its child processes itself.
            case unknown
        }

        /// The read end of its standard output.
        package let output: OwnedDescriptor
        private let ending = Monitor<Ending?>(nil)
        private let task: Task<Void, Never>

        /// - Parameters:
        ///   - patience: How long it may take to end once it is asked to; nil kills it without asking.
        ///   - onMessage: Called with each line of its standard error, on any thread; nil keeps only the end.
        package init(
            _ path: String, arguments: [String], input: OwnedDescriptor, environment: Environment = .inherit,
            patience: Duration? = nil, onMessage: (@Sendable (String) -> Void)? = nil
        ) throws {
            let (readEnd, writeEnd) = try OwnedDescriptor.pipe()
            output = readEnd
            task = Task.detached { [ending] in
                let configuration = Configuration(
                    executable: .path(FilePath(path)), arguments: Arguments(arguments),
                    environment: environment, platformOptions: Self.options(patience))
                let outcome = await Self.run(configuration, input: input, output: writeEnd, onMessage)
                // If it was not started, our end is still open, and the reader would wait forever.
                writeEnd.close()
                ending.update { $0 = outcome }
            }
        }

        deinit { task.cancel() }

        /// Ends the process; its output so far can still be read.
        package func end() { task.cancel() }

        /// Blocks until the process has ended, which it soon does once its output has.
        package func waitForEnding() -> Ending { ending.block { $0 } }

        private static func run(
            _ configuration: Configuration, input: OwnedDescriptor, output: OwnedDescriptor,
            _ onMessage: (@Sendable (String) -> Void)?
        ) async -> Ending {
            do {
                let result = try await Subprocess.run(
                    configuration,
                    input: .fileDescriptor(FileDescriptor(rawValue: input.rawValue), closeAfterSpawningProcess: false),
                    output: .fileDescriptor(
                        FileDescriptor(rawValue: output.rawValue), closeAfterSpawningProcess: false),
                    error: .sequence
                ) { execution in
                    // The child has its own copy, which must be the only one for the reader to see the end.
                    output.close()
                    return try await lastLines(of: execution.standardError, onMessage)
                }
                return result.terminationStatus.isSuccess
                    ? .success
                    : .failure(result.closureResult.isEmpty ? "\(result.terminationStatus)" : result.closureResult)
            } catch let error as SubprocessError where error.code == .failedToMonitorProcess {
                return .unknown
            } catch {
                return .notStarted(error)
            }
        }

        /// Starts it in its own process group, so that an interrupt from the terminal reaches only this program, which
        /// decides what to stop.
        private static func options(_ patience: Duration?) -> PlatformOptions {
            var options = PlatformOptions()
            options.processGroupID = 0
            if let patience {
                // To the group, because child processes of a script would otherwise keep the pipe open.
                options.teardownSequence = [
                    .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: patience)
                ]
            }
            return options
        }

        /// The end of its messages, which gives the reason; a damaged file can cause megabytes of them.
        private static func lastLines(
            of text: SubprocessOutputSequence, _ onMessage: ((String) -> Void)?
        ) async throws -> String {
            var (tail, line): ([UInt8], [UInt8]) = ([], [])
            for try await chunk in text {
                chunk.withUnsafeBytes { bytes in
                    tail.append(contentsOf: bytes)
                    guard let onMessage else { return }
                    for byte in bytes {
                        if byte != UInt8(ascii: "\n") {
                            if line.count < 4096 { line.append(byte) }
                        } else {
                            onMessage(String(decoding: line, as: UTF8.self))
                            line.removeAll(keepingCapacity: true)
                        }
                    }
                }
                tail.removeFirst(max(0, tail.count - 4096))
            }
            let lines = String(decoding: tail, as: UTF8.self).split(whereSeparator: \.isNewline)
            return lines.suffix(3).joined(separator: "\n")
        }
    }
#endif
