import Testing

@testable import Steno

struct PipeLinesTests {
    @Test func aLineEndsWithALineBreak() throws {
        let (readEnd, writeEnd) = try OwnedDescriptor.pipe()
        var lines = PipeLines(readEnd)
        try writeEnd.write("one\n\nthr")
        let first = [lines.next(), lines.next()]
        try writeEnd.write("ee\nunfinished")
        writeEnd.close()
        let rest = [lines.next(), lines.next()]
        #expect(first == ["one", ""])
        #expect(rest == ["three", nil])
    }

    /// Longer than one read, but not than a pipe, so that writing does not wait.
    @Test func aLongLineIsWhole() throws {
        let (readEnd, writeEnd) = try OwnedDescriptor.pipe()
        let long = String(repeating: "ä", count: 5_000)
        try writeEnd.write(long + "\nshort\n")
        writeEnd.close()
        #expect(Array(PipeLines(readEnd)) == [long, "short"])
    }
}
