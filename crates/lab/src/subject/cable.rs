//! The cable between a subject's extension and its daemon: bytes pass as they are, until it is cut or an answer is kept back.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;

/// Longest head of an HTTP request that is looked through for its `Host`.
const HEAD_LIMIT: usize = 16 * 1024;
/// How much is read at once.
const CHUNK: usize = 64 * 1024;

/// Asks whether what the extension has just said is to be lost; the answer is awaited.
pub type Question = oneshot::Sender<bool>;

/// A relay on loopback in front of one port. Dropping it cuts everything.
pub struct Cable {
    port: u16,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

struct Shared {
    /// The port behind it.
    to: u16,
    /// The port in front.
    from: u16,
    /// Counts the cuts; connections of an older count end.
    cuts: watch::Sender<u64>,
    /// Connections that are open now.
    open: AtomicUsize,
    /// Connections there have been.
    made: AtomicUsize,
    /// Who is asked before anything goes to the daemon.
    censor: Mutex<Option<mpsc::UnboundedSender<Question>>>,
}

/// A connection that counts as open for as long as this is there.
struct Counted<'a>(&'a Shared);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Cable {
    /// Listens on a free port and passes everything on to `to`.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn lay(to: u16) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        let shared = Arc::new(Shared {
            to,
            from: port,
            cuts: watch::Sender::new(0),
            open: AtomicUsize::new(0),
            made: AtomicUsize::new(0),
            censor: Mutex::new(None),
        });
        let behind = Arc::clone(&shared);
        let accepting = tokio::spawn(async move {
            // A failed accept is one connection less; the next may come.
            while let Ok((near, _)) = listener.accept().await {
                let shared = Arc::clone(&behind);
                tokio::spawn(async move {
                    // Whatever ends a connection, both of its ends are closed.
                    let _ = shared.carry(near).await;
                });
            }
        });
        Ok(Self { port, shared, accepting })
    }

    /// The port in front.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// How many connections there have been.
    pub fn made(&self) -> usize {
        self.shared.made.load(Ordering::SeqCst)
    }

    /// Cuts every connection; how many those were.
    pub fn cut(&self) -> usize {
        let open = self.shared.open.load(Ordering::SeqCst);
        self.shared.cuts.send_modify(|cuts| *cuts += 1);
        open
    }

    /// From now on every piece that the extension says waits for an answer: lost (with the whole connection) or passed on.
    /// It ends when the receiver is dropped.
    pub fn censor(&self) -> mpsc::UnboundedReceiver<Question> {
        let (ask, questions) = mpsc::unbounded_channel();
        *self.shared.censor.lock().unwrap_or_else(PoisonError::into_inner) = Some(ask);
        questions
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        self.accepting.abort();
        self.cut();
    }
}

impl Shared {
    async fn carry(&self, mut near: TcpStream) -> io::Result<()> {
        let mut cuts = self.cuts.subscribe();
        cuts.mark_unchanged();
        let mut far = TcpStream::connect(("127.0.0.1", self.to)).await?;
        near.set_nodelay(true)?;
        far.set_nodelay(true)?;
        self.open.fetch_add(1, Ordering::SeqCst);
        let _counted = Counted(self);
        self.made.fetch_add(1, Ordering::SeqCst);
        let (mut from_near, mut to_near) = near.split();
        let (mut from_far, mut to_far) = far.split();
        let up = async {
            let head = self.head(&mut from_near).await?;
            to_far.write_all(&head).await?;
            self.up(&mut from_near, &mut to_far).await
        };
        let down = tokio::io::copy(&mut from_far, &mut to_near);
        tokio::select! {
            done = up => done,
            done = down => done.map(drop),
            _ = cuts.changed() => Ok(()),
        }
    }

    /// The head of the request, with the port of the daemon in its `Host`: that one answers to no other.
    async fn head(&self, from: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        let mut chunk = [0; 1024];
        while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < HEAD_LIMIT {
            match from.read(&mut chunk).await? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => head.extend_from_slice(&chunk[..count]),
            }
        }
        let (before, after) = (format!("127.0.0.1:{}", self.from), format!("127.0.0.1:{}", self.to));
        let at = head.windows(before.len()).position(|part| part == before.as_bytes());
        if let Some(at) = at {
            head.splice(at..at + before.len(), after.into_bytes());
        }
        Ok(head)
    }

    async fn up(&self, from: &mut (impl AsyncRead + Unpin), to: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        let mut chunk = vec![0; CHUNK];
        loop {
            let count = from.read(&mut chunk).await?;
            if count == 0 {
                return Ok(());
            }
            if self.is_lost().await {
                self.cuts.send_modify(|cuts| *cuts += 1);
                return Ok(());
            }
            to.write_all(&chunk[..count]).await?;
        }
    }

    async fn is_lost(&self) -> bool {
        let censor = self.censor.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(censor) = censor else { return false };
        let (question, answer) = oneshot::channel();
        // Nobody asks to know any more: everything passes.
        censor.send(question).is_ok() && answer.await.unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An echo behind a cable, and a connection to it whose head has passed.
    async fn connected() -> (Cable, TcpStream) {
        let echo = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let to = echo.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = echo.accept().await {
                tokio::spawn(async move {
                    let (mut from, mut to) = stream.split();
                    let _ = tokio::io::copy(&mut from, &mut to).await;
                });
            }
        });
        let cable = Cable::lay(to).await.unwrap();
        let mut stream = TcpStream::connect(("127.0.0.1", cable.port())).await.unwrap();
        let head = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", cable.port());
        stream.write_all(head.as_bytes()).await.unwrap();
        let wanted = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{to}\r\n\r\n");
        let mut back = vec![0; wanted.len()];
        stream.read_exact(&mut back).await.unwrap();
        assert_eq!(String::from_utf8(back).unwrap(), wanted);
        (cable, stream)
    }

    #[tokio::test]
    async fn a_cut_ends_what_is_open_and_the_next_connection_passes() {
        let (cable, mut stream) = connected().await;
        assert_eq!((cable.made(), cable.cut()), (1, 1));
        assert_eq!(stream.read(&mut [0; 8]).await.unwrap_or(0), 0);
        let mut next = TcpStream::connect(("127.0.0.1", cable.port())).await.unwrap();
        next.write_all(b"x\r\n\r\n").await.unwrap();
        next.read_exact(&mut [0; 5]).await.unwrap();
        assert_eq!(cable.made(), 2);
    }

    #[tokio::test]
    async fn what_is_kept_back_never_arrives() {
        let (cable, mut stream) = connected().await;
        let mut questions = cable.censor();
        stream.write_all(b"one").await.unwrap();
        questions.recv().await.unwrap().send(false).unwrap();
        let mut back = [0; 3];
        stream.read_exact(&mut back).await.unwrap();
        assert_eq!(&back, b"one");
        stream.write_all(b"two").await.unwrap();
        questions.recv().await.unwrap().send(true).unwrap();
        assert_eq!(stream.read(&mut back).await.unwrap_or(0), 0, "the connection is cut, and nothing came of it");
    }
}
