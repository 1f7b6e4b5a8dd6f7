//! Another agent, called with the SDK's own client.

use std::sync::Arc;

use a2a::{A2AError, AgentCard, AgentInterface, SVC_PARAM_EXTENSIONS, TRANSPORT_PROTOCOL_GRPC};
use a2a_client::agent_card::AgentCardResolver;
use a2a_client::auth::AuthInterceptor;
use a2a_client::middleware::CallInterceptor;
use a2a_client::{A2AClient, A2AClientFactory, ServiceParams, Transport};
use a2a_grpc::client::GrpcTransportFactory;
use async_trait::async_trait;

use crate::failure::Failure;
use crate::flags::BINDINGS;

pub type Client = A2AClient<Box<dyn Transport>>;

/// What a client adds to each of its calls.
#[derive(Default)]
pub struct Extras {
    pub token: Option<String>,
    pub extensions: Vec<String>,
}

/// Reads the card below a base URL, anew each time: a proxy may show different cards to different callers.
pub async fn resolve(card_base_url: &str) -> Result<AgentCard, Failure> {
    Ok(AgentCardResolver::new(None).resolve(card_base_url).await?)
}

/// The SDK's client for the one interface of the card with this binding, in 1.0.
pub async fn client(card: &AgentCard, binding: &str, extras: Extras) -> Result<Client, Failure> {
    if !BINDINGS.contains(&binding) {
        let known = BINDINGS.join(", ");
        return Err(Failure::new("UnsupportedByClient", format!("this client speaks {known}, not {binding}")));
    }
    let Some(interface) = card.supported_interfaces.iter().find(|interface| is_for(interface, binding)) else {
        let offers: Vec<_> = card.supported_interfaces.iter().map(label).collect();
        let offers = if offers.is_empty() { "nothing".to_owned() } else { offers.join(", ") };
        let message = format!("{} offers no {binding} 1.0; its card lists {offers}", card.name);
        return Err(Failure::new("NoMatchingInterface", message));
    };
    // With one interface alone the SDK cannot fall back to another binding.
    let narrowed = AgentCard { supported_interfaces: vec![interface.clone()], ..card.clone() };
    let mut factory = A2AClientFactory::builder().preferred_bindings(vec![binding.to_owned()]);
    if binding == TRANSPORT_PROTOCOL_GRPC {
        factory = factory.register(Arc::new(GrpcTransportFactory::new()));
    }
    if let Some(token) = extras.token {
        factory = factory.with_interceptor(Arc::new(AuthInterceptor::bearer(token)));
    }
    if !extras.extensions.is_empty() {
        factory = factory.with_interceptor(Arc::new(Extensions(extras.extensions)));
    }
    Ok(factory.build().create_from_card(&narrowed).await?)
}

fn is_for(interface: &AgentInterface, binding: &str) -> bool {
    let mut numbers = interface.protocol_version.split('.');
    interface.protocol_binding == binding && numbers.next() == Some("1") && numbers.next() == Some("0")
}

fn label(interface: &AgentInterface) -> String {
    format!("{} {}", interface.protocol_binding, interface.protocol_version)
}

/// Asks for extensions by the SDK's service parameter, one value each.
struct Extensions(Vec<String>);

#[async_trait]
impl CallInterceptor for Extensions {
    async fn before(&self, _method: &str, params: &mut ServiceParams) -> Result<(), A2AError> {
        params.entry(SVC_PARAM_EXTENSIONS.to_owned()).or_default().extend(self.0.iter().cloned());
        Ok(())
    }
}
