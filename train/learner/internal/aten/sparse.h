// The first layer over bytes that are mostly 0, as those of observations and of rows of actions are: one in ten is
// not. Zeros cost nothing, forwards or backwards.
#pragma once

#include "kernels.h"

#include <vector>

#include <torch/torch.h>

// x · weightᵀ + bias on the CPU, with x the bytes [n, columns] times scale.
class SparseLinear : public torch::autograd::Function<SparseLinear> {
public:
  static torch::Tensor forward(torch::autograd::AutogradContext *context, const torch::Tensor &bytes, const torch::Tensor &scale,
                               const torch::Tensor &weight, const torch::Tensor &bias) {
    const int64_t n = bytes.size(0), width = weight.size(0);
    torch::Tensor at = torch::empty({n + 1}, torch::kLong), index, value;
    compress(bytes, scale, at, index, value);
    torch::Tensor out = torch::empty({n, width});
    sparse_times(rows(at, index, value), weight.t().contiguous().data_ptr<float>(), bias.data_ptr<float>(), width, out.data_ptr<float>());
    context->save_for_backward({at, index, value});
    context->saved_data["columns"] = weight.size(1);
    return out;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *context, torch::autograd::variable_list by) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor up = by[0].contiguous();
    const int64_t width = up.size(1);
    torch::Tensor grad = torch::zeros({context->saved_data["columns"].toInt(), width});
    sparse_transposed_times(rows(saved[0], saved[1], saved[2]), up.data_ptr<float>(), width, grad.data_ptr<float>());
    return {torch::Tensor(), torch::Tensor(), grad.t(), up.sum(0)};
  }

private:
  static SparseRows rows(const torch::Tensor &at, const torch::Tensor &index, const torch::Tensor &value) {
    return {at.size(0) - 1, at.data_ptr<int64_t>(), index.data_ptr<int32_t>(), value.data_ptr<float>()};
  }

  // Lists the non-zero bytes.
  static void compress(const torch::Tensor &bytes, const torch::Tensor &scale, const torch::Tensor &at, torch::Tensor &index, torch::Tensor &value) {
    const int64_t n = bytes.size(0), columns = bytes.size(1);
    const uint8_t *from = bytes.data_ptr<uint8_t>();
    const int64_t total = count_nonzero(from, n * columns);
    index = torch::empty({total}, torch::kInt);
    value = torch::empty({total}, torch::kFloat);
    int64_t *begin = at.data_ptr<int64_t>();
    int32_t *column = index.data_ptr<int32_t>();
    float *x = value.data_ptr<float>();
    const float *unit = scale.data_ptr<float>();
    int64_t found = 0;
    for (int64_t i = 0; i < n; i++, from += columns) {
      begin[i] = found;
      found += list_nonzero(from, columns, unit, column + found, x + found);
    }
    begin[n] = found;
  }
};

// Whether bytes are zero often enough for that to be the faster way.
inline bool mostly_zero(const torch::Tensor &bytes) {
  return count_nonzero(bytes.data_ptr<uint8_t>(), bytes.numel()) * 3 < bytes.numel();
}
