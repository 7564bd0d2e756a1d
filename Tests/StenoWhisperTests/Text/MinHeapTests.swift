import Testing

@testable import StenoWhisper

@Test func heapSorts() {
    let numbers: [UInt64] = [5, 3, 9, 3, 0, .max, 7, 1, 8, 2, 6, 4, 0]
    var heap = MinHeap()
    for number in numbers { heap.insert(number) }
    var sorted: [UInt64] = []
    while let number = heap.popFirst() { sorted.append(number) }
    #expect(sorted == numbers.sorted())
    #expect(heap.popFirst() == nil)
}
