import Foundation

#if os(Linux) || os(macOS)
    /// Copies a pipe into another one, after the bytes that have already been read from it.
    ///
    /// It runs on its own thread, because it waits on both sides, and ends when the input ends, when the output no
    /// longer has a reader, or when reading is interrupted.
    package struct PipePump: Sendable {
        private let head: [UInt8]
        private let input: OwnedDescriptor
        private let output: OwnedDescriptor
        private let interruption: Interruption

        package init(head: [UInt8], from input: OwnedDescriptor, to output: OwnedDescriptor, interruption: Interruption)
        {
            (self.head, self.input, self.output, self.interruption) = (head, input, output, interruption)
        }

        package func start() {
            let thread = Thread { run() }
            thread.name = "steno.pipe-pump"
            thread.start()
        }

        private func run() {
            Self.ignoreBrokenPipe(output)
            defer { output.close() }
            guard head.withUnsafeBytes(write) else { return }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while let count = try? next(into: &buffer), count > 0 {
                guard buffer.withUnsafeBytes({ write(UnsafeRawBufferPointer(rebasing: $0[..<count])) }) else { return }
            }
        }

        private func next(into buffer: inout [UInt8]) throws -> Int {
            try interruption.waitUntilReadable(input.rawValue)
            return buffer.withUnsafeMutableBytes { buffer in
                retrying { read(input.rawValue, buffer.baseAddress, buffer.count) }
            }
        }

        /// Writes everything; returns false if the reader is gone.
        private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let chunk = UnsafeRawBufferPointer(rebasing: rest)
                let count = retrying { Foundation.write(output.rawValue, chunk.baseAddress, chunk.count) }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        /// Makes a write to a pipe without a reader fail; by default it would end the whole process.
        package static func ignoreBrokenPipe(_ output: OwnedDescriptor) {
            #if os(Linux)
                // The signal goes to the thread that writes, so it is enough to block it here.
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGPIPE)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
            #else
                _ = fcntl(output.rawValue, F_SETNOSIGPIPE, 1)
            #endif
        }
    }
#endif

/// The lines of a pipe, each as soon as its line break is written; text after the last line break is ignored.
///
/// Reading blocks the thread.
package struct PipeLines: Sequence, IteratorProtocol {
    private let descriptor: OwnedDescriptor
    private var bytes: [UInt8] = []

    package init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

    /// The next line, without its line break; nil at the end of the pipe.
    package mutating func next() -> String? {
        while true {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                defer { bytes.removeFirst(end + 1) }
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
            var piece = [UInt8](repeating: 0, count: 4096)
            let count = retrying { read(descriptor.rawValue, &piece, piece.count) }
            guard count > 0 else { return nil }
            bytes += piece[..<count]
        }
    }
}
