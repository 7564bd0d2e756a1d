import StenoCore
import StenoTestSupport
import Testing

@testable import Steno

/// What a channel keeps when it also hears the speakers of another one.
struct LeakageGateTests {
    private static let frames = 3000
    private static let noise: Float = 1e-6

    /// The power of someone who speaks in some frames, which rises and falls as that of syllables.
    private static func speech(in turns: [Range<Int>], seed: UInt64) -> [Float] {
        var random = SplitMix64(seed: seed)
        var powers = [Float](repeating: 0, count: frames)
        for turn in turns {
            var syllable: Float = 0
            for (place, frame) in turn.enumerated() {
                if place.isMultiple(of: 15) { syllable = Float.random(in: 0.001...0.02, using: &random) }
                powers[frame] = syllable * Float.random(in: 0.7...1.3, using: &random)
            }
        }
        return powers
    }

    private static func turns(from first: Int) -> [Range<Int>] {
        stride(from: first, to: frames - 200, by: 600).map { $0..<$0 + 200 }
    }

    /// Two speakers who take turns, and what each channel hears.
    private static func call(leakage: Float) -> [[Float]] {
        let one = speech(in: turns(from: 50), seed: 1), two = speech(in: turns(from: 350), seed: 2)
        return [(one, two), (two, one)].map { own, other in zip(own, other).map { $0 + leakage * $1 + noise } }
    }

    @Test(arguments: [Float(0.25), 0.06, 0.01]) func onlyOwnTurnsAreKept(leakage: Float) throws {
        let kept = LeakageGate.kept(Self.call(leakage: leakage))
        for (channel, first) in [50, 350].enumerated() {
            let own = try #require(kept[channel])
            for turn in Self.turns(from: first) { #expect(turn.allSatisfy { own[$0] }) }
            for turn in Self.turns(from: 400 - first) {
                // Not at once: own speech that ends just before is averaged over 0.3 s, and its end is kept.
                #expect(turn.dropFirst(25).dropLast(25).allSatisfy { !own[$0] })
            }
        }
    }

    @Test func channelsWithoutLeakageAndEqualOnesLoseNothing() {
        #expect(LeakageGate.kept(Self.call(leakage: 0)).allSatisfy { $0 == nil })
        #expect(LeakageGate.kept([Self.call(leakage: 0.1)[0]]).allSatisfy { $0 == nil })
        #expect(LeakageGate.kept([[], []]).allSatisfy { $0 == nil })
        let both = zip(Self.call(leakage: 0)[0], Self.call(leakage: 0)[1]).map { $0 + $1 }
        let speaking = (Self.turns(from: 50) + Self.turns(from: 350)).joined()
        for kept in LeakageGate.kept([both, both]) { #expect(speaking.allSatisfy { kept?[$0] ?? true }) }
    }

    @Test func aQuietAnswerDuringALoudSentenceIsKept() throws {
        var call = Self.call(leakage: 0.01)
        // Half as loud as the other one, and far louder than leakage.
        for frame in 400..<450 { call[0][frame] += 0.25 * call[1][frame] }
        let own = try #require(LeakageGate.kept(call)[0])
        #expect((400..<450).allSatisfy { own[$0] })
    }

    @Test func samplesFarAboveOneAreOnlyLoud() {
        var envelope = ChannelEnvelope()
        for turn in 0..<4 {
            envelope.add([Float](repeating: turn.isMultiple(of: 2) ? 0 : 1e30, count: 160 * Self.frames / 4))
        }
        #expect(envelope.powers.allSatisfy { $0.isFinite })
        let quiet = [Float](repeating: 1e-9, count: Self.frames)
        #expect(LeakageGate.kept([envelope.powers, quiet]).allSatisfy { $0 == nil })
    }

    @Test func aChannelThatEndsEarlyIsComparedWithWhatThereIs() throws {
        var call = Self.call(leakage: 0.06)
        call[1] = Array(call[1].prefix(2000))
        let own = try #require(LeakageGate.kept(call)[0])
        #expect(own.count == Self.frames)
        #expect(Self.turns(from: 50).allSatisfy { $0.allSatisfy { own[$0] } })
        #expect(!own[1000...1050].contains(true))
    }

    @Test func leakageBecomesQuietWithoutAStep() throws {
        let kept = [true, true, false, false, true]
        let source = GatedSource(ArraySampleSource([Float](repeating: 1, count: 1000)), kept: kept)
        let samples = try readAll(source, pieces: [1, 333, 7])
        #expect(samples.count == 1000 && samples[..<320].allSatisfy { $0 == 1 })
        #expect(samples[480..<640].allSatisfy { $0 == 0.003 } && samples[800...].allSatisfy { $0 == 1 })
        #expect(zip(samples, samples.dropFirst()).allSatisfy { abs($0 - $1) < 0.01 })
        #expect(try source.rewind())
        #expect(try readAll(source) == samples)
    }
}
