//go:build torch

// The C face of the networks, and one step down the gradient of a loss, so that a whole forward pass or a
// whole update costs Go one call. The networks are in mlp.h and entity.h, the losses in losses.h. Shapes
// and ranges were checked in Go.

#include "crew.h"
#include "entity.h"
#include "losses.h"
#include "mlp.h"
#include "shim.h"

#include <cmath>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include <torch/torch.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace {

// Fewer rows than this are not worth a thread of their own.
constexpr int64_t kLeastRows = 32;

// Of Adam's running means: of the gradient and of its square.
constexpr double kBeta1 = 0.9, kBeta2 = 0.999;

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
// An update allocates and frees the same few megabytes each time. By default
// glibc returns them to the kernel and gets them cleared again, a tenth of
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
  std::unique_ptr<Network> network;

  torch::Device device() const { return network->device(); }

  // The number of parts that n rows are worth splitting into. A device other than the CPU
  // has its own way to keep busy.
  int parts(int64_t n) const {
    return device().is_cpu() ? int(std::clamp<int64_t>(n / kLeastRows, 1, crew().size())) : 1;
  }

  void forward(const pv_rows &r, int64_t n, bool want_policy, bool want_values) const {
    const int count = parts(n);
    crew().run(count, [&](int k) {
      torch::NoGradGuard no_grad;
      Span s = Span{0, n}.part(k, count);
      Tensor features;
      if (want_policy || !config.critic_dim)
        features = network->features(r, s);
      if (want_policy) {
        Decisions d(r, s);
        write_legal(log_softmax(network->scores(d, features), d.legal), d.legal, kIllegal, s.of(r.logp));
      }
      if (want_values)
        s.of(r.values).copy_(network->values(r, s, features));
    });
  }

  // One step of Adam against the gradient of a loss, which is summed over parts of the rows. out gets the loss's
  // numbers and, behind them, the gradient's norm.
  template <class F> void descend(int64_t n, const pv_hyper &h, uint64_t step, double *out, F loss_of) {
    struct Part {
      std::vector<Tensor> grads;
      Tensor numbers;
    };
    const int count = parts(n);
    std::vector<Part> work(count);
    crew().run(count, [&](int k) {
      torch::AutoGradMode grad(true);
      Loss l = loss_of(k, count);
      work[k].grads = torch::autograd::grad({l.loss}, params, {}, c10::nullopt, false, true);
      torch::NoGradGuard no_grad;
      work[k].numbers = torch::stack(l.numbers);
    });

    // In the order of the parts: the sums are the same every time.
    torch::NoGradGuard no_grad;
    std::vector<Tensor> &grads = work[0].grads;
    Tensor square_sum = torch::zeros({}, params[0].options());
    for (int k = 1; k < count; k++)
      work[0].numbers += work[k].numbers;
    for (size_t i = 0; i < grads.size(); i++) {
      if (!grads[i].defined())
        continue; // nothing of the loss depends on it: it stays as it is
      for (int k = 1; k < count; k++)
        grads[i] = grads[i] + work[k].grads[i];
      grads[i] = grads[i].contiguous();
      square_sum += grads[i].square().sum();
    }
    // One transfer for all numbers, because each waits for the device.
    Tensor numbers = torch::cat({work[0].numbers, square_sum.sqrt().unsqueeze(0)}).to(torch::kCPU, torch::kDouble).contiguous();
    std::memcpy(out, numbers.data_ptr<double>(), numbers.numel() * sizeof(double));
    const double loss = out[0], norm = out[numbers.numel() - 1];
    if (!std::isfinite(norm) || !std::isfinite(loss)) {
      std::ostringstream s;
      s << "not finite: loss " << loss << ", gradient norm " << norm
        << ": look for NaN in advantages and returns, or lower the learning rate";
      throw std::runtime_error(s.str());
    }
    if (!h.dry_run)
      adam(grads, h, step, norm);
  }

  // Every mean is over the rows' weights; equal weights give the usual ones.
  Tensor weights(const pv_rows &r, int64_t n) const {
    Tensor weight = network->bring(r.weight, {0, n});
    return weight / weight.sum();
  }

  void update(const pv_rows &r, int64_t n, const pv_hyper &h, uint64_t step, pv_stats &out) {
    torch::NoGradGuard no_grad;
    Tensor weight = weights(r, n), adv = network->bring(r.advantage, {0, n});
    if (h.norm_adv) {
      adv = adv - (adv * weight).sum();
      adv = adv / ((adv * adv * weight).sum().sqrt() + 1e-8);
    }
    static_assert(sizeof(pv_stats) == 9 * sizeof(double), "pv_stats is what ppo tells, and the norm");
    descend(n, h, step, &out.loss, [&](int k, int parts) { return ppo(*network, r, Span{0, n}.part(k, parts), h, weight, adv); });
  }

  void imitate(const pv_rows &r, int64_t n, const pv_hyper &h, uint64_t step, pv_imitation &out) {
    torch::NoGradGuard no_grad;
    Tensor weight = weights(r, n);
    static_assert(sizeof(pv_imitation) == 5 * sizeof(double), "pv_imitation is what imitation tells, and the norm");
    descend(n, h, step, &out.loss, [&](int k, int parts) { return imitation(*network, r, Span{0, n}.part(k, parts), h, weight); });
  }

  void adam(const std::vector<Tensor> &grads, const pv_hyper &h, uint64_t step, double norm) {
    AdamStep a;
    a.scale = h.max_grad_norm > 0 ? std::min(1.0, h.max_grad_norm / (norm + 1e-6)) : 1.0;
    a.keep_mean = kBeta1, a.take_mean = 1 - kBeta1;
    a.keep_square = kBeta2, a.take_square = 1 - kBeta2;
    a.step = h.lr / (1 - std::pow(kBeta1, double(step)));
    a.unbias = 1 / std::sqrt(1 - std::pow(kBeta2, double(step)));
    a.eps = config.adam_eps;
    const int count = device().is_cpu() ? crew().size() : 1;
    crew().run(count, [&](int k) {
      torch::NoGradGuard no_grad;
      for (size_t i = 0; i < params.size(); i++) {
        if (!grads[i].defined())
          continue;
        // Each hand has its share of the numbers of every parameter.
        step_of(a, Span{0, params[i].numel()}.part(k, count), grads[i], params[i], mean[i], square[i]);
      }
    });
  }

  void step_of(const AdamStep &a, Span s, const Tensor &grad, const Tensor &param, const Tensor &mean, const Tensor &square) const {
    if (device().is_cpu()) {
      auto at = [&](const Tensor &t) { return t.data_ptr<float>() + s.from; };
      return adam_step(a, s.n, at(grad), at(param), at(mean), at(square));
    }
    Tensor g = grad * a.scale, p = param, m = mean, v = square;
    m.mul_(a.keep_mean).add_(g, a.take_mean);
    v.mul_(a.keep_square).addcmul_(g, g, a.take_square);
    p.addcdiv_(m, v.sqrt().mul_(a.unbias).add_(a.eps), -a.step);
  }
};

char *pv_net_new(const pv_config *config, const char *names, pv_tensor *params, pv_tensor *mean, pv_tensor *square,
                 int count, pv_tensor obs_scale, pv_tensor critic_scale, pv_tensor row_scale, pv_net **out) {
  return guard([&] {
    auto net = std::make_unique<pv_net>();
    net->config = *config;
    Params by_name;
    std::istringstream lines(names);
    std::string name;
    for (int i = 0; i < count && std::getline(lines, name); i++) {
      net->params.push_back(deref(params[i]).set_requires_grad(true));
      net->mean.push_back(deref(mean[i]));
      net->square.push_back(deref(square[i]));
      by_name[name] = net->params.back();
    }
    if (config->network == PV_ENTITY)
      net->network = std::make_unique<Entity>(*config, by_name, deref(obs_scale), deref(critic_scale), deref(row_scale));
    else
      net->network = std::make_unique<MLP>(*config, by_name, deref(obs_scale), deref(critic_scale));
    *out = net.release();
  });
}

void pv_net_free(pv_net *net) { delete net; }

char *pv_forward(pv_net *net, const pv_rows *rows, int64_t n, int want_policy, int want_values) {
  return guard([&] { net->forward(*rows, n, want_policy, want_values); });
}

char *pv_update(pv_net *net, const pv_rows *rows, int64_t n, const pv_hyper *hyper, uint64_t step, pv_stats *out) {
  return guard([&] { net->update(*rows, n, *hyper, step, *out); });
}

char *pv_imitate(pv_net *net, const pv_rows *rows, int64_t n, const pv_hyper *hyper, uint64_t step, pv_imitation *out) {
  return guard([&] { net->imitate(*rows, n, *hyper, step, *out); });
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
