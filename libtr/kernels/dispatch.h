// Several instruction sets in one program: the loader picks the best that the machine has.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define TR_EACH_INSTRUCTION_SET __attribute__((target_clones("avx512f", "avx2", "default")))
// These levels add 16-bit lanes, which bfloat16 needs, and fused multiply-add, which changes the last bits.
#define TR_EACH_LEVEL __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TR_EACH_INSTRUCTION_SET
#define TR_EACH_LEVEL
#endif
/// For the loop inside: a clone's instruction set reaches only what is inlined into it.
#define TR_INLINE_LOOP inline __attribute__((always_inline))
