// Declarations of Apple's SwiftUI, as far as this package uses them. Bodies are never run.
public import Combine
public import Foundation

// MARK: - Views

@available(macOS 10.15, iOS 13.0, *)
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}

extension Optional: View where Wrapped: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 10.15, iOS 13.0, *)
public struct EmptyView: View {
    nonisolated public init() {}
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 10.15, iOS 13.0, *)
public struct TupleView<T>: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}

public struct _ConditionalContent<TrueContent, FalseContent> {}
extension _ConditionalContent: View where TrueContent: View, FalseContent: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 10.15, iOS 13.0, *)
@resultBuilder public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> { TupleView() }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(
        first: First
    ) -> _ConditionalContent<First, Second> { _ConditionalContent() }
    public static func buildEither<First: View, Second: View>(
        second: Second
    ) -> _ConditionalContent<First, Second> { _ConditionalContent() }
}

@available(macOS 10.15, iOS 13.0, *)
public struct ModifiedContent<Content, Modifier> {}
extension ModifiedContent: View where Content: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}

// MARK: - State

@available(macOS 10.15, iOS 13.0, *)
public protocol DynamicProperty {}

@available(macOS 10.15, iOS 13.0, *)
@propertyWrapper public struct State<Value>: DynamicProperty {
    public init(wrappedValue value: Value) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { fatalError() }
}
extension State: Sendable where Value: Sendable {}

@available(macOS 10.15, iOS 13.0, *)
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    @preconcurrency public init(
        get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { self }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        fatalError()
    }
    public static func constant(_ value: Value) -> Binding<Value> { fatalError() }
}
extension Binding: @unchecked Sendable where Value: Sendable {}

@available(macOS 10.15, iOS 13.0, *)
@propertyWrapper @MainActor @preconcurrency public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
    public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
    public var wrappedValue: ObjectType
}

@available(macOS 11.0, iOS 14.0, *)
@propertyWrapper @MainActor @preconcurrency public struct StateObject<ObjectType: ObservableObject>: DynamicProperty {
    nonisolated public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {}
    public var wrappedValue: ObjectType { fatalError() }
}

@available(macOS 11.0, iOS 14.0, *)
@propertyWrapper public struct AppStorage<Value>: DynamicProperty {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Bool {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { fatalError() }
}
extension AppStorage {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Double {}
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == String {}
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == String {}
}

@available(macOS 11.0, iOS 14.0, *)
@propertyWrapper public struct ScaledMetric<Value: BinaryFloatingPoint>: DynamicProperty {
    public init(wrappedValue: Value, relativeTo textStyle: Font.TextStyle) {}
    public var wrappedValue: Value { fatalError() }
}

@available(macOS 10.15, iOS 13.0, *)
@propertyWrapper public struct Environment<Value>: DynamicProperty {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
}

@available(macOS 10.15, iOS 13.0, *)
public struct EnvironmentValues {
    public var accessibilityReduceMotion: Bool { false }
    public var colorScheme: ColorScheme { .light }
}

@available(macOS 10.15, iOS 13.0, *)
public enum ColorScheme: CaseIterable, Sendable { case light, dark }

// MARK: - Layout

@available(macOS 10.15, iOS 13.0, *)
public struct HorizontalAlignment: Equatable, Sendable {
    public static let leading = HorizontalAlignment()
    public static let center = HorizontalAlignment()
    public static let trailing = HorizontalAlignment()
}

@available(macOS 10.15, iOS 13.0, *)
public struct VerticalAlignment: Equatable, Sendable {
    public static let top = VerticalAlignment()
    public static let center = VerticalAlignment()
    public static let bottom = VerticalAlignment()
}

@available(macOS 10.15, iOS 13.0, *)
public struct Alignment: Equatable, Sendable {
    public static let center = Alignment()
    public static let leading = Alignment()
    public static let bottom = Alignment()
    public static let topLeading = Alignment()
}

@available(macOS 10.15, iOS 13.0, *)
public struct UnitPoint: Hashable, Sendable {
    public static let topLeading = UnitPoint()
    public static let bottom = UnitPoint()
}

@available(macOS 10.15, iOS 13.0, *)
public enum Axis: Int8, CaseIterable, Sendable {
    case horizontal, vertical
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let horizontal = Set(rawValue: 1)
        public static let vertical = Set(rawValue: 2)
    }
}

@available(macOS 10.15, iOS 13.0, *)
public enum Edge: Int8, CaseIterable, Sendable {
    case top, leading, bottom, trailing
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let all = Set(rawValue: 15)
        public static let horizontal = Set(rawValue: 10)
        public static let vertical = Set(rawValue: 5)
    }
}

@available(macOS 10.15, iOS 13.0, *)
public struct VStack<Content: View>: View {
    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {}
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 10.15, iOS 13.0, *)
public struct HStack<Content: View>: View {
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 10.15, iOS 13.0, *)
public struct ZStack<Content: View>: View {
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {}
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 11.0, iOS 14.0, *)
public struct LazyVStack<Content: View>: View {
    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {}
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 10.15, iOS 13.0, *)
public struct Spacer: View {
    public init(minLength: CGFloat? = nil) {}
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 10.15, iOS 13.0, *)
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}
extension ForEach: View where Content: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}
extension ForEach where Content: View, ID == Data.Element.ID, Data.Element: Identifiable {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}
extension ForEach where Content: View {
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

@available(macOS 10.15, iOS 13.0, *)
public struct GeometryReader<Content: View>: View {
    public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {}
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 10.15, iOS 13.0, *)
public struct GeometryProxy {
    public var size: CGSize { fatalError() }
    public func frame(in coordinateSpace: CoordinateSpace) -> CGRect { fatalError() }
}

@available(macOS 10.15, iOS 13.0, *)
public enum CoordinateSpace {
    case global
    case local
    case named(AnyHashable)
}

@available(macOS 10.15, iOS 13.0, *)
public struct ScrollView<Content: View>: View {
    public init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {}
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 11.0, iOS 14.0, *)
public struct ScrollViewReader<Content: View>: View {
    public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) {}
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 11.0, iOS 14.0, *)
public struct ScrollViewProxy {
    public func scrollTo<ID: Hashable>(_ id: ID, anchor: UnitPoint? = nil) {}
}

@available(macOS 13.0, iOS 16.0, *)
public protocol Animatable {}

@available(macOS 13.0, iOS 16.0, *)
public protocol Layout: Animatable {
    associatedtype Cache = Void
    typealias Subviews = LayoutSubviews
    func makeCache(subviews: Self.Subviews) -> Self.Cache
    func sizeThatFits(proposal: ProposedViewSize, subviews: Self.Subviews, cache: inout Self.Cache) -> CGSize
    func placeSubviews(
        in bounds: CGRect, proposal: ProposedViewSize, subviews: Self.Subviews, cache: inout Self.Cache)
}

@available(macOS 13.0, iOS 16.0, *)
extension Layout where Cache == Void {
    public func makeCache(subviews: Self.Subviews) {}
}

@available(macOS 13.0, iOS 16.0, *)
extension Layout {
    public func callAsFunction<V: View>(@ViewBuilder _ content: () -> V) -> some View { content() }
}

@available(macOS 13.0, iOS 16.0, *)
public struct LayoutSubviews: Equatable, RandomAccessCollection, Sendable {
    public typealias Element = LayoutSubview
    public typealias Index = Int
    public var startIndex: Int { 0 }
    public var endIndex: Int { 0 }
    public subscript(index: Int) -> LayoutSubview { fatalError() }
}

@available(macOS 13.0, iOS 16.0, *)
public struct LayoutSubview: Equatable {
    public func sizeThatFits(_ proposal: ProposedViewSize) -> CGSize { fatalError() }
    public func place(at position: CGPoint, anchor: UnitPoint = .topLeading, proposal: ProposedViewSize) {}
}

@available(macOS 13.0, iOS 16.0, *)
public struct ProposedViewSize: Equatable, Sendable {
    public var width: CGFloat?
    public var height: CGFloat?
    public init(width: CGFloat?, height: CGFloat?) {}
}

// MARK: - Content

@available(macOS 10.15, iOS 13.0, *)
public struct Text: Equatable, Sendable {
    public init(verbatim content: String) {}

    public struct LineStyle: Hashable, Sendable {
        public struct Pattern: Sendable {
            public static let solid = Pattern()
            public static let dot = Pattern()
            public static let dash = Pattern()
        }
    }

    public func font(_ font: Font?) -> Text { self }
    public func foregroundColor(_ color: Color?) -> Text { self }
    public func italic() -> Text { self }
    public func fontWeight(_ weight: Font.Weight?) -> Text { self }
    @available(macOS 12.0, iOS 15.0, *)
    public func monospacedDigit() -> Text { self }
    @available(macOS 10.15, iOS 13.0, *)
    public func underline(_ isActive: Bool = true, color: Color? = nil) -> Text { self }
    @available(macOS 13.0, iOS 16.0, *)
    public func underline(
        _ isActive: Bool = true, pattern: Text.LineStyle.Pattern, color: Color? = nil
    ) -> Text { self }
    @available(macOS, introduced: 10.15, deprecated: 26.0)
    @available(iOS, introduced: 13.0, deprecated: 26.0)
    public static func + (lhs: Text, rhs: Text) -> Text { lhs }
}

// In an extension, so that the conformance does not isolate the rest of the type.
extension Text: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 10.15, iOS 13.0, *)
public struct Font: Hashable, Sendable {
    public enum TextStyle: CaseIterable, Sendable {
        case largeTitle, title, title2, title3, headline, subheadline, body, callout, footnote, caption, caption2
    }
    public struct Weight: Hashable, Sendable {
        public static let regular = Weight()
        public static let medium = Weight()
        public static let bold = Weight()
    }
    public enum Design: Hashable, Sendable { case `default`, serif, rounded, monospaced }
    public static let largeTitle = Font()
    @available(macOS 11.0, iOS 14.0, *)
    public static let title2 = Font()
    @available(macOS 11.0, iOS 14.0, *)
    public static let title3 = Font()
    public static let headline = Font()
    public static let body = Font()
    public static let footnote = Font()
    public static let caption = Font()
    @available(macOS 13.0, iOS 16.0, *)
    public static func system(size: CGFloat, weight: Font.Weight? = nil, design: Font.Design? = nil) -> Font { Font() }
}

@available(macOS 10.15, iOS 13.0, *)
public struct Image: Equatable, Sendable {
    @available(macOS 11.0, iOS 13.0, *)
    public init(systemName: String) {}
}
extension Image: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 11.0, iOS 14.0, *)
public struct Label<Title: View, Icon: View>: View {
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {}
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 12.0, iOS 15.0, *)
public struct ButtonRole: Equatable, Sendable {
    public static let destructive = ButtonRole()
    public static let cancel = ButtonRole()
}

@available(macOS 10.15, iOS 13.0, *)
public struct Button<Label: View>: View {
    @preconcurrency public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
    @available(macOS 12.0, iOS 15.0, *)
    @preconcurrency public init(
        role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label
    ) {}
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 11.0, iOS 14.0, *)
public struct Menu<Label: View, Content: View>: View {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {}
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 10.15, iOS 13.0, *)
public struct TextField<Label: View>: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}
extension TextField where Label == Text {
    @available(macOS 13.0, iOS 16.0, *)
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, axis: Axis) {}
}

@available(macOS 10.15, iOS 13.0, *)
public struct TabView<SelectionValue: Hashable, Content: View>: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}
extension TabView where SelectionValue == Int {
    public init(@ViewBuilder content: () -> Content) {}
}

// MARK: - Shapes and colours

@available(macOS 10.15, iOS 13.0, *)
public protocol ShapeStyle: Sendable {}

@available(macOS 10.15, iOS 13.0, *)
public struct Color: Hashable, ShapeStyle {
    public enum RGBColorSpace: Hashable, Sendable { case sRGB, sRGBLinear, displayP3 }
    public init(_ colorSpace: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1) {}
    public static let clear = Color(red: 0, green: 0, blue: 0)
    public static let black = Color(red: 0, green: 0, blue: 0)
    public static let white = Color(red: 0, green: 0, blue: 0)
    @available(macOS 10.15, iOS 13.0, *)
    public static var accentColor: Color { clear }
    public func opacity(_ opacity: Double) -> Color { self }
}
extension Color: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 10.15, iOS 13.0, *)
public protocol Shape: Sendable, View {}
extension Shape {
    public func stroke(lineWidth: CGFloat = 1) -> some Shape { self }
}

@available(macOS 10.15, iOS 13.0, *)
public struct RoundedRectangle: Shape {
    nonisolated public init(cornerRadius: CGFloat) {}
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 12.0, iOS 15.0, *)
public enum ColorRenderingMode: Sendable { case nonLinear, linear, extendedLinear }

@available(macOS 12.0, iOS 15.0, *)
public struct Canvas<Symbols: View>: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}
@available(macOS 12.0, iOS 15.0, *)
extension Canvas where Symbols == EmptyView {
    public init(
        opaque: Bool = false, colorMode: ColorRenderingMode = .nonLinear, rendersAsynchronously: Bool = false,
        renderer: @escaping (inout GraphicsContext, CGSize) -> Void
    ) {}
}

@available(macOS 12.0, iOS 15.0, *)
public struct GraphicsContext {
    public struct ResolvedText {
        public func measure(in size: CGSize) -> CGSize { size }
    }
    public func resolve(_ text: Text) -> ResolvedText { ResolvedText() }
    public func draw(_ text: ResolvedText, in rect: CGRect) {}
}

// MARK: - Time

@available(macOS 12.0, iOS 15.0, *)
public protocol TimelineSchedule {}
@available(macOS 12.0, iOS 15.0, *)
public struct AnimationTimelineSchedule: TimelineSchedule, Sendable {}
@available(macOS 12.0, iOS 15.0, *)
extension TimelineSchedule where Self == AnimationTimelineSchedule {
    public static func animation(minimumInterval: Double? = nil, paused: Bool = false) -> AnimationTimelineSchedule {
        AnimationTimelineSchedule()
    }
}
@available(macOS 12.0, iOS 15.0, *)
public struct TimelineViewDefaultContext {
    public let date: Date
}
@available(macOS 12.0, iOS 15.0, *)
public struct TimelineView<Schedule: TimelineSchedule, Content> {}
@available(macOS 12.0, iOS 15.0, *)
extension TimelineView: View where Content: View {
    public init(_ schedule: Schedule, @ViewBuilder content: @escaping (TimelineViewDefaultContext) -> Content) {}
    public typealias Body = Never
    public var body: Never { fatalError() }
}

@available(macOS 10.15, iOS 13.0, *)
public struct Animation: Equatable, Sendable {
    public static let `default` = Animation()
}

@available(macOS 10.15, iOS 13.0, *)
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
    try body()
}

// MARK: - Keys, accessibility, styles

@available(macOS 11.0, iOS 14.0, *)
public struct KeyEquivalent: Sendable, ExpressibleByExtendedGraphemeClusterLiteral {
    public init(extendedGraphemeClusterLiteral: Character) {}
    public static let downArrow: KeyEquivalent = "d"
    public static let leftArrow: KeyEquivalent = "l"
    public static let rightArrow: KeyEquivalent = "r"
    public static let `return`: KeyEquivalent = "\r"
    public static let space: KeyEquivalent = " "
}

@available(macOS 10.15, iOS 13.0, *)
public struct EventModifiers: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let command = EventModifiers(rawValue: 1)
    public static let shift = EventModifiers(rawValue: 2)
}

@available(macOS 10.15, iOS 13.0, *)
public struct AccessibilityTraits: SetAlgebra, Sendable {
    public typealias Element = AccessibilityTraits
    public typealias ArrayLiteralElement = AccessibilityTraits
    public init() {}
    public static let isSelected = AccessibilityTraits()
    public static let isStaticText = AccessibilityTraits()
    public static let updatesFrequently = AccessibilityTraits()
    public func union(_ other: AccessibilityTraits) -> AccessibilityTraits { self }
    public mutating func formUnion(_ other: AccessibilityTraits) {}
    public func intersection(_ other: AccessibilityTraits) -> AccessibilityTraits { self }
    public mutating func formIntersection(_ other: AccessibilityTraits) {}
    public func symmetricDifference(_ other: AccessibilityTraits) -> AccessibilityTraits { self }
    public mutating func formSymmetricDifference(_ other: AccessibilityTraits) {}
    public func contains(_ member: AccessibilityTraits) -> Bool { false }
    @discardableResult public mutating func insert(
        _ newMember: AccessibilityTraits
    ) -> (inserted: Bool, memberAfterInsert: AccessibilityTraits) { (false, newMember) }
    @discardableResult public mutating func remove(_ member: AccessibilityTraits) -> AccessibilityTraits? { nil }
    @discardableResult public mutating func update(with newMember: AccessibilityTraits) -> AccessibilityTraits? { nil }
}

@available(macOS 10.15, iOS 13.0, *)
public struct AccessibilityChildBehavior: Hashable, Sendable {
    public static let ignore = AccessibilityChildBehavior()
    public static let contain = AccessibilityChildBehavior()
    public static let combine = AccessibilityChildBehavior()
}

@available(macOS 10.15, iOS 13.0, *)
public struct AccessibilityAttachmentModifier {}

@available(macOS 10.15, iOS 13.0, *)
public protocol PrimitiveButtonStyle {}
@available(macOS 12.0, iOS 15.0, *)
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {}
@available(macOS 12.0, iOS 15.0, *)
public struct BorderedButtonStyle: PrimitiveButtonStyle {}
@available(macOS 10.15, iOS 13.0, *)
public struct PlainButtonStyle: PrimitiveButtonStyle {}
@available(macOS 12.0, iOS 15.0, *)
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}
@available(macOS 12.0, iOS 15.0, *)
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

@available(macOS 10.15, iOS 13.0, *)
public protocol TextFieldStyle {}
@available(macOS 10.15, iOS 13.0, *)
public struct RoundedBorderTextFieldStyle: TextFieldStyle {}
extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    public static var roundedBorder: RoundedBorderTextFieldStyle { RoundedBorderTextFieldStyle() }
}

// MARK: - Modifiers

@available(macOS 10.15, iOS 13.0, *)
extension View {
    nonisolated public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { self }
    nonisolated public func padding(_ length: CGFloat) -> some View { self }
    nonisolated public func frame(
        width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { self }
    nonisolated public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { self }
    nonisolated public func background<Background: View>(
        _ background: Background, alignment: Alignment = .center
    ) -> some View { self }
    @available(macOS 12.0, iOS 15.0, *)
    nonisolated public func overlay<V: View>(
        alignment: Alignment = .center, @ViewBuilder content: () -> V
    ) -> some View { self }
    @available(macOS 11.0, iOS 14.0, *)
    nonisolated public func ignoresSafeArea() -> some View { self }
    nonisolated public func font(_ font: Font?) -> some View { self }
    nonisolated public func foregroundColor(_ color: Color?) -> some View { self }
    nonisolated public func lineSpacing(_ lineSpacing: CGFloat) -> some View { self }
    @available(macOS 13.0, iOS 16.0, *)
    nonisolated public func lineLimit(_ limit: ClosedRange<Int>) -> some View { self }
    nonisolated public func id<ID: Hashable>(_ id: ID) -> some View { self }
    nonisolated public func disabled(_ disabled: Bool) -> some View { self }
    nonisolated public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View { self }
    nonisolated public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View { self }
    nonisolated public func textFieldStyle<S: TextFieldStyle>(_ style: S) -> some View { self }
    @available(macOS, introduced: 10.15, deprecated: 100000.0)
    @available(iOS, introduced: 13.0, deprecated: 100000.0)
    nonisolated public func coordinateSpace<T: Hashable>(name: T) -> some View { self }
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }
    @available(macOS, introduced: 11.0, deprecated: 14.0)
    @available(iOS, introduced: 14.0, deprecated: 17.0)
    nonisolated public func onChange<V: Equatable>(
        of value: V, perform action: @escaping (_ newValue: V) -> Void
    ) -> some View { self }
    @available(macOS 11.0, iOS 14.0, *)
    nonisolated public func keyboardShortcut(
        _ key: KeyEquivalent, modifiers: EventModifiers = .command
    ) -> some View { self }
}

@available(macOS 10.15, iOS 13.0, *)
public struct EquatableView<Content: Equatable & View>: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}
@available(macOS 10.15, iOS 13.0, *)
extension View where Self: Equatable {
    nonisolated public func equatable() -> EquatableView<Self> { EquatableView() }
}

@available(macOS 11.0, iOS 14.0, *)
extension View {
    nonisolated public func accessibilityLabel(
        _ label: Text
    ) -> ModifiedContent<Self, AccessibilityAttachmentModifier> { ModifiedContent() }
    nonisolated public func accessibilityValue(
        _ valueDescription: Text
    ) -> ModifiedContent<Self, AccessibilityAttachmentModifier> { ModifiedContent() }
    nonisolated public func accessibilityHint(
        _ hint: Text
    ) -> ModifiedContent<Self, AccessibilityAttachmentModifier> { ModifiedContent() }
    nonisolated public func accessibilityHidden(
        _ hidden: Bool
    ) -> ModifiedContent<Self, AccessibilityAttachmentModifier> { ModifiedContent() }
    nonisolated public func accessibilityAddTraits(
        _ traits: AccessibilityTraits
    ) -> ModifiedContent<Self, AccessibilityAttachmentModifier> { ModifiedContent() }
    nonisolated public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { self }
}

// MARK: - Apps

@available(macOS 11.0, iOS 14.0, *)
@MainActor @preconcurrency public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}
extension Never: Scene {}

@available(macOS 11.0, iOS 14.0, *)
@resultBuilder public struct SceneBuilder {
    public static func buildExpression<Content: Scene>(_ content: Content) -> Content { content }
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

@available(macOS 11.0, iOS 14.0, *)
@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
    @MainActor @preconcurrency init()
}
@available(macOS 11.0, iOS 14.0, *)
extension App {
    @MainActor @preconcurrency public static func main() {}
}

@available(macOS 11.0, iOS 14.0, *)
public struct WindowGroup<Content: View>: Scene {
    nonisolated public init(@ViewBuilder content: () -> Content) {}
    public typealias Body = Never
    public var body: Never { fatalError() }
}
