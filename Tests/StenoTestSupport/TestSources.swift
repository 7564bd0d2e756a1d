import StenoCore

/// Sources that behave as files and pipes can.
package enum TestSources {
    /// A source that cannot be rewound and returns its samples in uneven pieces, as a pipe does.
    package final class Pipe: SampleSource {
        private let samples: [Float]
        private var position = 0
        package private(set) var reads = 0

        package init(_ samples: [Float]) { self.samples = samples }

        package func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
            reads += 1
            let count = min(buffer.count, samples.count - position, 1 + reads * 7919 % 3001)
            _ = buffer.update(fromContentsOf: samples[position..<(position + count)])
            position += count
            return count
        }

        package func rewind() -> Bool { false }
    }

    /// A source that has fewer samples when it is read again.
    package final class Shrinking: SampleSource {
        private var left = 0
        private var passes = 0

        package init() {}

        package func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
            let count = min(buffer.count, left)
            buffer[..<count].update(repeating: 0.1)
            left -= count
            return count
        }

        package func rewind() -> Bool {
            left = 16000 * (100 - 10 * passes)
            passes += 1
            return true
        }
    }

    /// Quiet audio that counts how often it is read from the start.
    package final class Counting: SampleSource {
        private let length: Int
        private var left = 0
        package private(set) var passes = 0

        package init(seconds: Int) { length = seconds * 16000 }

        package func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
            let count = min(buffer.count, left)
            buffer[..<count].update(repeating: 0.1)
            left -= count
            return count
        }

        package func rewind() -> Bool {
            left = length
            passes += 1
            return true
        }
    }
}
