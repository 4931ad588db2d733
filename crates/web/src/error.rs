//! What the server says when it cannot do what was asked: one clear line, with the right status.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use lanista_core::ParseError;
use lanista_lab::experiment::ExperimentError;
use lanista_lab::extend::ExtendError;
use lanista_lab::players::SpecError;
use lanista_lab::registry::UnknownGame;
use lanista_lab::store::StoreError;
use lanista_lab::thinking::ThinkError;
use serde::Serialize;
use utoipa::ToSchema;

/// An error as clients see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// One clear line for people.
    pub error: String,
    /// The field of the request that is wrong, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The line of an experiment that is wrong, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// Why a request failed.
#[derive(Clone, Debug)]
pub struct ApiError {
    status: StatusCode,
    body: ErrorBody,
}

/// What handlers answer.
pub type Answer<T> = Result<Json<T>, ApiError>;

impl ApiError {
    /// An error with a status.
    pub fn new(status: StatusCode, error: impl Into<String>) -> ApiError {
        ApiError { status, body: ErrorBody { error: error.into(), field: None, line: None } }
    }

    /// The request makes no sense.
    pub fn wrong(field: &str, error: impl Into<String>) -> ApiError {
        let mut wrong = ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, error);
        wrong.body.field = Some(field.to_string());
        wrong
    }

    /// There is no such thing.
    pub fn missing(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, error)
    }

    /// Not now, in this state of affairs.
    pub fn conflict(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, error)
    }

    /// The server has its hands full.
    pub fn busy(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, error)
    }

    /// The server failed.
    pub fn failed(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, error)
    }

    /// The same error, about a field of the request.
    pub fn about(mut self, field: &str) -> ApiError {
        self.body.field = Some(field.to_string());
        self
    }

    /// What went wrong, for people.
    pub fn text(&self) -> &str {
        &self.body.error
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}

impl From<UnknownGame> for ApiError {
    fn from(error: UnknownGame) -> ApiError {
        ApiError::wrong("game", error.to_string())
    }
}

impl From<SpecError> for ApiError {
    fn from(error: SpecError) -> ApiError {
        ApiError::wrong("player", error.to_string())
    }
}

impl From<ThinkError> for ApiError {
    fn from(error: ThinkError) -> ApiError {
        let text = error.to_string();
        match error {
            ThinkError::Game(error) => error.into(),
            ThinkError::Player(error) => error.into(),
            ThinkError::Text(_) => ApiError::wrong("start", text),
            ThinkError::Move { .. } | ThinkError::Over(_) => ApiError::wrong("moves", text),
            ThinkError::NoMove { .. } => ApiError::conflict(text),
        }
    }
}

impl From<ParseError> for ApiError {
    fn from(error: ParseError) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
    }
}

impl From<ExperimentError> for ApiError {
    fn from(error: ExperimentError) -> ApiError {
        let mut wrong = ApiError::wrong("text", error.to_string());
        wrong.body.line = Some(error.line);
        wrong
    }
}

impl From<ExtendError> for ApiError {
    fn from(error: ExtendError) -> ApiError {
        match error {
            ExtendError::Store(error) => error.into(),
            ExtendError::Experiment(error) => error.into(),
            other => ApiError::wrong("changes", other.to_string().trim_start_matches("--set ").to_string()),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        let text = error.to_string();
        match error {
            StoreError::NotFound(_) | StoreError::Missing(_) => ApiError::missing(text),
            StoreError::Locked(_) => ApiError::conflict(text),
            _ => ApiError::failed(text),
        }
    }
}

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> ApiError {
        ApiError::new(rejection.status(), one_line(&rejection.body_text()))
    }
}

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> ApiError {
        ApiError::new(rejection.status(), one_line(&rejection.body_text()))
    }
}

impl From<PathRejection> for ApiError {
    fn from(rejection: PathRejection) -> ApiError {
        ApiError::new(rejection.status(), one_line(&rejection.body_text()))
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
