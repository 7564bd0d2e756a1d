/// Whether captions follow the newest text: they stop when the reader scrolls back, and follow again at the end.
///
/// Growing text moves the end away without scrolling, and following it scrolls forward. Only the reader moves it
/// backward, unless the text or the view has changed its size. This is a pure value, so every order of measurements can
/// be tested.
package struct ScrollFollowing: Sendable, Hashable {
    /// Whether the newest text is kept in view.
    package private(set) var isFollowing = true
    /// The lines that were added since the reader scrolled back.
    package private(set) var unreadLines = 0

    /// The distance from the end that still counts as the end, in points: less than a line, more than a rounding error.
    package static let tolerance = 12.0

    private var offset = 0.0
    private var contentHeight = 0.0
    private var viewHeight = 0.0
    private var lineCount = 0

    package init() {}

    /// Takes the position of the text in its view, in points; scrolling forward resumes following only at the end.
    ///
    /// - Parameter offset: How far the start of the text is above the upper edge of the view.
    package mutating func measure(offset: Double, contentHeight: Double, viewHeight: Double) {
        defer { (self.offset, self.contentHeight, self.viewHeight) = (offset, contentHeight, viewHeight) }
        let distance = contentHeight - viewHeight - offset
        let isSameSize = contentHeight >= self.contentHeight && abs(viewHeight - self.viewHeight) < 1
        if distance <= Self.tolerance {
            returnToLive()
        } else if offset < self.offset - 1, isSameSize {
            isFollowing = false
        }
    }

    /// Takes the number of lines; fewer than before mean a new session, which is followed.
    package mutating func show(lineCount: Int) {
        if lineCount < self.lineCount {
            returnToLive()
        } else if !isFollowing {
            unreadLines += lineCount - self.lineCount
        }
        self.lineCount = lineCount
    }

    /// Returns to the newest text, as the reader requested.
    package mutating func returnToLive() { (isFollowing, unreadLines) = (true, 0) }
}
