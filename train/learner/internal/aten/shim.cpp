//go:build torch

// The network and one step of PPO in C++, so that a whole forward pass or a
// whole update costs Go one call. Shapes and ranges were checked in Go.

#include "crew.h"
#include "policy.h"
#include "shim.h"

#include <cmath>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <torch/torch.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

using torch::Tensor;

namespace {

constexpr double kNormEps = 1e-5; // learner.NormEps

// Fewer rows than this are not worth a thread of their own.
constexpr int64_t kLeastRows = 32;

struct Layer {
  Tensor weight, bias, norm_weight, norm_bias;
};

Tensor &deref(pv_tensor t) { return *static_cast<Tensor *>(t); }

// Consecutive rows, or numbers.
struct Span {
  int64_t from, n;
  Span part(int k, int parts) const { return {from + n * k / parts, n * (k + 1) / parts - n * k / parts}; }
  Tensor of(pv_tensor t) const { return deref(t).narrow(0, from, n); }
};

// Never freed: its threads outlive the program's statics.
Crew &crew() {
  static Crew *c = new Crew;
  return *c;
}

// No exception may reach Go, where it would end the process.
template <class F> char *guard(F f) {
  try {
    f();
    return nullptr;
  } catch (const c10::Error &e) {
    return strdup(e.what_without_backtrace());
  } catch (const std::exception &e) {
    return strdup(e.what());
  } catch (...) {
    return strdup("unknown C++ exception");
  }
}

#ifdef __GLIBC__
// An update allocates and frees the same few megabytes each time. As glibc
// comes, it hands them back to the kernel and has them cleared anew, a tenth of
// the time of an update. This must precede the first allocation of any thread.
__attribute__((constructor)) void keep_memory() {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}
#endif

} // namespace

struct pv_net {
  pv_config config;
  std::vector<Tensor> params, mean, square;
  std::vector<Layer> trunk, critic;
  Tensor policy_weight, policy_bias, value_weight, value_bias, obs_scale, critic_scale;

  torch::Device device() const { return policy_weight.device(); }

  // Rows from … from+n of a buffer, on the network's device.
  Tensor rows(pv_tensor t, Span s) const { return deref(t).narrow(0, s.from, s.n).to(device()); }

  // How many parts n rows are worth splitting into. A device other than the CPU
  // has its own way to keep busy.
  int parts(int64_t n) const {
    return device().is_cpu() ? int(std::clamp<int64_t>(n / kLeastRows, 1, crew().size())) : 1;
  }

  // The first layer's share of a row: bytes (on the CPU) times scale times weight.
  // Most bytes of most games are 0 in every row of a batch, such as all that
  // belongs to absent seats; what they would be multiplied with is left out. The
  // result and its gradient are the same: 0 times anything.
  Tensor enter(const Tensor &bytes, const Tensor &scale, const Layer &l) const {
    if (!device().is_cpu())
      return at::linear(bytes.to(device()).to(torch::kFloat).mul_(scale), l.weight, l.bias);
    const int64_t n = bytes.size(0), width = bytes.size(1);
    const uint8_t *__restrict from = bytes.data_ptr<uint8_t>();
    std::vector<uint8_t> seen(width, 0);
    uint8_t *__restrict any = seen.data();
    for (int64_t i = 0; i < n; i++)
      for (int64_t j = 0; j < width; j++)
        any[j] |= from[i * width + j];
    Tensor used = torch::empty({width}, torch::kLong);
    int64_t *column = used.data_ptr<int64_t>(), count = 0;
    std::vector<std::pair<int64_t, int64_t>> runs; // of columns: [first, behind the last)
    for (int64_t j = 0; j < width; j++)
      if (any[j]) {
        column[count++] = j;
        if (!runs.empty() && runs.back().second == j)
          runs.back().second++;
        else
          runs.push_back({j, j + 1});
      }
    Tensor x = torch::empty({n, count});
    float *__restrict to = x.data_ptr<float>();
    const float *__restrict unit = scale.data_ptr<float>();
    for (int64_t i = 0; i < n; i++)
      for (const auto &run : runs) {
        const int64_t length = run.second - run.first;
        for (int64_t j = 0; j < length; j++)
          to[j] = float(from[i * width + run.first + j]) * unit[run.first + j];
        to += length;
      }
    if (count == width)
      return at::linear(x, l.weight, l.bias);
    return at::linear(x, l.weight.index_select(1, used.narrow(0, 0, count)), l.bias);
  }

  Tensor run(const std::vector<Layer> &layers, const Tensor &bytes, const Tensor &scale) const {
    Tensor x;
    for (const Layer &l : layers) {
      x = x.defined() ? at::linear(x, l.weight, l.bias) : enter(bytes, scale, l);
      x = at::layer_norm(x, {l.bias.size(0)}, l.norm_weight, l.norm_bias, kNormEps);
      x = config.silu ? at::silu(x) : at::relu_(x);
    }
    return x;
  }

  Tensor value(const pv_rows &r, Span s, const Tensor &features) const {
    Tensor x = config.critic_dim ? run(critic, s.of(r.critic), critic_scale) : features;
    return at::linear(x, value_weight, value_bias).squeeze(1);
  }

  void forward(const pv_rows &r, int64_t n, bool want_values) const {
    const int count = parts(n);
    crew().run(count, [&](int k) {
      torch::NoGradGuard no_grad;
      Span s = Span{0, n}.part(k, count);
      Tensor features = run(trunk, s.of(r.obs), obs_scale);
      write_logp(at::linear(features, policy_weight, policy_bias), rows(r.mask, s), s.of(r.logp));
      if (want_values)
        s.of(r.values).copy_(value(r, s, features));
    });
  }

  // What part of a minibatch adds to the whole.
  struct Part {
    std::vector<Tensor> grads;
    Tensor numbers; // as in pv_stats, without the norm
  };

  // The loss of the rows of s and its gradient. weights and advantages are those of the
  // whole minibatch, so that the parts add up to what one pass over all would be.
  Part differentiate(const pv_rows &r, Span s, const pv_hyper &h, const Tensor &weights, const Tensor &advantages) const {
    torch::AutoGradMode grad(true);
    Tensor weight = weights.narrow(0, s.from, s.n), adv = advantages.narrow(0, s.from, s.n);
    Tensor features = run(trunk, s.of(r.obs), obs_scale);
    auto judged = judge(at::linear(features, policy_weight, policy_bias), rows(r.mask, s), rows(r.action, s));
    Tensor v = value(r, s, features);
    auto mean_of = [&](const Tensor &x) { return (x * weight).sum(); };

    Tensor log_ratio = judged[0] - rows(r.old_logp, s);
    Tensor ratio = log_ratio.exp();
    Tensor clipped = ratio.clamp(1 - h.clip, 1 + h.clip);
    Tensor policy_loss = mean_of(-at::minimum(adv * ratio, adv * clipped));

    Tensor entropy = mean_of(judged[1]);
    Tensor target = rows(r.ret, s);
    Tensor value_error = (v - target).square();
    if (h.clip_vloss) {
      Tensor old = rows(r.old_value, s);
      Tensor near = old + (v - old).clamp(-h.clip, h.clip);
      value_error = at::maximum(value_error, (near - target).square());
    }
    Tensor value_loss = 0.5 * mean_of(value_error);
    Tensor loss = policy_loss - h.ent_coef * entropy + h.vf_coef * value_loss;

    Part part;
    part.grads = torch::autograd::grad({loss}, params);
    torch::NoGradGuard no_grad;
    Tensor clip_frac = mean_of(((ratio - 1).abs() > h.clip).to(torch::kFloat));
    part.numbers = torch::stack({loss, policy_loss, value_loss, entropy, mean_of(-log_ratio),
                                 mean_of(ratio - 1 - log_ratio), clip_frac});
    return part;
  }

  void update(const pv_rows &r, int64_t n, const pv_hyper &h, uint64_t step, pv_stats &out) {
    torch::NoGradGuard no_grad;
    const Span all{0, n};
    // Every mean is over the rows' weights; equal weights give the usual ones.
    Tensor weight = rows(r.weight, all);
    weight = weight / weight.sum();
    Tensor adv = rows(r.advantage, all);
    if (h.norm_adv) {
      adv = adv - (adv * weight).sum();
      adv = adv / ((adv * adv * weight).sum().sqrt() + 1e-8);
    }

    const int count = parts(n);
    std::vector<Part> work(count);
    crew().run(count, [&](int k) { work[k] = differentiate(r, all.part(k, count), h, weight, adv); });

    // In the order of the parts: the sums are the same every time.
    std::vector<Tensor> &grads = work[0].grads;
    Tensor square_sum = torch::zeros({}, weight.options());
    for (int k = 1; k < count; k++)
      work[0].numbers += work[k].numbers;
    for (size_t i = 0; i < grads.size(); i++) {
      for (int k = 1; k < count; k++)
        grads[i] = grads[i] + work[k].grads[i];
      square_sum += grads[i].square().sum();
    }
    // One transfer for all numbers, because each waits for the device.
    Tensor numbers = torch::cat({work[0].numbers, square_sum.sqrt().unsqueeze(0)}).to(torch::kCPU, torch::kDouble).contiguous();
    static_assert(sizeof(pv_stats) == 8 * sizeof(double), "pv_stats is eight doubles");
    std::memcpy(&out, numbers.data_ptr<double>(), sizeof out);
    if (!std::isfinite(out.grad_norm) || !std::isfinite(out.loss)) {
      std::ostringstream s;
      s << "not finite: loss " << out.loss << ", gradient norm " << out.grad_norm
        << ": look for NaN in advantages and returns, or lower the learning rate";
      throw std::runtime_error(s.str());
    }
    if (!h.dry_run)
      adam(grads, h, step, out.grad_norm);
  }

  void adam(const std::vector<Tensor> &grads, const pv_hyper &h, uint64_t step, double norm) {
    double scale = h.max_grad_norm > 0 ? std::min(1.0, h.max_grad_norm / (norm + 1e-6)) : 1.0;
    double correct1 = 1 - std::pow(config.beta1, double(step));
    double correct2 = 1 - std::pow(config.beta2, double(step));
    const int count = device().is_cpu() ? crew().size() : 1;
    crew().run(count, [&](int k) {
      torch::NoGradGuard no_grad;
      for (size_t i = 0; i < params.size(); i++) {
        // Each hand has its share of the numbers of every parameter.
        Span s = Span{0, params[i].numel()}.part(k, count);
        if (s.n == 0)
          continue;
        auto mine = [&](const Tensor &t) { return t.view(-1).narrow(0, s.from, s.n); };
        Tensor g = mine(grads[i].contiguous()).mul(scale), p = mine(params[i]), m = mine(mean[i]), v = mine(square[i]);
        m.mul_(config.beta1).add_(g, 1 - config.beta1);
        v.mul_(config.beta2).addcmul_(g, g, 1 - config.beta2);
        Tensor denominator = v.sqrt().div_(std::sqrt(correct2)).add_(config.eps);
        if (config.weight_decay > 0 && params[i].dim() > 1)
          p.mul_(1 - h.lr * config.weight_decay);
        p.addcdiv_(m, denominator, -h.lr / correct1);
      }
    });
  }
};

char *pv_net_new(const pv_config *config, const char *names, pv_tensor *params, pv_tensor *mean, pv_tensor *square,
                 int count, pv_tensor obs_scale, pv_tensor critic_scale, pv_net **out) {
  return guard([&] {
    auto net = std::make_unique<pv_net>();
    net->config = *config;
    std::map<std::string, Tensor> by_name;
    std::istringstream lines(names);
    std::string name;
    for (int i = 0; i < count && std::getline(lines, name); i++) {
      net->params.push_back(deref(params[i]).set_requires_grad(true));
      net->mean.push_back(deref(mean[i]));
      net->square.push_back(deref(square[i]));
      by_name[name] = net->params.back();
    }
    auto trunk = [&](const std::string &prefix) {
      std::vector<Layer> layers;
      for (int i = 0; i < config->hidden_layers; i++) {
        std::string p = prefix + "." + std::to_string(i) + ".";
        layers.push_back({by_name.at(p + "linear.weight"), by_name.at(p + "linear.bias"),
                          by_name.at(p + "norm.weight"), by_name.at(p + "norm.bias")});
      }
      return layers;
    };
    net->trunk = trunk("trunk");
    net->obs_scale = deref(obs_scale);
    if (config->critic_dim) {
      net->critic = trunk("critic");
      net->critic_scale = deref(critic_scale);
    }
    net->policy_weight = by_name.at("policy.weight");
    net->policy_bias = by_name.at("policy.bias");
    net->value_weight = by_name.at("value.weight");
    net->value_bias = by_name.at("value.bias");
    *out = net.release();
  });
}

void pv_net_free(pv_net *net) { delete net; }

char *pv_forward(pv_net *net, const pv_rows *rows, int64_t n, int want_values) {
  return guard([&] { net->forward(*rows, n, want_values); });
}

char *pv_update(pv_net *net, const pv_rows *rows, int64_t n, const pv_hyper *hyper, uint64_t step, pv_stats *out) {
  return guard([&] { net->update(*rows, n, *hyper, step, *out); });
}

char *pv_read(pv_tensor from, float *to, int64_t count) {
  return guard([&] {
    torch::NoGradGuard no_grad;
    Tensor t = deref(from).to(torch::kCPU).contiguous();
    TORCH_CHECK(t.numel() == count, "a tensor of ", t.numel(), " numbers, want ", count);
    std::memcpy(to, t.data_ptr<float>(), count * sizeof(float));
  });
}

char *pv_write(pv_tensor to, const float *from, int64_t count) {
  return guard([&] {
    torch::NoGradGuard no_grad;
    Tensor &t = deref(to);
    TORCH_CHECK(t.numel() == count, "a tensor of ", t.numel(), " numbers, want ", count);
    t.copy_(torch::from_blob(const_cast<float *>(from), t.sizes(), torch::kFloat));
  });
}

char *pv_set_threads(int n) {
  return guard([&] {
    at::set_num_threads(1);
    crew().resize(n);
  });
}

int pv_threads(void) { return crew().size(); }

char *pv_seed(uint64_t seed) {
  return guard([&] { torch::manual_seed(seed); });
}

char *pv_rng_get(uint8_t *to, int64_t *length) {
  return guard([&] {
    auto generator = at::globalContext().defaultGenerator(torch::kCPU);
    std::lock_guard<std::mutex> lock(generator.mutex());
    Tensor state = generator.get_state();
    *length = state.numel();
    if (to)
      std::memcpy(to, state.data_ptr<uint8_t>(), state.numel());
  });
}

char *pv_rng_set(const uint8_t *from, int64_t length) {
  return guard([&] {
    Tensor state = torch::empty({length}, torch::kByte);
    std::memcpy(state.data_ptr<uint8_t>(), from, length);
    auto generator = at::globalContext().defaultGenerator(torch::kCPU);
    std::lock_guard<std::mutex> lock(generator.mutex());
    generator.set_state(state);
  });
}
