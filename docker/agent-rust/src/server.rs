//! Routes of the SDK, behind the token check where one is asked for.

use std::sync::Arc;

use a2a::AgentCard;
use a2a::{TRANSPORT_PROTOCOL_HTTP_JSON, TRANSPORT_PROTOCOL_JSONRPC};
use a2a_grpc::GrpcHandler;
use a2a_pb::proto::a2a_service_server::A2aServiceServer;
use a2a_server::agent_card::agent_card_router;
use a2a_server::jsonrpc::jsonrpc_router;
use a2a_server::push::HttpPushSenderConfig;
use a2a_server::rest::rest_router;
use a2a_server::{
    DefaultRequestHandler, HttpPushSender, InMemoryPushConfigStore, InMemoryTaskStore, ServiceParams, StaticAgentCard,
};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::transport::server::TcpIncoming;

use crate::card::{self, JSONRPC_PATH, REST_PATH};
use crate::executor::LabExecutor;
use crate::flags::Flags;
use crate::principals::{Owners, Tokens};
use crate::signing::KEYS_PATH;

/// The SDK's request handler, wired as the flags say.
pub fn handler(flags: &Flags, card: &AgentCard, tokens: &Tokens) -> Arc<DefaultRequestHandler> {
    let owners = Owners::new(tokens.clone());
    // The SDK refuses webhooks on local addresses, where those of a lab are.
    let sender = HttpPushSender::new(Some(HttpPushSenderConfig { validate_urls: false, ..Default::default() }));
    let mut handler =
        DefaultRequestHandler::new(LabExecutor::new(tokens.clone(), owners.clone()), InMemoryTaskStore::new())
            .with_push_notifications(InMemoryPushConfigStore::new(), sender)
            .with_capabilities(card.capabilities.clone());
    if flags.auth {
        handler = handler.with_authorizer(owners);
    }
    if flags.extended_card {
        let (public, tokens) = (card.clone(), tokens.clone());
        handler = handler.with_extended_agent_card_resolver(move |params: &ServiceParams| {
            Ok(card::extended(&public, tokens.caller(params).unwrap_or("nobody")))
        });
    }
    Arc::new(handler)
}

/// What everybody may read.
pub struct Shown {
    pub card: AgentCard,
    /// Of the card's signature.
    pub keys: Option<Value>,
}

/// Serves the card, and JSON-RPC and HTTP+JSON where they are offered, until `stop`.
pub async fn serve_http(
    flags: &Flags,
    Shown { card, keys }: Shown,
    tokens: &Tokens,
    handler: Arc<DefaultRequestHandler>,
    listener: TcpListener,
    stop: CancellationToken,
) -> std::io::Result<()> {
    let mut routes = axum::Router::new();
    if flags.serves(TRANSPORT_PROTOCOL_JSONRPC) {
        routes = routes.nest(JSONRPC_PATH, jsonrpc_router(handler.clone()));
    }
    if flags.serves(TRANSPORT_PROTOCOL_HTTP_JSON) {
        routes = routes.nest(REST_PATH, rest_router(handler));
    }
    if flags.auth {
        routes = routes.route_layer(from_fn_with_state(tokens.clone(), check_token));
    }
    let mut routes = routes.merge(agent_card_router(Arc::new(StaticAgentCard::new(card))));
    if let Some(keys) = keys {
        routes = routes.route(KEYS_PATH, get(|| async { Json(keys) }));
    }
    // Without TCP_NODELAY each event of a stream would wait for the acknowledgement of the one before.
    let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::warn!(%error, "TCP_NODELAY");
        }
    });
    axum::serve(listener, routes).with_graceful_shutdown(stop.cancelled_owned()).await
}

/// Serves gRPC until `stop`.
pub async fn serve_grpc(
    flags: &Flags,
    tokens: &Tokens,
    handler: Arc<DefaultRequestHandler>,
    listener: TcpListener,
    stop: CancellationToken,
) -> Result<(), tonic::transport::Error> {
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    let tokens = flags.auth.then(|| tokens.clone());
    let check = move |request: tonic::Request<()>| match &tokens {
        Some(tokens) => check_metadata(tokens, request),
        None => Ok(request),
    };
    tonic::transport::Server::builder()
        .add_service(A2aServiceServer::with_interceptor(GrpcHandler::new(handler), check))
        .serve_with_incoming_shutdown(incoming, stop.cancelled_owned())
        .await
}

/// The SDK's authorizer can only refuse with an A2A error, and none says "unauthenticated": HTTP says it itself.
async fn check_token(State(tokens): State<Tokens>, request: Request, next: Next) -> Response {
    let authorization = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if authorization.is_some_and(|value| tokens.principal_of(value).is_some()) {
        return next.run(request).await;
    }
    let challenge = match authorization {
        Some(_) => r#"Bearer realm="plugfest", error="invalid_token""#,
        None => r#"Bearer realm="plugfest""#,
    };
    let media_type = match request.uri().path().starts_with(REST_PATH) {
        true => "application/a2a+json",
        false => "application/json",
    };
    let body = json!({"error": {
        "code": 401,
        "status": "UNAUTHENTICATED",
        "message": "a known bearer token is needed",
        "details": [],
    }});
    let headers = [(header::WWW_AUTHENTICATE, challenge), (header::CONTENT_TYPE, media_type)];
    (StatusCode::UNAUTHORIZED, headers, body.to_string()).into_response()
}

#[allow(clippy::result_large_err)] // tonic's interceptors return a Status by value.
fn check_metadata(tokens: &Tokens, request: tonic::Request<()>) -> Result<tonic::Request<()>, tonic::Status> {
    let authorization = request.metadata().get("authorization").and_then(|value| value.to_str().ok());
    match authorization.and_then(|value| tokens.principal_of(value)) {
        Some(_) => Ok(request),
        None => Err(tonic::Status::unauthenticated("a known bearer token is needed")),
    }
}
