import StenoCore

/// Text removed from a window, with its words, whose times lie within the window.
struct GuardRemoval {
    var action: GuardAction
    var words: [Word]
}
