import Foundation
import StenoTestSupport
import Testing

/// The command's surroundings: closed streams, locales, odd names, full disks.
@Suite struct SurroundingsCommandTests {
    private let tool = StenoTool(environment: StenoTool.nano)
    private let speech = Fixtures.file("sounds/tomorrow.wav").path

    @Test(
        arguments: [
            ("\"$1\" --language en >&-", "", ["steno: standard output: "]),
            ("- --language en <&-", "", ["steno: standard input: ", "could not be read"]),
            // The missing file cannot be reported, but the text is there.
            ("nowhere.wav \"$1\" --language en --verbose 2>&-", "Tomorrow is Friday.\n", []),
        ] as [(String, String, [String])])
    func aClosedStreamIsReportedAndLosesNoText(arguments: String, output: String, parts: [String]) throws {
        let result = try tool.runShell("\"$0\" transcribe " + arguments, speech)
        #expect(result.code == 1 && result.output == output)
        #expect(result.errors.isEmpty == parts.isEmpty && result.errors.hasPrefix(parts.first ?? ""))
        for part in parts { #expect(result.errors.contains(part)) }
    }

    /// If files reused the descriptors of closed streams, messages would be written into them.
    @Test func filesAreCompleteWithAllStreamsClosed() throws {
        let result = try tool.runShell(
            "\"$0\" transcribe \"$1\" --language en --verbose --output-dir out --output-format all "
                + "<&- >&- 2>&-", speech)
        #expect(result.code == 0)
        #expect(try tool.text("out/tomorrow.txt") == "Tomorrow is Friday.\n")
        #expect(try tool.text("out/tomorrow.srt").hasSuffix("\nTomorrow is Friday.\n\n"))
    }

    /// A daemon that ignores the signal of its children passes this on to every program that it starts.
    @Test func ffmpegCanBeUsedWhereTheSignalOfChildrenIsIgnored() throws {
        try tool.folder.script("exec tail -c +45 '\(speech)'", as: "bin/ffmpeg")
        let result = try tool.runShell(
            "printf 'ID3, whatever follows' > talk.mp3; trap '' CHLD; PATH=\"$PWD/bin:$PATH\" exec \"$0\" transcribe "
                + "talk.mp3 --language en")
        #expect(result.code == 0 && result.output == "Tomorrow is Friday.\n", "\(result)")
    }

    /// With a decimal comma, a dotless I, another writing direction.
    private static let locales = ["de_DE.UTF-8", "tr_TR.UTF-8", "ar_EG.UTF-8"]

    /// Shell that sets the locale `$2`; one that is not installed is compiled where the system can.
    ///
    /// It fails if another program does not name the day in that language: then there is no such locale.
    private static let settingLocale = """
        name=${2%.*}
        if command -v localedef > /dev/null; then
            localedef -i "$name" -f UTF-8 "./$2" > /dev/null 2>&1 && export LOCPATH="$PWD"
        fi
        export LC_ALL="$2" LANG="$2"
        [ "$2" = C ] || [ "$(date +%A)" != "$(LC_ALL=C date +%A)" ] || exit 75

        """
    private static let hasLocales = locales.allSatisfy { (try? StenoTool().runShell(settingLocale, "", $0))?.code == 0 }

    private func run(locale: String) throws -> ProgramResult {
        try tool.runShell(
            Self.settingLocale + """
                "$0" transcribe "$1" --language ENGLISH --temperature 0.2,0.4 --best-of 1 \
                    --output-format all --output-dir "in $2" && cat "in $2"/*
                "$0" detect-language "$1"
                """, speech, locale)
    }

    /// More than two seconds: eight programs decode a window, since only a process has a locale of its own.
    @Test(.enabled(if: hasLocales || mustRun, "the locales are not installed")) func theLocaleChangesNothing()
        throws
    {
        let plain = try run(locale: "C")
        #expect(plain.code == 0 && plain.output.contains("\"duration\": ") && plain.output.contains("-->"))
        for locale in Self.locales {
            let local = try run(locale: locale)
            #expect(local.code == 0 && local.output == plain.output && local.errors == plain.errors, "\(locale)")
        }
    }

    #if os(Linux)
        @Test func aNameThatIsNotUTF8IsOpened() throws {
            let named = try tool.runShell(
                "cp \"$1\" \"$(printf 'caf\\351.wav')\" && \"$0\" transcribe caf*.wav --language en", speech)
            #expect(named == .printed("Tomorrow is Friday.\n"))
            let piped = try tool.runShell("\"$0\" transcribe - --language en < \"$(printf 'caf\\351.wav')\"")
            #expect(piped.output == "Tomorrow is Friday.\n")
        }
    #endif

    @Test func namesInOtherScriptsAreKept() throws {
        let name = "день 日本"
        try FileManager.default.copyItem(atPath: speech, toPath: tool.url(name + ".wav").path)
        #expect(try tool.run("transcribe", name + ".wav", "--language", "en", "--output-dir", "out") == .printed())
        #expect(try tool.text("out/\(name).txt") == "Tomorrow is Friday.\n")
    }

    /// A file size limit makes writes fail like a full disk, without needing privileges.
    @Test func aFailedWriteIsReportedAndLeavesNothing() throws {
        let result = try tool.runShell(
            """
            { trap '' XFSZ; \(fileSizeLimit(blocks: 0)); "$0" transcribe "$1" --language en --output-dir out; \
            echo "code $?"; } 2>&1 | cat
            """, speech)
        #expect(result.output.contains("out/tomorrow.txt cannot be written") && result.output.hasSuffix("code 1\n"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: tool.folder.url.path + "/out") == [])
    }
}

/// The command outside the folder it was built in.
@Suite struct InstalledCommandTests {
    private let tool = StenoTool()
    private let speech = Fixtures.file("sounds/tomorrow.wav").path

    /// A copy of the program, with a link to each resource folder next to it.
    private func install(_ isResource: (String) -> Bool) throws -> URL {
        let built = try #require(StenoTool.executable)
        return try tool.folder.install(built, as: "lib/steno/steno", linking: isResource)
    }

    /// Like `make install`: the command is a link to the program, which has its resources next to it.
    @Test func resourcesAreFoundThroughALinkToTheProgram() throws {
        let program = try install { $0.hasPrefix("Steno_") }
        let link = tool.folder.url.appendingPathComponent("bin")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: program)
        let filtered = try tool.run(
            program: link, "transcribe", speech, "--language", "en", "--vad-filter", environment: StenoTool.nano)
        #expect(filtered.output == "Tomorrow is Friday.\n" && filtered.errors == "")
        let models = try tool.run(program: link, "models", "list")
        #expect(models.output.contains("bundled") && models.output.contains("lib/steno/Steno_StenoBundledModel."))
    }

    /// `Bundle.module` would end the process here.
    @Test func aProgramCopiedWithoutItsResourcesSaysWhatIsMissing() throws {
        let program = try install { _ in false }
        let filtered = try tool.run(program: program, "transcribe", speech, "--vad-filter", environment: StenoTool.nano)
        #expect(filtered.code == 1)
        #expect(filtered.errors.contains("Install Steno_StenoVoiceActivity.resources next to the program"))
        for arguments in [["transcribe", speech], ["models", "info", "base"]] {
            let result = try tool.start(program: program, arguments).wait()
            #expect(result.code == 66)
            #expect(result.errors.contains("Steno_StenoBundledModel.resources, next to the program"), "\(result)")
        }
        #expect(try tool.run(program: program, "models", "list").output == "")
        let plain = try tool.run(
            program: program, "transcribe", speech, "--language", "en", environment: StenoTool.nano)
        #expect(plain.output == "Tomorrow is Friday.\n", "the user's own model needs none of the resources")
    }
}
