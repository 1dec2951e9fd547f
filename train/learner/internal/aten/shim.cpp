//go:build torch

// The network and one step of PPO in C++, so that a whole forward pass or a
// whole update costs Go one call. Shapes and ranges were checked in Go.

#include "shim.h"

#include <cmath>
#include <cstring>
#include <future>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include <torch/torch.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

using torch::Tensor;

namespace {

constexpr double kIllegal = -1e9; // learner.IllegalLogp
constexpr double kNormEps = 1e-5; // learner.NormEps

struct Layer {
  Tensor weight, bias, norm_weight, norm_bias;
};

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

Tensor &deref(pv_tensor t) { return *static_cast<Tensor *>(t); }

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

  // The first n rows of a buffer, on the network's device.
  Tensor rows(pv_tensor t, int64_t n) const { return deref(t).narrow(0, 0, n).to(device()); }

  Tensor run(const std::vector<Layer> &layers, const Tensor &bytes, const Tensor &scale) const {
    Tensor x = bytes.to(torch::kFloat).mul_(scale);
    for (const Layer &l : layers) {
      x = at::linear(x, l.weight, l.bias);
      x = at::layer_norm(x, {l.bias.size(0)}, l.norm_weight, l.norm_bias, kNormEps);
      x = config.silu ? at::silu(x) : at::relu_(x);
    }
    return x;
  }

  Tensor masked_logp(const Tensor &features, const Tensor &illegal) const {
    Tensor logits = at::linear(features, policy_weight, policy_bias);
    return at::log_softmax(logits.masked_fill_(illegal, kIllegal), 1);
  }

  Tensor value(const pv_rows &r, int64_t n, const Tensor &features) const {
    Tensor x = config.critic_dim ? run(critic, rows(r.critic, n), critic_scale) : features;
    return at::linear(x, value_weight, value_bias).squeeze(1);
  }

  void forward(const pv_rows &r, int64_t n, bool want_values) const {
    torch::NoGradGuard no_grad;
    Tensor features = run(trunk, rows(r.obs, n), obs_scale);
    Tensor illegal = rows(r.mask, n).eq(0);
    deref(r.logp).narrow(0, 0, n).copy_(masked_logp(features, illegal));
    if (want_values)
      deref(r.values).narrow(0, 0, n).copy_(value(r, n, features));
  }

  void update(const pv_rows &r, int64_t n, const pv_hyper &h, uint64_t step, pv_stats &out) {
    torch::AutoGradMode grad(true);
    Tensor features = run(trunk, rows(r.obs, n), obs_scale);
    Tensor illegal = rows(r.mask, n).eq(0);
    Tensor logp = masked_logp(features, illegal);
    Tensor v = value(r, n, features);

    // Every mean is over the rows' weights; equal weights give the usual ones.
    Tensor weight = rows(r.weight, n);
    weight = weight / weight.sum();
    auto mean_of = [&](const Tensor &x) { return (x * weight).sum(); };

    Tensor adv = rows(r.advantage, n);
    if (h.norm_adv) {
      adv = adv - mean_of(adv);
      adv = adv / (mean_of(adv * adv).sqrt() + 1e-8);
    }

    Tensor action = rows(r.action, n).to(torch::kLong).unsqueeze(1);
    Tensor log_ratio = logp.gather(1, action).squeeze(1) - rows(r.old_logp, n);
    Tensor ratio = log_ratio.exp();
    Tensor clipped = ratio.clamp(1 - h.clip, 1 + h.clip);
    Tensor policy_loss = mean_of(-at::minimum(adv * ratio, adv * clipped));

    // exp(logp) is exactly 0 where illegal, and so is the product. A row with
    // one legal action has entropy 0 and must not be divided by log 1.
    Tensor legal = illegal.logical_not().sum(1).to(torch::kFloat);
    Tensor most = legal.log().masked_fill(legal < 2, 1.0);
    Tensor entropy = mean_of(-(logp.exp() * logp).sum(1) / most);

    Tensor target = rows(r.ret, n);
    Tensor value_error = (v - target).square();
    if (h.clip_vloss) {
      Tensor old = rows(r.old_value, n);
      Tensor near = old + (v - old).clamp(-h.clip, h.clip);
      value_error = at::maximum(value_error, (near - target).square());
    }
    Tensor value_loss = 0.5 * mean_of(value_error);
    Tensor loss = policy_loss - h.ent_coef * entropy + h.vf_coef * value_loss;

    std::vector<Tensor> grads = torch::autograd::grad({loss}, params);

    torch::NoGradGuard no_grad;
    Tensor square_sum = torch::zeros({}, loss.options());
    for (const Tensor &g : grads)
      square_sum += g.square().sum();
    Tensor clip_frac = mean_of(((ratio - 1).abs() > h.clip).to(torch::kFloat));
    // One transfer for all numbers, because each waits for the device.
    Tensor numbers = torch::stack({loss, policy_loss, value_loss, entropy, mean_of(-log_ratio),
                                   mean_of(ratio - 1 - log_ratio), clip_frac, square_sum.sqrt()})
                         .to(torch::kCPU, torch::kDouble)
                         .contiguous();
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

  void adam(std::vector<Tensor> &grads, const pv_hyper &h, uint64_t step, double norm) {
    double scale = h.max_grad_norm > 0 ? std::min(1.0, h.max_grad_norm / (norm + 1e-6)) : 1.0;
    double correct1 = 1 - std::pow(config.beta1, double(step));
    double correct2 = 1 - std::pow(config.beta2, double(step));
    for (size_t i = 0; i < params.size(); i++) {
      Tensor g = grads[i].mul(scale);
      mean[i].mul_(config.beta1).add_(g, 1 - config.beta1);
      square[i].mul_(config.beta2).addcmul_(g, g, 1 - config.beta2);
      Tensor denominator = square[i].sqrt().div_(std::sqrt(correct2)).add_(config.eps);
      if (config.weight_decay > 0 && params[i].dim() > 1)
        params[i].mul_(1 - h.lr * config.weight_decay);
      params[i].addcdiv_(mean[i], denominator, -h.lr / correct1);
    }
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

// libgomp's threads spin for milliseconds where they wait for one another, and
// on a machine with other work, such as our own environments, each spins away
// the time slice that the one it waits for needs: a step then takes ten times
// as long. Only variables read before main can shorten the spinning, or libgomp
// itself, when it counts more threads than CPUs. So a second team is made here
// that is as large as the machine and sleeps ever after.
char *pv_share_cpus(void) {
  return guard([] {
    std::promise<void> made;
    std::thread([&made] {
      int n = std::max(1u, std::thread::hardware_concurrency());
      try {
        at::set_num_threads(n);
        torch::full({n * 65536}, 1.0); // enough for every thread to join in
        made.set_value();
      } catch (...) {
        made.set_exception(std::current_exception());
      }
      for (;;)
        pause();
    }).detach();
    made.get_future().get();
  });
}

char *pv_set_threads(int n) {
  return guard([&] { at::set_num_threads(n); });
}

int pv_threads(void) { return at::get_num_threads(); }

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
