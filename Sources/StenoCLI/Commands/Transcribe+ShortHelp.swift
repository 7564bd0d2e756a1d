import StenoCommandLine

extension Transcribe: ShortlyExplained {
    static let shortHelp = """
        Transcribe audio and video files; - is standard input.

        usage: steno transcribe FILE ... [options]    (--help-all has every option)

          steno transcribe talk.mp3                   print the text
          steno transcribe talk.mp3 -o talk.srt       write subtitles
          steno transcribe *.mp3 --output-dir texts   write a file for each recording

          -m, --model small            another model (default: Whisper base, included)
          -l, --language de            the language spoken (default: detected)
              --translate              translate into English
          -o, --output talk.srt        write one file, in the format of its name
          -f, --output-format srt,vtt  txt, srt, vtt, lrc, tsv, json or all
              --output-dir texts       write a file for each recording to a folder
              --skip-existing          skip recordings that already have their files
              --force                  let --output replace a file
              --timestamps             print the time of each line
              --word-timestamps        add the time of each word to json
              --speakers auto          label the speakers; if there are two, use 2
              --split-cues             split subtitles for easy reading
              --offset 1:30            skip the beginning
              --duration 0:45          stop after that much audio
              --vad-filter             decode only detected speech
              --guards                 remove hallucinations
              --batch-size 8           faster: several windows or files at once
              --initial-prompt "Nguyen, Kowalczyk"   spell these names this way
          -t, --threads 4              threads (default: one per core)
          -q, --quiet                  print no progress and no notes
              --verbose                report the model and the speed
        """
}
