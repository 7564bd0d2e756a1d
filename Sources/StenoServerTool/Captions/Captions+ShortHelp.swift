#if Server
    import StenoCommandLine

    @available(macOS 14, *)
    extension Captions: ShortlyExplained {
        static let shortHelp = """
            Show live captions on a page, for people who are deaf or hard of hearing.

            usage: steno captions [options]               (--help-all has every option)

              steno captions                              for the browser on this machine
              steno captions --lan                        for phones and tablets too
              steno captions --save-history               keep the text for later

            Open the printed address in a browser, or scan the code.

                  --lan                    let the local network in, with a key
              -l, --language de            the language spoken (default: detected)
                  --speakers               label the speakers
                  --save-history           keep the text; find it again with steno history
                  --save-audio             keep the audio too
              -p, --port 8080              the port; 0 picks a free one
                  --tls-cert chain.pem     your own certificate
                  --tls-key key.pem        and its private key
                  --allow-host captions.example   the name that it is for
              -m, --model small            another model (default: Whisper base, included)
              -t, --threads 4              threads per transcription

            Ctrl-C ends it.
            """
    }
#endif
