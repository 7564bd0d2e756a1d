package import Foundation
package import StenoVoiceActivity

/// The output of `Tools/goldens/make_vad_goldens.py`.
package struct VoiceActivityGoldens: Sendable {
    /// The probabilities of one recording.
    package struct Audio: Decodable, Sendable {
        package let audio: String
        /// `file`, `ffmpeg` or `computed`: where they come from.
        package let samples: String
        package let count: Int
        package let sha256: String
        package let windows: Int
        package let offset: Int
    }

    /// The chunks of a sequence of probabilities, for every combination of options.
    package struct Sequence: Decodable, Sendable {
        package let probabilities: String
        package let count: Int
        package let chunks: Int
        package let sha256: String
        package let defaults: [[Int]]
    }

    /// Chunks, and times in the joined speech with their positions.
    package struct Map: Decodable, Sendable {
        package let chunks: [[Int]]
        /// The time, its chunk's index, the same as an end time, its original time, the same as an end time.
        package let times: [[Double]]
    }

    /// The spans of speech that faster-whisper finds in a recording, in each of the settings.
    package struct Spans: Decodable, Sendable {
        package let audio: String
        package let sha256: String
        package let count: Int
        package let spans: [[[Int]]]
    }

    /// Options by faster-whisper's names; nil for its default.
    package struct Setting: Decodable, Sendable {
        package let threshold: Double?
        package let min_speech_duration_ms: Int?
        package let max_speech_duration_s: Double?
        package let min_silence_duration_ms: Int?
        package let speech_pad_ms: Int?
    }

    private struct SpansFile: Decodable {
        let settings: [Setting]
        let recordings: [Spans]
    }

    private struct Recordings: Decodable { let recordings: [Audio] }
    private struct Sequences: Decodable {
        let sequences: [Sequence]
        let maps: [Map]
    }

    package static let shared = Result { try VoiceActivityGoldens() }
    package static let folder = Fixtures.file("voice-activity")
    /// The bundled network for live audio.
    package static let silero = Fixtures.root.appendingPathComponent(
        "Sources/StenoVoiceActivity/Resources/silero-vad/ggml-silero-v6.2.0.bin")

    package let recordings: [Audio]
    package let sequences: [Sequence]
    package let maps: [Map]
    package let settings: [Setting]
    /// What faster-whisper finds, as it is.
    package let spans: [Spans]
    private let values: [Float]

    private init() throws {
        func data(_ name: String) throws -> Data { try Data(contentsOf: Self.folder.appendingPathComponent(name)) }
        recordings = try JSONDecoder().decode(Recordings.self, from: data("probabilities.json")).recordings
        let chunks = try JSONDecoder().decode(Sequences.self, from: data("chunks.json"))
        sequences = chunks.sequences
        maps = chunks.maps
        let found = try JSONDecoder().decode(SpansFile.self, from: data("spans.json"))
        (settings, spans) = (found.settings, found.recordings)
        values = try floats(data("probabilities.bin"))
    }

    /// The probabilities of a recording, one for each window.
    package func probabilities(of audio: Audio) -> [Float] {
        Array(values[audio.offset..<audio.offset + audio.windows])
    }
}

extension VoiceActivityOptions {
    package init(_ setting: VoiceActivityGoldens.Setting) {
        self.init()
        threshold = setting.threshold ?? threshold
        maxSpeechSeconds = setting.max_speech_duration_s ?? maxSpeechSeconds
        if let milliseconds = setting.min_speech_duration_ms { minSpeechSeconds = Double(milliseconds) / 1000 }
        if let milliseconds = setting.min_silence_duration_ms { minSilenceSeconds = Double(milliseconds) / 1000 }
        if let milliseconds = setting.speech_pad_ms { speechPadSeconds = Double(milliseconds) / 1000 }
    }
}

/// The recordings and numbers that the script computes, bit-identical.
package enum VoiceActivityRecordings {
    /// SplitMix64 from −1 to 1 in 24 bits.
    package static func noise(seed: UInt64, count: Int) -> [Double] {
        (0..<count).map { TestAudio.noise(seed: seed, at: $0) }
    }

    /// 40 s of three notes at a time, struck four times a second and fading.
    package static func chords() -> [Float] {
        let notes = [220, 247, 262, 294, 330, 349, 392, 440]
        return (0..<160).flatMap { beat in
            let root = Double(notes[beat * 5 % 8])
            return (0..<4000).map { index in
                let time = Double(index) / 16000
                let waves = [root, 2 * root, 3 * root].map { sin(2 * .pi * ($0 * time)) }.reduce(0, +)
                return TestAudio.in16Bits(0.2 * (1 - 4 * time) * waves)
            }
        }
    }

    /// The gap after sentence `index`: silence or hiss.
    package static func gap(_ index: Int) -> [Float] {
        let count = 48_000 + 24_000 * index
        guard !index.isMultiple(of: 2) else { return [Float](repeating: 0, count: count) }
        return noise(seed: UInt64(20 + index), count: count).map { TestAudio.in16Bits(0.01 * $0) }
    }

    /// Six sentences in order, separated by silence and hiss.
    package static func gaps(_ sentences: [[Float]]) -> [Float] {
        [Float](repeating: 0, count: 80_000) + sentences.enumerated().flatMap { $1 + gap($0) }
    }

    /// A seed's random probabilities and the length of their audio.
    package static func randomProbabilities(seed: Int) -> (probabilities: [Float], count: Int) {
        let windows = 300 + 7 * seed
        let jitter = noise(seed: UInt64(1000 + seed), count: windows)
        var level = 0.2
        let probabilities = zip(jitter, noise(seed: UInt64(2000 + seed), count: windows)).map { jitter, choice in
            if choice > [0.9, 0.6, 0.2][seed % 3] {
                level = (choice * 8_388_608).truncatingRemainder(dividingBy: 1024) / 1024
            }
            return Float(min(1, max(0, level + 0.25 * jitter)))
        }
        return (probabilities, windows * 512 - 512 + (seed * 37) % 512)
    }
}
