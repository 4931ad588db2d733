//! The server: binds, answers, and stops without losing anything.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, ToSocketAddrs, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use lanista_lab::experiment::Plan;
use tokio::sync::Notify;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

use crate::guard::{self, Guard};
use crate::routes;
use crate::state::{App, BLOCKING_THREADS, Settings};
use crate::{assets, error::ApiError};

/// The largest body of a request: a game file.
const MOST_BYTES: usize = 8 << 20;
/// The longest time that an answer may take to begin.
const LONGEST_ANSWER: Duration = Duration::from_secs(120);
/// Clocks of games are looked at this often.
const CLOCKS_EVERY: Duration = Duration::from_millis(100);
/// Pages that follow live data have so long to leave when the server stops.
const GRACE: Duration = Duration::from_secs(2);

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Nobody knows that address.
    #[error("--host {host}: {reason}")]
    Host {
        /// The address.
        host: String,
        /// Why.
        reason: String,
    },
    /// Somebody else listens there.
    #[error("port {port} of {host} is taken; use --port with another one, or --port 0 for any that is free")]
    Taken {
        /// The address.
        host: String,
        /// The port.
        port: u16,
    },
    /// It may not listen there.
    #[error("cannot listen on {host}:{port}: {reason}")]
    Listen {
        /// The address.
        host: String,
        /// The port.
        port: u16,
        /// Why.
        reason: String,
    },
    /// The system gives no threads or random numbers.
    #[error("cannot start the server: {0}")]
    System(String),
}

/// Where to listen.
#[derive(Clone, Debug)]
pub struct Address {
    /// The address or the name of this machine.
    pub host: String,
    /// The port; 0 for any that is free.
    pub port: u16,
}

/// Stops a server, from any thread.
#[derive(Clone, Debug, Default)]
pub struct Stopper(Arc<Notify>);

impl Stopper {
    /// The server stops in good order.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

/// A server that listens and has not answered yet.
pub struct Server {
    stopper: Stopper,
    listener: TcpListener,
    app: App,
    local: SocketAddr,
    host: String,
}

impl Server {
    /// Begins to listen.
    pub fn bind(address: &Address, settings: Settings) -> Result<Server, ServerError> {
        let Address { host, port } = address.clone();
        let unknown = |reason: String| ServerError::Host { host: host.clone(), reason };
        let mut found = (host.as_str(), port).to_socket_addrs().map_err(|error| unknown(error.to_string()))?;
        let socket = found.next().ok_or_else(|| unknown("no such address".into()))?;
        let listener = TcpListener::bind(socket).map_err(|error| match error.kind() {
            std::io::ErrorKind::AddrInUse => ServerError::Taken { host: host.clone(), port },
            _ => ServerError::Listen { host: host.clone(), port, reason: error.to_string() },
        })?;
        let system = |error: std::io::Error| ServerError::System(error.to_string());
        let local = listener.local_addr().map_err(system)?;
        listener.set_nonblocking(true).map_err(system)?;
        let guard = Guard::new(&host, local.port()).map_err(|error| ServerError::System(error.to_string()))?;
        Ok(Server { stopper: Stopper::default(), listener, app: App::new(settings, guard), local, host })
    }

    /// The address to open, with the token if one is needed.
    pub fn url(&self) -> String {
        // Nobody can open "any address".
        let address = match self.local.ip() {
            any if any.is_unspecified() => address_for_others(),
            address => address,
        };
        let host = match address {
            address if address.is_ipv6() => format!("[{address}]"),
            _ if self.host == "localhost" => self.host.clone(),
            address => address.to_string(),
        };
        let token = self.app.guard.token().map_or(String::new(), |token| format!("?token={token}"));
        format!("http://{host}:{}/{token}", self.local.port())
    }

    /// The port that it listens on.
    pub fn port(&self) -> u16 {
        self.local.port()
    }

    /// What stops it.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Begins a run of the owner's own, whatever it costs. Returns its number.
    pub fn begin(&self, plan: &Plan, file: &str) -> Result<i64, ServerError> {
        self.app.workshop.begin(plan, file).map_err(|error| ServerError::System(error.text().to_string()))
    }

    /// Answers until it is stopped. Then runs are stopped where they are, to go on later.
    pub fn run(self) -> Result<(), ServerError> {
        let system = |error: std::io::Error| ServerError::System(error.to_string());
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(cores.clamp(2, 8))
            .max_blocking_threads(BLOCKING_THREADS)
            .enable_all()
            .build()
            .map_err(system)?;
        let Server { listener, app, stopper, .. } = self;
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).map_err(system)?;
            tokio::spawn(look_at_clocks(app.clone()));
            // The first page that lists experiments need not wait.
            tokio::task::spawn_blocking(|| drop(routes::experiments::shipped()));
            let (leave, left) = tokio::sync::oneshot::channel();
            let stopping = async move {
                stopper.0.notified().await;
                let _ = leave.send(());
            };
            let serving = axum::serve(listener, router(app.clone())).with_graceful_shutdown(stopping);
            // Streams of live data never end by themselves.
            let patience = async {
                let _ = left.await;
                tokio::time::sleep(GRACE).await;
            };
            tokio::select! {
                served = async { serving.await } => served.map_err(system),
                () = patience => Ok(()),
            }
        });
        app.workshop.stop();
        app.sessions.all().iter().for_each(|session| session.close());
        runtime.shutdown_timeout(GRACE);
        served
    }
}

/// The address by which other computers find this one: that of its way to the rest of the world. Nothing is sent to find it. Without
/// a network it is this machine's own.
fn address_for_others() -> IpAddr {
    // An address of documentation (RFC 5737), which nobody has.
    let somewhere = SocketAddr::from(([192, 0, 2, 1], 9));
    let found = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(|socket| {
        socket.connect(somewhere)?;
        Ok(socket.local_addr()?.ip())
    });
    found.unwrap_or(Ipv4Addr::LOCALHOST.into())
}

fn router(app: App) -> Router {
    routes::router()
        .route("/api/{*rest}", axum::routing::any(unknown))
        .fallback(axum::routing::get(assets::application))
        .layer(CatchPanicLayer::custom(|_: Box<dyn std::any::Any + Send>| {
            axum::response::IntoResponse::into_response(ApiError::failed("the server broke down over this request"))
        }))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, LONGEST_ANSWER))
        // Too large a body is refused before it is sent.
        .layer(DefaultBodyLimit::disable())
        .layer(RequestBodyLimitLayer::new(MOST_BYTES))
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(app.clone(), guard::check))
        .with_state(app)
}

async fn unknown() -> ApiError {
    ApiError::missing("there is no such route; /api/openapi.json lists them")
}

async fn look_at_clocks(app: App) {
    let mut ticks = tokio::time::interval(CLOCKS_EVERY);
    loop {
        ticks.tick().await;
        app.sessions.all().iter().for_each(|session| session.look_at_clocks());
    }
}
