extension Live: ShortlyExplained {
    static let shortHelp = """
        Transcribe live audio: the microphone, until Ctrl-C.

        usage: steno live [options]

          -l, --language de            the language spoken (default: detected)
              --translate              translate into English
              --save talk.srt          also write the text; may be repeated
              --save-audio talk.wav    also record the audio
              --force                  let these replace existing files
              --save-history           keep the text; steno history finds it again
              --input talk.mp3         a file, or - for standard input
              --device NAME            another microphone
              --list-devices           list the microphones
              --format vtt             text, jsonl (events) or vtt (subtitles)
              --speakers               label who speaks
              --hotwords "Nguyen"      words to expect, such as names
          -m, --model small            another model, by name or folder
          -t, --threads 4              threads (default: by the processor)
              --verbose                report the model and the speed

        The second Ctrl-C ends at once. --help-all has every option.
        """
}
