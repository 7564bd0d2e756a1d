// The switch of Planted.swift for the kernels in C.
#ifndef CSTENO_PLANTED_H
#define CSTENO_PLANTED_H

/// The number in the environment variable STENO_FAULT; 0 for no fault.
extern int steno_planted_active;

/// 1 if this fault is active, otherwise 0.
#define steno_planted(fault) (steno_planted_active == (fault))

#endif
