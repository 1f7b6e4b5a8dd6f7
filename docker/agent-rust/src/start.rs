//! Binds the ports, tells the world where, serves, and ends in time.

use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use a2a::TRANSPORT_PROTOCOL_GRPC;
use a2a_server::WELL_KNOWN_AGENT_CARD_PATH;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::card::{self, Addresses};
use crate::flags::Flags;
use crate::principals::Tokens;
use crate::server::{self, Shown};
use crate::signing;

/// How long answers under way may take once the agent is told to end; a stream may never end by itself.
const GRACE: Duration = Duration::from_millis(500);

/// Runs the agent until it is told to end. The error is one line.
pub async fn serve(flags: Flags, tokens: Tokens) -> Result<(), String> {
    let stop = ending()?;
    let http = bind(flags.host, flags.http_port).await?;
    let grpc = match flags.serves(TRANSPORT_PROTOCOL_GRPC) {
        true => Some(bind(flags.host, flags.grpc_port).await?),
        false => None,
    };
    let addresses = Addresses {
        http: format!("http://{}", address(flags.host, &http)?),
        grpc: grpc.as_ref().map(|listener| address(flags.host, listener)).transpose()?,
    };
    let card = card::public(&flags, &addresses);
    let handler = server::handler(&flags, &card, &tokens);
    let (card, keys) = match flags.sign_card {
        true => {
            let signed =
                signing::sign(card, &addresses.http).map_err(|error| format!("cannot sign the card: {error}"))?;
            (signed.card, Some(signed.keys))
        }
        false => (card, None),
    };
    announce(&flags.name, &addresses).map_err(|error| format!("cannot print the ready line: {error}"))?;

    let over_http = async {
        let served =
            server::serve_http(&flags, Shown { card, keys }, &tokens, handler.clone(), http, stop.clone()).await;
        served.map_err(|error| format!("HTTP server: {error}"))
    };
    let over_grpc = async {
        let Some(listener) = grpc else { return Ok(()) };
        let served = server::serve_grpc(&flags, &tokens, handler.clone(), listener, stop.clone()).await;
        served.map_err(|error| format!("gRPC server: {error}"))
    };
    let out_of_grace = async {
        stop.cancelled().await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        served = async { tokio::try_join!(over_http, over_grpc) } => served.map(|_| ()),
        () = out_of_grace => Ok(()),
    }
}

async fn bind(host: IpAddr, port: u16) -> Result<TcpListener, String> {
    let address = SocketAddr::new(host, port);
    TcpListener::bind(address).await.map_err(|error| format!("cannot bind {address}: {error}"))
}

/// `host:port` as others reach it: by the machine's name where the agent listens on all addresses, as in a
/// container.
fn address(host: IpAddr, listener: &TcpListener) -> Result<String, String> {
    let port = listener.local_addr().map_err(|error| format!("no address: {error}"))?.port();
    if host.is_unspecified() {
        return Ok(format!("{}:{port}", gethostname::gethostname().to_string_lossy()));
    }
    Ok(SocketAddr::new(host, port).to_string())
}

fn announce(name: &str, addresses: &Addresses) -> std::io::Result<()> {
    let mut line = json!({
        "ready": true,
        "name": name,
        "card": format!("{}{WELL_KNOWN_AGENT_CARD_PATH}", addresses.http),
    });
    if let Some(grpc) = &addresses.grpc {
        line["origins"] = json!([format!("http://{grpc}")]);
    }
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{line}")?;
    stdout.flush()
}

/// Cancelled on SIGTERM and SIGINT, and at the end of stdin where `PLUGFEST_PARENT=stdin`.
fn ending() -> Result<CancellationToken, String> {
    let stop = CancellationToken::new();
    for kind in [SignalKind::terminate(), SignalKind::interrupt()] {
        let mut received = signal(kind).map_err(|error| format!("cannot wait for signals: {error}"))?;
        let stop = stop.clone();
        tokio::spawn(async move {
            received.recv().await;
            stop.cancel();
        });
    }
    if std::env::var("PLUGFEST_PARENT").as_deref() == Ok("stdin") {
        let stop = stop.clone();
        // A thread of its own: a read of stdin cannot be given up.
        std::thread::spawn(move || {
            let mut ignored = [0; 1024];
            while matches!(std::io::stdin().read(&mut ignored), Ok(count) if count > 0) {}
            stop.cancel();
        });
    }
    Ok(stop)
}
