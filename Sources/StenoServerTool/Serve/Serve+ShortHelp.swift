#if Server
    import StenoCommandLine

    @available(macOS 14, *)
    extension Serve: ShortlyExplained {
        static let shortHelp = """
            Serve OpenAI's audio API: files over REST, live audio over a WebSocket.

            usage: steno serve [options]                  (--help-all has every option)

              steno serve                                 for programs on this machine
              curl http://127.0.0.1:8080/v1/audio/transcriptions -F file=@talk.mp3

              openssl rand -hex 32 > keys; chmod 600 keys
              steno serve --host 0.0.0.0 --api-key-file keys   for other machines too

                  --host 0.0.0.0           listen on all interfaces (default: only locally)
              -p, --port 8080              the port; 0 picks a free one
                  --api-key-file keys      the API keys, one per line; clients need one
                  --allow-anyone           let every machine in without a key
                  --tls-cert chain.pem     for HTTPS: the certificate
                  --tls-key key.pem        for HTTPS: its private key
                  --allow-origin https://example.com   let pages of this site call it
                  --wyoming 10300          also serve Home Assistant on this port
              -m, --model small            a model to serve (default: all installed)
                  --model-memory 8         GB for loaded models (default: half of the RAM)
              -t, --threads 4              threads per transcription
                  --max-sessions 8         live sessions at once (default: measured)
                  --max-upload 1024        the largest upload in MiB
                  --log-format json        log as JSON (default: text)

            Ctrl-C finishes running requests; a second one ends at once.
            """
    }
#endif
