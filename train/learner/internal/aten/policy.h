// What logits say where only some actions are legal. On the CPU only the legal
// ones are computed with: games allow few of their actions at a time, and a row
// of logits is read once instead of by a dozen operators.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include <torch/torch.h>

constexpr double kIllegal = -1e9; // learner.IllegalLogp

// The rows of logits [n, actions] on the CPU with their mask, one at a time.
class LegalRows {
public:
  LegalRows(const torch::Tensor &logits, const torch::Tensor &mask)
      : actions(logits.size(1)), logits_(logits.contiguous()), mask_(mask.contiguous()), legal_(actions) {}

  // Moves to a row, which must have a legal action.
  void go(int64_t row) {
    logit = logits_.data_ptr<float>() + row * actions;
    const uint8_t *mask = mask_.data_ptr<uint8_t>() + row * actions;
    count = 0;
    for (int64_t j = 0; j < actions; j += 8) {
      const int64_t end = std::min(j + 8, actions);
      uint64_t any = 0;
      std::memcpy(&any, mask + j, end - j);
      if (any)
        for (int64_t k = j; k < end; k++)
          if (mask[k])
            legal_[count++] = k;
    }
    float most = logit[legal_[0]];
    for (int64_t j : *this)
      most = std::max(most, logit[j]);
    double sum = 0;
    for (int64_t j : *this)
      sum += std::exp(logit[j] - most);
    log_total_ = most + std::log(sum);
  }

  // Of the row: its legal actions, in order, and the logarithm of a legal one's probability.
  const int64_t *begin() const { return legal_.data(); }
  const int64_t *end() const { return legal_.data() + count; }
  float logp(int64_t action) const { return float(logit[action] - log_total_); }

  double entropy() const {
    double sum = 0;
    for (int64_t j : *this)
      sum -= std::exp(logp(j)) * logp(j);
    return sum;
  }

  const int64_t actions;
  const float *logit = nullptr; // [actions] of the row
  int64_t count = 0;            // of legal actions

private:
  torch::Tensor logits_, mask_;
  std::vector<int64_t> legal_;
  double log_total_ = 0;
};

// Writes the log-probabilities of all actions, kIllegal for those that are not legal.
inline void write_logp(const torch::Tensor &logits, const torch::Tensor &mask, torch::Tensor to) {
  if (!logits.is_cpu()) {
    to.copy_(at::log_softmax(logits.masked_fill(mask.eq(0), kIllegal), 1));
    return;
  }
  to.fill_(kIllegal);
  LegalRows rows(logits, mask);
  for (int64_t i = 0; i < logits.size(0); i++) {
    rows.go(i);
    float *out = to.data_ptr<float>() + i * rows.actions;
    for (int64_t j : rows)
      out[j] = rows.logp(j);
  }
}

// By row, the log-probability of the action taken, and the entropy as a share of
// the largest possible: log of the number of legal actions. A row with one legal action has
// entropy 0 and must not be divided by log 1.
class Judgement : public torch::autograd::Function<Judgement> {
public:
  static torch::autograd::variable_list forward(torch::autograd::AutogradContext *context, const torch::Tensor &logits,
                                                const torch::Tensor &mask, const torch::Tensor &action) {
    context->save_for_backward({logits, mask, action});
    const int64_t n = logits.size(0);
    torch::Tensor logp = torch::empty({n}), entropy = torch::empty({n});
    LegalRows rows(logits, mask);
    for (int64_t i = 0; i < n; i++) {
      rows.go(i);
      logp.data_ptr<float>()[i] = rows.logp(action.data_ptr<int32_t>()[i]);
      entropy.data_ptr<float>()[i] = rows.count < 2 ? 0.0 : rows.entropy() / std::log(double(rows.count));
    }
    return {logp, entropy};
  }

  // With p the probabilities and H the entropy, d log p[a] / d logit[j] is
  // [j = a] - p[j], and dH / d logit[j] is -p[j] (log p[j] + H).
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *context,
                                                 torch::autograd::variable_list by) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor by_logp = by[0].contiguous(), by_entropy = by[1].contiguous();
    torch::Tensor grad = torch::zeros(saved[0].sizes());
    LegalRows rows(saved[0], saved[1]);
    for (int64_t i = 0; i < grad.size(0); i++) {
      rows.go(i);
      float *out = grad.data_ptr<float>() + i * rows.actions;
      const double taken = by_logp.data_ptr<float>()[i], entropy = rows.entropy();
      const double spread = rows.count < 2 ? 0.0 : by_entropy.data_ptr<float>()[i] / std::log(double(rows.count));
      for (int64_t j : rows) {
        const double logp = rows.logp(j);
        out[j] = float(-std::exp(float(logp)) * (taken + spread * (logp + entropy)));
      }
      out[saved[2].data_ptr<int32_t>()[i]] += float(taken);
    }
    return {grad, torch::Tensor(), torch::Tensor()};
  }
};

// Judgement on any device: logits [n, actions], mask of the same shape, action [n].
inline torch::autograd::variable_list judge(const torch::Tensor &logits, const torch::Tensor &mask, const torch::Tensor &action) {
  if (logits.is_cpu())
    return Judgement::apply(logits, mask, action);
  torch::Tensor illegal = mask.eq(0);
  torch::Tensor logp = at::log_softmax(logits.masked_fill(illegal, kIllegal), 1);
  torch::Tensor legal = illegal.logical_not().sum(1).to(torch::kFloat);
  // exp(logp) is exactly 0 where illegal, and so is the product.
  torch::Tensor entropy = -(logp.exp() * logp).sum(1) / legal.log().masked_fill(legal < 2, 1.0);
  return {logp.gather(1, action.to(torch::kLong).unsqueeze(1)).squeeze(1), entropy};
}
