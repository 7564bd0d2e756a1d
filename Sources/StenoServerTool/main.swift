import Dispatch
import Foundation
import StenoCommandLine

// `steno-server`: runs the commands of `steno` that need the server or the store.
#if Server
    StandardStream.occupyClosed()
    guard #available(macOS 14, *) else {
        StandardStream.error.write("steno: the server, the captions page and the history need macOS 14 or later.\n")
        exit(EX_UNAVAILABLE)
    }
    Task { exit(await ServerCommand.run(Array(CommandLine.arguments.dropFirst()))) }
    dispatchMain()
#else
    StandardStream.error.write(
        """
        steno: this steno-server was built without the server and the history. Build it again with them: \
        swift build -c release --traits Server --product steno-server

        """)
    exit(EX_UNAVAILABLE)
#endif
