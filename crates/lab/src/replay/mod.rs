//! Replay: scenarios without Chrome. A transcript stands for the browser and its witnesses, the scenario's own steps for the agent, and
//! the verdict is passed by the same code as ever.

mod extension;
mod fault;
mod player;
mod script;

pub use fault::{FaultAt, FaultKind, Faults};
pub(crate) use player::{Ended, Player};
pub(crate) use script::Script;

use crate::scenario::{Action, Fault, Scenario};

/// Why a scenario cannot be replayed; none when it can.
#[must_use]
pub fn unsuited(scenario: &Scenario) -> Option<&'static str> {
    let faults = scenario.steps.iter().flat_map(|step| {
        let own = match &step.action {
            Action::Fault(fault) => Some(*fault),
            _ => None,
        };
        own.into_iter().chain(step.during.as_ref().and_then(|during| during.fault))
    });
    faults.into_iter().find_map(|fault| match fault {
        Fault::KillDaemon | Fault::RestartDaemon => Some("its daemon is ended, and one daemon serves the whole replay"),
        Fault::KillRelay => Some("its relay is killed, and replay speaks to the daemon itself"),
        Fault::HalfOpen => Some("its browser stands still, and what was not said cannot be told from what came late"),
        _ => None,
    })
}
