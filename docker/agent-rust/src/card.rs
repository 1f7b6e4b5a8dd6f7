//! The agent card, public and extended.

use std::collections::HashMap;

use a2a::{
    AgentCapabilities, AgentCard, AgentInterface, AgentSkill, HttpAuthSecurityScheme, SecurityScheme,
    TRANSPORT_PROTOCOL_GRPC, TRANSPORT_PROTOCOL_HTTP_JSON, TRANSPORT_PROTOCOL_JSONRPC,
};

use crate::flags::Flags;
use crate::itk;

pub const JSONRPC_PATH: &str = "/jsonrpc";
pub const REST_PATH: &str = "/rest";
const MEDIA_TYPES: [&str; 2] = ["text/plain", "application/json"];
const SCHEME: &str = "bearer";

/// Addresses as others see them.
pub struct Addresses {
    /// `http://host:port`, without a path.
    pub http: String,
    /// `host:port`.
    pub grpc: Option<String>,
}

/// The card that everybody may read, with one interface per binding on offer.
pub fn public(flags: &Flags, addresses: &Addresses) -> AgentCard {
    let interfaces = flags.bindings.iter().filter_map(|binding| {
        let url = match *binding {
            TRANSPORT_PROTOCOL_JSONRPC => format!("{}{JSONRPC_PATH}", addresses.http),
            TRANSPORT_PROTOCOL_HTTP_JSON => format!("{}{REST_PATH}", addresses.http),
            TRANSPORT_PROTOCOL_GRPC => addresses.grpc.clone()?,
            _ => return None,
        };
        Some(AgentInterface::new(url, *binding))
    });
    let mut input_modes = strings(&MEDIA_TYPES);
    // Instructions of the interop kit come as a file.
    input_modes.push(itk::MEDIA_TYPE.to_owned());
    AgentCard {
        name: flags.name.clone(),
        description: "Plugfest lab agent on the official Rust SDK. It does what a message tells it to do.".to_owned(),
        version: "1.0.0".to_owned(),
        supported_interfaces: interfaces.collect(),
        capabilities: AgentCapabilities {
            streaming: Some(true),
            push_notifications: Some(true),
            extensions: None,
            extended_agent_card: flags.extended_card.then_some(true),
        },
        default_input_modes: input_modes,
        default_output_modes: strings(&MEDIA_TYPES),
        skills: vec![skill("lab", "Lab", "Plays the behaviour that the text, the message id or a data part selects.")],
        provider: None,
        documentation_url: None,
        icon_url: None,
        security_schemes: flags.auth.then(|| HashMap::from([(SCHEME.to_owned(), bearer())])),
        security_requirements: flags.auth.then(|| vec![HashMap::from([(SCHEME.to_owned(), Vec::new())])]),
        signatures: None,
    }
}

/// The card for one principal.
pub fn extended(public: &AgentCard, principal: &str) -> AgentCard {
    let mut card = public.clone();
    card.skills.push(skill("lab-extended", "Lab, extended", &format!("Seen by {principal}.")));
    card
}

fn skill(id: &str, name: &str, description: &str) -> AgentSkill {
    AgentSkill {
        id: id.to_owned(),
        name: name.to_owned(),
        description: description.to_owned(),
        tags: strings(&["plugfest", "lab"]),
        examples: Some(strings(&["plugfest-echo hello"])),
        input_modes: None,
        output_modes: None,
        security_requirements: None,
    }
}

fn bearer() -> SecurityScheme {
    SecurityScheme::HttpAuth(HttpAuthSecurityScheme {
        scheme: "bearer".to_owned(),
        description: None,
        bearer_format: None,
    })
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
