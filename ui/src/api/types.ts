// Short names for the types of the API. All of them come from the generated file.

import type { components } from "./schema";

type Schemas = components["schemas"];

export type BoardInfo = Schemas["BoardInfo"];
export type GameInfo = Schemas["GameInfo"];
export type Move = Schemas["MoveView"];
export type Piece = Schemas["PieceView"];
export type PositionView = Schemas["PositionView"];
export type Ending = Schemas["EndingView"];
export type Score = Schemas["ScoreView"];
export type PlayersAnswer = Schemas["PlayersAnswer"];
export type PlayerKind = Schemas["PlayerKind"];
export type ParameterInfo = Schemas["ParameterInfo"];
