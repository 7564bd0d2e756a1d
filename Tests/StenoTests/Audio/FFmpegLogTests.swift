import Testing

@testable import Steno
@testable import StenoAudio

@Suite struct FFmpegLogTests {
    private func log(_ lines: String...) -> FFmpegLog {
        var log = FFmpegLog()
        for line in lines { log.add(line) }
        return log
    }

    @Test func tracksAndDurationAreTheInputs() {
        let film = log(
            "[info] Input #0, matroska,webm, from 'file:a.mkv':",
            "[info]     title           : Stream #0:7: Audio: none (default)",
            "[info]   Duration: 01:00:11.50, start: 0.000000, bitrate: 89 kb/s",
            "[info]   Stream #0:0: Video: h264 (High), yuv420p, 64x64, 25 fps (default)",
            "[info]   Stream #0:1(eng): Audio: vorbis, 44100 Hz, stereo, fltp",
            "[info]   Stream #0:2[0x2](ger): Audio: aac (LC), 48000 Hz, mono, fltp (default)",
            "[info] Stream mapping:", "[info]   Stream #0:2 -> #0:0 (aac (native) -> pcm_s16le (native))",
            "[info] Output #0, s16le, to 'pipe:1':", "[info]   Stream #0:0: Audio: pcm_s16le, 16000 Hz, mono (default)")
        #expect(film.isRecognised && film.hasVideo)
        #expect(film.audioTracks == [false, true])
        #expect(film.defaultTrack == 1)
        #expect(film.duration == 3611.5)
        #expect(film.expectedDuration == nil, "the film may be longer than its audio")
    }

    @Test func aCoverIsNotAFilm() {
        let song = log(
            "[info] Input #0, mp3, from 'a.mp3':", "[info]   Duration: 00:00:11.05, start: 0.025057, bitrate: 1 kb/s",
            "[info]   Stream #0:0: Audio: mp3, 44100 Hz, stereo, fltp, 128 kb/s",
            "[info]   Stream #0:1: Video: mjpeg, yuvj420p, 100x100, 90k tbr (attached pic)")
        #expect(!song.hasVideo)
        #expect(song.defaultTrack == 0)
        #expect(song.expectedDuration == 11.05)
    }

    @Test func anEstimatedDurationIsNotReliedOn() {
        let song = log(
            "[aac @ 0x559baeb389c0] [warning] Estimating duration from bitrate, this may be inaccurate",
            "[info] Input #0, aac, from 'a.aac':", "[info]   Duration: 00:00:10.89, bitrate: 131 kb/s",
            "[info]   Stream #0:0: Audio: aac (LC), 44100 Hz, stereo, fltp, 131 kb/s")
        #expect(song.duration == 10.89)
        #expect(song.expectedDuration == nil)
        #expect(log("[info]   Duration: N/A, bitrate: N/A").duration == nil)
    }

    @Test func errorsAreCountedAndTheLastOnesAreKept() {
        let damaged = log(
            "first", "[aac @ 0x1] [error] Input buffer exhausted",
            "[error] Error while decoding stream #0:0: Invalid data found when processing input",
            "[mov @ 0x1] [error] stream 0, offset 0x1a4b9: partial file")
        #expect(damaged.damagedPackets == 1)
        #expect(damaged.isCutOff)
        #expect(damaged.errors.count == 3)
        #expect(damaged.errors.last == "stream 0, offset 0x1a4b9: partial file")
        #expect(log("[hls @ 0x55] [error] Format not on whitelist 'aa'").refusedFormat == "hls")
    }
}
