// The C face of shim.cpp. Tensors are `torch::Tensor *` as gotch hands them out.
// Functions that can fail return NULL, or a message that the caller frees.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pv_net pv_net;
typedef void *pv_tensor;

enum { PV_MLP, PV_ENTITY };

typedef struct {
  int network, hidden_layers, row_layers, critic_dim;
  double adam_eps;
} pv_config;

// Row buffers on the CPU, at least as many rows as a call uses.
typedef struct {
  pv_tensor obs, critic, mask;                             // uint8
  pv_tensor action;                                        // int32
  pv_tensor old_logp, advantage, ret, weight;              // float32
  pv_tensor logp, values;                                  // float32, written
  pv_tensor action_rows;                                   // uint8 [total, F], one for each legal action of each row
  pv_tensor offsets;                                       // int32 [n+1]: which of them, and of target, are whose
  pv_tensor target;                                        // float32 [total]
} pv_rows;

typedef struct {
  double lr, clip, ent_coef, vf_coef, max_grad_norm, magnet_coef;
  int norm_adv, critic_only, squared, dry_run;
} pv_hyper;

typedef struct {
  double loss, policy_loss, value_loss, entropy, old_approx_kl, approx_kl, clip_frac, magnet_kl, grad_norm;
} pv_stats;

typedef struct {
  double loss, divergence, value_loss, entropy, grad_norm;
} pv_imitation;

// names: the parameters' names, each followed by '\n', in the order of the
// three arrays of count tensors. The net shares the tensors' memory.
char *pv_net_new(const pv_config *config, const char *names, pv_tensor *params, pv_tensor *mean, pv_tensor *square,
                 int count, pv_tensor obs_scale, pv_tensor critic_scale, pv_tensor row_scale, pv_net **out);
void pv_net_free(pv_net *net);

char *pv_forward(pv_net *net, const pv_rows *rows, int64_t n, int want_policy, int want_values);
// step counts from 1 and corrects Adam's bias.
char *pv_update(pv_net *net, const pv_rows *rows, int64_t n, const pv_hyper *hyper, uint64_t step, pv_stats *out);
char *pv_imitate(pv_net *net, const pv_rows *rows, int64_t n, const pv_hyper *hyper, uint64_t step, pv_imitation *out);

char *pv_read(pv_tensor from, float *to, int64_t count);
char *pv_write(pv_tensor to, const float *from, int64_t count);

// How many threads share the rows of a call.
char *pv_set_threads(int n);
int pv_threads(void);
char *pv_seed(uint64_t seed);
// With to NULL, only says how long the generator's state is.
char *pv_rng_get(uint8_t *to, int64_t *length);
char *pv_rng_set(const uint8_t *from, int64_t length);

#ifdef __cplusplus
}
#endif
