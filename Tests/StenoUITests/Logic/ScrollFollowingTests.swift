import Testing

@testable import StenoUI

struct ScrollFollowingTests {
    private var following = ScrollFollowing()

    @Test mutating func growingTextIsFollowed() {
        for height in stride(from: 100.0, through: 2000, by: 50) {
            following.measure(offset: max(0, height - 550), contentHeight: height, viewHeight: 500)
            #expect(following.isFollowing, "the end moved away, and the reader did nothing")
            following.measure(offset: max(0, height - 500), contentHeight: height, viewHeight: 500)
        }
        #expect(following.isFollowing)
    }

    @Test mutating func scrollingBackStopsFollowing() {
        following.show(lineCount: 10)
        following.measure(offset: 500, contentHeight: 1000, viewHeight: 500)
        following.measure(offset: 400, contentHeight: 1000, viewHeight: 500)
        #expect(!following.isFollowing)
        following.show(lineCount: 12)
        following.measure(offset: 400, contentHeight: 1100, viewHeight: 500)
        following.show(lineCount: 13)
        #expect(!following.isFollowing && following.unreadLines == 3)
    }

    @Test mutating func theEndAndTheButtonResumeFollowing() {
        following.measure(offset: 500, contentHeight: 1000, viewHeight: 500)
        following.measure(offset: 300, contentHeight: 1000, viewHeight: 500)
        #expect(!following.isFollowing)
        following.measure(offset: 495, contentHeight: 1000, viewHeight: 500)
        #expect(following.isFollowing, "the reader scrolled to the end")
        following.measure(offset: 300, contentHeight: 1000, viewHeight: 500)
        following.show(lineCount: 3)
        following.returnToLive()
        #expect(following.isFollowing && following.unreadLines == 0)
    }

    @Test mutating func scrollingForwardResumesOnlyAtTheEnd() {
        following.measure(offset: 500, contentHeight: 1000, viewHeight: 500)
        following.measure(offset: 100, contentHeight: 1000, viewHeight: 500)
        for offset in [200.0, 350, 480, 487] {
            following.measure(offset: offset, contentHeight: 1000, viewHeight: 500)
            #expect(!following.isFollowing, "\(offset)")
        }
        following.measure(offset: 488, contentHeight: 1000, viewHeight: 500)
        #expect(following.isFollowing)
    }

    @Test mutating func smallerTextAndResizingAreNotScrolling() {
        following.measure(offset: 500, contentHeight: 1000, viewHeight: 500)
        following.measure(offset: 250, contentHeight: 800, viewHeight: 500)
        #expect(following.isFollowing, "the text became shorter")
        following.measure(offset: 100, contentHeight: 800, viewHeight: 600)
        #expect(following.isFollowing, "the view became higher")
        following.measure(offset: 50, contentHeight: 800, viewHeight: 600)
        #expect(!following.isFollowing)
    }

    @Test mutating func aNewSessionIsFollowed() {
        following.show(lineCount: 20)
        following.measure(offset: 500, contentHeight: 1000, viewHeight: 500)
        following.measure(offset: 100, contentHeight: 1000, viewHeight: 500)
        following.show(lineCount: 0)
        #expect(following.isFollowing && following.unreadLines == 0)
    }
}
