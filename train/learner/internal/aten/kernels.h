// Loops that libtorch has no operator for, or only several that each go over the memory again. Each is compiled for
// several kinds of processors, of which the program picks when it is loaded.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define PV_EACH_PROCESSOR __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define PV_EACH_PROCESSOR
#endif

// Sixteen numbers, wherever they lie.
typedef float Lanes __attribute__((vector_size(64), aligned(4), may_alias));
constexpr int64_t kLanes = 16, kBlock = 4 * kLanes;

// Rows of numbers of which most are 0: row i has the numbers at[i] to at[i+1] of value, in the columns index.
struct SparseRows {
  int64_t n;
  const int64_t *at;
  const int32_t *index;
  const float *value;
};

// The number of non-zero ones among n bytes.
PV_EACH_PROCESSOR static int64_t count_nonzero(const uint8_t *from, int64_t n) {
  constexpr int64_t kPart = 192; // whose number is a byte: sums of bytes are the fastest
  int64_t found = 0;
  for (; n >= kPart; n -= kPart, from += kPart) {
    uint8_t part = 0;
    for (int64_t j = 0; j < kPart; j++)
      part += from[j] != 0;
    found += part;
  }
  for (int64_t j = 0; j < n; j++)
    found += from[j] != 0;
  return found;
}

// A mask of the non-zero ones among 64 bytes, the first in the lowest bit. Of each eight, the sum carries into the highest bit of a byte that has
// any other bit, and the product gathers the eight highest bits.
static inline uint64_t which_nonzero(const uint8_t *from) {
  constexpr uint64_t low = 0x7f7f7f7f7f7f7f7f;
  uint64_t found = 0;
  for (int k = 0; k < 8; k++) {
    uint64_t eight;
    std::memcpy(&eight, from + 8 * k, 8);
    found |= (((((eight & low) + low) | eight) & ~low) >> 7) * 0x0102040810204080 >> 56 << 8 * k;
  }
  return found;
}

// Lists the non-zero bytes of a row: their columns, and their values times their unit. Returns their number.
PV_EACH_PROCESSOR static int64_t list_nonzero(const uint8_t *from, int64_t columns, const float *unit, int32_t *column, float *value) {
  int64_t found = 0;
  for (int64_t j = 0; j < columns; j += 64) {
    uint8_t part[64] = {};
    const bool whole = j + 64 <= columns;
    if (!whole)
      std::memcpy(part, from + j, columns - j);
    for (uint64_t left = which_nonzero(whole ? from + j : part); left; left &= left - 1) {
      const int64_t at = j + __builtin_ctzll(left);
      column[found] = int32_t(at);
      value[found++] = float(from[at]) * unit[at];
    }
  }
  return found;
}

// out [n, width] = bias [width] + x · weight [columns, width]. It takes a block of columns for all rows, so that its
// part of weight stays in the cache, with the sums in registers.
PV_EACH_PROCESSOR static void sparse_times(const SparseRows &x, const float *weight, const float *bias, int64_t width, float *out) {
  int64_t from = 0;
  for (; from + kBlock <= width; from += kBlock)
    for (int64_t i = 0; i < x.n; i++) {
      const float *b = bias + from;
      Lanes s0 = *(const Lanes *)b, s1 = *(const Lanes *)(b + 16), s2 = *(const Lanes *)(b + 32), s3 = *(const Lanes *)(b + 48);
      for (int64_t k = x.at[i]; k < x.at[i + 1]; k++) {
        const float *w = weight + x.index[k] * width + from;
        const float v = x.value[k];
        s0 += v * *(const Lanes *)w;
        s1 += v * *(const Lanes *)(w + 16);
        s2 += v * *(const Lanes *)(w + 32);
        s3 += v * *(const Lanes *)(w + 48);
      }
      float *to = out + i * width + from;
      *(Lanes *)to = s0;
      *(Lanes *)(to + 16) = s1;
      *(Lanes *)(to + 32) = s2;
      *(Lanes *)(to + 48) = s3;
    }
  const int64_t rest = width - from;
  for (int64_t i = 0; rest > 0 && i < x.n; i++) {
    float *to = out + i * width + from;
    std::memcpy(to, bias + from, rest * sizeof(float));
    for (int64_t k = x.at[i]; k < x.at[i + 1]; k++) {
      const float *w = weight + x.index[k] * width + from;
      for (int64_t j = 0; j < rest; j++)
        to[j] += x.value[k] * w[j];
    }
  }
}

// grad [columns, width] += xᵀ · up [n, width].
PV_EACH_PROCESSOR static void sparse_transposed_times(const SparseRows &x, const float *up, int64_t width, float *grad) {
  int64_t from = 0;
  for (; from + kBlock <= width; from += kBlock)
    for (int64_t i = 0; i < x.n; i++) {
      const float *u = up + i * width + from;
      const Lanes u0 = *(const Lanes *)u, u1 = *(const Lanes *)(u + 16), u2 = *(const Lanes *)(u + 32), u3 = *(const Lanes *)(u + 48);
      for (int64_t k = x.at[i]; k < x.at[i + 1]; k++) {
        float *g = grad + x.index[k] * width + from;
        const float v = x.value[k];
        *(Lanes *)g += v * u0;
        *(Lanes *)(g + 16) += v * u1;
        *(Lanes *)(g + 32) += v * u2;
        *(Lanes *)(g + 48) += v * u3;
      }
    }
  const int64_t rest = width - from;
  for (int64_t i = 0; rest > 0 && i < x.n; i++) {
    const float *u = up + i * width + from;
    for (int64_t k = x.at[i]; k < x.at[i + 1]; k++) {
      float *g = grad + x.index[k] * width + from;
      for (int64_t j = 0; j < rest; j++)
        g[j] += x.value[k] * u[j];
    }
  }
}

// One step of Adam: mean and square keep a share of themselves and take a share of the gradient times scale; the
// weight moves by step · mean / (sqrt(square) · unbias + eps).
struct AdamStep {
  float scale, keep_mean, take_mean, keep_square, take_square, step, unbias, eps;
};

// n weights take one step; mean and square are Adam's moments.
PV_EACH_PROCESSOR static void adam_step(const AdamStep &s, int64_t n, const float *__restrict grad, float *__restrict weight,
                                 float *__restrict mean, float *__restrict square) {
  for (int64_t j = 0; j < n; j++) {
    const float g = grad[j] * s.scale;
    mean[j] = s.keep_mean * mean[j] + s.take_mean * g;
    square[j] = s.keep_square * square[j] + s.take_square * g * g;
    weight[j] -= s.step * mean[j] / (std::sqrt(square[j]) * s.unbias + s.eps);
  }
}
