// Package train learns policies: by self-play with masked PPO, by self-play with counterfactual rollouts, or from a teacher. One
// network has all seats.
//
//	cfg, err := train.LoadConfig("train/configs/leduc.yaml")
//	sum, err := train.Run(ctx, cfg, train.Options{Progress: show})
//	sum, err = train.Resume(ctx, sum.Dir, nil, train.Options{}) // goes on from the newest checkpoint
//
// It reads in this order: config.go has every setting, validate.go what it may be, schedule.go how it changes over a
// run. Each algorithm is a loop (collect, judge, update) in a file: ppo.go;
// counterfactual.go, which plays on the actions that were not taken (table.go: who plays these rollouts); imitate.go, which asks a
// teacher (exam.go: how well it was learnt) or remembers what it said (gather.go, labels.go, recall.go). begin.go takes over what
// others have learnt. trainer.go is what they are made of.
// Beside them are rollout.go (which decisions belong together), advantage.go (what they were worth), outlook.go (what else the value
// head tells), lessons.go (what
// the last two algorithms share), and of PPO focus.go (which decisions are learnt from), magnet.go (what the policy is drawn
// to) and league.go (whom it meets). The losses are the C++ of learner/internal/aten/losses.h, where the
// tensors are, and their settings are learner.Hyper. run.go wraps all of it into a run folder, solve.go
// measures exploitability in small games, and average.go lets a network learn the average of a run's policies there:
//
//	runs/{game}__{exp}__{seed}__{unixtime}/
//		config.yaml                resolved; what is not given has its default
//		metrics.jsonl              one line for each update; timings are kept apart under "time"
//		events.out.tfevents.*      the same for TensorBoard, one file for each process
//		checkpoints/step_*.ckpt    everything a resume needs (checkpoint.go), the newest few
//		checkpoints/best.ckpt      the best evaluation
//		checkpoints/average.ckpt   where exploitability is measured: the network that learnt the average policy, if it is the best
//		checkpoints/*.safetensors  the weights alone
//
// A run that is killed at any moment loses the updates since its last
// checkpoint; resumed, it does them again and ends with the same weights and the same
// metrics, bit for bit, as one that never stopped, on the same machine with the
// same threads.
//
// The tensor work is behind learner.Learner, which needs libtorch (build tag
// torch). Everything else, this package included, builds and tests without.
// Evaluation is in env/eval.
package train
