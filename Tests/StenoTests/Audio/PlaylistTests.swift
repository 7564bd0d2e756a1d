import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio
@testable import StenoCore

#if os(Linux) || os(macOS)
    /// Files that refer to other files: the client that uploads one must not choose what is read from this machine.
    @Suite(.serialized, .needsFFmpeg) struct PlaylistTests {
        /// A playlist that refers to `secret` in the same folder.
        struct Case: Sendable, CustomTestStringConvertible {
            var name: String
            var text: @Sendable (URL) -> String
            var testDescription: String { name }
        }

        private static let session = "c=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n"
        private static func m3u(_ file: String) -> String {
            "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n\(file)\n#EXT-X-ENDLIST\n"
        }
        private static func dash(_ file: URL) -> String {
            """
            <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="static" \
            mediaPresentationDuration="PT3S"><Period><AdaptationSet mimeType="audio/mp4"><Representation id="1" \
            bandwidth="1"><BaseURL>\(file.lastPathComponent)</BaseURL></Representation></AdaptationSet></Period></MPD>
            """
        }

        static let cases = [
            Case(name: "hls.m3u8") { m3u("file://" + $0.path) }, Case(name: "hls.mp3") { m3u("file://" + $0.path) },
            Case(name: "relative.mp3") { m3u($0.lastPathComponent) },
            Case(name: "concat.mp3") { "ffconcat version 1.0\nfile \($0.lastPathComponent)\n" },
            Case(name: "dash.mpd") { "<?xml version=\"1.0\"?>\n" + dash($0) },
            // Only ffmpeg recognises how these begin.
            Case(name: "dash.mp3") { "\n" + dash($0) }, Case(name: "session.mp3") { _ in "s=x\n" + session },
            Case(name: "session.sdp") { _ in "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\n" + session },
            Case(name: "list.pls") { "[playlist]\nFile1=\($0.path)\n" },
            // A key or an initial part may be a file of its own too.
            Case(name: "key.mp3") {
                "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"file://\($0.path)\"\n#EXTINF:1,\n\($0.path)\n#EXT-X-ENDLIST\n"
            },
            Case(name: "map.mp4") { "#EXTM3U\n#EXT-X-MAP:URI=\"\($0.path)\"\n#EXTINF:1,\n\($0.path)\n" },
            Case(name: "subfile.mp3") { m3u("subfile,,start,0,end,100,,:\($0.path)") },
            Case(name: "http.m3u8") { _ in m3u("http://127.0.0.1:1/a.mp3") },
            Case(name: "unsafe.ffconcat") { "ffconcat version 1.0\nfile 'file:\($0.path)'\noption safe 0\n" },
            Case(name: "list.asx") { "<ASX version=\"3\"><Entry><Ref href=\"\($0.path)\"/></Entry></ASX>" },
            Case(name: "list.smil") { "<smil><body><audio src=\"\($0.path)\"/></body></smil>" },
            Case(name: "marked.m3u8") { "\u{FEFF}" + m3u("file://" + $0.path) },
        ]

        private let folder = TemporaryFolder.ofSuite()

        private func secret() throws -> URL {
            let file = folder.url.appendingPathComponent("secret.flac")
            try FileManager.default.copyItem(at: Fixtures.file("nano-eval/en-01-stereo44k.flac"), to: file)
            return file
        }

        private func expectRefusal(_ open: @escaping @Sendable () throws -> AudioFile) async {
            await expectAsyncError(.notAudio, says: "does not open files that another file refers to") {
                try await onThread { try readAll(open()) }
            }
        }

        @Test(arguments: cases) func playlistsAreRefused(_ it: Case) async throws {
            let file = try folder.write(it.text(secret()), to: it.name)
            await expectRefusal { try AudioFile.open(file) }
            let name = "Standard input"
            // A redirected file, and a pipe.
            await expectRefusal {
                try AudioOpener(ffmpeg: .installed).open(.openForReading(file.path), name: name, path: nil)
            }
            await expectRefusal {
                let bytes = try [UInt8](Data(contentsOf: file))
                return try AudioOpener(ffmpeg: .installed).open(filledPipe(bytes), name: name, path: nil)
            }
        }

        /// For ffmpeg, a name with a number is a pattern that stands for other files.
        @Test func numberedImagesAreRefused() async throws {
            _ = try folder.write("no image", to: "image01.png")
            let file = try folder.write("no image", to: "image%02d.png")
            await expectAsyncError(.notAudio) { try await onThread { try readAll(AudioFile.open(file)) } }
        }

        /// Names that ffmpeg's command line would take for options, protocols or patterns.
        @Test(arguments: [
            "-i.flac", "-.flac", "a%03d.flac", "%d.flac", "a:b.flac", "http:b.flac", "concat:a|b.flac", "pipe:0.flac",
            "subfile,,start,0,end,9,,:a.flac", "a,b;c'd\"e f.flac", "*?[a].flac", "a\nb.flac", "data:audio.flac",
            "-y", "http:b", "pipe:0", "file:x.flac", "100% %20d.flac", "ö 'quoted' \"x\"\n.flac",
        ])
        func aNameIsOnlyAName(_ name: String) async throws {
            let original = try secret()
            let file = folder.url.appendingPathComponent(name)
            try FileManager.default.copyItem(at: original, to: file)
            let expected = try await onThread { try readAll(AudioFile.open(original)) }
            let samples = try await onThread { try readAll(AudioFile.open(file)) }
            #expect(samples.count > 16_000 && samples == expected)
        }

        /// ffmpeg follows the reference when allowed to, which shows that the movie is valid.
        @Test func aReferenceToAnotherFileIsNotFollowed() async throws {
            let outside = try folder.file("outside.raw", [UInt8](repeating: 64, count: 32_000))
            let movie = try folder.file("movie.mov", ReferenceMovie.bytes(naming: outside.path, frames: 16_000))
            let allowed = folder.url.appendingPathComponent("allowed.raw")
            try await runFFmpeg([
                "-enable_drefs", "1", "-use_absolute_path", "1", "-i", "file:" + movie.path, "-f", "s16le",
                allowed.path,
            ])
            #expect(try Data(contentsOf: allowed) == Data(contentsOf: outside))
            // Some versions report an error, others give no samples.
            let read = try await onThread { Result { try readAll(AudioFile.open(movie)) } }
            #expect((try? read.get())?.isEmpty ?? true)
        }

        @Test func recordingsAreNotPlaylistsAndTheRefusedFormatIsReadFromTheLog() {
            for head in ["ID3\u{4}", "fLaC", "OggS", "RIFF....WAVE", "\u{0}\u{0}\u{0} ftypM4A", "#!AMR\n", "caff"] {
                #expect(Playlist.kind(of: Array(head.utf8)) == nil, "\(head)")
            }
            #expect(Playlist.kind(of: []) == nil)
            #expect(FFmpeg.refusedFormat("x\n[hls @ 0x55] Format not on whitelist 'aa,aac'\nfile:a: Invalid") == "hls")
            #expect(FFmpeg.refusedFormat("Format not on whitelist 'aa'") == "unknown")
            #expect(FFmpeg.refusedFormat("[mov @ 0x55] moov atom not found") == nil)
        }
    }
#endif

/// A QuickTime movie whose samples lie in another file (QuickTime File Format Specification, "Data Reference Atoms").
enum ReferenceMovie {
    /// The movie: 16-bit mono samples at 16 kHz, from the front of the file with that path.
    static func bytes(naming path: String, frames: UInt32) -> [UInt8] {
        let name = Array(path.utf8)
        let last = [UInt8](path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed().prefix(63))
        // An alias record: only its length, the file's name and the absolute path (kind 2) are read.
        let alias = joined(
            zeros(10), [1, UInt8(ascii: "x")], zeros(26 + 12), [UInt8(last.count)], last, zeros(63 - last.count + 16),
            be16(1, 1), zeros(16), be16(2, UInt16(name.count)), name, zeros(name.count % 2), be16(0xFFFF, 0))
        let references = box("dinf", full("dref", be32(1), full("alis", alias)))
        let format = box("sowt", zeros(6), be16(1), zeros(8), be16(1, 16, 0, 0), be32(16_000 << 16))
        let table = box(
            "stbl", full("stsd", be32(1), format), full("stts", be32(1, frames, 1)),
            full("stsc", be32(1, 1, frames, 1)), full("stsz", be32(2, frames)), full("stco", be32(1, 0)))
        let media = box(
            "mdia", full("mdhd", be32(0, 0, 16_000, frames), be16(0, 0)),
            full("hdlr", Array("mhlrsoun".utf8), zeros(13)), box("minf", full("smhd", zeros(4)), references, table))
        let track = box(
            "trak", box("tkhd", be32(7, 0, 0, 1, 0, frames), zeros(8), be16(0, 0, 0x100, 0), matrix, zeros(8)), media)
        let header = full(
            "mvhd", be32(0, 0, 16_000, frames, 0x10000), be16(0x100), zeros(10), matrix, zeros(24), be32(2))
        let brand = Array("qt  ".utf8)
        return joined(box("ftyp", brand, zeros(4), brand), box("moov", header, track))
    }

    private static let matrix = be32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000)

    private static func box(_ kind: String, _ parts: [UInt8]...) -> [UInt8] {
        let body = parts.flatMap(\.self)
        return joined(be32(UInt32(8 + body.count)), Array(kind.utf8), body)
    }

    /// A box with a version and flags, all zero.
    private static func full(_ kind: String, _ parts: [UInt8]...) -> [UInt8] {
        box(kind, zeros(4), parts.flatMap(\.self))
    }

    private static func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static func be16(_ values: UInt16...) -> [UInt8] {
        values.flatMap { value -> [UInt8] in
            [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
        }
    }

    private static func be32(_ values: UInt32...) -> [UInt8] {
        values.flatMap { value -> [UInt8] in
            [24, 16, 8, 0].map { (shift: UInt32) in UInt8(truncatingIfNeeded: value >> shift) }
        }
    }
}
