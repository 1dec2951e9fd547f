// Package train learns policies: by self-play with masked PPO, by self-play with counterfactual rollouts, or from a teacher. One
// network has all seats.
//
//	cfg, err := train.LoadConfig("train/configs/leduc.yaml")
//	sum, err := train.Run(ctx, cfg, train.Options{Progress: show})
//	sum, err = train.Resume(ctx, sum.Dir, nil, train.Options{}) // continues from the newest checkpoint
//
// Rooms, each of which imports only those before it:
//
//	learner         the network and its optimiser in libtorch; the losses are the C++ of learner/internal/aten/losses.h
//	selfplay        matches, opponents, the rollout buffer, advantages, schedules: what algorithms are made of
//	ppo             masked PPO, in one file
//	counterfactual  rollouts of the actions that were not taken
//	imitation       cloning and distillation of a teacher, asked live or recorded
//	train           algorithms (Register), configurations, run folders, checkpoints, evaluation, export
//
// Here config.go has what every run has and reads YAML and flags, algorithms.go registers the algorithms, validate.go checks,
// checkpoint.go is the file that a run resumes from, folder.go finds it, weights.go has the weights alone, policy.go loads a trained
// network to play, begin.go takes over weights, solve.go measures exploitability in small games and lets a network learn the average of a
// run's policies there, report.go says what a run tells its caller, run.go is the loop of a run, and export.go makes bundles,
// and stages.go trains the stages of a recipe one after another, each in a folder of its own in the run folder:
//
//	runs/{game}__{exp}__{seed}__{unixtime}/
//		config.yaml                resolved; what is not given has its default
//		metrics.jsonl              one line for each update; timings are kept apart under "time"
//		events.out.tfevents.*      the same for TensorBoard, one file for each process
//		checkpoints/step_*.ckpt    everything a resume needs (checkpoint.go), the newest few
//		checkpoints/best.ckpt      the best evaluation
//		checkpoints/average.ckpt   where exploitability is measured: the network that learnt the average policy, if it is the best
//		checkpoints/*.safetensors  the weights alone
//		teacher/*.bundle           of a stage that learns from the stages before: their policies
//
// A run that is killed at any moment loses the updates since its last checkpoint; resumed, it does them again and ends with the same
// weights and the same metrics, bit for bit, as one that never stopped, on the same machine with the same threads.
//
// The tensor work is behind learner.Learner, which needs libtorch (build tag
// torch). Everything else builds and tests without. Evaluation is in env/measure/compare.
package train
