// The network mlp: one linear score for every action of the game on top of the trunk.
#pragma once

#include "network.h"

class MLP : public Network {
public:
  MLP(const pv_config &c, const Params &p, const Tensor &obs_scale, const Tensor &critic_scale)
      : Network(c, p, obs_scale, critic_scale), weight(p.at("policy.weight")), bias(p.at("policy.bias")) {}

  Tensor scores(const Decisions &d, const Tensor &features) const override {
    Tensor logits = at::linear(features, weight, bias); // [n, A]
    return logits.view(-1).index_select(0, d.legal.place.to(device()));
  }

private:
  Tensor weight, bias;
};
