#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import Steno
    @testable import StenoAudio
    @testable import StenoCore

    /// Named pipes, whose opening waits for a writer.
    @Suite(.timeLimit(.minutes(60))) struct NamedPipeTests {
        private let folder = TemporaryFolder.ofSuite()
        private let pipe: URL

        init() throws { pipe = try folder.namedPipe("pipe") }

        /// Without a writer, a plain opening of the pipe would block forever.
        @Test func cancellingEndsTheWaitForAWriter() async throws {
            let (started, continuation) = AsyncStream.makeStream(of: Void.self)
            let task = Task { [pipe] in
                try await Worker.run("steno.test") { flag in
                    continuation.yield()
                    return try flag.open { try AudioFile.open(pipe) }.rewind()
                }
            }
            for await _ in started { break }
            await expectCancellation(of: task)
        }

        @Test func stoppingALiveSourceEndsTheWaitForAWriter() async throws {
            let stream = try await FileSource(pipe, pace: .unlimited).start()
            stream.stop()
            #expect(try await collect(stream).isEmpty)
        }

        @Test func aLateWriterIsHeard() async throws {
            let bytes = try WAVBuilder.simple(100).bytes
            let opened = try OwnedDescriptor.openForReading(pipe.path)
            let path = pipe.path
            async let writing: Void = onThread {
                let handle = try #require(FileHandle(forWritingAtPath: path))
                try handle.write(contentsOf: Data(bytes))
                try handle.close()
            }
            let samples = try await onThread {
                try readAll(AudioOpener(ffmpeg: nil).open(opened, name: "pipe", path: path))
            }
            try await writing
            #expect(samples.count == 100)
        }

        #if os(Linux)
            @Test func aSilentWriterLeavesAnEmptyFile() async throws {
                let opened = try OwnedDescriptor.openForReading(pipe.path)
                try #require(FileHandle(forWritingAtPath: pipe.path)).close()
                let path = pipe.path
                await expectAsyncError(says: "is empty") {
                    try await onThread {
                        try readAll(AudioOpener(ffmpeg: nil).open(opened, name: "pipe", path: path))
                    }
                }
            }
        #endif

        /// Work on many files shares one flag, which must not keep the descriptors of finished files.
        @Test func aFlagKeepsNoFileOpen() throws {
            let file = try folder.file("a.wav", WAVBuilder.simple(10).bytes)
            let flag = CancellationFlag()
            weak var interruption: Interruption?
            do {
                let source = try flag.open { try AudioFile.open(file) }
                interruption = (source as? AudioFile)?.interruption
                #expect(interruption != nil)
                _ = try source.rewind()
            }
            #expect(interruption == nil)
            flag.cancel()
        }
    }
#endif
