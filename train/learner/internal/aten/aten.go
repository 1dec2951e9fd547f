//go:build torch

// Package aten is the thin C++ layer beneath the learner: the network's forward pass, one gradient step with Adam, and the few things of
// libtorch that gotch does not reach (thread count, generator state, errors for exceptions).
//
// Tensors are the pointers that gotch's Ctensor returns. The package has no lock and no thread: its caller makes all calls from one OS
// thread, and keeps the tensors of a Net alive as long as the Net.
package aten

// #cgo CXXFLAGS: -std=c++17 -O3
// #cgo LDFLAGS: -ltorch -ltorch_cpu -lc10 -lstdc++
// #include <stdlib.h>
// #include "shim.h"
import "C"

import (
	"errors"
	"strings"
	"unsafe"
)

// Tensor is a pointer to a torch::Tensor.
type Tensor = unsafe.Pointer

// Config describes the network that the parameters of a Net form, and sets up Adam.
type Config struct {
	Entity                          bool // the network entity, else mlp
	HiddenLayers, RowLayers         int
	CriticDim                       int
	AdamEps                         float64
	Names                           []string
	Params, Mean, Square            []Tensor // in the order of Names
	ObsScale, CriticScale, RowScale Tensor
}

// Rows are the buffers of a batch, on the CPU.
type Rows struct {
	Obs, Critic, Mask                  Tensor // uint8
	Action                             Tensor // int32
	OldLogp, Advantage, Return, Weight Tensor // float32
	Logp, Values                       Tensor // float32, written by Forward
	ActionRows                         Tensor // uint8, a row for each legal action
	Offsets                            Tensor // int32
	Target                             Tensor // float32, a number for each legal action
}

// Hyper, Stats and Imitation mirror the learner's types of these names.
type Hyper struct {
	LR, ClipCoef, EntCoef, VfCoef, MaxGradNorm, MagnetCoef float64
	NormAdv, CriticOnly, Squared, DryRun                   bool
}

type Stats struct {
	Loss, PolicyLoss, ValueLoss, Entropy, OldApproxKL, ApproxKL, ClipFrac, MagnetKL, GradNorm float64
}

type Imitation struct {
	Loss, Divergence, ValueLoss, Entropy, GradNorm float64
}

// Net is a network with its optimiser.
type Net struct{ c *C.pv_net }

// NewNet makes a Net that shares the memory of the given tensors.
func NewNet(cfg Config) (*Net, error) {
	names := C.CString(strings.Join(cfg.Names, "\n") + "\n")
	defer C.free(unsafe.Pointer(names))
	c := C.pv_config{
		hidden_layers: C.int(cfg.HiddenLayers), row_layers: C.int(cfg.RowLayers), critic_dim: C.int(cfg.CriticDim),
		adam_eps: C.double(cfg.AdamEps),
	}
	if cfg.Entity {
		c.network = C.PV_ENTITY
	}
	n := &Net{}
	err := failure(C.pv_net_new(&c, names, array(cfg.Params), array(cfg.Mean), array(cfg.Square),
		C.int(len(cfg.Names)), C.pv_tensor(cfg.ObsScale), C.pv_tensor(cfg.CriticScale), C.pv_tensor(cfg.RowScale), &n.c))
	if err != nil {
		return nil, err
	}
	return n, nil
}

// Free releases the Net, not the tensors it was made of.
func (n *Net) Free() { C.pv_net_free(n.c) }

// Forward fills the first n rows of Logp and of Values, as asked.
func (n *Net) Forward(r Rows, rows int, policy, values bool) error {
	c := r.c()
	return failure(C.pv_forward(n.c, &c, C.int64_t(rows), flag(policy), flag(values)))
}

// Update takes one gradient step on the first n rows; step counts from 1.
func (n *Net) Update(r Rows, rows int, h Hyper, step uint64) (Stats, error) {
	c, ch := r.c(), h.c()
	var s C.pv_stats
	err := failure(C.pv_update(n.c, &c, C.int64_t(rows), &ch, C.uint64_t(step), &s))
	return Stats{
		Loss: float64(s.loss), PolicyLoss: float64(s.policy_loss), ValueLoss: float64(s.value_loss), Entropy: float64(s.entropy),
		OldApproxKL: float64(s.old_approx_kl), ApproxKL: float64(s.approx_kl), ClipFrac: float64(s.clip_frac),
		MagnetKL: float64(s.magnet_kl), GradNorm: float64(s.grad_norm),
	}, err
}

// Imitate takes one step towards Target on the first n rows; step counts from 1.
func (n *Net) Imitate(r Rows, rows int, h Hyper, step uint64) (Imitation, error) {
	c, ch := r.c(), h.c()
	var s C.pv_imitation
	err := failure(C.pv_imitate(n.c, &c, C.int64_t(rows), &ch, C.uint64_t(step), &s))
	return Imitation{
		Loss: float64(s.loss), Divergence: float64(s.divergence), ValueLoss: float64(s.value_loss),
		Entropy: float64(s.entropy), GradNorm: float64(s.grad_norm),
	}, err
}

func (h Hyper) c() C.pv_hyper {
	return C.pv_hyper{
		lr: C.double(h.LR), clip: C.double(h.ClipCoef), ent_coef: C.double(h.EntCoef), vf_coef: C.double(h.VfCoef),
		max_grad_norm: C.double(h.MaxGradNorm), magnet_coef: C.double(h.MagnetCoef),
		norm_adv: flag(h.NormAdv), critic_only: flag(h.CriticOnly), squared: flag(h.Squared), dry_run: flag(h.DryRun),
	}
}

func (r Rows) c() C.pv_rows {
	return C.pv_rows{
		obs: C.pv_tensor(r.Obs), critic: C.pv_tensor(r.Critic), mask: C.pv_tensor(r.Mask), action: C.pv_tensor(r.Action),
		old_logp: C.pv_tensor(r.OldLogp), advantage: C.pv_tensor(r.Advantage), ret: C.pv_tensor(r.Return),
		weight: C.pv_tensor(r.Weight),
		logp:   C.pv_tensor(r.Logp), values: C.pv_tensor(r.Values),
		action_rows: C.pv_tensor(r.ActionRows), offsets: C.pv_tensor(r.Offsets), target: C.pv_tensor(r.Target),
	}
}

// Read copies a float32 tensor of any device out.
func Read(t Tensor, to []float32) error {
	return failure(C.pv_read(C.pv_tensor(t), (*C.float)(unsafe.SliceData(to)), C.int64_t(len(to))))
}

// Write copies numbers into a float32 tensor of any device.
func Write(t Tensor, from []float32) error {
	return failure(C.pv_write(C.pv_tensor(t), (*C.float)(unsafe.SliceData(from)), C.int64_t(len(from))))
}

// SetThreads sets among how many threads the rows of a call are split.
func SetThreads(n int) error { return failure(C.pv_set_threads(C.int(n))) }

// Threads returns the number that SetThreads set.
func Threads() int { return int(C.pv_threads()) }

// Seed seeds libtorch's generators.
func Seed(seed uint64) error { return failure(C.pv_seed(C.uint64_t(seed))) }

// RNG copies the state of libtorch's CPU generator out.
func RNG() ([]byte, error) {
	var n C.int64_t
	if err := failure(C.pv_rng_get(nil, &n)); err != nil {
		return nil, err
	}
	state := make([]byte, n)
	err := failure(C.pv_rng_get((*C.uint8_t)(unsafe.SliceData(state)), &n))
	return state, err
}

// SetRNG puts a state from RNG back.
func SetRNG(state []byte) error {
	return failure(C.pv_rng_set((*C.uint8_t)(unsafe.SliceData(state)), C.int64_t(len(state))))
}

func array(ts []Tensor) *C.pv_tensor { return (*C.pv_tensor)(unsafe.SliceData(ts)) }

func flag(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

// failure turns the shim's message into an error and frees it.
func failure(msg *C.char) error {
	if msg == nil {
		return nil
	}
	defer C.free(unsafe.Pointer(msg))
	return errors.New(C.GoString(msg))
}
