#if Server
    /// The files of the captions page, by their paths in `Captions/Page`.
    ///
    /// They are in `Captions/Generated` as Swift, which `Tools/ci/embed_captions.py` writes. SwiftPM's `.embedInCode` makes
    /// arrays of bytes of them, which cost 10 s of each debug build and 16 s of a release build; strings cost next to nothing.
    enum PageFiles {
        /// All of them.
        static let all = [documents, styles, scripts, locales].reduce(into: [:]) { all, some in
            all.merge(some) { first, _ in first }
        }
    }
#endif
