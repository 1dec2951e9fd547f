// The losses, each readable from top to bottom. They are sums over the rows of a part of a minibatch; the weights
// of the whole minibatch sum to 1, so that the parts add up to the loss of one pass over all.
#pragma once

#include "network.h"

// The loss of a part and its measurements: numbers, the loss first.
struct Loss {
  Tensor loss;
  std::vector<Tensor> numbers;
};

// PPO, with a magnet if it has a weight. weights and advantages are those of the whole minibatch, normalised.
inline Loss ppo(const Network &network, const pv_rows &r, Span s, const pv_hyper &h, const Tensor &weights, const Tensor &advantages) {
  Decisions decisions(r, s);
  Tensor weight = weights.narrow(0, s.from, s.n), adv = advantages.narrow(0, s.from, s.n);
  auto mean_of = [&](const Tensor &x) { return (x * weight).sum(); };

  Tensor features = network.features(decisions);
  Tensor scores = network.scores(decisions, features);
  auto judged = judge(scores, decisions.legal, decisions.legal.taken(s.of(r.action)));

  Tensor log_ratio = judged[0] - network.bring(r.old_logp, s);
  Tensor ratio = log_ratio.exp();
  Tensor clipped = ratio.clamp(1 - h.clip, 1 + h.clip);
  Tensor policy_loss = mean_of(-at::minimum(adv * ratio, adv * clipped));
  Tensor entropy = mean_of(judged[1]);

  // The divergence from the policy to the magnet, which gives all legal actions equal chances.
  Tensor from_magnet = torch::zeros({}, scores.options());
  if (h.magnet_coef > 0) {
    Tensor logp = log_softmax(scores, decisions.legal);
    Tensor magnet = -decisions.legal.offset.diff().to(torch::kDouble).log().to(torch::kFloat).to(network.device());
    from_magnet = (decisions.by_action(weight) * logp.exp() * (logp - decisions.by_action(magnet))).sum();
  }

  // A critic that learns alone does not change the layers that it shares with the policy.
  Tensor values = network.values(r, s, h.critic_only ? features.detach() : features);
  Tensor value_loss = 0.5 * mean_of((values - network.bring(r.ret, s)).square());

  Tensor loss = h.vf_coef * value_loss;
  if (!h.critic_only)
    loss = policy_loss + h.magnet_coef * from_magnet - h.ent_coef * entropy + loss;

  torch::NoGradGuard no_grad;
  Tensor clip_frac = mean_of(((ratio - 1).abs() > h.clip).to(torch::kFloat));
  return {loss, {loss, policy_loss, value_loss, entropy, mean_of(-log_ratio), mean_of(ratio - 1 - log_ratio), clip_frac, from_magnet}};
}

// Imitation: the cross-entropy to a teacher's probabilities of the legal actions, less the teacher's own
// entropy, so that a perfect pupil's loss is 0 (which changes no gradient), and the error of the value. Squared: instead, half the squared
// error of log-probabilities, summed over the legal actions; the teacher's are known up to a number for each
// decision, so both count from their means.
inline Loss imitation(const Network &network, const pv_rows &r, Span s, const pv_hyper &h, const Tensor &weights) {
  Decisions decisions(r, s);
  Tensor weight = weights.narrow(0, s.from, s.n);
  auto mean_of = [&](const Tensor &x) { return (x * weight).sum(); };

  Tensor features = network.features(decisions);
  Tensor logp = log_softmax(network.scores(decisions, features), decisions.legal);
  Tensor taught = decisions.legal_numbers(r.target).to(network.device());
  Tensor by_action = decisions.by_action(weight);
  Tensor divergence;
  if (h.squared) {
    Tensor row = decisions.legal.coordinates().first.to(network.device()), off = logp - taught;
    Tensor count = decisions.legal.offset.diff().to(torch::kFloat).to(network.device());
    Tensor mean = torch::zeros({s.n}, off.options()).index_add(0, row, off) / count;
    divergence = 0.5 * (by_action * (off - mean.index_select(0, row)).square()).sum();
  } else {
    divergence = (by_action * (at::xlogy(taught, taught) - taught * logp)).sum();
  }

  Tensor value_loss = 0.5 * mean_of((network.values(r, s, features) - network.bring(r.ret, s)).square());
  Tensor loss = divergence + h.vf_coef * value_loss;

  torch::NoGradGuard no_grad;
  Tensor entropy = -(by_action * logp.exp() * logp).sum();
  return {loss, {loss, divergence, value_loss, entropy}};
}
