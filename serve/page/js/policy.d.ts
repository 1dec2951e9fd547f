/** A decision of a seat. */
export interface Decision {
  /** `[D]`, bytes as the game writes them. */
  observation: ArrayLike<number>;
  /** `[A]`, not 0 if the action is legal. */
  mask: ArrayLike<number>;
  /** `[legal, F]`, a row for each legal action in ascending order; only for policies whose `rowSize` is not 0. */
  rows?: Uint8Array;
}

/** A file is no bundle, is damaged, or does not fit. */
export class BundleError extends Error {}

/** The logit of an action that is not legal: the lowest float32. */
export const MASKED: number;

/** The description of a policy. */
export interface PolicyInfo {
  /** Game string that it was trained on. */
  readonly game: string;
  /** Name of that game; the policy plays every configuration. */
  readonly name: string;
  /** Names, by index in the mask. */
  readonly actions: string[];
  readonly choice: "sample" | "greedy";
  /** D */
  readonly observationSize: number;
  /** F; 0 if the policy reads no rows of actions. */
  readonly rowSize: number;
  /** Number of values of a decision: 1 with a value head, else 0. */
  readonly values: number;
}

/** A bundle, computed by this module. */
export interface Policy extends PolicyInfo {}
export class Policy {
  /** The action that the policy takes; random gives numbers from 0 to 1. */
  act(decision: Decision, random?: () => number): number;
  /** Logits of the legal actions, in ascending order. */
  logits(decision: Decision): Float64Array;
  /** A probability for each action of the game; 0 for those that are not legal. */
  probabilities(decision: Decision): Float32Array;
  /** The expected remaining return of the seat to act; empty without a value head. */
  value(observation: ArrayLike<number>): Float64Array;
}

/** An ONNX model in a runtime. */
export interface OnnxPolicy extends PolicyInfo {}
export class OnnxPolicy {
  act(decision: Decision, random?: () => number): Promise<number>;
  /** Masked logits `[A]`, probabilities `[A]` and values. */
  run(decision: Decision): Promise<{ logits: Float32Array; probabilities: Float32Array; value: Float32Array }>;
}

/** Read a bundle: the bytes of a file. */
export function loadBundle(bytes: ArrayBuffer | Uint8Array): Promise<Policy>;

/** Make a player of an ONNX model; `ort` is onnxruntime-web or onnxruntime-node, `manifest` the parsed MODEL.onnx.json. */
export function loadOnnx(ort: unknown, model: string | ArrayBuffer | Uint8Array, manifest: unknown): Promise<OnnxPolicy>;
