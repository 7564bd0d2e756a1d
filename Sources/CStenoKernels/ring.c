#include "include/steno_ring.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if defined(__APPLE__)
#include <mach/mach.h>
#include <mach/semaphore.h>
typedef semaphore_t wake_t;
static bool wake_create(wake_t *wake) { return semaphore_create(mach_task_self(), wake, SYNC_POLICY_FIFO, 0) == KERN_SUCCESS; }
static void wake_destroy(wake_t *wake) { semaphore_destroy(mach_task_self(), *wake); }
static void wake_signal(wake_t *wake) { semaphore_signal(*wake); }
static void wake_wait(wake_t *wake) { semaphore_wait(*wake); }
#else
#include <semaphore.h>
typedef sem_t wake_t;
static bool wake_create(wake_t *wake) { return sem_init(wake, 0, 0) == 0; }
static void wake_destroy(wake_t *wake) { sem_destroy(wake); }
static void wake_signal(wake_t *wake) { sem_post(wake); }
static void wake_wait(wake_t *wake) { while (sem_wait(wake) != 0) {} }
#endif

struct steno_ring {
    float *samples;
    size_t frames, channels;
    /// The frames written and read since the beginning; both only grow.
    _Atomic size_t written, taken;
    /// The frames dropped since the reader last learned of a loss.
    _Atomic size_t lost;
    /// Whether the reader waits or is about to; the writer then wakes it, once.
    atomic_bool waits;
    atomic_bool ended, claimed;
    /// Whether somebody has waited for room.
    atomic_bool wanted;
    wake_t wake;
};

steno_ring *steno_ring_create(size_t frames, size_t channels) {
    steno_ring *ring = calloc(1, sizeof(*ring));
    if (!ring) return NULL;
    ring->samples = calloc(frames * channels, sizeof(float));
    ring->frames = frames;
    ring->channels = channels;
    if (ring->samples && wake_create(&ring->wake)) return ring;
    free(ring->samples);
    free(ring);
    return NULL;
}

void steno_ring_destroy(steno_ring *ring) {
    if (!ring) return;
    wake_destroy(&ring->wake);
    free(ring->samples);
    free(ring);
}

static void wake_reader(steno_ring *ring) {
    if (atomic_exchange(&ring->waits, false)) wake_signal(&ring->wake);
}

size_t steno_ring_free(steno_ring *ring) {
    if (atomic_load(&ring->ended)) return ring->frames;
    if (atomic_load(&ring->lost) != 0) return 0;
    return ring->frames - (atomic_load_explicit(&ring->written, memory_order_relaxed) - atomic_load(&ring->taken));
}

/// Whether this many frames can be written now; otherwise they count as lost.
static bool has_room(steno_ring *ring, size_t frames) {
    if (atomic_load(&ring->ended)) return false;
    if (frames <= steno_ring_free(ring)) return true;
    atomic_fetch_add(&ring->lost, frames);
    wake_reader(ring);
    return false;
}

static void did_write(steno_ring *ring, size_t frames) {
    atomic_fetch_add(&ring->written, frames);
    wake_reader(ring);
}

bool steno_ring_push(steno_ring *ring, const float *samples, size_t frames) {
    if (frames == 0) return true;
    if (!has_room(ring, frames)) return false;
    const size_t channels = ring->channels;
    const size_t start = atomic_load_explicit(&ring->written, memory_order_relaxed) % ring->frames;
    const size_t first = frames < ring->frames - start ? frames : ring->frames - start;
    memcpy(ring->samples + start * channels, samples, first * channels * sizeof(float));
    memcpy(ring->samples, samples + first * channels, (frames - first) * channels * sizeof(float));
    did_write(ring, frames);
    return true;
}

bool steno_ring_push_planar(steno_ring *ring, const float *const *channels, size_t frames) {
    if (frames == 0) return true;
    if (!has_room(ring, frames)) return false;
    const size_t count = ring->channels;
    size_t place = atomic_load_explicit(&ring->written, memory_order_relaxed) % ring->frames;
    for (size_t frame = 0; frame < frames; frame++) {
        for (size_t channel = 0; channel < count; channel++) ring->samples[place * count + channel] = channels[channel][frame];
        if (++place == ring->frames) place = 0;
    }
    did_write(ring, frames);
    return true;
}

bool steno_ring_end(steno_ring *ring) {
    atomic_store(&ring->ended, true);
    wake_reader(ring);
    return atomic_load(&ring->wanted);
}

void steno_ring_want_room(steno_ring *ring) { atomic_store(&ring->wanted, true); }

bool steno_ring_room_is_wanted(steno_ring *ring) { return atomic_load(&ring->wanted); }

bool steno_ring_has_ended(steno_ring *ring) { return atomic_load(&ring->ended); }

bool steno_ring_claim(steno_ring *ring) { return !atomic_exchange(&ring->claimed, true); }

size_t steno_ring_pull(steno_ring *ring, float *samples, size_t capacity, size_t *lost, bool *ended) {
    *lost = 0;
    *ended = false;
    for (;;) {
        // Read first, so that everything written before the end is seen.
        const bool over = atomic_load(&ring->ended);
        const size_t taken = atomic_load_explicit(&ring->taken, memory_order_relaxed);
        // Read before the frame count, so that frames written before a loss are taken before it.
        const size_t dropped = atomic_load(&ring->lost);
        size_t count = atomic_load(&ring->written) - taken;
        if (count > 0) {
            if (count > capacity) count = capacity;
            const size_t start = taken % ring->frames;
            const size_t first = count < ring->frames - start ? count : ring->frames - start;
            memcpy(samples, ring->samples + start * ring->channels, first * ring->channels * sizeof(float));
            memcpy(samples + first * ring->channels, ring->samples, (count - first) * ring->channels * sizeof(float));
            atomic_store(&ring->taken, taken + count);
            return count;
        }
        if (dropped > 0) {
            *lost = atomic_exchange(&ring->lost, 0);
            return 0;
        }
        if (over) {
            *ended = true;
            return 0;
        }
        atomic_store(&ring->waits, true);
        // The writer may have written before it could see the flag.
        if (atomic_load(&ring->written) != taken || atomic_load(&ring->lost) != 0 || atomic_load(&ring->ended)) {
            // If the writer took the flag first, it has signalled, and that signal is waited for below.
            if (atomic_exchange(&ring->waits, false)) continue;
        }
        wake_wait(&ring->wake);
    }
}
