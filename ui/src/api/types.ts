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
export type SessionView = Schemas["SessionView"];
export type SessionEvent = Schemas["SessionEvent"];
export type SessionRequest = Schemas["SessionRequest"];
export type Thinking = Schemas["Thinking"];
export type AnalysisEvent = Schemas["AnalysisEvent"];
export type ColumnValue = Schemas["ColumnValue"];
export type StandingView = Schemas["StandingView"];
export type MeetingView = Schemas["MeetingView"];
export type SprtView = Schemas["SprtView"];
export type RunSummary = Schemas["RunSummary"];
export type RunView = Schemas["RunView"];
export type RunEvent = Schemas["RunEvent"];
export type RunStatus = Schemas["RunStatus"];
export type ProgressView = Schemas["ProgressView"];
export type FigureView = Schemas["FigureView"];
export type LiveEvent = Schemas["LiveEvent"];
export type GameRow = Schemas["GameRow"];
export type GameView = Schemas["GameView"];
export type ExperimentInfo = Schemas["ExperimentInfo"];
export type PublishedView = Schemas["PublishedView"];
export type CheckAnswer = Schemas["CheckAnswer"];
export type CheckFileAnswer = Schemas["CheckFileAnswer"];
export type FileGameView = Schemas["FileGameView"];
export type Curve = Schemas["Curve"];
export type CompareAnswer = Schemas["CompareAnswer"];
export type ClusterView = Schemas["ClusterView"];
export type WeightsView = Schemas["WeightsView"];
export type WeightMap = Schemas["HeatMap"];
export type IndividualRow = Schemas["IndividualRow"];
export type IndividualView = Schemas["IndividualView"];
export type TrialGenerations = Schemas["TrialGenerations"];
export type TrialView = Schemas["TrialView"];
