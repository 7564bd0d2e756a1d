import Foundation
import Steno
import StenoSpeech
import StenoTestSupport
import Testing

struct AVAudioBufferTests {
    @Test func formatsAreComparedByValue() throws {
        let mono = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true)
        let planar = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: false)
        let float = AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1)
        #expect(mono == planar && mono != float && float?.isStandard == true)
        #expect(AVAudioFormat(standardFormatWithSampleRate: 0, channels: 1) == nil)
        #expect(AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 0) == nil)
    }

    @Test func channelsAreInterleavedOrPlanar() throws {
        for interleaved in [true, false] {
            let format = try #require(
                AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 8_000, channels: 2, interleaved: interleaved))
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4))
            let channels = try #require(buffer.int16ChannelData)
            #expect(buffer.stride == (interleaved ? 2 : 1) && channels[1] - channels[0] == (interleaved ? 1 : 4))
            #expect(buffer.frameLength == 0 && buffer.floatChannelData == nil && buffer.int32ChannelData == nil)
            buffer.frameLength = 9
            #expect(buffer.frameLength == 4)
        }
    }

    @Test func aBufferHasNoSamplesOfOtherTypes() {
        let double = AVAudioFormat(commonFormat: .pcmFormatFloat64, sampleRate: 16_000, channels: 1, interleaved: true)
        #expect(double.flatMap { AVAudioPCMBuffer(pcmFormat: $0, frameCapacity: 1) } == nil)
    }
}

struct AVAudioFileTests {
    private let sample = Fixtures.bundledSample("en-quick_brown_fox.wav")

    @Test func aFileHasTheEnginesSamples() throws {
        let file = try AVAudioFile(forReading: sample)
        let whole = try AudioFile.open(sample).allSamples()
        #expect(file.length == whole.count && file.processingFormat.sampleRate == 16_000)
        #expect(file.processingFormat.isStandard && file.fileFormat.commonFormat == .pcmFormatInt16)
        var read: [Float] = []
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 1_000))
        repeat {
            try file.read(into: buffer)
            read += UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: Int(buffer.frameLength))
        } while buffer.frameLength > 0
        #expect(read == whole && file.framePosition == file.length)
    }

    @Test func readingStartsAtAnyPosition() throws {
        let file = try AVAudioFile(forReading: sample)
        let whole = try AudioFile.open(sample).allSamples()
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 100))
        for position in [5_000, 200, 20_000] {
            file.framePosition = AVAudioFramePosition(position)
            try file.read(into: buffer)
            let samples = Array(UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: 100))
            #expect(samples == Array(whole[position..<position + 100]))
        }
    }

    @Test func readingTakesTheRequestedNumberOfFrames() throws {
        let file = try AVAudioFile(forReading: sample)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 100))
        for (asked, read) in [(30, 30), (0, 0), (1_000, 100)] as [(AVAudioFrameCount, AVAudioFrameCount)] {
            try file.read(into: buffer, frameCount: asked)
            #expect(buffer.frameLength == read)
        }
        #expect(file.framePosition == 130)
    }

    @Test func aMissingFileIsRefused() throws {
        let error = #expect(throws: SFSpeechError.self) {
            try AVAudioFile(forReading: URL(fileURLWithPath: "/no/such/file.wav"))
        }
        #expect(error?.code == .audioReadFailed)
    }
}
