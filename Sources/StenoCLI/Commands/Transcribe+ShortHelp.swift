extension Transcribe: ShortlyExplained {
    static let shortHelp = """
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
              --speakers auto          label who speaks; or the number: --speakers 2
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
}
