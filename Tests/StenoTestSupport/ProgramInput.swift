#if os(Linux) || os(macOS)
    public import Foundation

    /// Standard input of a program that may end before it has read everything.
    ///
    /// A plain write to a pipe without a reader would end this process, and all tests with it, with SIGPIPE.
    public final class ProgramInput: Sendable {
        /// What the program is given.
        public let pipe = Pipe()
        private let descriptor: Int32

        /// Creates the pipe.
        public init() {
            descriptor = pipe.fileHandleForWriting.fileDescriptor
            #if os(macOS)
                _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
            #endif
        }

        /// Writes everything, or what is read before the program ends.
        public func write(_ bytes: Data) {
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

        /// Ends the input.
        public func close() throws { try pipe.fileHandleForWriting.close() }

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
#endif
