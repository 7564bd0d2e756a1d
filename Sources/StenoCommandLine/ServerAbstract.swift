/// What the commands do that `steno-server` runs, in one sentence each: `steno` lists them in its help, and `steno-server` has
/// the help itself.
package enum ServerAbstract {
    package static let serve = "Serve OpenAI's audio API: files over REST, live audio over a WebSocket."
    package static let captions = "Show live captions on a page, for people who are deaf or hard of hearing."
    package static let history = "List, show, search, export and delete saved transcripts."
}
