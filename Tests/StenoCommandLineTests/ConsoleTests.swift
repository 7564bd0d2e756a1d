import Foundation
import Steno
import StenoCommandLine
import StenoTestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct ConsoleTests {
    /// Records writes, which wait for a gate.
    private struct Screen: Sendable {
        private let lines = Recorder<String>()
        let gate = DispatchSemaphore(value: 0)
        var errorNumber: Int32?

        var text: [String] { lines.all }

        func write(_ stream: StandardStream, _ text: String) -> Int32? {
            lines.add((stream == .error ? "error: " : "") + text)
            return stream == .output ? errorNumber : nil
        }
    }

    private let screen = Screen()

    /// Callers can print while the reader is blocked, and text is written in order.
    @Test func aSlowReaderBlocksNoCaller() async {
        let console = Console(stopper: Stopper(), showsProgress: true) {
            screen.gate.wait()
            return screen.write($0, $1)
        }
        console.enableVerbose()
        console.print("one\n")
        console.showProgress("half")
        console.verbose("note")
        console.print("two\n")
        // All of that returned before anything was written.
        #expect(screen.text == [])
        for _ in 0..<5 { screen.gate.signal() }
        await console.written()
        #expect(screen.text == ["one\n", "error: half", "error: \r\u{1B}[K", "error: note\n", "two\n"])
    }

    /// Stop handlers may use the console; a lock held around them would deadlock.
    @Test func stoppedWorkMayPrint() async {
        let screen = Screen(errorNumber: EPIPE)
        let stopper = Stopper()
        let console = Console(stopper: stopper, showsProgress: false) { screen.write($0, $1) }
        stopper.attach { [weak console] in
            console?.enableVerbose()
            console?.verbose("stopped")
        }
        console.print("text")
        await console.written()
        // The handler printed after that call.
        await console.written()
        #expect(stopper.phase == .cancelled(.readerLeft))
        #expect(screen.text == ["text", "error: stopped\n"])
    }

    /// A progress line that wraps leaves debris on the terminal.
    @Test(arguments: [20, 10, 2]) func progressIsClippedToTheTerminal(columns: Int) async {
        let console = Console(stopper: Stopper(), showsProgress: true, columns: columns) { screen.write($0, $1) }
        console.showProgress("a long name of a file.wav  12 %  0:05 of 1:00")
        console.showProgress("日本語の長い名前のファイル")
        console.clearProgress()
        await console.written()
        for line in screen.text where line.hasPrefix("error: ") && !line.hasPrefix("error: \r") {
            #expect(TextWidth.of(String(line.dropFirst(7))) < columns)
        }
        #expect(screen.text.last == "error: \r\u{1B}[K")
    }

    /// When the program has to exit, work to be kept is written first.
    @Test func partialWorkIsWrittenBeforeExiting() {
        let stopper = Stopper()
        let console = Console(stopper: stopper, showsProgress: false) { screen.write($0, $1) }
        console.saveBeforeExit { [weak console] in console?.print("partial\n") }
        #expect(screen.text == [])
        withExtendedLifetime(console) { stopper.save() }
        #expect(screen.text == ["partial\n"])
    }

    /// Files and repositories can have any name.
    @Test func namesCannotControlTheTerminalOrForgeLines() async {
        let console = Console(stopper: Stopper(), showsProgress: true) { screen.write($0, $1) }
        let name = "\u{1B}[2Ja\nsteno: b"
        console.enableVerbose()
        console.fail(name, StenoError(.outputFailed, "There is no \(name)."))
        console.warn(name)
        console.remark(name)
        console.verbose(name)
        console.showProgress(name)
        console.clearProgress()
        console.ask(name)
        await console.written()
        let texts = screen.text.map { $0.replacingOccurrences(of: "\r\u{1B}[K", with: "") }
        #expect(texts.count == 7 && !texts.joined().contains("\u{1B}"))
        #expect(texts.allSatisfy { !$0.dropLast().contains("\n") })
        // Nor can text, which stays on its line.
        let malicious = "Lunch\u{1B}]0;x\u{07}\n3f2a91b0\t09:00\u{9B}2J\u{7F}"
        let harmless = "Lunch\u{FFFD}]0;x\u{FFFD} 3f2a91b0 09:00\u{FFFD}2J\u{FFFD}"
        #expect(TerminalText.line(malicious) == harmless)
        #expect(TerminalText.message(malicious) == "steno: \(harmless)\n")
        // A text of several lines keeps them.
        #expect(TerminalText.lines(malicious) == "Lunch\u{FFFD}]0;x\u{FFFD}\n3f2a91b0\t09:00\u{FFFD}2J\u{FFFD}")
        #expect(TerminalText.line("exe\u{202E}gpj\u{202D}") == "exe\u{FFFD}gpj\u{FFFD}")
        #expect(TerminalText.line("Zoë, 今日は 👩‍👩‍👧 \u{200F}") == "Zoë, 今日は 👩‍👩‍👧 \u{200F}")
    }

    @Test func notesNeedVerboseAndProgressATerminalOrItsLog() async {
        let console = Console(stopper: Stopper(), showsProgress: false) { screen.write($0, $1) }
        console.verbose("unheard")
        console.showProgress("unseen")
        console.enableProgressLog()
        console.showProgress("logged")
        console.clearProgress()
        // Quiet suppresses both.
        console.enableQuiet()
        console.showProgress("half")
        console.remark("replaced a.txt")
        console.warn("a.wav is damaged")
        console.print("text\n")
        await console.written()
        #expect(screen.text == ["error: logged\n", "error: steno: a.wav is damaged\n", "text\n"])
    }

    /// Text with a hole in it is worse than text that ends.
    @Test func afterAFailureNothingMoreIsWrittenToStandardOutput() async {
        let screen = Screen(errorNumber: ENOSPC)
        let stopper = Stopper()
        let console = Console(stopper: stopper, showsProgress: false) { screen.write($0, $1) }
        console.print("one\n")
        console.print("two\n")
        console.warn("three")
        await console.written()
        #expect(screen.text == ["one\n", "error: steno: three\n"])
        #expect(stopper.phase == .cancelled(.outputFailed(ENOSPC)))
    }
}

@Suite struct ProgressEstimateTests {
    private let start = Date(timeIntervalSince1970: 1000)

    private func line(_ processed: Double, _ total: Double?, after seconds: Double, name: String = "talk.mp3") -> String
    {
        ProgressEstimate(name: name, start: start)
            .line(processed: processed, total: total, now: start.addingTimeInterval(seconds))
    }

    @Test func theEstimateAssumesConstantSpeed() {
        #expect(line(30, 120, after: 10) == "talk.mp3  25 %  0:30 of 2:00  0:30 left")
        #expect(line(1800, 7200, after: 1200) == "talk.mp3  25 %  30:00 of 2:00:00  1:00:00 left")
        // Too early or at the end, and for a pipe, there is none.
        #expect(line(30, 120, after: 0.1) == "talk.mp3  25 %  0:30 of 2:00")
        #expect(line(0, 120, after: 9) == "talk.mp3  0 %  0:00 of 2:00")
        #expect(line(121, 120, after: 9) == "talk.mp3  100 %  2:01 of 2:00")
        #expect(line(65, nil, after: 9, name: "standard input") == "standard input  1:05")
        // Long names are cut, so that the line can be erased.
        #expect(line(30, 120, after: 10, name: String(repeating: "x", count: 200)).count < 79)
    }
}

/// The exit codes of errors, which `Documentation/Guides/Command.md` lists.
@Suite struct FailureTests {
    /// Errors that no retry changes, 64 and 66, fail a Kubernetes job at once.
    @Test func errorsHaveTheirExitCodes() {
        for (code, expected) in [
            (.invalidOption, 64), (.unknownLanguage, 64), (.modelNotFound, 66), (.modelUnsupported, 66),
            (.modelDamaged, 1), (.outputFailed, 1), (.outOfMemory, 1),
        ] as [(StenoError.Code, Int32)] {
            #expect(StenoError(code, "It failed.").exitCode == expected)
        }
        #expect(CocoaError(.fileNoSuchFile).exitCode == 1)
    }
}
