import Foundation
import Steno
import StenoCore
import StenoTestSupport
import StenoVoiceActivity
import StenoWhisper

/// The memory that loading takes beyond the model itself.
enum MemoryOfLoading {
    static func report(_ folder: URL) throws {
        let before = PeakMemory.bytes
        let model = try WhisperModel.load(folder: folder, precision: .float32, threads: 1)
        let after = PeakMemory.bytes
        withExtendedLifetime(model) {
            print("instrumented", PeakMemory.isInstrumented ? 1 : 0)
            print("weights", model.shape.parameterCount * MemoryLayout<Float>.size)
            print("growth", after - before)
        }
    }
}

/// The memory of a process after many live sessions and calls have ended.
enum MemoryOfSessions {
    /// Rounds of three concurrent live sessions and three calls; prints the resident memory after each tenth of the rounds.
    static func report(rounds: Int) {
        let done = DispatchSemaphore(value: 0)
        Task {
            do {
                try await run(rounds: rounds)
            } catch {
                print("failed 1 \(error)")
            }
            done.signal()
        }
        done.wait()
    }

    private static func run(rounds: Int) async throws {
        let transcriber = try await Transcriber.load(.bundled, threads: 1)
        let samples = LocatedModel.bundled.map {
            $0.folder.deletingLastPathComponent().appendingPathComponent("samples/inaugural-1961.wav")
        }
        guard let audio = samples else { throw StenoError(.resourceMissing, "There is no sample.") }
        let before = resident
        for round in 1...rounds {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        try await transcriber.live(.file(audio), options: LiveOptions(language: "en")).wait()
                    }
                    group.addTask { _ = try await transcriber.transcribe(file: audio) }
                }
                try await group.waitForAll()
            }
            if round % max(1, rounds / 4) == 0 { print("resident \(resident >> 20) MB after \(round) rounds") }
        }
        print("before \(before >> 20) MB\nafter \(resident >> 20) MB")
    }

    private static var resident: Int {
        let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return words.count > 1 ? (Int(words[1]) ?? 0) * 4096 : 0
    }
}

/// Whether a process grows while it transcribes or reads for an hour.
///
/// Growth is that of the peak memory, after a sixth of the audio.
enum MemoryOfAnHour {
    /// Transcribes audio from a pipe with the nano model.
    static func transcribe(batchSize: Int) throws {
        let model = try WhisperModel.load(folder: Fixtures.nano, threads: 2)
        var options = TranscriptionOptions(language: "en")
        options.whisper.temperatures = [0]
        options.batchSize = batchSize
        if batchSize > 1 {
            options.whisper.voiceActivity = .batched
            options.whisper.voiceActivity?.detector = .energy
        }
        var early = 0, windows = 0
        let transcript = try model.transcribe(HourPipe(), options: options) {
            false
        } onEvent: {
            guard case .progress(let processed, _) = $0 else { return }
            windows += 1
            if early == 0, processed > 600 { early = PeakMemory.bytes }
        }
        report(early: early, ["seconds": Int(transcript.duration), "windows": windows])
    }

    /// Reads `seconds` of 44.1 kHz stereo from standard input, a pipe, and resamples it.
    static func read(seconds: Int) throws {
        let rate = 44_100
        let format = try PCMFormat(.int16, sampleRate: rate, channels: 2)
        let pipe = Pipe()
        let writeEnd = pipe.fileHandleForWriting
        dup2(pipe.fileHandleForReading.fileDescriptor, STDIN_FILENO)
        Thread.detachNewThread {
            let second = [UInt8]((0..<(rate * 4)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            for _ in 0..<seconds {
                var rest = second[...]
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes { write(writeEnd.fileDescriptor, $0.baseAddress, $0.count) }
                    guard count > 0 else { return }
                    rest = rest.dropFirst(count)
                }
            }
            try? writeEnd.close()
        }
        let audio = try AudioFile.standardInput(format: format)
        var buffer = [Float](repeating: 0, count: 16_000)
        var early = 0, samples = 0
        while case let more = try buffer.withUnsafeMutableBufferPointer({ try audio.read(into: $0) }), more > 0 {
            samples += more
            if early == 0, samples > seconds * 16_000 / 6 { early = PeakMemory.bytes }
        }
        report(early: early, ["samples": samples])
    }

    private static func report(early: Int, _ counts: [String: Int]) {
        print("instrumented", PeakMemory.isInstrumented ? 1 : 0)
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) { print(name, count) }
        print("early", early)
        print("growth", PeakMemory.bytes - early)
    }

    /// An hour of alternating speech and noise that cannot be rewound.
    private final class HourPipe: SampleSource {
        private let noise = HourSource()
        private let speech = (try? TestAudio.speech()) ?? []
        private var position = 0

        func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
            let count = noise.read(into: buffer)
            for index in 0..<count where (position + index) / 160_000 % 3 != 0 && !speech.isEmpty {
                buffer[index] = buffer[index] * 0.05 + speech[(position + index) % speech.count]
            }
            position += count
            return count
        }

        func rewind() -> Bool { false }
    }
}

/// Pushes a device's blocks into an input that nobody reads, for the counters of `Tools/ci/count_pushes.sh`.
enum PushedAudio {
    /// Blocks of 10 ms, interleaved and planar; some do not fit.
    static func push(blocks: Int) throws {
        let input = try AudioInput(sampleRate: 48_000, channels: 2, bufferDuration: 20)
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 960)
        samples.initialize(repeating: 0.1, count: 960)
        let planar = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
        planar.initialize(repeating: samples, count: 2)
        var taken = 0
        for _ in 0..<blocks {
            if input.push(samples, frames: 480) { taken += 1 }
            if input.push(planar: planar, frames: 480) { taken += 1 }
        }
        print("taken \(taken)")
        planar.deallocate()
        samples.deallocate()
    }
}

/// The descriptors open after reading many files through the program found as ffmpeg.
enum OpenDescriptors {
    static func report(_ file: URL) throws {
        let before = count
        var samples = 0
        for _ in 0..<100 { samples += try AudioFile.open(file).allSamples().count }
        print("samples", samples)
        print("growth", count - before)
    }

    private static var count: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}

/// The memory of this process.
enum PeakMemory {
    /// The peak in bytes, including mapped files.
    static var bytes: Int {
        #if os(Linux)
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
            return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) << 10
        #else
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return Int(usage.ru_maxrss)
        #endif
    }

    /// Whether a sanitizer is active, whose own memory is many times the program's.
    static var isInstrumented: Bool {
        let program = dlopen(nil, RTLD_NOW)
        return dlsym(program, "__asan_init") != nil || dlsym(program, "__tsan_init") != nil
    }
}

/// What a file gives in a process whose ended programs leave no exit status behind.
enum UnwaitedPrograms {
    static func report(_ file: URL) throws {
        signal(SIGCHLD, SIG_IGN)
        do {
            print("samples", try AudioFile.open(file).allSamples().count)
        } catch let error as StenoError {
            print(error.code.description, 1)
        }
    }
}
