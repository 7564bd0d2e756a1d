import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio

@Suite struct ContentHeadTests {
    @Test(arguments: [
        ("\u{89}PNG\r\n", "an image (PNG)"), ("\u{FF}\u{D8}\u{FF}\u{E0}", "an image (JPEG)"),
        ("GIF89a", "an image (GIF)"),
        ("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ", "an image (WebP)"), ("%PDF-1.7", "a PDF document"),
        ("PK\u{3}\u{4}", "a ZIP archive or an office document"), ("\u{1F}\u{8B}\u{8}", "a compressed file (gzip)"),
        ("<svg xmlns=\"x\"/>", "an image (SVG)"), ("<?xml version=\"1.0\"?>\n<svg/>", "an image (SVG)"),
        ("<!DOCTYPE html><title>", "a web page"), ("\u{7F}ELF", "a program"),
    ])
    func otherContentHasAName(_ text: String, _ kind: String) {
        #expect(ContentHead(text.unicodeScalars.map { UInt8($0.value) }).otherKind == kind)
    }

    @Test(arguments: [
        "ID3\u{4}", "fLaC", "OggS", "\u{0}\u{0}\u{0} ftypM4A", "caff", "FORM\u{0}", "\u{1A}E\u{DF}\u{A3}",
    ])
    func audioIsNotMistakenForSomethingElse(_ text: String) {
        let head = ContentHead(text.unicodeScalars.map { UInt8($0.value) })
        #expect(head.otherKind == nil)
        #expect(head.isAudio)
    }

    @Test func textIsRecognised() {
        #expect(ContentHead(Array("Grüße,\tin UTF-8\r\n".utf8)).isText)
        #expect(!ContentHead([0xFF, 0x20, 0x41, 0x42, 0x43]).isText)
        #expect(!ContentHead([0x41, 0, 0x42]).isText)
        #expect(!ContentHead([]).isText)
    }

    @Test func theLengthOfFLACIsInItsHeader() throws {
        let bytes = try [UInt8](Data(contentsOf: Fixtures.file("real-speech/jfk.flac")))
        #expect(ContentHead(bytes).flacDuration == 11)
        // A stream does not know it.
        var unknown = bytes
        unknown[21] &= 0xF0
        for index in 22..<26 { unknown[index] = 0 }
        #expect(ContentHead(unknown).flacDuration == nil)
        #expect(ContentHead(Array(bytes.prefix(20))).flacDuration == nil)
    }

    @Test func theLastOggPageIsMarked() {
        func page(flags: UInt8, body: Int) -> [UInt8] {
            Array("OggS".utf8) + [0, flags] + [UInt8](repeating: 0, count: 20) + [1, UInt8(body)]
                + [UInt8](repeating: 7, count: body)
        }
        let whole = page(flags: 2, body: 9) + page(flags: 4, body: 99)
        #expect(!OggPages.isCutOff(whole))
        for count in 38..<whole.count { #expect(OggPages.isCutOff(Array(whole.prefix(count))), "\(count)") }
        // What other programs appended is not audio.
        #expect(!OggPages.isCutOff(whole + [1, 2, 3]))
    }
}
