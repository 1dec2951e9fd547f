// The losses, each readable from top to bottom. They are sums over the rows of a part of a minibatch; the weights
// of the whole minibatch sum to 1, so that the parts add up to what one pass over all would be.
#pragma once

#include "network.h"

// The loss of a part and what to tell of it: numbers, of which the loss is the first.
struct Loss {
  Tensor loss;
  std::vector<Tensor> numbers;
};

// PPO. advantages are normalised already, if they are to be.
inline Loss ppo(const Network &network, const pv_rows &r, Span s, const pv_hyper &h, const Tensor &weights, const Tensor &advantages) {
  Decisions decisions(r, s);
  Tensor weight = weights.narrow(0, s.from, s.n), adv = advantages.narrow(0, s.from, s.n);
  auto mean_of = [&](const Tensor &x) { return (x * weight).sum(); };

  Tensor features = network.features(decisions);
  Tensor scores = network.scores(decisions, features);
  auto judged = judge(scores, decisions.legal, decisions.legal.taken(s.of(r.action)));
  Tensor value = network.value(r, s, features);

  Tensor log_ratio = judged[0] - network.bring(r.old_logp, s);
  Tensor ratio = log_ratio.exp();
  Tensor clipped = ratio.clamp(1 - h.clip, 1 + h.clip);
  Tensor policy_loss = mean_of(-at::minimum(adv * ratio, adv * clipped));

  Tensor entropy = mean_of(judged[1]);
  Tensor target = network.bring(r.ret, s);
  Tensor value_error = (value - target).square();
  if (h.clip_vloss) {
    Tensor old = network.bring(r.old_value, s);
    Tensor near = old + (value - old).clamp(-h.clip, h.clip);
    value_error = at::maximum(value_error, (near - target).square());
  }
  Tensor value_loss = 0.5 * mean_of(value_error);
  Tensor loss = policy_loss - h.ent_coef * entropy + h.vf_coef * value_loss;

  torch::NoGradGuard no_grad;
  Tensor clip_frac = mean_of(((ratio - 1).abs() > h.clip).to(torch::kFloat));
  return {loss, {loss, policy_loss, value_loss, entropy, mean_of(-log_ratio), mean_of(ratio - 1 - log_ratio), clip_frac}};
}

// Imitation: the cross-entropy to a teacher's probabilities of the legal actions, less the teacher's own
// entropy, so that a perfect pupil's loss is 0 (which changes no gradient), and the error of the value.
inline Loss imitation(const Network &network, const pv_rows &r, Span s, const pv_hyper &h, const Tensor &weights) {
  Decisions decisions(r, s);
  Tensor weight = weights.narrow(0, s.from, s.n);
  auto mean_of = [&](const Tensor &x) { return (x * weight).sum(); };

  Tensor features = network.features(decisions);
  Tensor logp = log_softmax(network.scores(decisions, features), decisions.legal);
  const int32_t *offset = deref(r.offsets).data_ptr<int32_t>();
  Tensor taught = deref(r.target).narrow(0, offset[s.from], decisions.legal.total).to(network.device());
  Tensor by_action = weight.index_select(0, decisions.legal.coordinates().first.to(network.device()));
  Tensor divergence = (by_action * (at::xlogy(taught, taught) - taught * logp)).sum();

  Tensor value = network.value(r, s, features);
  Tensor value_loss = 0.5 * mean_of((value - network.bring(r.ret, s)).square());
  Tensor loss = divergence + h.vf_coef * value_loss;

  torch::NoGradGuard no_grad;
  Tensor entropy = -(by_action * logp.exp() * logp).sum();
  return {loss, {loss, divergence, value_loss, entropy}};
}
