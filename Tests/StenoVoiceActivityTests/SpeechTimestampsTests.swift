import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoVoiceActivity

@Suite struct SpeechTimestampsTests {
    /// The options of `Tools/goldens/make_vad_goldens.py`, in its order.
    static let grid: [VoiceActivityOptions] = {
        var grid: [VoiceActivityOptions] = []
        for threshold in [0.3, 0.5, 0.8] {
            for negative in [nil, 0.2] {
                for minSpeech in [0, 0.25] {
                    for maxSpeech in [Double.infinity, 30, 4.7, 1] {
                        for minSilence in [0, 0.1, 0.16, 2] {
                            for pad in [0, 0.033, 0.4] {
                                grid.append(
                                    VoiceActivityOptions().with {
                                        ($0.threshold, $0.negativeThreshold) = (threshold, negative)
                                        ($0.minSpeechSeconds, $0.maxSpeechSeconds) = (minSpeech, maxSpeech)
                                        ($0.minSilenceSeconds, $0.speechPadSeconds) = (minSilence, pad)
                                    })
                            }
                        }
                    }
                }
            }
        }
        return grid
    }()

    private static let goldens = VoiceActivityGoldens.shared
    private static let indices = 0..<((try? goldens.get().sequences.count) ?? 0)

    private func probabilities(_ golden: VoiceActivityGoldens.Sequence) throws -> [Float] {
        if let seed = golden.probabilities.wholeMatch(of: /random-(\d+)/).flatMap({ Int($0.1) }) {
            return VoiceActivityRecordings.randomProbabilities(seed: seed).probabilities
        }
        let goldens = try Self.goldens.get()
        return goldens.probabilities(of: try #require(goldens.recordings.first { $0.audio == golden.probabilities }))
    }

    @Test func theGoldensAreComplete() throws {
        let goldens = try Self.goldens.get()
        #expect(goldens.sequences.count > 60)
        #expect(goldens.sequences.filter { $0.chunks > 5000 }.count > 15)
        #expect(Self.grid.count == 576)
    }

    @Test(arguments: indices) func chunksAndGroupsAreFasterWhispers(index: Int) throws {
        let golden = try Self.goldens.get().sequences[index]
        let probabilities = try probabilities(golden)
        var text = ""
        for options in Self.grid {
            let chunks = SpeechTimestamps.chunks(of: probabilities, sampleCount: golden.count, options: options)
            let groups = [30, 7.5].flatMap { SpeechGroup.collect(chunks, maxSeconds: $0) }
            text += chunks.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ";") + "|"
            text += groups.map { "\($0.offset)-\($0.sampleCount)" }.joined(separator: ";") + "\n"
        }
        #expect(SHA256.hexDigest(of: Data(text.utf8)) == golden.sha256)
        let defaults = SpeechTimestamps.chunks(of: probabilities, sampleCount: golden.count)
        #expect(defaults == golden.defaults.map { $0[0]..<$0[1] })
    }

    /// Chunks reported as certain while audio arrives must equal the final result, and must not lag behind.
    @Test(arguments: 0..<12) func certainChunksNeverChange(seed: Int) {
        let (probabilities, count) = VoiceActivityRecordings.randomProbabilities(seed: seed)
        for options in stride(from: seed, to: Self.grid.count, by: isLong ? 5 : 25).map({ Self.grid[$0] }) {
            let final = SpeechTimestamps.chunks(of: probabilities, sampleCount: count, options: options)
            var timestamps = SpeechTimestamps(options)
            var end = 0
            for probability in probabilities.dropLast() {
                timestamps.append(CollectionOfOne(probability))
                let certain = timestamps.certain
                #expect(certain.end >= end)
                end = certain.end
                let known = cut(timestamps.chunks + certain.growing, at: min(end, count))
                #expect(known == cut(final, at: min(end, count)), "\(options)")
            }
            timestamps.append(probabilities.suffix(1))
            timestamps.finish(sampleCount: count)
            #expect(timestamps.chunks == final)
        }
    }

    /// The parts of the chunks before a sample, with neighbours joined.
    private func cut(_ chunks: [Range<Int>], at end: Int) -> [Range<Int>] {
        chunks.reduce(into: []) { known, chunk in
            let part = chunk.clamped(to: 0..<end)
            guard !part.isEmpty else { return }
            if let last = known.last, last.upperBound == part.lowerBound {
                known[known.count - 1] = last.lowerBound..<part.upperBound
            } else {
                known.append(part)
            }
        }
    }

    @Test func aChunkIsReportedWhileItIsSpoken() {
        var timestamps = SpeechTimestamps(VoiceActivityOptions())
        timestamps.append([Float](repeating: 0, count: 100))
        #expect(timestamps.certain == .init(growing: [], end: 100 * 512 - 6400))
        timestamps.append([Float](repeating: 1, count: 10))
        #expect(timestamps.certain == .init(growing: [51_200 - 6400..<110 * 512 + 6400], end: 110 * 512 + 6400))
        timestamps.append([Float](repeating: 0, count: 62))
        #expect(timestamps.certain.end == 110 * 512 + 6400)
        timestamps.append([Float](repeating: 0, count: 38))
        #expect(timestamps.certain == .init(growing: [51_200 - 6400..<110 * 512 + 6400], end: 210 * 512 - 6400))
    }

    @Test func optionsOutOfRangeAreRejected() {
        let wrong: [(inout VoiceActivityOptions) -> Void] = [
            { $0.threshold = 1.5 }, { $0.threshold = .nan }, { $0.negativeThreshold = -0.1 },
            { $0.minSpeechSeconds = -0.001 }, { $0.maxSpeechSeconds = 0 }, { $0.maxSpeechSeconds = .nan },
            { $0.minSilenceSeconds = -1 }, { $0.minSilenceSeconds = .nan }, { $0.speechPadSeconds = .infinity },
        ]
        for change in wrong {
            #expect(throws: StenoError.self) { try VoiceActivityOptions().with(change).validate() }
        }
        #expect(throws: Never.self) { try VoiceActivityOptions().validate() }
    }
}
