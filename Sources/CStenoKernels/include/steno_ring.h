// Audio from a thread that must not wait, such as a device's callback, to one that may: a ring buffer for one writer and one
// reader (Lamport 1983, "Specifying Concurrent Program Modules").
//
// The writer's functions neither allocate nor lock, and they make no system call but the one that wakes a waiting reader,
// which itself waits for nothing (sem_post on Linux, semaphore_signal on Apple systems).
#ifndef CSTENO_RING_H
#define CSTENO_RING_H

#include <stdbool.h>
#include <stddef.h>

/// A ring of frames of interleaved floats.
typedef struct steno_ring steno_ring;

/// Makes a ring for a number of frames; null when there is no memory for it.
steno_ring *steno_ring_create(size_t frames, size_t channels);

/// Frees a ring, which no thread may use any more.
void steno_ring_destroy(steno_ring *ring);

/// Writer: adds interleaved frames; false when they were dropped, because there is no room, or the ring has ended.
///
/// After a loss, frames are dropped until the reader has taken what was there before: the loss is one gap at one place.
bool steno_ring_push(steno_ring *ring, const float *samples, size_t frames);

/// Writer: as steno_ring_push, for one array for each channel.
bool steno_ring_push_planar(steno_ring *ring, const float *const *channels, size_t frames);

/// Writer, or any thread while the writer waits: the most frames that one push can add now; 0 after a loss until the reader
/// has learned of it.
///
/// After the end it is the whole ring, since there is nothing to wait for then: a push says that the ring has ended.
size_t steno_ring_free(steno_ring *ring);

/// Any thread: no frames follow; wakes the reader. Returns whether a thread may be waiting for room, and must be woken.
bool steno_ring_end(steno_ring *ring);

/// A waiter announces itself before looking for room: then either it sees the end, or the end sees it.
void steno_ring_want_room(steno_ring *ring);

/// Makes the caller the reader; false when there is one already.
bool steno_ring_claim(steno_ring *ring);

/// Reader: waits until there are frames or a loss, or the ring has ended, and returns the number of frames taken, 0 for a loss
/// or the end.
///
/// - samples: room for `capacity` frames.
/// - lost: the frames that were dropped after those taken before.
/// - ended: whether nothing more comes.
size_t steno_ring_pull(steno_ring *ring, float *samples, size_t capacity, size_t *lost, bool *ended);

#endif
