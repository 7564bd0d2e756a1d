#if canImport(SwiftUI)
    import Foundation
    import SwiftUI

    /// A layout of words in rows.
    struct WordLayout: Layout {
        let spacing: Double
        /// Whether there is a space before each word.
        let gaps: [Bool]

        func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) -> CGSize {
            let rows = rows(proposal.width, subviews)
            return CGSize(width: rows.width, height: rows.height)
        }

        func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) {
            // Uses the proposed width, as above: the width of the bounds is rounded to pixels, so rows could break
            // elsewhere.
            for (subview, place) in zip(subviews, rows(proposal.width, subviews).places) {
                subview.place(
                    at: CGPoint(x: bounds.minX + place.x, y: bounds.minY + place.y), anchor: .topLeading,
                    proposal: Self.proposal(place.width))
            }
        }

        private func rows(_ width: CGFloat?, _ subviews: Subviews) -> WordRows {
            WordRows(
                gaps: subviews.indices.map { $0 < gaps.count ? gaps[$0] : true },
                lineWidth: width.map { Double($0) } ?? .infinity, spacing: (spacing, spacing / 2)
            ) { index, width in
                let size = subviews[index].sizeThatFits(Self.proposal(width))
                return (Double(size.width), Double(size.height))
            }
        }

        private static func proposal(_ width: Double?) -> ProposedViewSize {
            ProposedViewSize(width: width.map { CGFloat($0) }, height: nil)
        }
    }
#endif
