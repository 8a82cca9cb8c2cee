//! Where tools may write: one folder. Every path is checked against it, links and all, and every file appears whole or not at all.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Component, Path, PathBuf};

use protocol::ErrorCode;

use super::tool::ToolError;

/// Names further folders whose files may be given to pages, as `PATH` is written.
pub const UPLOAD_DIRS_VARIABLE: &str = "TEGATA_UPLOAD_DIRS";

/// Names the folder that tools may write to.
pub const FILES_DIR_VARIABLE: &str = "TEGATA_FILES_DIR";

/// The folder.
#[derive(Debug, Clone)]
pub struct Files {
    root: PathBuf,
    /// What else may be read.
    readable: Vec<PathBuf>,
}

/// A file that may be given to a page.
#[derive(Debug)]
pub(super) struct Readable {
    /// Its real path.
    pub(super) path: String,
    /// Its name.
    pub(super) name: String,
    /// Its size.
    pub(super) bytes: u64,
}

/// A checked place in it.
#[derive(Debug)]
pub(super) struct Place {
    path: PathBuf,
}

impl Files {
    /// The folder that the environment names, or `files` in the state directory.
    #[must_use]
    pub fn locate(state: &Path) -> Self {
        let mut files = match std::env::var_os(FILES_DIR_VARIABLE).filter(|path| !path.is_empty()) {
            Some(path) => Self::at(&std::path::absolute(&path).unwrap_or_else(|_| PathBuf::from(path))),
            None => Self::at(&state.join("files")),
        };
        let further = std::env::var_os(UPLOAD_DIRS_VARIABLE).unwrap_or_default();
        files.readable = std::env::split_paths(&further).filter(|path| path.is_absolute()).collect();
        files
    }

    /// This folder; it is made when it is first written to.
    #[must_use]
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_owned(), readable: Vec::new() }
    }

    /// A file that an agent names for a page: below the folder or one of the further ones, by its real path.
    pub(super) fn readable(&self, named: &str) -> Result<Readable, ToolError> {
        let wrong = |code: ErrorCode, why: &str| {
            let folders: Vec<String> = self.roots().map(|root| root.display().to_string()).collect();
            ToolError::new(code, format!("{} {why}; nothing was uploaded", crate::render::quote(named))).with_next(format!(
                "Give a file below {}; the user can allow more folders with {UPLOAD_DIRS_VARIABLE}",
                folders.join(" or ")
            ))
        };
        if named.is_empty() || named.contains('\0') {
            return Err(wrong(ErrorCode::InvalidArgument, "is no file name"));
        }
        let mut outside = false;
        for root in self.roots() {
            // What is not there cannot be below it; what cannot be resolved is not opened.
            let (Ok(real_root), Ok(real)) = (root.canonicalize(), root.join(named).canonicalize()) else { continue };
            if !real.starts_with(&real_root) {
                outside = true;
                continue;
            }
            let Ok(about) = fs::metadata(&real) else { continue };
            if about.is_dir() {
                return Err(wrong(ErrorCode::InvalidArgument, "is a folder"));
            }
            if !about.is_file() || File::open(&real).is_err() {
                return Err(wrong(ErrorCode::InvalidArgument, "is no file that can be read"));
            }
            let (Some(path), Some(name)) = (real.to_str(), real.file_name().and_then(|name| name.to_str())) else {
                return Err(wrong(ErrorCode::InvalidArgument, "has a name that is no text"));
            };
            return Ok(Readable { path: path.to_owned(), name: name.to_owned(), bytes: about.len() });
        }
        if outside {
            Err(wrong(ErrorCode::InvalidArgument, "lies outside the folders that may be read"))
        } else {
            Err(wrong(ErrorCode::NoMatch, "is not there"))
        }
    }

    fn roots(&self) -> impl Iterator<Item = &PathBuf> {
        std::iter::once(&self.root).chain(&self.readable)
    }

    /// The place that an agent names: relative to the folder, or absolute and inside it.
    pub(super) fn place(&self, named: &str) -> Result<Place, ToolError> {
        let outside = |why: &str| {
            let what = format!("{} {why}", crate::render::quote(named));
            ToolError::new(ErrorCode::InvalidArgument, what).with_next(format!(
                "Give a path below {}; the user can choose another folder with {FILES_DIR_VARIABLE}",
                self.root.display()
            ))
        };
        let failed = |error: &std::io::Error| self.failed(named, error);
        if named.is_empty() || named.contains('\0') {
            return Err(outside("is no file name"));
        }
        DirBuilder::new().recursive(true).mode(0o700).create(&self.root).map_err(|error| failed(&error))?;
        let root = self.root.canonicalize().map_err(|error| failed(&error))?;
        let named_path = Path::new(named);
        let relative = match (named_path.strip_prefix(&self.root), named_path.strip_prefix(&root)) {
            (Ok(rest), _) | (_, Ok(rest)) => rest,
            _ if named_path.is_absolute() => return Err(outside("lies outside the folder that may be written to")),
            _ => named_path,
        };
        let mut path = root.clone();
        for part in relative.components() {
            match part {
                Component::Normal(part) => path.push(part),
                Component::CurDir => {}
                _ => return Err(outside("leads out of the folder that may be written to")),
            }
        }
        let folder = path.parent().filter(|_| path != root).ok_or_else(|| outside("is no file name"))?;
        // A link on the way may lead out: what is there already is looked at before anything is made.
        let there = folder.ancestors().find(|above| above.exists()).unwrap_or(&root);
        if !there.canonicalize().map_err(|error| failed(&error))?.starts_with(&root) {
            return Err(outside("leads out of the folder that may be written to, through a link"));
        }
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|error| failed(&error))?;
        if path.is_dir() {
            return Err(outside("is a folder"));
        }
        Ok(Place { path })
    }

    fn failed(&self, named: &str, error: &std::io::Error) -> ToolError {
        failure(&self.root.join(named), error)
    }
}

/// What a failed write is told as.
fn failure(path: &Path, error: &std::io::Error) -> ToolError {
    let (what, next) = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => ("the disk is full", "Free space, or ask for less"),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            ("it may not be written", "Give another path, or ask the user to make the folder writable")
        }
        ErrorKind::FileTooLarge => ("the file would be too large", "Ask for less"),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => ("a file stands where a folder should be", "Give another path"),
        _ => ("it could not be written", "Give another path"),
    };
    ToolError::new(ErrorCode::Unsupported, format!("{}: {what} ({error}); no part of the file was left behind", path.display()))
        .with_next(next)
}

impl Place {
    /// Its absolute path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the whole file.
    pub(super) fn write(&self, bytes: &[u8]) -> Result<(), ToolError> {
        let (temporary, mut file) = self.temporary().map_err(|error| failure(&self.path, &error))?;
        let written = file.write_all(bytes).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&temporary, &self.path));
        written.map_err(|error| {
            let _ = fs::remove_file(&temporary);
            failure(&self.path, &error)
        })
    }

    /// Moves a finished file here, over the borders of file systems too.
    pub(super) fn take(&self, from: &Path) -> Result<(), ToolError> {
        if fs::rename(from, &self.path).is_ok() {
            return Ok(());
        }
        let (temporary, mut file) = self.temporary().map_err(|error| failure(&self.path, &error))?;
        let copied = File::open(from)
            .and_then(|mut source| std::io::copy(&mut source, &mut file))
            .and_then(|_| file.sync_all())
            .and_then(|()| fs::rename(&temporary, &self.path));
        copied.map_err(|error| {
            let _ = fs::remove_file(&temporary);
            failure(&self.path, &error)
        })?;
        // The file is where it was asked for; what is left in Chrome's folder is the user's to keep.
        let _ = fs::remove_file(from);
        Ok(())
    }

    fn temporary(&self) -> std::io::Result<(PathBuf, File)> {
        let mut name = OsString::from(".");
        name.push(self.path.file_name().unwrap_or_default());
        name.push(format!(".{}", uuid::Uuid::new_v4().simple()));
        let path = self.path.with_file_name(name);
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        Ok((path, file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_whole_below_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::at(&folder.path().join("files"));
        let place = files.place("a/b.txt").unwrap();
        place.write(b"one").unwrap();
        place.write(b"two").unwrap();
        assert_eq!(fs::read(place.path()).unwrap(), b"two");
        assert_eq!(fs::read_dir(place.path().parent().unwrap()).unwrap().count(), 1, "no temporary file is left");
        let absolute = files.place(place.path().to_str().unwrap()).unwrap();
        assert_eq!(absolute.path(), place.path());
        let source = folder.path().join("source");
        fs::write(&source, "three").unwrap();
        place.take(&source).unwrap();
        assert_eq!(fs::read(place.path()).unwrap(), b"three");
        assert!(!source.exists());
    }

    #[test]
    fn only_files_below_the_folders_may_be_given_away() {
        let folder = tempfile::tempdir().unwrap();
        let (root, more) = (folder.path().join("files"), folder.path().join("more"));
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::create_dir_all(&more).unwrap();
        fs::write(root.join("a.txt"), "one").unwrap();
        fs::write(more.join("b.txt"), "three").unwrap();
        fs::write(folder.path().join("secret.txt"), "no").unwrap();
        std::os::unix::fs::symlink(folder.path().join("secret.txt"), root.join("out.txt")).unwrap();
        std::os::unix::fs::symlink(root.join("a.txt"), root.join("in.txt")).unwrap();
        let files = Files { readable: vec![more.clone()], ..Files::at(&root) };
        assert_eq!(files.readable("a.txt").unwrap().bytes, 3);
        assert_eq!(files.readable("b.txt").unwrap().name, "b.txt");
        assert_eq!(files.readable(more.join("b.txt").to_str().unwrap()).unwrap().bytes, 5);
        assert_eq!(files.readable("in.txt").unwrap().name, "a.txt");
        let refused = [("gone.txt", ErrorCode::NoMatch), ("sub", ErrorCode::InvalidArgument), ("out.txt", ErrorCode::InvalidArgument)];
        let more_refused =
            [("../secret.txt", ErrorCode::InvalidArgument), ("/etc/passwd", ErrorCode::InvalidArgument), ("", ErrorCode::InvalidArgument)];
        for (path, code) in refused.into_iter().chain(more_refused) {
            let error = files.readable(path).unwrap_err();
            assert_eq!(error.code, code, "{path}: {error}");
        }
    }

    #[test]
    fn paths_that_lead_out_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("files");
        let files = Files::at(&root);
        fs::create_dir_all(&root).unwrap();
        std::os::unix::fs::symlink(folder.path(), root.join("link")).unwrap();
        for path in ["../x", "a/../../x", "/etc/x", "link/x", "", "."] {
            let error = files.place(path).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidArgument, "{path}: {error}");
        }
        assert!(!folder.path().join("x").exists());
        fs::write(root.join("file"), "").unwrap();
        assert_eq!(files.place("file/x").unwrap_err().code, ErrorCode::Unsupported);
        let full = failure(Path::new("/x"), &std::io::Error::from(ErrorKind::StorageFull)).to_string();
        assert!(full.contains("the disk is full"), "{full}");
    }
}
