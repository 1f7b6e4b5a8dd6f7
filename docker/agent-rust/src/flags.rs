//! The start flags of docs/lab-agents.md.

use std::net::IpAddr;

use a2a::{TRANSPORT_PROTOCOL_GRPC, TRANSPORT_PROTOCOL_HTTP_JSON, TRANSPORT_PROTOCOL_JSONRPC};

/// What the SDK serves, in the order of the card.
pub const BINDINGS: [&str; 3] = [TRANSPORT_PROTOCOL_JSONRPC, TRANSPORT_PROTOCOL_HTTP_JSON, TRANSPORT_PROTOCOL_GRPC];

pub const USAGE: &str = "lab-agent [--name NAME] [--host ADDRESS] [--httpPort N] [--grpcPort N] [--protocol 1.0] \
[--bindings JSONRPC,HTTP+JSON,GRPC] [--auth bearer] [--extendedCard] [--signCard]";

/// What the server offers, and where.
#[derive(Debug)]
pub struct Flags {
    pub name: String,
    pub host: IpAddr,
    pub http_port: u16,
    pub grpc_port: u16,
    pub bindings: Vec<&'static str>,
    pub auth: bool,
    pub extended_card: bool,
    pub sign_card: bool,
}

impl Flags {
    pub fn serves(&self, binding: &str) -> bool {
        self.bindings.contains(&binding)
    }
}

/// What the command line asks for.
#[derive(Debug)]
pub enum Asked {
    Serve(Flags),
    Help,
}

/// Reads the flags. The error is one line for the person who started the agent.
pub fn read(arguments: impl IntoIterator<Item = String>) -> Result<Asked, String> {
    let mut flags = Flags {
        name: "a2a-rs".to_owned(),
        host: IpAddr::from([127, 0, 0, 1]),
        http_port: 0,
        grpc_port: 0,
        bindings: BINDINGS.to_vec(),
        auth: false,
        extended_card: false,
        sign_card: false,
    };
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let (flag, inline) = match argument.split_once('=') {
            Some((flag, value)) => (flag.to_owned(), Some(value.to_owned())),
            None => (argument, None),
        };
        let mut value = || match inline.clone().or_else(|| arguments.next()) {
            Some(value) => Ok(value),
            None => Err(format!("{flag} wants a value")),
        };
        match flag.as_str() {
            "--name" => flags.name = value()?,
            "--host" => flags.host = host(&value()?)?,
            "--httpPort" => flags.http_port = port(&flag, &value()?)?,
            "--grpcPort" => flags.grpc_port = port(&flag, &value()?)?,
            "--protocol" => protocol(&value()?)?,
            "--bindings" => flags.bindings = bindings(&value()?)?,
            "--auth" => flags.auth = auth(&value()?)?,
            "--extendedCard" if inline.is_none() => flags.extended_card = true,
            "--signCard" if inline.is_none() => flags.sign_card = true,
            "--fault" => {
                return Err(format!(
                    "--fault {}: this agent plays no defects; the bundled JavaScript agent does",
                    value()?
                ));
            }
            "--help" | "-h" => return Ok(Asked::Help),
            _ => return Err(format!("{flag}: no such flag (see --help)")),
        }
    }
    if flags.extended_card && !flags.auth {
        return Err("--extendedCard needs --auth bearer".to_owned());
    }
    Ok(Asked::Serve(flags))
}

fn host(text: &str) -> Result<IpAddr, String> {
    if text == "localhost" {
        return Ok(IpAddr::from([127, 0, 0, 1]));
    }
    text.parse().map_err(|_| format!("--host {text}: not an IP address"))
}

fn port(flag: &str, text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| format!("{flag} {text}: not a port (0 to 65535)"))
}

fn protocol(text: &str) -> Result<(), String> {
    match text {
        "1.0" => Ok(()),
        "0.3" | "both" => Err(format!("--protocol {text}: the Rust SDK has A2A 1.0 alone")),
        _ => Err(format!("--protocol {text}: not one of 1.0, 0.3, both")),
    }
}

fn bindings(text: &str) -> Result<Vec<&'static str>, String> {
    let mut asked = Vec::new();
    for name in text.split(',').map(str::trim) {
        match BINDINGS.iter().find(|known| **known == name) {
            Some(known) if !asked.contains(known) => asked.push(*known),
            Some(_) => {}
            None => return Err(format!("--bindings {name}: not one of {}", BINDINGS.join(", "))),
        }
    }
    Ok(asked)
}

fn auth(text: &str) -> Result<bool, String> {
    match text {
        "bearer" => Ok(true),
        _ => Err(format!("--auth {text}: not bearer")),
    }
}
