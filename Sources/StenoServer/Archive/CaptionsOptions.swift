#if Server
    package import Steno

    /// The options of the captions page.
    package struct CaptionsOptions: Sendable {
        /// The spoken language that a new reader's page begins with; nil is detected.
        package var language: String?
        /// How speakers are labelled, in the sessions that ask for it; nil offers no labels.
        package var speakers: SpeakerOptions?
        /// The fingerprint of the server's own certificate, for readers to compare.
        package var fingerprint: String?
        /// Where text is kept; nil keeps nothing.
        package var archive: (any CaptionsArchive)?

        /// Creates the options of a page that keeps nothing.
        package init() {}
    }
#endif
