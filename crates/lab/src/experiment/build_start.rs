//! Where learning starts: from a file, from an evaluator's own weights, or at random.

use lanista_nn::NetworkFile;

use super::build::Builder;
use super::errors::ExperimentError;
use super::learner_fields::LearnerFields;
use crate::learning::{Body, linear};
use crate::registry::{self, GameVisitor, RegisteredGame};

impl Builder<'_> {
    /// The weights that a learner starts from: those of `learner.start`, else the own ones of the evaluator whose weights are learnt;
    /// none for networks without a file.
    pub(super) fn first_weights(
        &self,
        fields: &LearnerFields,
        body: &Body,
    ) -> Result<Option<Vec<f32>>, ExperimentError> {
        let Some(name) = &fields.start else {
            return match body {
                Body::Linear { evaluator } => registry::visit(&self.experiment.game, OwnWeights(evaluator))
                    .map_err(|error| self.wrong_learner(error)),
                _ => Ok(None),
            };
        };
        let wrong = |reason: String| self.source.wrong(name.span(), format!("start {:?}: {reason}", **name));
        let content = || self.blobs.load(name).map(|(_, content)| content).map_err(wrong);
        match body {
            Body::Linear { evaluator } => {
                let reader = WeightsInFile { evaluator, file: &content()? };
                let read = registry::visit(&self.experiment.game, reader).map_err(|error| self.wrong_learner(error))?;
                read.map(Some).map_err(wrong)
            }
            Body::Network { .. } => {
                let file = NetworkFile::read(&content()?).map_err(|error| wrong(error.to_string()))?;
                self.fits(&file, body).map_err(wrong)?;
                Ok(Some(file.network.weights()))
            }
            _ => Err(self.source.wrong(name.span(), "start: networks that grow do not start from a file")),
        }
    }

    /// Refuses a start where nothing reads it.
    pub(super) fn starts_at_random(&self, fields: &LearnerFields) -> Result<(), ExperimentError> {
        match &fields.start {
            Some(name) => {
                let message = format!("start: [td] and [strategy] have one, found [{}]", self.experiment.kind());
                Err(self.source.wrong(name.span(), message))
            }
            None => Ok(()),
        }
    }

    /// Whether a file holds the network that learns.
    fn fits(&self, file: &NetworkFile, body: &Body) -> Result<(), String> {
        let Body::Network { shape, groups, view } = body else { return Err("no network".into()) };
        if file.game != *self.experiment.game {
            return Err(format!("it was made for {}, expected {}", file.game, *self.experiment.game));
        }
        if (&file.groups, file.view) != (groups, *view) {
            let (found, expected) = (file.groups.join("+"), groups.join("+"));
            return Err(format!("it sees {found} as {:?}, expected {expected} as {view:?}", file.view));
        }
        if file.network.shape() != shape {
            return Err(format!("it is a network {}, expected {shape}", file.network.shape()));
        }
        Ok(())
    }
}

struct OwnWeights<'a>(&'a str);

impl GameVisitor for OwnWeights<'_> {
    type Output = Option<Vec<f32>>;

    fn visit<G: RegisteredGame>(self) -> Option<Vec<f32>> {
        G::linear(self.0).map(|linear| linear.weights())
    }
}

struct WeightsInFile<'a> {
    evaluator: &'a str,
    file: &'a [u8],
}

impl GameVisitor for WeightsInFile<'_> {
    type Output = Result<Vec<f32>, String>;

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        linear::<G>(self.evaluator)?.read(self.file)
    }
}
