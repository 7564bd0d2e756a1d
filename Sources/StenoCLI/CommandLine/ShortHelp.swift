import ArgumentParser

/// A command with so many options that its help has a short form: those that are used most, with an example each.
protocol ShortlyExplained: ParsableCommand {
    /// The short help; at most 80 columns wide.
    static var shortHelp: String { get }
}

extension StenoCommand: ShortlyExplained {
    static var shortHelp: String { ShortHelp.steno }
}

extension Transcribe: ShortlyExplained {
    static var shortHelp: String { ShortHelp.transcribe }
}

extension Live: ShortlyExplained {
    static var shortHelp: String { ShortHelp.live }
}

extension Evaluate: ShortlyExplained {
    static var shortHelp: String { ShortHelp.evaluate }
}

/// The short help of each command.
enum ShortHelp {
    static let steno = """
        Speech to text on this device. Audio and text stay on this machine.

        usage: steno COMMAND ...          (steno talk.mp3 is steno transcribe talk.mp3)

          steno transcribe talk.mp3                  print the text
          steno transcribe talk.mp3 -o talk.srt      write subtitles
          steno transcribe *.mp3 --output-dir texts  write a file for each recording
          steno live                                 transcribe the microphone
          steno detect-language talk.mp3             detect the language
          steno evaluate recordings                  measure the word error rate
          steno bench                                measure the speed on this machine
          steno models list                          list the models
          steno languages                            list the languages

        steno COMMAND --help has the options used most, --help-all has every option.
        Exit codes: 0 success, 1 failure, 64 wrong arguments, 128 + n signal n.
        """

    static let transcribe = """
        Transcribe audio and video files; - is standard input.

        usage: steno transcribe FILE ... [options]

          -m, --model small            another model, by name or folder
          -l, --language de            the language spoken (default: detected)
              --translate              translate into English
          -o, --output talk.srt        write one file; the name decides the format
          -f, --output-format srt,vtt  txt, srt, vtt, lrc, tsv, json or all
              --output-dir texts       write a file for each recording to a folder
              --skip-existing          skip recordings whose files exist
              --force                  let --output replace a file
              --timestamps             print the time of each line
              --word-timestamps        add the time of each word to json
              --split-cues             subtitles cut for reading
              --offset 1:30            skip the beginning
              --duration 0:45          stop after that much audio
              --vad-filter             decode only detected speech
              --guards                 remove hallucinations
              --batch-size 8           faster: several windows or files at once
              --initial-prompt "Nguyen, Kowalczyk"   names as they are spelled
          -t, --threads 4              threads (default: by the processor)
          -q, --quiet                  print no progress and no notes
              --verbose                report the model and the speed

        --help-all has every option.
        """

    static let live = """
        Transcribe live audio: the microphone, until Ctrl-C.

        usage: steno live [options]

          -l, --language de            the language spoken (default: detected)
              --translate              translate into English
              --save talk.srt          also write the text; may be repeated
              --save-audio talk.wav    also record the audio
              --force                  let these replace existing files
              --input talk.mp3         a file, or - for standard input
              --device NAME            another microphone
              --list-devices           list the microphones
              --format vtt             text, jsonl (events) or vtt (subtitles)
              --hotwords "Nguyen"      words to expect, such as names
          -m, --model small            another model, by name or folder
          -t, --threads 4              threads (default: by the processor)
              --verbose                report the model and the speed

        The second Ctrl-C ends at once. --help-all has every option.
        """

    static let evaluate = """
        Measure the word error rate on your own recordings.

        usage: steno evaluate MANIFEST|FOLDER|RESULT [options]

        A folder has talk.txt next to talk.wav. A manifest has a JSON object per line:
        {"file": "talk.wav", "text": "The reference."}

          -m, --model small            another model, by name or folder
          -l, --language de            the language spoken (default: detected)
              --differences            show where the texts differ
              --json result.json       write the result
              --markdown result.md     write the result as a page
              --compare other.json     compare with an earlier result
              --force                  let these replace existing files
              --hypotheses texts       score these transcripts, run no model
              --limit 10               only the first recordings
              --metric wer             wer, cer or both

        --help-all has every option.
        """
}
