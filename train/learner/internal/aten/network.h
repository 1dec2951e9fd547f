// The common base of the networks: a trunk of layers over bytes, a value, and the
// legal actions that they score. Each network is a class of its own: mlp.h, entity.h.
#pragma once

#include "legal.h"
#include "shim.h"
#include "sparse.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <torch/torch.h>

using torch::Tensor;

constexpr double kNormEps = 1e-5; // learner.NormEps

using Params = std::map<std::string, Tensor>;

struct Layer {
  Tensor weight, bias, norm_weight, norm_bias; // without norm_weight: no LayerNorm
};

inline Tensor &deref(pv_tensor t) { return *static_cast<Tensor *>(t); }

// Consecutive rows, or numbers.
struct Span {
  int64_t from, n;
  Span part(int k, int parts) const { return {from + n * k / parts, n * (k + 1) / parts - n * k / parts}; }
  Tensor of(pv_tensor t) const { return deref(t).narrow(0, from, n); }
};

// The decisions of a span of rows, as networks see them.
struct Decisions {
  const pv_rows &rows;
  Span span;
  Legal legal;

  Decisions(const pv_rows &r, Span s) : rows(r), span(s), legal(s.of(r.mask)) {}

  // The rows of the legal actions, [legal.total, F].
  Tensor action_rows() const { return legal_numbers(rows.action_rows); }

  // A buffer's numbers for the legal actions, [legal.total].
  Tensor legal_numbers(pv_tensor all) const {
    const int32_t *offset = deref(rows.offsets).data_ptr<int32_t>();
    return deref(all).narrow(0, offset[span.from], legal.total);
  }

  // Numbers of the decisions, [n], for each of their legal actions.
  Tensor by_action(const Tensor &numbers) const { return numbers.index_select(0, legal.coordinates().first.to(numbers.device())); }
};

class Network {
public:
  virtual ~Network() = default;

  // Scores of the legal actions, one after another; their softmax over each decision is the policy.
  // features is the trunk's output for the decisions.
  virtual Tensor scores(const Decisions &d, const Tensor &features) const = 0;

  Tensor features(const Decisions &d) const { return features(d.rows, d.span); }
  Tensor features(const pv_rows &r, Span s) const { return run(trunk, s.of(r.obs), obs_scale); }

  // The critic's values of rows, [n]; features is the output of the policy's trunk for them.
  Tensor values(const pv_rows &r, Span s, const Tensor &features) const {
    return at::linear(config.critic_dim ? run(critic, s.of(r.critic), critic_scale) : features, value_weight, value_bias).select(1, 0);
  }

  torch::Device device() const { return value_weight.device(); }

  // Numbers of a buffer, on the network's device.
  Tensor bring(pv_tensor t, Span s) const { return s.of(t).to(device()); }

protected:
  Network(const pv_config &c, const Params &p, const Tensor &obs_scale, const Tensor &critic_scale)
      : config(c), obs_scale(obs_scale), critic_scale(critic_scale), trunk(layers(p, "trunk", c.hidden_layers)),
        value_weight(p.at("value.weight")), value_bias(p.at("value.bias")) {
    if (c.critic_dim)
      critic = layers(p, "critic", c.hidden_layers);
  }

  static std::vector<Layer> layers(const Params &p, const std::string &name, int count) {
    std::vector<Layer> out;
    for (int i = 0; i < count; i++) {
      std::string at = name + "." + std::to_string(i) + ".";
      out.push_back({p.at(at + "linear.weight"), p.at(at + "linear.bias"), p.at(at + "norm.weight"), p.at(at + "norm.bias")});
    }
    return out;
  }

  Tensor run(const std::vector<Layer> &layers, const Tensor &bytes, const Tensor &scale) const {
    Tensor x;
    for (const Layer &l : layers) {
      x = x.defined() ? at::linear(x, l.weight, l.bias) : enter(bytes, scale, l);
      if (l.norm_weight.defined())
        x = at::layer_norm(x, {l.bias.size(0)}, l.norm_weight, l.norm_bias, kNormEps);
      x = at::relu_(x);
    }
    return x;
  }

  // The first layer's share of a row: bytes (on the CPU) times scale times weight.
  Tensor enter(const Tensor &bytes, const Tensor &scale, const Layer &l) const {
    if (device().is_cpu() && mostly_zero(bytes))
      return SparseLinear::apply(bytes, scale, l.weight, l.bias);
    return at::linear(bytes.to(device()).to(torch::kFloat).mul_(scale), l.weight, l.bias);
  }

  pv_config config;
  Tensor obs_scale, critic_scale;
  std::vector<Layer> trunk, critic;
  Tensor value_weight, value_bias;
};
