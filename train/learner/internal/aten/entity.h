// The network entity: it scores an action by its row, the action's description. A small
// network with weights of its own, the same for all actions, makes an embedding e of each row. The mean and the
// largest of the candidates' embeddings, and the trunk's features of the state, form
// a query q, and
//
//   score = w · act(E e + q) + e · d,   q = Q features + C [mean(e), max(e)],   d = D features
//
// so that the cost grows with the legal actions only, and actions that were never seen before have a score.
#pragma once

#include "network.h"

class Entity : public Network {
public:
  Entity(const pv_config &c, const Params &p, const Tensor &obs_scale, const Tensor &critic_scale, const Tensor &row_scale)
      : Network(c, p, obs_scale, critic_scale), row_scale(row_scale), embed(p.at("embed.weight")),
        query_weight(p.at("query.weight")), query_bias(p.at("query.bias")), context(p.at("context.weight")),
        direct(p.at("direct.weight")), score(p.at("score.weight")) {
    for (int i = 0; i < c.row_layers; i++) {
      std::string at = "rows." + std::to_string(i) + ".";
      rows.push_back({p.at(at + "weight"), p.at(at + "bias"), Tensor(), Tensor()});
    }
  }

  Tensor scores(const Decisions &d, const Tensor &features) const override {
    Tensor e = run(rows, d.action_rows(), row_scale); // [total, E]
    Tensor query = at::linear(features, query_weight, query_bias) + at::linear(pool(e, d.legal), context);
    Tensor by_action = spread(torch::cat({query, at::linear(features, direct)}, 1), d.legal); // [total, 2E]
    Tensor met = (at::linear(e, embed) + by_action.narrow(1, 0, e.size(1))).relu_();
    return at::linear(met, score).squeeze(1) + (e * by_action.narrow(1, e.size(1), e.size(1))).sum(1);
  }

private:
  Tensor row_scale;
  std::vector<Layer> rows;
  Tensor embed, query_weight, query_bias, context, direct, score;
};
