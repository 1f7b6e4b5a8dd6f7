//! Webhooks, and a receiver of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::http::{HeaderMap, Uri};
use serde_json::{Value, json};

use crate::agent::Agent;
use crate::caller::{BINDINGS, Caller, text};

#[derive(Clone)]
pub struct Delivery {
    pub path: String,
    pub headers: HashMap<String, String>,
    pub body: Value,
}

pub struct Webhook {
    pub origin: String,
    deliveries: Arc<Mutex<Vec<Delivery>>>,
}

impl Webhook {
    /// Listens until the test ends.
    pub async fn open() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        let deliveries: Arc<Mutex<Vec<Delivery>>> = Arc::default();
        let kept = deliveries.clone();
        let keep = async move |uri: Uri, headers: HeaderMap, body: axum::Json<Value>| {
            let headers =
                headers.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap_or_default().to_owned()));
            let delivery = Delivery { path: uri.path().to_owned(), headers: headers.collect(), body: body.0 };
            kept.lock().expect("no test panics while it holds this").push(delivery);
        };
        tokio::spawn(async move { axum::serve(listener, axum::Router::new().fallback(keep)).await });
        Self { origin, deliveries }
    }

    pub fn deliveries(&self) -> Vec<Delivery> {
        self.deliveries.lock().expect("no test panics while it holds this").clone()
    }
}

#[tokio::test]
async fn deliveries_carry_token_and_credentials() {
    let agent = Agent::start(&[]);
    for binding in BINDINGS {
        let hook = Webhook::open().await;
        let push = json!({
            "url": format!("{}/hook", hook.origin), "token": "secret-token",
            "authentication": {"scheme": "Bearer", "credentials": "secret-credentials"},
        });
        let configuration = json!({"taskPushNotificationConfig": push});
        let order = text("plugfest-echo n1");
        Caller::new(&agent, binding).send_configured(order, configuration).await.expect("a task");
        let deliveries = hook.deliveries();
        assert!(!deliveries.is_empty(), "{binding}");
        for delivery in &deliveries {
            assert!(delivery.headers.values().any(|value| value == "secret-token"), "{:?}", delivery.headers);
            let authorization = delivery.headers.get("authorization").map(String::as_str);
            assert_eq!(authorization, Some("Bearer secret-credentials"));
        }
        let last = deliveries.last().map(|delivery| delivery.body["statusUpdate"]["status"]["state"].clone());
        assert_eq!(last, Some(json!("TASK_STATE_COMPLETED")), "{binding}");
    }
}
