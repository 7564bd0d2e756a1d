import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// Two sides of a call that hear each other: every line stays once, with its speaker.
@Suite struct BleedFilterTests {
    private static let lines = [
        ("Good morning, how are you?", 0, 0.5), ("Fine, thanks.", 1, 2.5), ("Shall we begin?", 0, 4.0),
        ("Yes.", 1, 5.4), ("I sent you the report on Monday.", 1, 6.2), ("Yes, I have it here.", 0, 9.0),
        ("Good. Then we can talk about the budget.", 1, 11.0), ("Of course.", 0, 14.0),
    ]
    private static let seconds = 16.0

    /// Words of 0.3 s, moved as times differ between channels.
    private func segment(_ text: String, at start: Double, moved: Double = 0) -> Segment {
        let words = paced(text, from: start + moved, each: 0.3)
        return Segment(
            id: 0, start: words.first?.start ?? start, end: words.last?.end ?? start, text: " " + text, words: words)
    }

    /// Noise whose level changes every 40 ms while a speaker talks.
    private func voice(_ speaker: Int, lines: [(String, Int, Double)] = lines) -> [Float] {
        var samples = [Float](repeating: 0, count: Int(Self.seconds * 16_000))
        for (index, line) in lines.enumerated() where line.1 == speaker {
            let count = Int(0.3 * Double(line.0.split(separator: " ").count) * 16_000)
            for place in 0..<count {
                let level = 0.05 + 0.2 * abs(TestAudio.noise(seed: UInt64(7 + index), at: place / 640))
                samples[Int(line.2 * 16_000) + place] += Float(
                    level * TestAudio.noise(seed: UInt64(90 + index), at: place))
            }
        }
        return samples
    }

    private func channel(_ samples: [Float], _ segments: [Segment]) -> ChannelTranscript {
        var envelope = ChannelEnvelope()
        envelope.add(samples)
        return ChannelTranscript(
            transcript: Transcript(language: "en", duration: Self.seconds, segments: segments), powers: envelope.powers)
    }

    /// Both channels with the other's voice in them, after `delay` samples.
    private func mixed(
        _ decibels: Double, delay: Int = 0, noise: Double = 0.001, lines: [(String, Int, Double)] = lines
    ) -> [[Float]] {
        let gain = Float(pow(10, decibels / 20))
        let voices = [voice(0, lines: lines), voice(1, lines: lines)]
        return [0, 1].map { (side: Int) -> [Float] in
            let (own, other) = (voices[side], voices[1 - side])
            return own.indices.map { (place: Int) -> Float in
                let bleed: Float = place >= delay ? gain * other[place - delay] : 0
                return own[place] + bleed + Float(noise * TestAudio.noise(seed: UInt64(3 + side), at: place))
            }
        }
    }

    private func texts(_ segments: [Segment]) -> [String] { segments.map { String($0.text.dropFirst()) } }

    private func lines(of speaker: Int, in lines: [(String, Int, Double)] = lines) -> [String] {
        lines.filter { $0.1 == speaker }.map(\.0)
    }

    /// What each side hears: its own lines, and the other's at slightly other times.
    private func heard(
        by side: Int, _ misheard: [String: String] = [:], lines: [(String, Int, Double)] = lines
    ) -> [Segment] {
        lines.enumerated().map { index, line in
            let isOwn = line.1 == side
            let text = isOwn ? line.0 : misheard[line.0] ?? line.0
            return segment(text, at: line.2, moved: isOwn ? 0 : [0.12, -0.15, 0.05][index % 3])
        }
    }

    @Test(arguments: [-3.0, -10, -20], [0, 320]) func everyLineStaysOnceWithItsSpeaker(decibels: Double, delay: Int) {
        let audio = mixed(decibels, delay: delay)
        let kept = BleedFilter.segments([channel(audio[0], heard(by: 0)), channel(audio[1], heard(by: 1))])
        #expect(kept.map(texts) == [lines(of: 0), lines(of: 1)])
    }

    /// A microphone hears the other speaker badly, so the model writes other words.
    @Test(arguments: [-3.0, -10, -20]) func misheardBleedIsRemovedToo(decibels: Double) {
        let audio = mixed(decibels)
        let misheard = [
            "Fine, thanks.": "Find banks.", "I sent you the report on Monday.": "I sent her the resort on Sunday.",
            "Shall we begin?": "Shall be begin?",
        ]
        let kept = BleedFilter.segments([
            channel(audio[0], heard(by: 0, misheard)), channel(audio[1], heard(by: 1, misheard)),
        ])
        #expect(kept.map(texts) == [lines(of: 0), lines(of: 1)])
    }

    /// Turns without a pause: every word ends where the other speaker's begins, and a copy's times cross the change.
    private static let touching = [
        ("One two three", 0, 1.0), ("four five", 1, 1.9), ("six seven eight", 0, 2.5), ("nine ten", 1, 3.4),
        ("eleven", 0, 4.0), ("twelve thirteen fourteen", 1, 4.3),
    ]

    @Test(arguments: [-3.0, -10, -20], [false, true])
    func touchingWordsOfBothAreSeparated(decibels: Double, inOneSegment: Bool) {
        let audio = mixed(decibels, lines: Self.touching)
        let channels = [0, 1].map { side in
            let segments = heard(by: side, lines: Self.touching)
            var all = segments[0]
            all.words = segments.flatMap { $0.words ?? [] }
            all.text = segments.map(\.text).joined()
            return channel(audio[side], inOneSegment ? [all] : segments)
        }
        let kept = BleedFilter.segments(channels)
        #expect(kept.map(texts) == [0, 1].map { lines(of: $0, in: Self.touching) })
    }

    /// A speaker who is 6 dB louder does not claim the touching words of a quieter one.
    @Test(arguments: [-10.0, -20]) func aQuietSpeakerKeepsWordsThatTouchALoudOnes(decibels: Double) {
        let gain = Float(pow(10, decibels / 20))
        let voices = [voice(0, lines: Self.touching).map { 2 * $0 }, voice(1, lines: Self.touching)]
        let channels = [0, 1].map { side in
            channel(zip(voices[side], voices[1 - side]).map { $0 + gain * $1 }, heard(by: side, lines: Self.touching))
        }
        let kept = BleedFilter.segments(channels)
        #expect(kept.map(texts) == [0, 1].map { lines(of: $0, in: Self.touching) })
    }

    /// A model writes one word over all of a channel's lines, which only the other channel's transcript has.
    @Test(arguments: [-3.0, -10]) func linesThatTheirChannelMissedStayItsOwn(decibels: Double) {
        let audio = mixed(decibels)
        let word = Word(rawText: " Err...", start: 2.5, end: 13.5, probability: 0.2)
        let missed = Segment(id: 0, start: 2.5, end: 13.5, text: " Err...", words: [word])
        let kept = BleedFilter.segments([channel(audio[0], heard(by: 0)), channel(audio[1], [missed])])
        #expect(texts(kept[0]) == lines(of: 0) && texts(kept[1]).filter { $0 != "Err..." } == lines(of: 1))
    }

    @Test func bleedThatNobodyHeardLosesNothingAndBothMaySayTheSame() {
        let audio = mixed(-20)
        let own = [0, 1].map { side in Self.lines.filter { $0.1 == side }.map { segment($0.0, at: $0.2) } }
        #expect(BleedFilter.segments([channel(audio[0], own[0]), channel(audio[1], own[1])]) == own)
        let lines = [("Yes, of course.", 0, 1.0), ("Yes, of course.", 1, 1.1)]
        let channels = [0, 1].map { side in
            channel(voice(side, lines: lines), [segment(lines[side].0, at: lines[side].2)])
        }
        #expect(BleedFilter.segments(channels).map(texts) == [["Yes, of course."], ["Yes, of course."]])
    }

    /// In a damaged file, one channel ends before the other's words.
    @Test func aChannelThatEndsEarlyLosesNothing() {
        let own = [0, 1].map { _ in Self.lines.map { segment($0.0, at: $0.2) } }
        for samples in [0, 8_000] {
            let channels = [channel(voice(0), own[0]), channel(Array(voice(1).prefix(samples)), own[1])]
            #expect(BleedFilter.segments(channels) == own && BleedFilter.segments(channels.reversed()) == own)
        }
    }

    @Test func equalChannelsAreOne() {
        let audio = voice(0)
        let own = Self.lines.filter { $0.1 == 0 }.map { segment($0.0, at: $0.2) }
        let kept = BleedFilter.segments([channel(audio, own), channel(audio, own)])
        #expect(kept.map(texts) == [lines(of: 0), []])
    }

    /// Words of one speaker around the other's become two segments.
    @Test func aSegmentThatLosesItsMiddleIsSplit() throws {
        let lines = [("one two", 0, 1.0), ("three four", 1, 1.8), ("five six", 0, 2.6)]
        let voices = [voice(0, lines: lines), voice(1, lines: lines)]
        var all = segment("one two three four five six", at: 1)
        all.words = lines.flatMap { segment($0.0, at: $0.2).words ?? [] }
        let first = channel(zip(voices[0], voices[1]).map { $0 + 0.3 * $1 }, [all])
        let second = channel(voices[1], [segment("three four", at: 1.8)])
        let kept = BleedFilter.segments([first, second])
        #expect(kept.map(texts) == [["one two", "five six"], ["three four"]])
        let times = kept[0].map { [$0.start, $0.end] }
        #expect(abs(times[0][1] - 1.6) < 0.001 && abs(times[1][0] - 2.6) < 0.001)
    }

    @Test func channelsBecomeOneTimeline() {
        let audio = mixed(-10)
        let channels = [channel(audio[0], heard(by: 0)), channel(audio[1], heard(by: 1))]
        let transcript = Transcript(channels: channels, keepsWords: true)
        #expect(transcript.segments.map { String($0.text.dropFirst()) } == Self.lines.map(\.0))
        #expect(transcript.segments.map(\.speaker) == Self.lines.map { "Channel \($0.1 + 1)" })
        #expect(transcript.segments.map(\.id) == Array(0..<Self.lines.count))
        #expect(transcript.words.allSatisfy { $0.speaker != nil })
        #expect(transcript.speakers == ["Channel 1", "Channel 2"])
        #expect(Transcript(channels: channels, keepsWords: false).words.isEmpty)
    }
}
