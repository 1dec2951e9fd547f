// The legal actions of decisions, one after another, and functions of their scores. Games allow few of their
// actions at a time: nothing here is computed for the others.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include <torch/torch.h>

constexpr double kIllegal = -1e9; // learner.IllegalLogp

// Which actions are legal in n decisions. Decision i has numbers offset[i] to offset[i+1] of
// whatever lies one for each legal action.
struct Legal {
  int64_t n = 0, actions = 0, total = 0;
  torch::Tensor offset; // [n+1] int64
  torch::Tensor place;  // [total] int64: row * actions + action

  explicit Legal(const torch::Tensor &mask) : n(mask.size(0)), actions(mask.size(1)) {
    offset = torch::empty({n + 1}, torch::kLong);
    int64_t *at = offset.data_ptr<int64_t>();
    std::vector<int64_t> found;
    found.reserve(n * 8);
    const uint8_t *from = mask.data_ptr<uint8_t>();
    for (int64_t i = 0; i < n; i++, from += actions) {
      at[i] = int64_t(found.size());
      for (int64_t j = 0; j < actions; j += 8) {
        const int64_t end = std::min(j + 8, actions);
        uint64_t any = 0;
        std::memcpy(&any, from + j, end - j);
        if (any)
          for (int64_t k = j; k < end; k++)
            if (from[k])
              found.push_back(i * actions + k);
      }
    }
    total = at[n] = int64_t(found.size());
    place = torch::empty({total}, torch::kLong);
    std::copy(found.begin(), found.end(), place.data_ptr<int64_t>());
  }

  // The numbers of the actions taken, [n], of which each must be legal.
  torch::Tensor taken(const torch::Tensor &action) const {
    torch::Tensor out = torch::empty({n}, torch::kLong);
    const int64_t *at = offset.data_ptr<int64_t>(), *where = place.data_ptr<int64_t>();
    for (int64_t i = 0; i < n; i++)
      out.data_ptr<int64_t>()[i] =
          std::lower_bound(where + at[i], where + at[i + 1], i * actions + action.data_ptr<int32_t>()[i]) - where;
    return out;
  }

  // By legal action, the decision that it belongs to and its number in it.
  std::pair<torch::Tensor, torch::Tensor> coordinates() const {
    torch::Tensor row = torch::repeat_interleave(torch::arange(n), offset.diff());
    return {row, torch::arange(total) - offset.index_select(0, row)};
  }

  int64_t most() const { return offset.diff().max().item<int64_t>(); }
};

// The scores of one decision.
struct Candidates {
  const float *score;
  int64_t count;
  double log_total; // of exp(score)

  Candidates(const float *scores, int64_t from, int64_t to) : score(scores + from), count(to - from) {
    const float most = *std::max_element(score, score + count);
    double sum = 0;
    for (int64_t j = 0; j < count; j++)
      sum += std::exp(score[j] - most);
    log_total = most + std::log(sum);
  }
  float logp(int64_t j) const { return float(score[j] - log_total); }
  double entropy() const {
    double sum = 0;
    for (int64_t j = 0; j < count; j++)
      sum -= std::exp(logp(j)) * logp(j);
    return sum;
  }
};

// Log-probabilities on the CPU of the legal actions, and their gradient.
class LogSoftmax : public torch::autograd::Function<LogSoftmax> {
public:
  static torch::Tensor forward(torch::autograd::AutogradContext *context, const torch::Tensor &scores, const torch::Tensor &offset) {
    torch::Tensor logp = torch::empty_like(scores);
    const int64_t *at = offset.data_ptr<int64_t>();
    const int64_t n = offset.size(0) - 1;
    const float *from = scores.data_ptr<float>();
    float *to = logp.data_ptr<float>();
    for (int64_t i = 0; i < n; i++) {
      Candidates c(from, at[i], at[i + 1]);
      for (int64_t j = 0; j < c.count; j++)
        to[at[i] + j] = c.logp(j);
    }
    context->save_for_backward({logp, offset});
    return logp;
  }

  // d logp[j] / d score[k] is [j = k] - p[k].
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *context, torch::autograd::variable_list by) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor up = by[0].contiguous();
    torch::Tensor grad = torch::empty_like(up);
    const float *logp = saved[0].data_ptr<float>(), *in = up.data_ptr<float>();
    const int64_t *at = saved[1].data_ptr<int64_t>();
    float *out = grad.data_ptr<float>();
    for (int64_t i = 0; i + 1 < saved[1].size(0); i++) {
      double sum = 0;
      for (int64_t j = at[i]; j < at[i + 1]; j++)
        sum += in[j];
      for (int64_t j = at[i]; j < at[i + 1]; j++)
        out[j] = float(in[j] - std::exp(logp[j]) * sum);
    }
    return {grad, torch::Tensor()};
  }
};

// By decision, the log-probability of the action taken, and the entropy as a share of
// the largest possible: log of the number of legal actions. A decision with one legal action has
// entropy 0 and must not be divided by log 1.
class Judgement : public torch::autograd::Function<Judgement> {
public:
  static torch::autograd::variable_list forward(torch::autograd::AutogradContext *context, const torch::Tensor &scores,
                                                const torch::Tensor &offset, const torch::Tensor &taken) {
    context->save_for_backward({scores, offset, taken});
    const int64_t n = taken.size(0);
    torch::Tensor logp = torch::empty({n}), entropy = torch::empty({n});
    const int64_t *at = offset.data_ptr<int64_t>();
    for (int64_t i = 0; i < n; i++) {
      Candidates c(scores.data_ptr<float>(), at[i], at[i + 1]);
      logp.data_ptr<float>()[i] = c.logp(taken.data_ptr<int64_t>()[i] - at[i]);
      entropy.data_ptr<float>()[i] = c.count < 2 ? 0.0 : c.entropy() / std::log(double(c.count));
    }
    return {logp, entropy};
  }

  // With p the probabilities and H the entropy, d log p[a] / d score[j] is
  // [j = a] - p[j], and dH / d score[j] is -p[j] (log p[j] + H).
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *context,
                                                 torch::autograd::variable_list by) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor by_logp = by[0].contiguous(), by_entropy = by[1].contiguous();
    torch::Tensor grad = torch::empty_like(saved[0]);
    const int64_t *at = saved[1].data_ptr<int64_t>();
    float *out = grad.data_ptr<float>();
    for (int64_t i = 0; i < saved[2].size(0); i++) {
      Candidates c(saved[0].data_ptr<float>(), at[i], at[i + 1]);
      const double taken = by_logp.data_ptr<float>()[i], entropy = c.entropy();
      const double share = c.count < 2 ? 0.0 : by_entropy.data_ptr<float>()[i] / std::log(double(c.count));
      for (int64_t j = 0; j < c.count; j++) {
        const double logp = c.logp(j);
        out[at[i] + j] = float(-std::exp(float(logp)) * (taken + share * (logp + entropy)));
      }
      out[saved[2].data_ptr<int64_t>()[i]] += float(taken);
    }
    return {grad, torch::Tensor(), torch::Tensor()};
  }
};

// The mean and, behind it, the largest of the vectors of each decision's legal actions.
class Pool : public torch::autograd::Function<Pool> {
public:
  static torch::Tensor forward(torch::autograd::AutogradContext *context, const torch::Tensor &vectors, const torch::Tensor &offset) {
    const int64_t n = offset.size(0) - 1, width = vectors.size(1);
    torch::Tensor out = torch::zeros({n, 2 * width}), who = torch::zeros({n, width}, torch::kLong);
    const int64_t *at = offset.data_ptr<int64_t>();
    const float *from = vectors.data_ptr<float>();
    for (int64_t i = 0; i < n; i++) {
      float *mean = out.data_ptr<float>() + 2 * width * i, *most = mean + width;
      int64_t *best = who.data_ptr<int64_t>() + width * i;
      for (int64_t j = at[i]; j < at[i + 1]; j++)
        for (int64_t k = 0; k < width; k++) {
          const float x = from[j * width + k];
          mean[k] += x;
          if (j == at[i] || x > most[k])
            most[k] = x, best[k] = j;
        }
      for (int64_t k = 0; k < width; k++)
        mean[k] /= float(at[i + 1] - at[i]);
    }
    context->save_for_backward({offset, who});
    return out;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *context, torch::autograd::variable_list by) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor up = by[0].contiguous();
    const int64_t n = saved[0].size(0) - 1, width = saved[1].size(1);
    const int64_t *at = saved[0].data_ptr<int64_t>(), *who = saved[1].data_ptr<int64_t>();
    torch::Tensor grad = torch::empty({at[n], width});
    float *out = grad.data_ptr<float>();
    for (int64_t i = 0; i < n; i++) {
      const float *mean = up.data_ptr<float>() + 2 * width * i, *most = mean + width;
      for (int64_t j = at[i]; j < at[i + 1]; j++)
        for (int64_t k = 0; k < width; k++)
          out[j * width + k] = mean[k] / float(at[i + 1] - at[i]);
      for (int64_t k = 0; k < width; k++)
        out[who[width * i + k] * width + k] += most[k];
    }
    return {grad, torch::Tensor()};
  }
};

// A decision's vector for each of its legal actions.
class Spread : public torch::autograd::Function<Spread> {
public:
  static torch::Tensor forward(torch::autograd::AutogradContext *context, const torch::Tensor &vectors, const torch::Tensor &offset) {
    context->save_for_backward({offset});
    const int64_t n = offset.size(0) - 1, width = vectors.size(1);
    const int64_t *at = offset.data_ptr<int64_t>();
    const torch::Tensor all = vectors.contiguous();
    torch::Tensor out = torch::empty({at[n], width});
    const float *from = all.data_ptr<float>();
    float *to = out.data_ptr<float>();
    for (int64_t i = 0; i < n; i++)
      for (int64_t j = at[i]; j < at[i + 1]; j++)
        std::memcpy(to + j * width, from + i * width, width * sizeof(float));
    return out;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *context, torch::autograd::variable_list by) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor up = by[0].contiguous();
    const int64_t n = saved[0].size(0) - 1, width = up.size(1);
    const int64_t *at = saved[0].data_ptr<int64_t>();
    torch::Tensor grad = torch::zeros({n, width});
    const float *__restrict from = up.data_ptr<float>();
    float *__restrict to = grad.data_ptr<float>();
    for (int64_t i = 0; i < n; i++)
      for (int64_t j = at[i]; j < at[i + 1]; j++)
        for (int64_t k = 0; k < width; k++)
          to[i * width + k] += from[j * width + k];
    return {grad, torch::Tensor()};
  }
};

// On any device: as above on the CPU, elsewhere on rows padded to the longest.

inline torch::Tensor padded(const torch::Tensor &x, const Legal &legal, double with) {
  auto [row, number] = legal.coordinates();
  std::vector<int64_t> shape = x.sizes().vec();
  shape.insert(shape.begin(), legal.n);
  shape[1] = legal.most();
  return torch::full(shape, with, x.options()).index_put({row.to(x.device()), number.to(x.device())}, x);
}

inline torch::Tensor log_softmax(const torch::Tensor &scores, const Legal &legal) {
  if (scores.is_cpu())
    return LogSoftmax::apply(scores.contiguous(), legal.offset);
  auto [row, number] = legal.coordinates();
  return at::log_softmax(padded(scores, legal, kIllegal), 1).index({row.to(scores.device()), number.to(scores.device())});
}

// Log-probability of the action taken, and entropy, [n] each; taken as of Legal::taken.
inline torch::autograd::variable_list judge(const torch::Tensor &scores, const Legal &legal, const torch::Tensor &taken) {
  if (scores.is_cpu())
    return Judgement::apply(scores.contiguous(), legal.offset, taken);
  torch::Tensor logp = at::log_softmax(padded(scores, legal, kIllegal), 1);
  torch::Tensor count = legal.offset.diff().to(torch::kFloat).to(scores.device());
  // exp(logp) is exactly 0 where illegal, and so is the product.
  torch::Tensor entropy = -(logp.exp() * logp).sum(1) / count.log().masked_fill(count < 2, 1.0);
  torch::Tensor number = (taken - legal.offset.narrow(0, 0, legal.n)).to(scores.device());
  return {logp.gather(1, number.unsqueeze(1)).squeeze(1), entropy};
}

inline torch::Tensor pool(const torch::Tensor &vectors, const Legal &legal) {
  if (vectors.is_cpu())
    return Pool::apply(vectors.contiguous(), legal.offset);
  torch::Tensor count = legal.offset.diff().to(torch::kFloat).to(vectors.device());
  torch::Tensor mean = padded(vectors, legal, 0).sum(1) / count.unsqueeze(1);
  return torch::cat({mean, std::get<0>(padded(vectors, legal, -INFINITY).max(1))}, 1);
}

inline torch::Tensor spread(const torch::Tensor &vectors, const Legal &legal) {
  if (vectors.is_cpu())
    return Spread::apply(vectors, legal.offset);
  return vectors.index_select(0, legal.coordinates().first.to(vectors.device()));
}

// Writes numbers of the legal actions to those of all actions; those that are not legal have another.
inline void write_legal(const torch::Tensor &x, const Legal &legal, double others, torch::Tensor to) {
  const torch::Tensor all = x.to(torch::kCPU).contiguous();
  to.fill_(others);
  for (int64_t j = 0; j < legal.total; j++)
    to.data_ptr<float>()[legal.place.data_ptr<int64_t>()[j]] = all.data_ptr<float>()[j];
}
