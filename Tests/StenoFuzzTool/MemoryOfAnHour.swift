import Foundation
import Steno
import StenoCore
import StenoTestSupport
import StenoVoiceActivity
import StenoWhisper

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
