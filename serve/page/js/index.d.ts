/** The value of `Match.seat` if chance is to act: only in games with `chance=explicit`. */
export const CHANCE: -1;
/** The value of `Match.seat` when the match is over. */
export const OVER: -2;
/** In place of a seat: nothing is hidden. */
export const FULL: -1;

/** The code of an error. */
export type ErrorCode =
  /** An invalid argument. */
  | "bad_argument"
  /** The game string names an unknown game or parameter. */
  | "unknown_game"
  /** An impossible position, or one of another kind of game. */
  | "bad_position"
  /** The observations are impossible, or malformed. */
  | "bad_told"
  /** A transcript that cannot be replayed, or a match that has none. */
  | "bad_transcript"
  /** An unknown action, or one that is not legal now. */
  | "illegal_action"
  /** An unknown seat, or none is to act. */
  | "wrong_seat"
  /** An unknown player, or one of another game. */
  | "unknown_player"
  /** A bundle that is damaged, or cannot be loaded. */
  | "bad_policy"
  /** A policy, or a position, of another game. */
  | "misfit"
  /** The match was freed. */
  | "freed"
  /** The WebAssembly is of another version than this module. */
  | "wrong_version"
  /** A file cannot be loaded, or its WebAssembly cannot run. */
  | "not_loaded"
  /** The program has ended, for lack of memory or by a bug: load it again. */
  | "ended"
  /** A bug of privateer. The match is unchanged, and everything else continues to work. */
  | "internal";

/** The error of every refusal. A refused call changes nothing. */
export class PrivateerError extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, options?: ErrorOptions);
}

export interface LoadOptions {
  /** The WebAssembly, packed or not: its address, or its bytes. By default it lies beside the module. */
  wasm?: string | URL | ArrayBuffer | ArrayBufferView;
  /** The folder of the policies that come with the package. By default it lies beside the module. */
  policies?: string | URL;
}

/**
 * Load privateer. Each call returns a separate program, with its own matches and policies.
 *
 * @throws {PrivateerError} `not_loaded` or `wrong_version`
 */
export function load(options?: LoadOptions): Promise<Privateer>;

/** A whole number from 0 to 2**64-1: as a number below 2**53, else as a bigint or as digits. */
export type Seed = number | bigint | string;

export interface SeedOptions {
  /** By default a random one. */
  seed?: Seed;
}

/** A parameter of a game string. */
export interface Param {
  name: string;
  default: string;
  help: string;
  /** It is a set: the value is `none`, or some of these joined by `+`. */
  words?: string[];
  /** All possible values. */
  choices?: string[];
  /** Its value names a file, which cannot be read here: leave it as it is. */
  file?: boolean;
}

/** A game. */
export interface GameListing {
  /** Its name in game strings. */
  game: string;
  title: string;
  params: Param[];
}

/** The description of a configured game. */
export interface GameInfo {
  /** Its name in game strings. */
  game: string;
  title: string;
  /** The canonical game string. */
  config: string;
  /** Seats are 0 … seats-1. */
  seats: number;
  /** Names, by number. */
  actions: string[];
  /** Names of the outcomes of chance; their numbers continue from the actions. */
  outcomes: string[];
  /** Bytes of an observation, D. */
  observation: number;
  /** Bytes that describe one legal action, F; 0 if the game has none. */
  row: number;
  /** The sources of scores; empty if the game has none. */
  score_sources: string[];
  /** A return times this is in the game's own unit. */
  return_scale: number;
  /** Upper bound on the players' decisions in a match. */
  max_decisions: number;
  /** Returns may differ from 0 before the match is over. */
  pays_early: boolean;
  /** chance=explicit: the caller applies the outcomes of chance. */
  explicit: boolean;
  /** forced=show: decisions with one legal action are asked too. */
  show_forced: boolean;
  /** The advice at the end of rows, if the game string asks for it. */
  advice?: string[];
  /** The available players: bots, bundled policies and added ones. */
  players: string[];
}

/** An available trained policy. */
export interface PolicyListing {
  name: string;
  /** The game that it plays, in any configuration. */
  game: string;
}

/** Games, matches and policies of one program. `load` makes it. */
export class Privateer {
  private constructor();

  /** The version of the program. */
  readonly version: string;

  /** All games, with the parameters of their game strings. */
  games(): GameListing[];

  /**
   * The description of the game of a game string, such as `"doubloons(seats=4)"`.
   *
   * @throws {PrivateerError} `unknown_game`
   */
  game(game: string): GameInfo;

  /**
   * Deal a match. The same game, seed and actions give the same match everywhere.
   *
   * @throws {PrivateerError} `unknown_game` or `bad_argument`
   */
  match(game: string, options?: SeedOptions): Match;

  /**
   * A match at a position: JSON text, or the parsed value. Omitted parts are as in a fresh set-up. The view of a
   * seat from which something is hidden (`"?"`) is refused.
   *
   * @throws {PrivateerError} `unknown_game`, `bad_position` or `misfit`
   */
  read(game: string, position: string | object): Match;

  /**
   * Follow a match that is played elsewhere, from its beginning, by the observations of one seat.
   *
   * @throws {PrivateerError} `unknown_game` or `wrong_seat`
   */
  track(game: string, seat: number): Tracker;

  /**
   * A match at the end of a transcript: JSON text, the parsed value, or the text form. Seats, legality and returns are checked.
   *
   * @throws {PrivateerError} `bad_transcript` or `unknown_game`
   */
  replay(transcript: Transcript | string): Match;

  /** The available trained policies. */
  policies(): PolicyListing[];

  /**
   * Add a policy, the bytes of a bundle, and return its name as a player.
   *
   * @param name letters, digits, `-`, `_` and `.`; by default the digest of the bytes
   * @throws {PrivateerError} `bad_policy` or `bad_argument`
   */
  policy(bytes: ArrayBuffer | ArrayBufferView, name?: string): string;

  /**
   * The one table that privateer's own page plays at: messages in, messages out.
   *
   * @internal
   */
  table(page: { answer(text: string): void; keep(text: string): void; kept?: string }): (text: string) => void;
}

/** A legal action, or an outcome of chance. */
export interface Choice {
  /** Its number. */
  action: number;
  name: string;
  /** Its effect. */
  words: string;
  /** The element of the picture that it concerns: the one with this `data-mark`. */
  mark?: string;
  /** Its probability; only if chance is to act. */
  probability?: number;
}

/** An event, as a seat sees it: `privateer spec GAME --only events` describes the kinds. */
export type Event = { kind: string; [field: string]: unknown };

/**
 * An observation of a seat: a choice that it saw, including its own, before the effects of the choice, or an event. Leave out choices made face down, and
 * forced choices, which nobody is asked for.
 */
export type Told = { seat: number; action: number | string } | Event;

/** A position, or a seat's view of one: JSON, as `privateer spec GAME --only position_schema` describes it. */
export type Position = Record<string, unknown>;

/** Events, as a seat sees them. */
export interface Events {
  /**
   * Whether the seat sees this moment. If not, do not show it the match now: the mere question would reveal hidden
   * information. The events follow when the seat may see them.
   */
  seen: boolean;
  /** In order, as `privateer spec GAME --only events` describes them. */
  events: Event[];
  /** The same in sentences; some events have none. */
  log: string[];
}

/** The inputs of networks. */
export interface Encoding {
  /** `[D]`, the seat's observation. */
  observation: Uint8Array;
  /** `[A]`, 1 for each action that is legal; all are 0 unless the seat is to act. */
  mask: Uint8Array;
  /** `[legal, F]`, a row for each legal action with its effect as the seat knows it, in ascending order of actions. */
  rows: Uint8Array;
}

/** An action in the account of a player. Unknown values are null. */
export interface Considered {
  /** Its name. */
  action: string;
  /** The number of times that it was tried. */
  visits: number;
  /** The mean result for the seat to act. */
  mean: number | null;
  standard_error: number | null;
  /** Its mean minus that of the prior's choice, over the trials that they share. */
  lead: number | null;
  lead_standard_error: number | null;
  /** Its prior probability, before any trial. */
  prior_weight: number | null;
  /** The probability that it is chosen. */
  probability: number;
}

/** A player's reasons for its choice. */
export interface Account {
  /** The game string. */
  game: string;
  bot: string;
  seat: number;
  decision: string;
  /** The name of the action. */
  choice: string;
  /** The name of the prior's choice, before any search. */
  prior?: string;
  /** The unit of means and values: `"chance to win"` or `"return"`. */
  unit?: string;
  /** The value of the position to each seat; left out if the player has no estimate. */
  value?: (number | null)[];
  /** The best first. */
  actions?: Considered[];
  /** Remarks on the search. */
  notes?: string[];
}

/** A player's choice, with its reasons. */
export interface Thought {
  action: number;
  /** The name of the action. */
  name: string;
  /** `[A]`, the probability that each action is chosen. */
  probabilities: Float64Array;
  /** The value of the position to each seat, in the account's unit; null if the player has no estimate. */
  value: (number | null)[];
  account: Account;
}

/** A match that is played elsewhere, as one seat sees it. `Privateer.track` makes it. */
export class Tracker {
  private constructor();

  /**
   * A possible match in which the seat is to act, after all of its observations since the previous call, in order. The seat's
   * view of it is true; everything hidden from the seat is a guess.
   *
   * @param told a list, or JSON
   * @throws {PrivateerError} `bad_told`: the tracker is as it was
   */
  asked(told: Told[] | string): Match;
}

/** The record of a match, as engine/TRANSCRIPT.md has it. */
export interface Transcript {
  /** Version of the format. */
  transcript: 1;
  /** Version of the program that wrote it. */
  version?: string;
  game: string;
  /** In digits from 2**53 on. */
  seed: number | string;
  /** By seat. */
  players?: { name: string; digest?: string; faults?: number }[];
  tags?: Record<string, string>;
  comment?: string;
  /** Decisions, without forced ones; seat -1 is chance. */
  steps: { seat: number; action: string; comment?: string }[];
  /** By seat; null if the match was cut short. */
  returns: number[] | null;
}

/** One match. `Privateer.match`, `Privateer.read`, `Privateer.replay`, `Tracker.asked` and `Match.copy` make it. */
export class Match {
  private constructor();

  /** The canonical game string. */
  readonly game: string;
  /** The seat that is to act, `CHANCE` or `OVER`. */
  readonly seat: number;
  readonly over: boolean;
  /** The question, in one line. Only the seat that is to act may know it. */
  readonly decision: string;
  /** `[seats]`, each seat's return, from -1 to 1; final when the match is over. */
  readonly returns: number[];

  /** The legal actions of the seat that is to act, or the outcomes of chance, by ascending numbers. Only that seat may know them. */
  legal(): Choice[];

  /**
   * Perform an action, by its number or its name, and advance to the next decision.
   *
   * @throws {PrivateerError} `illegal_action`
   */
  apply(action: number | string): void;

  /**
   * The position as a seat sees it, or `FULL`. The latter reads back as the same match.
   *
   * @throws {PrivateerError} `wrong_seat`
   */
  view(seat: number): Position;

  /**
   * A picture of the match as a seat sees it, or `FULL`: SVG.
   *
   * @throws {PrivateerError} `wrong_seat`
   */
  svg(seat: number): string;

  /**
   * The match as a seat sees it, or `FULL`, for a terminal.
   *
   * @throws {PrivateerError} `wrong_seat`
   */
  text(seat: number): string;

  /**
   * The events since the previous call for the same seat, or `FULL`, as it sees them. A match that was copied or
   * read starts a list of its own.
   *
   * @throws {PrivateerError} `wrong_seat`
   */
  events(seat: number): Events;

  /**
   * The inputs of networks, such as those of `privateer/policy`.
   *
   * @param seat by default the one that is to act
   * @throws {PrivateerError} `wrong_seat`
   */
  encode(seat?: number): Encoding;

  /**
   * Ask a player for the action of the seat that is to act. It sees only that seat's view,
   * and all its random choices come from the seed. It thinks on this thread: in a page, run searches in a worker.
   *
   * @param player a policy such as `"captain"`, a bot such as `"heuristic"`, or a search such as
   *   `"search(rollouts=400,policy=captain)"`; `Privateer.game` lists them
   * @throws {PrivateerError} `unknown_player`, `misfit`, `bad_policy` or `wrong_seat`
   */
  think(player: string, options?: SeedOptions): Promise<Thought>;

  /**
   * The record of the match so far, from its deal, for `Privateer.replay`. It reveals everything, including the seed.
   *
   * @throws {PrivateerError} `bad_transcript`: the match was begun at a position
   */
  transcript(): Transcript;

  /** A copy of the match, with the same future chance events. */
  copy(): Match;

  /** Free the match; using it afterwards is an error. A match without references is freed automatically. */
  free(): void;
}
