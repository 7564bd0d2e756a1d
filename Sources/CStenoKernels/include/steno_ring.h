// A ring buffer that passes audio from a thread that must not wait, such as a device's callback, to one that may, for
// one writer and one reader (Lamport 1983, "Specifying Concurrent Program Modules").
//
// The writer's functions neither allocate nor lock, and their only system call wakes a waiting reader and never waits
// itself (sem_post on Linux, semaphore_signal on Apple systems).
#ifndef CSTENO_RING_H
#define CSTENO_RING_H

#include <stdbool.h>
#include <stddef.h>

/// A ring of frames of interleaved floats.
typedef struct steno_ring steno_ring;

/// Creates a ring for a number of frames; NULL if there is not enough memory.
steno_ring *steno_ring_create(size_t frames, size_t channels);

/// Frees a ring, which no thread may be using.
void steno_ring_destroy(steno_ring *ring);

/// Writer: adds interleaved frames; returns false if they were dropped because there is no room or the ring has ended.
///
/// After a loss, frames are dropped until the reader has taken everything before it, so that the loss is a single gap.
bool steno_ring_push(steno_ring *ring, const float *samples, size_t frames);

/// Writer: as steno_ring_push, from one array per channel.
bool steno_ring_push_planar(steno_ring *ring, const float *const *channels, size_t frames);

/// Writer, or any thread while the writer waits: the maximum number of frames that a push can add now; 0 after a loss
/// until the reader has learned of it.
///
/// After the end it is the whole ring, since there is nothing left to wait for: a push then returns false.
size_t steno_ring_free(steno_ring *ring);

/// Any thread: ends the audio and wakes the reader. Returns whether a thread may be waiting for room and must be woken.
bool steno_ring_end(steno_ring *ring);

/// Announces that the caller will wait for room. Call it before checking for room: then either the caller sees the end,
/// or steno_ring_end sees the caller.
void steno_ring_want_room(steno_ring *ring);

/// Whether somebody has ever announced that.
bool steno_ring_room_is_wanted(steno_ring *ring);

bool steno_ring_has_ended(steno_ring *ring);

/// Makes the caller the reader; returns false if there already is one.
bool steno_ring_claim(steno_ring *ring);

/// Reader: waits until there are frames or a loss, or the ring has ended, and returns the number of frames taken, 0 for a loss
/// or the end.
///
/// - samples: room for `capacity` frames.
/// - lost: the number of frames dropped after those already taken.
/// - ended: whether nothing follows.
size_t steno_ring_pull(steno_ring *ring, float *samples, size_t capacity, size_t *lost, bool *ended);

#endif
