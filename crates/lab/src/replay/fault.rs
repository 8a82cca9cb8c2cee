//! What goes wrong with the frames of a replay, on purpose: chosen by seed, or by the number of a frame.

use std::fmt;
use std::str::FromStr;

use super::script::Script;

/// What can happen to a frame of the extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// It is lost.
    Drop,
    /// It comes late.
    Delay,
    /// It comes twice.
    Duplicate,
    /// The next one comes first.
    Reorder,
    /// Half of it comes.
    Truncate,
    /// The socket closes in its place, and opens again.
    Close,
    /// It and everything after it comes much later.
    Stall,
}

impl FaultKind {
    /// Every kind.
    pub const ALL: [Self; 7] = [Self::Drop, Self::Delay, Self::Duplicate, Self::Reorder, Self::Truncate, Self::Close, Self::Stall];

    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Drop => "drop",
            Self::Delay => "delay",
            Self::Duplicate => "duplicate",
            Self::Reorder => "reorder",
            Self::Truncate => "truncate",
            Self::Close => "close",
            Self::Stall => "stall",
        }
    }
}

/// A fault that was asked for: `drop`, or `close@12` for the twelfth frame of the extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultAt {
    /// What happens.
    pub kind: FaultKind,
    /// To which frame, from 1; none: the seed chooses.
    pub frame: Option<usize>,
}

impl FromStr for FaultAt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (word, frame) = text.split_once('@').map_or((text, None), |(word, frame)| (word, Some(frame)));
        let words = || FaultKind::ALL.map(FaultKind::word).join(", ");
        let kind = FaultKind::ALL.into_iter().find(|kind| kind.word() == word);
        let kind = kind.ok_or_else(|| format!("`{word}` is no fault of a frame; there are {}", words()))?;
        let frame =
            frame.map(|frame| frame.parse().ok().filter(|frame| *frame > 0).ok_or_else(|| format!("`{frame}` is no frame; count from 1")));
        Ok(Self { kind, frame: frame.transpose()? })
    }
}

impl fmt::Display for FaultAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.frame {
            Some(frame) => write!(f, "{}@{frame}", self.kind.word()),
            None => f.write_str(self.kind.word()),
        }
    }
}

/// The faults of a run.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// Each happens once in every scenario.
    pub kinds: Vec<FaultAt>,
    /// Chooses the frames.
    pub seed: u64,
}

impl Faults {
    /// Whether what the extension says comes at other times than it did: then the journal, which stays as it was, is ahead of it or behind.
    pub(crate) fn move_time(&self) -> bool {
        self.kinds.iter().any(|fault| matches!(fault.kind, FaultKind::Delay | FaultKind::Reorder | FaultKind::Stall))
    }

    /// Whether nothing is to go wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The script with its faults, and each as it can be asked for again.
    pub(crate) fn inject(&self, mut script: Script, name: &str) -> (Script, Vec<String>) {
        let mut told = Vec::new();
        for (number, fault) in (0..).zip(&self.kinds) {
            let frames = script.frames();
            if frames == 0 {
                continue;
            }
            let chance = mixed(name.bytes().fold(self.seed.wrapping_add(number), |sum, byte| mixed(sum ^ u64::from(byte))));
            let chosen = usize::try_from(chance % frames as u64).unwrap_or_default();
            let at = fault.frame.map_or(chosen, |frame| frame - 1);
            if at < frames {
                script.harm(fault.kind, at);
                told.push(FaultAt { kind: fault.kind, frame: Some(at + 1) }.to_string());
            }
        }
        (script, told)
    }
}

/// One step of splitmix64: near seeds give far numbers.
fn mixed(seed: u64) -> u64 {
    let mut bits = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_reads_back_as_it_is_told() {
        for text in ["drop", "close@12"] {
            assert_eq!(text.parse::<FaultAt>().unwrap().to_string(), text);
        }
        for wrong in ["vanish", "drop@0", "drop@x"] {
            assert!(wrong.parse::<FaultAt>().is_err(), "{wrong}");
        }
    }
}
