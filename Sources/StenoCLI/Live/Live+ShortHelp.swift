import StenoCommandLine

extension Live: ShortlyExplained {
    static let shortHelp = """
        Transcribe live audio: the microphone, until Ctrl-C.

        usage: steno live [options]                   (--help-all has every option)

          steno live                                  transcribe the microphone
          steno live --save notes.txt                 write the text to a file too

          -l, --language de            the language spoken (default: detected)
              --translate              translate into English
              --save talk.srt          also write the text; may be repeated
              --save-audio talk.wav    also record the audio
              --force                  let both replace existing files
              --save-history           keep the text; find it again with steno history
              --input talk.mp3         a file, or - for standard input
              --device NAME            another microphone
              --list-devices           list the microphones
              --format vtt             text, jsonl (events) or vtt (subtitles)
              --speakers               label the speakers
              --hotwords "Nguyen"      words to expect, such as names
          -m, --model small            another model (default: Whisper base, included)
          -t, --threads 4              threads (default: one per core)
              --verbose                report the model and the speed

        Ctrl-C finishes the last words; a second one ends at once.
        """
}
