// The losses, each readable from top to bottom. They are sums over the rows of a part of a minibatch; the weights
// of the whole minibatch sum to 1, so that the parts add up to what one pass over all would be.
#pragma once

#include "network.h"

// The loss of a part and what to tell of it: numbers, of which the loss is the first.
struct Loss {
  Tensor loss;
  std::vector<Tensor> numbers;
};

// What the rows of a minibatch weigh: those that bear on the policy among themselves, and all in the critic's error.
struct Weights {
  Tensor acting, all;
};

// The error of each row by the errors of all that the value head tells, [n, values]: that of the seat's own return, and the mean of the
// others', if there are any, by their weight.
inline Tensor own_and_others(const Tensor &errors, double others_coef) {
  Tensor own = errors.select(1, 0);
  const int64_t others = errors.size(1) - 1;
  return others == 0 ? own : own + others_coef * errors.narrow(1, 1, others).mean(1);
}

// PPO with what damps it. The rows of s bear on policy and value, those of rest on the value alone. advantages
// are normalised already, if they are to be.
inline Loss ppo(const Network &network, const pv_rows &r, Span s, Span rest, const pv_hyper &h, const Weights &weights, const Tensor &advantages) {
  Decisions decisions(r, s);
  Tensor weight = weights.acting.narrow(0, s.from, s.n), adv = advantages.narrow(0, s.from, s.n);
  auto mean_of = [&](const Tensor &x) { return (x * weight).sum(); };

  Tensor features = network.features(decisions);
  Tensor scores = network.scores(decisions, features);
  auto judged = judge(scores, decisions.legal, decisions.legal.taken(s.of(r.action)));

  Tensor log_ratio = judged[0] - network.bring(r.old_logp, s);
  Tensor ratio = log_ratio.exp();
  Tensor clipped = ratio.clamp(1 - h.clip, 1 + h.clip);
  Tensor policy_loss = mean_of(-at::minimum(adv * ratio, adv * clipped));
  Tensor entropy = mean_of(judged[1]);

  // How far the policy is from others: the divergence from it to the policy that collected, and to the magnet.
  Tensor from_data = torch::zeros({}, scores.options()), from_magnet = from_data;
  if (h.kl_coef > 0 || h.magnet_coef > 0) {
    Tensor logp = log_softmax(scores, decisions.legal), p = logp.exp();
    Tensor by_action = decisions.by_action(weight);
    auto divergence_to = [&](pv_tensor other) { return (by_action * p * (logp - decisions.legal_numbers(other).to(network.device()))).sum(); };
    if (h.kl_coef > 0)
      from_data = divergence_to(r.data_logp);
    if (h.magnet_coef > 0)
      from_magnet = divergence_to(r.magnet_logp);
  }

  auto error_of = [&](const Decisions &of, const Tensor &features, const Tensor &scores) {
    Tensor judged = network.judged(r, of.span, features);
    Tensor values = network.values(judged), targets = network.bring(r.ret, of.span);
    Tensor errors = (values - targets).square();
    if (h.clip_vloss) {
      Tensor old = network.bring(r.old_value, of.span);
      Tensor near = old + (values - old).clamp(-h.clip, h.clip);
      errors = at::maximum(errors, (near - targets).square());
    }
    Tensor error = own_and_others(errors, h.others_coef);
    if (network.action_critic) { // what is left of the target is what the action taken leads by
      Tensor taken = of.legal.taken(of.span.of(r.action)).to(network.device());
      Tensor lead = network.leads(of, judged, log_softmax(scores, of.legal).detach()).index_select(0, taken);
      error = error + (values.select(1, 0).detach() + lead - targets.select(1, 0)).square();
    }
    return 0.5 * (error * weights.all.narrow(0, of.span.from, of.span.n)).sum();
  };
  // A critic that learns alone leaves what it shares with the policy as it is.
  Tensor value_loss = error_of(decisions, h.critic_only ? features.detach() : features, scores);
  if (rest.n > 0) {
    Decisions others(r, rest);
    Tensor seen = network.features(others);
    value_loss = value_loss + error_of(others, seen, network.action_critic ? network.scores(others, seen) : Tensor());
  }

  Tensor loss = h.vf_coef * value_loss;
  if (!h.critic_only)
    loss = policy_loss + h.kl_coef * from_data + h.magnet_coef * from_magnet - h.ent_coef * entropy + loss;

  torch::NoGradGuard no_grad;
  Tensor clip_frac = mean_of(((ratio - 1).abs() > h.clip).to(torch::kFloat));
  return {loss, {loss, policy_loss, value_loss, entropy, mean_of(-log_ratio), mean_of(ratio - 1 - log_ratio), clip_frac, from_data, from_magnet}};
}

// Imitation: the cross-entropy to a teacher's probabilities of the legal actions, less the teacher's own
// entropy, so that a perfect pupil's loss is 0 (which changes no gradient), and the error of the value. Squared: instead, half of what
// log-probabilities are off, squared and summed over the legal actions; the teacher's are known up to a number for each
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

  Tensor errors = (network.values(network.judged(r, s, features)) - network.bring(r.ret, s)).square();
  Tensor value_loss = 0.5 * mean_of(own_and_others(errors, h.others_coef));
  Tensor loss = divergence + h.vf_coef * value_loss;

  torch::NoGradGuard no_grad;
  Tensor entropy = -(by_action * logp.exp() * logp).sum();
  return {loss, {loss, divergence, value_loss, entropy}};
}
