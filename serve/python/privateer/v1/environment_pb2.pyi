import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from privateer.v1 import tensor_pb2 as _tensor_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AutoresetMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    AUTORESET_MODE_UNSPECIFIED: _ClassVar[AutoresetMode]
    AUTORESET_MODE_NEXT_STEP: _ClassVar[AutoresetMode]
    AUTORESET_MODE_SAME_STEP: _ClassVar[AutoresetMode]
    AUTORESET_MODE_DISABLED: _ClassVar[AutoresetMode]
AUTORESET_MODE_UNSPECIFIED: AutoresetMode
AUTORESET_MODE_NEXT_STEP: AutoresetMode
AUTORESET_MODE_SAME_STEP: AutoresetMode
AUTORESET_MODE_DISABLED: AutoresetMode

class DescribeRequest(_message.Message):
    __slots__ = ("game",)
    GAME_FIELD_NUMBER: _ClassVar[int]
    game: str
    def __init__(self, game: _Optional[str] = ...) -> None: ...

class DescribeResponse(_message.Message):
    __slots__ = ("games", "version")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[Game]
    version: str
    def __init__(self, games: _Optional[_Iterable[_Union[Game, _Mapping]]] = ..., version: _Optional[str] = ...) -> None: ...

class Game(_message.Message):
    __slots__ = ("name", "config", "title", "seats", "actions", "observation", "full_observation", "score_sources", "return_scale", "max_decisions", "bots", "parameters", "action_row")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    FULL_OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    SCORE_SOURCES_FIELD_NUMBER: _ClassVar[int]
    RETURN_SCALE_FIELD_NUMBER: _ClassVar[int]
    MAX_DECISIONS_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    ACTION_ROW_FIELD_NUMBER: _ClassVar[int]
    name: str
    config: str
    title: str
    seats: int
    actions: _containers.RepeatedScalarFieldContainer[str]
    observation: Schema
    full_observation: Schema
    score_sources: _containers.RepeatedScalarFieldContainer[str]
    return_scale: float
    max_decisions: int
    bots: _containers.RepeatedScalarFieldContainer[str]
    parameters: _containers.RepeatedCompositeFieldContainer[Parameter]
    action_row: Schema
    def __init__(self, name: _Optional[str] = ..., config: _Optional[str] = ..., title: _Optional[str] = ..., seats: _Optional[int] = ..., actions: _Optional[_Iterable[str]] = ..., observation: _Optional[_Union[Schema, _Mapping]] = ..., full_observation: _Optional[_Union[Schema, _Mapping]] = ..., score_sources: _Optional[_Iterable[str]] = ..., return_scale: _Optional[float] = ..., max_decisions: _Optional[int] = ..., bots: _Optional[_Iterable[str]] = ..., parameters: _Optional[_Iterable[_Union[Parameter, _Mapping]]] = ..., action_row: _Optional[_Union[Schema, _Mapping]] = ...) -> None: ...

class Parameter(_message.Message):
    __slots__ = ("name", "default_value", "help")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_VALUE_FIELD_NUMBER: _ClassVar[int]
    HELP_FIELD_NUMBER: _ClassVar[int]
    name: str
    default_value: str
    help: str
    def __init__(self, name: _Optional[str] = ..., default_value: _Optional[str] = ..., help: _Optional[str] = ...) -> None: ...

class Schema(_message.Message):
    __slots__ = ("hash", "size", "groups")
    HASH_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    hash: str
    size: int
    groups: _containers.RepeatedCompositeFieldContainer[Group]
    def __init__(self, hash: _Optional[str] = ..., size: _Optional[int] = ..., groups: _Optional[_Iterable[_Union[Group, _Mapping]]] = ...) -> None: ...

class Group(_message.Message):
    __slots__ = ("name", "offset", "shape", "max", "scale", "doc", "words")
    NAME_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    SHAPE_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    SCALE_FIELD_NUMBER: _ClassVar[int]
    DOC_FIELD_NUMBER: _ClassVar[int]
    WORDS_FIELD_NUMBER: _ClassVar[int]
    name: str
    offset: int
    shape: _containers.RepeatedScalarFieldContainer[int]
    max: int
    scale: float
    doc: str
    words: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., offset: _Optional[int] = ..., shape: _Optional[_Iterable[int]] = ..., max: _Optional[int] = ..., scale: _Optional[float] = ..., doc: _Optional[str] = ..., words: _Optional[_Iterable[str]] = ...) -> None: ...

class OpenRequest(_message.Message):
    __slots__ = ("game", "num_envs", "seed", "autoreset_mode", "max_decisions", "full_view", "shuffle_seats", "players", "lease", "action_rows")
    GAME_FIELD_NUMBER: _ClassVar[int]
    NUM_ENVS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    AUTORESET_MODE_FIELD_NUMBER: _ClassVar[int]
    MAX_DECISIONS_FIELD_NUMBER: _ClassVar[int]
    FULL_VIEW_FIELD_NUMBER: _ClassVar[int]
    SHUFFLE_SEATS_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    ACTION_ROWS_FIELD_NUMBER: _ClassVar[int]
    game: str
    num_envs: int
    seed: int
    autoreset_mode: AutoresetMode
    max_decisions: int
    full_view: bool
    shuffle_seats: bool
    players: _containers.RepeatedScalarFieldContainer[str]
    lease: _duration_pb2.Duration
    action_rows: bool
    def __init__(self, game: _Optional[str] = ..., num_envs: _Optional[int] = ..., seed: _Optional[int] = ..., autoreset_mode: _Optional[_Union[AutoresetMode, str]] = ..., max_decisions: _Optional[int] = ..., full_view: bool = ..., shuffle_seats: bool = ..., players: _Optional[_Iterable[str]] = ..., lease: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., action_rows: bool = ...) -> None: ...

class OpenResponse(_message.Message):
    __slots__ = ("session_id", "game", "lease", "max_decisions", "seed", "version")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    MAX_DECISIONS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    game: Game
    lease: _duration_pb2.Duration
    max_decisions: int
    seed: int
    version: str
    def __init__(self, session_id: _Optional[str] = ..., game: _Optional[_Union[Game, _Mapping]] = ..., lease: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., max_decisions: _Optional[int] = ..., seed: _Optional[int] = ..., version: _Optional[str] = ...) -> None: ...

class RenewRequest(_message.Message):
    __slots__ = ("session_id",)
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ...) -> None: ...

class RenewResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AttachRequest(_message.Message):
    __slots__ = ("session_id",)
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ...) -> None: ...

class AttachResponse(_message.Message):
    __slots__ = ("opened", "session", "seq", "batch")
    OPENED_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    BATCH_FIELD_NUMBER: _ClassVar[int]
    opened: OpenRequest
    session: OpenResponse
    seq: int
    batch: Batch
    def __init__(self, opened: _Optional[_Union[OpenRequest, _Mapping]] = ..., session: _Optional[_Union[OpenResponse, _Mapping]] = ..., seq: _Optional[int] = ..., batch: _Optional[_Union[Batch, _Mapping]] = ...) -> None: ...

class ResetCommand(_message.Message):
    __slots__ = ("seed", "rows", "seeds")
    SEED_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    SEEDS_FIELD_NUMBER: _ClassVar[int]
    seed: int
    rows: _tensor_pb2.Tensor
    seeds: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seed: _Optional[int] = ..., rows: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., seeds: _Optional[_Iterable[int]] = ...) -> None: ...

class ResetRequest(_message.Message):
    __slots__ = ("session_id", "seq", "reset")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    RESET_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    seq: int
    reset: ResetCommand
    def __init__(self, session_id: _Optional[str] = ..., seq: _Optional[int] = ..., reset: _Optional[_Union[ResetCommand, _Mapping]] = ...) -> None: ...

class ResetResponse(_message.Message):
    __slots__ = ("seq", "batch")
    SEQ_FIELD_NUMBER: _ClassVar[int]
    BATCH_FIELD_NUMBER: _ClassVar[int]
    seq: int
    batch: Batch
    def __init__(self, seq: _Optional[int] = ..., batch: _Optional[_Union[Batch, _Mapping]] = ...) -> None: ...

class StepRequest(_message.Message):
    __slots__ = ("session_id", "seq", "actions", "reset", "draw_seed")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    RESET_FIELD_NUMBER: _ClassVar[int]
    DRAW_SEED_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    seq: int
    actions: _tensor_pb2.Tensor
    reset: ResetCommand
    draw_seed: int
    def __init__(self, session_id: _Optional[str] = ..., seq: _Optional[int] = ..., actions: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., reset: _Optional[_Union[ResetCommand, _Mapping]] = ..., draw_seed: _Optional[int] = ...) -> None: ...

class StepResponse(_message.Message):
    __slots__ = ("seq", "batch", "drawn_actions")
    SEQ_FIELD_NUMBER: _ClassVar[int]
    BATCH_FIELD_NUMBER: _ClassVar[int]
    DRAWN_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    seq: int
    batch: Batch
    drawn_actions: _tensor_pb2.Tensor
    def __init__(self, seq: _Optional[int] = ..., batch: _Optional[_Union[Batch, _Mapping]] = ..., drawn_actions: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ...) -> None: ...

class Batch(_message.Message):
    __slots__ = ("observation", "full_observation", "action_mask", "current_player", "reward", "terminated", "truncated", "episode_step", "seating", "endings", "action_rows", "action_offsets")
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    FULL_OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    ACTION_MASK_FIELD_NUMBER: _ClassVar[int]
    CURRENT_PLAYER_FIELD_NUMBER: _ClassVar[int]
    REWARD_FIELD_NUMBER: _ClassVar[int]
    TERMINATED_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    EPISODE_STEP_FIELD_NUMBER: _ClassVar[int]
    SEATING_FIELD_NUMBER: _ClassVar[int]
    ENDINGS_FIELD_NUMBER: _ClassVar[int]
    ACTION_ROWS_FIELD_NUMBER: _ClassVar[int]
    ACTION_OFFSETS_FIELD_NUMBER: _ClassVar[int]
    observation: _tensor_pb2.Tensor
    full_observation: _tensor_pb2.Tensor
    action_mask: _tensor_pb2.Tensor
    current_player: _tensor_pb2.Tensor
    reward: _tensor_pb2.Tensor
    terminated: _tensor_pb2.Tensor
    truncated: _tensor_pb2.Tensor
    episode_step: _tensor_pb2.Tensor
    seating: _tensor_pb2.Tensor
    endings: Endings
    action_rows: _tensor_pb2.Tensor
    action_offsets: _tensor_pb2.Tensor
    def __init__(self, observation: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., full_observation: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., action_mask: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., current_player: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., reward: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., terminated: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., truncated: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., episode_step: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., seating: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., endings: _Optional[_Union[Endings, _Mapping]] = ..., action_rows: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., action_offsets: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ...) -> None: ...

class Endings(_message.Message):
    __slots__ = ("row", "final_observation", "final_full_observation", "final_player", "episode_return", "length", "score")
    ROW_FIELD_NUMBER: _ClassVar[int]
    FINAL_OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    FINAL_FULL_OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    FINAL_PLAYER_FIELD_NUMBER: _ClassVar[int]
    EPISODE_RETURN_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    row: _tensor_pb2.Tensor
    final_observation: _tensor_pb2.Tensor
    final_full_observation: _tensor_pb2.Tensor
    final_player: _tensor_pb2.Tensor
    episode_return: _tensor_pb2.Tensor
    length: _tensor_pb2.Tensor
    score: _tensor_pb2.Tensor
    def __init__(self, row: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., final_observation: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., final_full_observation: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., final_player: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., episode_return: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., length: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., score: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ...) -> None: ...

class RenderRequest(_message.Message):
    __slots__ = ("session_id", "row")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    row: int
    def __init__(self, session_id: _Optional[str] = ..., row: _Optional[int] = ...) -> None: ...

class RenderResponse(_message.Message):
    __slots__ = ("text",)
    TEXT_FIELD_NUMBER: _ClassVar[int]
    text: str
    def __init__(self, text: _Optional[str] = ...) -> None: ...

class DrawRequest(_message.Message):
    __slots__ = ("session_id", "row", "view")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    row: int
    view: int
    def __init__(self, session_id: _Optional[str] = ..., row: _Optional[int] = ..., view: _Optional[int] = ...) -> None: ...

class DrawResponse(_message.Message):
    __slots__ = ("svg",)
    SVG_FIELD_NUMBER: _ClassVar[int]
    svg: str
    def __init__(self, svg: _Optional[str] = ...) -> None: ...

class ObserveRequest(_message.Message):
    __slots__ = ("session_id", "row")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    row: int
    def __init__(self, session_id: _Optional[str] = ..., row: _Optional[int] = ...) -> None: ...

class ObserveResponse(_message.Message):
    __slots__ = ("observation",)
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    observation: _tensor_pb2.Tensor
    def __init__(self, observation: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ...) -> None: ...

class SnapshotRequest(_message.Message):
    __slots__ = ("session_id",)
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ...) -> None: ...

class SnapshotResponse(_message.Message):
    __slots__ = ("snapshot",)
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    snapshot: bytes
    def __init__(self, snapshot: _Optional[bytes] = ...) -> None: ...

class RestoreRequest(_message.Message):
    __slots__ = ("session_id", "seq", "snapshot")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    seq: int
    snapshot: bytes
    def __init__(self, session_id: _Optional[str] = ..., seq: _Optional[int] = ..., snapshot: _Optional[bytes] = ...) -> None: ...

class RestoreResponse(_message.Message):
    __slots__ = ("seq", "batch")
    SEQ_FIELD_NUMBER: _ClassVar[int]
    BATCH_FIELD_NUMBER: _ClassVar[int]
    seq: int
    batch: Batch
    def __init__(self, seq: _Optional[int] = ..., batch: _Optional[_Union[Batch, _Mapping]] = ...) -> None: ...

class CloseRequest(_message.Message):
    __slots__ = ("session_id",)
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ...) -> None: ...

class CloseResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
