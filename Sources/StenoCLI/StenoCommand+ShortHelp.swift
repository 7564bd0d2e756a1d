import StenoCommandLine

extension StenoCommand: ShortlyExplained {
    static let shortHelp = """
        Speech to text on this device. Nothing is sent to a cloud service.

        usage: steno COMMAND ...          (steno talk.mp3 is steno transcribe talk.mp3)

          steno transcribe talk.mp3                  print the text
          steno transcribe talk.mp3 -o talk.srt      write subtitles
          steno transcribe *.mp3 --output-dir texts  write a file for each recording
          steno live                                 transcribe the microphone
          steno serve                                serve OpenAI's audio API
          steno captions                             show live captions on a page
          steno history list                         list the transcripts you saved
          steno detect-language talk.mp3             detect the language
          steno evaluate recordings                  measure the word error rate
          steno bench                                measure the speed on this machine
          steno models list --available              list models to download
          steno models download small                download a larger one
          steno speakers enroll Ada ada.wav          learn a voice for --speakers
          steno languages                            list the languages

        steno COMMAND --help shows the most used options, --help-all every option.
        Exit codes: 0 success, 1 failure, 64 wrong arguments, 66 no usable model,
        128 + n signal n.
        """
}
