import Dispatch
import Foundation
import StenoCommandLine

// `steno-server`: carries out the commands of `steno` that need the server or the store.
#if Server
    StandardStream.occupyClosed()
    Task { exit(await ServerCommand.run(Array(CommandLine.arguments.dropFirst()))) }
    dispatchMain()
#else
    StandardStream.error.write(
        """
        steno: this steno-server was built without the server and the store. Build it with them: \
        swift build -c release --traits Server --product steno-server

        """)
    exit(EX_UNAVAILABLE)
#endif
