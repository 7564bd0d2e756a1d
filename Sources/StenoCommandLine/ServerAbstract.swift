/// One sentence about each command that `steno-server` runs.
///
/// `steno` lists them in its help; `steno-server` has the help itself.
package enum ServerAbstract {
    package static let serve = "Serve OpenAI's audio API: files over REST, live audio over a WebSocket."
    package static let captions = "Show live captions on a page, for people who are deaf or hard of hearing."
    package static let history = "List, show, search, export and delete saved transcripts."
}
