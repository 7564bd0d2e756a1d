import StenoCommandLine

extension Evaluate: ShortlyExplained {
    static let shortHelp = """
        Measure the word error rate on your own recordings.

        usage: steno evaluate MANIFEST|FOLDER|RESULT [options]

          steno evaluate recordings                   print the word error rate

        A folder has talk.txt next to talk.wav. A manifest has a JSON object per line:
        {"file": "talk.wav", "text": "The reference."}

          -m, --model small            another model (default: Whisper base, included)
          -l, --language de            the language spoken (default: detected)
              --differences            show where the texts differ
              --json result.json       write the result
              --markdown result.md     write the result as a page
              --force                  let both replace existing files
              --compare other.json     compare with an earlier result
              --hypotheses texts       score existing transcripts, without a model
              --limit 10               only the first recordings
              --metric wer             wer, cer or both

        --help-all lists every option.
        """
}
