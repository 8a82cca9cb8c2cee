//! The state directory of one instance: who holds it, where its daemon listens, and with which token.
//!
//! Liveness is the kernel's word (a lock held by the daemon for its whole life), never the content of a file: a killed daemon
//! leaves its `daemon.json` behind, and another program may have taken its port since.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use nix::fcntl::{Flock, FlockArg};
use serde::{Deserialize, Serialize};

use super::build::Build;

/// Names the directory of an instance of its own.
pub const STATE_DIR_VARIABLE: &str = "TEGATA_STATE_DIR";

/// Version of the relay door: a relay and a daemon of different builds work together while this is equal.
pub const DOOR_VERSION: u32 = 1;

/// How long the start of a daemon tries for the lock: others hold it for microseconds to see whether a daemon lives.
const LOCK_PATIENCE: Duration = Duration::from_millis(500);

/// Bytes that must fit: a daemon's files and the beginning of its log.
const PROBE: usize = 4096;

/// What is wrong with the state directory.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// It cannot be used.
    #[error(
        "the state directory {} cannot be written ({source}). Make it writable, or set {STATE_DIR_VARIABLE} to a directory of your own.",
        path.display()
    )]
    NotWritable {
        /// Where.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Its disk is full.
    #[error(
        "the disk of the state directory {} is full. Make room on it, or set {STATE_DIR_VARIABLE} to a directory on another disk.",
        path.display()
    )]
    Full {
        /// Where.
        path: PathBuf,
    },
    /// The account has no place for it.
    #[error("this account has no home directory to keep state in. Set {STATE_DIR_VARIABLE} to a directory of your own.")]
    NoPlace,
    /// A file of ours cannot be read or written.
    #[error("{} cannot be used ({source}). Remove it and try again.", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The system gives no random bytes.
    #[error("the system gives no random bytes ({0}). Restart the machine's random source.")]
    Random(String),
}

/// Directory of one instance.
#[derive(Debug, Clone)]
pub struct StateDir {
    path: PathBuf,
    default: bool,
}

/// `daemon.json`: how to reach the daemon. Holds the agents' token, so it is readable by its owner only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DaemonFile {
    /// Port on 127.0.0.1.
    pub port: u16,
    /// Token of the agents' doors, new at every start.
    pub token: String,
    /// Process.
    pub pid: u32,
    /// Version of the program.
    pub version: String,
    /// Version and stamp of the binary.
    pub build: Build,
    /// [`DOOR_VERSION`] it speaks.
    pub door: u32,
    /// Start, in milliseconds since 1970.
    pub started: u64,
}

/// The instance's lock; the daemon keeps it as long as it lives.
#[derive(Debug)]
pub struct Lock {
    held: Flock<File>,
    path: PathBuf,
}

impl Lock {
    /// Whether it still is the instance's: not when its directory was removed, or another one stands there.
    #[must_use]
    pub fn stands(&self) -> bool {
        let (Ok(there), Ok(own)) = (fs::metadata(&self.path), self.held.metadata()) else { return false };
        (there.dev(), there.ino()) == (own.dev(), own.ino())
    }
}

impl StateDir {
    /// The directory that the environment names, or the account's own.
    ///
    /// # Errors
    /// When there is no home directory.
    pub fn locate() -> Result<Self, StateError> {
        if let Some(path) = std::env::var_os(STATE_DIR_VARIABLE).filter(|path| !path.is_empty()) {
            let path = std::path::absolute(&path).map_err(|source| StateError::NotWritable { path: path.into(), source })?;
            return Ok(Self { path, default: false });
        }
        let places = directories::ProjectDirs::from("", "", "tegata").ok_or(StateError::NoPlace)?;
        let path = places.state_dir().unwrap_or_else(|| places.data_local_dir()).to_owned();
        Ok(Self { path, default: true })
    }

    /// A given directory.
    #[must_use]
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_owned(), default: false }
    }

    /// Makes it, for its owner only, and proves that it can be written.
    ///
    /// # Errors
    /// [`StateError::NotWritable`].
    pub fn open(&self) -> Result<(), StateError> {
        let wrap = |source: std::io::Error| {
            let path = self.path.clone();
            // In any step: a full disk has no room for a directory either.
            if matches!(source.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) {
                return StateError::Full { path };
            }
            StateError::NotWritable { path, source }
        };
        DirBuilder::new().recursive(true).mode(0o700).create(&self.path).map_err(wrap)?;
        if fs::metadata(&self.path).map_err(wrap)?.permissions().mode() & 0o077 != 0 {
            fs::set_permissions(&self.path, fs::Permissions::from_mode(0o700)).map_err(wrap)?;
        }
        let probe = self.file(&format!(".probe-{}", std::process::id()));
        // With content: an empty file fits on a full disk.
        let written = private(&probe).and_then(|mut file| file.write_all(&[b'.'; PROBE]));
        let removed = match fs::remove_file(&probe) {
            // Another thread of this process probed at the same time.
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            other => other,
        };
        written.and(removed).map_err(wrap)
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is the account's own, whose daemon the extension finds on the default ports.
    #[must_use]
    pub fn is_default(&self) -> bool {
        self.default
    }

    /// A file in it.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Takes the instance for a daemon; `None` when another daemon has it. A forgotten `daemon.json` is removed.
    ///
    /// # Errors
    /// When the lock file cannot be used.
    pub fn lock(&self) -> Result<Option<Lock>, StateError> {
        let deadline = Instant::now() + LOCK_PATIENCE;
        let mut file = self.lock_file()?;
        let held = loop {
            match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
                Ok(held) => break held,
                Err((_, _)) if Instant::now() >= deadline => return Ok(None),
                Err((again, _)) => file = again,
            }
            std::thread::park_timeout(Duration::from_millis(5));
        };
        let wrap = |source| StateError::File { path: self.file("daemon.lock"), source };
        self.forget()?;
        held.set_len(0).map_err(wrap)?;
        let mut writer: &File = &held;
        writer.rewind().and_then(|()| write!(writer, "{}", std::process::id())).map_err(wrap)?;
        Ok(Some(Lock { held, path: self.file("daemon.lock") }))
    }

    /// The daemon that lives here and can be reached.
    ///
    /// # Errors
    /// When the lock file cannot be used.
    pub fn living(&self) -> Result<Option<DaemonFile>, StateError> {
        let Some(pid) = self.holder()? else {
            return Ok(None);
        };
        let Ok(text) = fs::read(self.file("daemon.json")) else {
            return Ok(None);
        };
        let file: Option<DaemonFile> = serde_json::from_slice(&text).ok();
        Ok(file.filter(|file| file.pid == pid))
    }

    /// Process that holds the instance.
    ///
    /// # Errors
    /// When the lock file cannot be used.
    pub fn holder(&self) -> Result<Option<u32>, StateError> {
        let path = self.file("daemon.lock");
        if !path.exists() {
            return Ok(None);
        }
        // A lock that can be taken (and is given back at once) is held by nobody.
        let Err((mut file, _)) = Flock::lock(self.lock_file()?, FlockArg::LockSharedNonblock) else {
            return Ok(None);
        };
        let mut pid = String::new();
        file.read_to_string(&mut pid).map_err(|source| StateError::File { path, source })?;
        Ok(pid.trim().parse().ok())
    }

    /// Removes `daemon.json`.
    ///
    /// # Errors
    /// When it stands and cannot be removed.
    pub fn forget(&self) -> Result<(), StateError> {
        let path = self.file("daemon.json");
        match fs::remove_file(&path) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(StateError::File { path, source }),
            _ => Ok(()),
        }
    }

    /// Writes a file that only its owner reads, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, name: &str, value: &impl Serialize) -> Result<(), StateError> {
        let path = self.file(name);
        let draft = self.file(&format!(".{name}-{}", std::process::id()));
        let attempt = || -> std::io::Result<()> {
            let mut file = private(&draft)?;
            file.write_all(&serde_json::to_vec(value)?)?;
            file.sync_all()?;
            fs::rename(&draft, &path)
        };
        attempt().map_err(|source| StateError::File { path: path.clone(), source })
    }

    fn lock_file(&self) -> Result<File, StateError> {
        let path = self.file("daemon.lock");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        options.open(&path).map_err(|source| StateError::File { path, source })
    }
}

/// A file for its owner only, emptied.
pub(crate) fn private(path: &Path) -> std::io::Result<File> {
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.set_permissions(fs::Permissions::from_mode(0o600))?;
    Ok(file)
}

/// A new file for its owner only, wherever somebody wants it: what stands there is emptied and keeps its permissions.
pub(crate) fn private_new(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)
}

/// A file for its owner only, to add to.
pub(crate) fn private_log(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}

/// 32 random bytes in hex.
///
/// # Errors
/// When the system gives none.
pub fn random_hex() -> Result<String, StateError> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| StateError::Random(error.to_string()))?;
    Ok(to_hex(&bytes))
}

/// Bytes in lower-case hex.
#[must_use]
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes of a hex text.
#[must_use]
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text.chars().map(|digit| digit.to_digit(16).and_then(|value| u8::try_from(value).ok())).collect();
    let digits = digits.filter(|digits| digits.len().is_multiple_of(2))?;
    Some(digits.chunks_exact(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect())
}

/// Milliseconds since 1970.
#[must_use]
pub(super) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_instance_has_one_holder_and_a_forgotten_file_is_not_a_daemon() {
        let place = tempfile::tempdir().unwrap();
        let state = StateDir::at(&place.path().join("state"));
        state.open().unwrap();
        assert_eq!(fs::metadata(state.path()).unwrap().permissions().mode() & 0o777, 0o700);
        let lock = state.lock().unwrap().unwrap();
        assert!(state.lock().unwrap().is_none());
        assert!(lock.stands());
        let build = Build::parse("0.1.0+7").unwrap();
        let file = DaemonFile {
            port: 1,
            token: "t".into(),
            pid: std::process::id(),
            version: "0.1.0".into(),
            build,
            door: DOOR_VERSION,
            started: now_ms(),
        };
        state.write("daemon.json", &file).unwrap();
        assert_eq!(fs::metadata(state.file("daemon.json")).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(state.living().unwrap(), Some(file));
        drop(lock);
        assert_eq!(state.living().unwrap(), None);
        assert!(state.lock().unwrap().is_some());
        assert!(!state.file("daemon.json").exists());
        let lock = state.lock().unwrap().unwrap();
        fs::remove_dir_all(state.path()).unwrap();
        assert!(!lock.stands());
        state.open().unwrap();
        let other = state.lock().unwrap().unwrap();
        assert!(other.stands() && !lock.stands());
    }

    #[test]
    fn a_place_that_cannot_be_written_is_said_with_the_way_out() {
        let place = tempfile::NamedTempFile::new().unwrap();
        let error = StateDir::at(&place.path().join("state")).open().unwrap_err().to_string();
        assert!(error.contains("cannot be written") && error.contains("TEGATA_STATE_DIR"), "{error}");
    }

    #[test]
    fn hex_goes_both_ways() {
        assert_eq!(from_hex("00ff10"), Some(vec![0, 255, 16]));
        assert_eq!((from_hex("0"), from_hex("zz")), (None, None));
        assert_eq!(to_hex(&[0, 255, 16]), "00ff10");
    }
}
