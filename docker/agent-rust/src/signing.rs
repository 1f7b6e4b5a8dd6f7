//! Card signatures, which the SDK leaves to others, with a key that lives as long as the process.

use a2a::{AgentCard, AgentCardSignature};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use p256::elliptic_curve::Generate;
use serde_json::{Value, json};

pub const KEYS_PATH: &str = "/.well-known/jwks.json";
const KEY_ID: &str = "lab";

/// A card with its signature, and the JWK set with the public key.
pub struct Signed {
    pub card: AgentCard,
    pub keys: Value,
}

/// Signs what the SDK will serve, in the form of RFC 8785 (A2A 1.0 section 8.4.1). `base_url` is where the keys will be.
pub fn sign(mut card: AgentCard, base_url: &str) -> Result<Signed, serde_json::Error> {
    let key = SigningKey::generate();
    let header = json!({ "alg": "ES256", "kid": KEY_ID, "jku": format!("{base_url}{KEYS_PATH}"), "typ": "JOSE" });
    let protected = BASE64URL.encode(header.to_string());
    card.signatures = None;
    let payload = BASE64URL.encode(serde_json_canonicalizer::to_vec(&card)?);
    let signature: Signature = key.sign(format!("{protected}.{payload}").as_bytes());
    let signature = BASE64URL.encode(signature.to_bytes());
    card.signatures = Some(vec![AgentCardSignature { protected, signature, header: None }]);
    Ok(Signed { card, keys: json!({ "keys": [public_half(&key)] }) })
}

fn public_half(key: &SigningKey) -> Value {
    let point = key.verifying_key().to_sec1_point(false);
    let coordinate = |bytes: Option<&p256::FieldBytes>| bytes.map(|bytes| BASE64URL.encode(bytes));
    json!({
        "kty": "EC", "crv": "P-256", "x": coordinate(point.x()), "y": coordinate(point.y()),
        "kid": KEY_ID, "alg": "ES256", "use": "sig",
    })
}
