/// A line of shell for a program that does not end by itself: it outlasts every time limit, so that a test of how it is ended
/// cannot pass because it has ended by itself.
package let endlessProgram = "exec sleep 1000000"
