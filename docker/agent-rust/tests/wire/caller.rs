//! Calls an agent in one binding, and shows answers as the JSON of the protocol.

use a2a_pb::pbconv;
use a2a_pb::proto;
use a2a_pb::proto::a2a_service_client::A2aServiceClient;
use serde_json::{Value, json};
use tonic::metadata::MetadataValue;
use tonic::transport::Channel;

use crate::agent::Agent;

pub const BINDINGS: [&str; 3] = ["JSONRPC", "HTTP+JSON", "GRPC"];

pub struct Caller {
    binding: &'static str,
    http: reqwest::Client,
    url: String,
    grpc: String,
    token: Option<&'static str>,
}

/// A message of one text part.
pub fn text(text: &str) -> Value {
    message(json!({"text": text}))
}

/// A message of one part.
pub fn message(part: Value) -> Value {
    json!({"messageId": a2a::new_message_id(), "role": "ROLE_USER", "parts": [part]})
}

impl Caller {
    pub fn new(agent: &Agent, binding: &'static str) -> Self {
        let grpc = agent.ready["origins"][0].as_str().unwrap_or_default().to_owned();
        Self { binding, http: reqwest::Client::new(), url: agent.url.clone(), grpc, token: None }
    }

    pub fn with_token(mut self, token: &'static str) -> Self {
        self.token = Some(token);
        self
    }

    /// The Task or Message that answers a unary send.
    pub async fn send(&self, message: Value) -> Result<Value, String> {
        self.send_configured(message, json!({})).await
    }

    pub async fn send_configured(&self, message: Value, configuration: Value) -> Result<Value, String> {
        let answer = self.call("SendMessage", json!({"message": message, "configuration": configuration})).await?;
        let [member] =
            ["task", "message"].map(|member| answer.get(member)).into_iter().flatten().collect::<Vec<_>>()[..]
        else {
            return Err(format!("neither task nor message: {answer}"));
        };
        Ok(member.clone())
    }

    /// All events of a streaming send, to its end.
    pub async fn stream(&self, message: Value) -> Vec<Value> {
        let params = json!({"message": message});
        match self.binding {
            "JSONRPC" => {
                let body = json!({"jsonrpc": "2.0", "id": 1, "method": "SendStreamingMessage", "params": params});
                let events = self.events("/jsonrpc", body).await;
                events.into_iter().map(|mut event| event["result"].take()).collect()
            }
            "HTTP+JSON" => self.events("/rest/message:stream", params).await,
            _ => {
                let request = from_json::<a2a::SendMessageRequest>(params);
                let request = self.grpc_request(pbconv::to_proto_send_message_request(&request));
                let answer = self.grpc().await.send_streaming_message(request).await.expect("a stream begins");
                let mut stream = answer.into_inner();
                let mut events = Vec::new();
                while let Some(event) = stream.message().await.expect("the stream ends well") {
                    events.push(to_json(&pbconv::from_proto_stream_response(&event).expect("an event has a payload")));
                }
                events
            }
        }
    }

    /// One call by its operation's name.
    pub async fn call(&self, operation: &str, params: Value) -> Result<Value, String> {
        match self.binding {
            "JSONRPC" => {
                let body = json!({"jsonrpc": "2.0", "id": 1, "method": operation, "params": params});
                let mut answer = json_of(self.post("/jsonrpc", body)).await?;
                match answer.get("error") {
                    Some(error) => Err(error.to_string()),
                    None => Ok(answer["result"].take()),
                }
            }
            "HTTP+JSON" => json_of(self.rest(operation, params)).await,
            _ => self
                .grpc_call(operation, params)
                .await
                .map_err(|status| format!("{:?}: {}", status.code(), status.message())),
        }
    }

    fn rest(&self, operation: &str, params: Value) -> reqwest::RequestBuilder {
        let id = params["id"].as_str().unwrap_or_default();
        match operation {
            "SendMessage" => self.post("/rest/message:send", params),
            "GetTask" => self.get(&format!("/rest/tasks/{id}")),
            "CancelTask" => self.post(&format!("/rest/tasks/{id}:cancel"), json!({})),
            "ListTasks" => self.get("/rest/tasks"),
            "GetExtendedAgentCard" => self.get("/rest/extendedAgentCard"),
            _ => panic!("no test calls {operation} over HTTP+JSON"),
        }
    }

    async fn grpc_call(&self, operation: &str, params: Value) -> Result<Value, tonic::Status> {
        let mut client = self.grpc().await;
        Ok(match operation {
            "SendMessage" => {
                let request = pbconv::to_proto_send_message_request(&from_json(params));
                let answer = client.send_message(self.grpc_request(request)).await?;
                to_json(&pbconv::from_proto_send_message_response(answer.get_ref()).expect("an answer has a payload"))
            }
            "GetTask" => {
                let request = pbconv::to_proto_get_task_request(&from_json(params));
                to_json(&pbconv::from_proto_task(client.get_task(self.grpc_request(request)).await?.get_ref()))
            }
            "CancelTask" => {
                let request = pbconv::to_proto_cancel_task_request(&from_json(params));
                to_json(&pbconv::from_proto_task(client.cancel_task(self.grpc_request(request)).await?.get_ref()))
            }
            "ListTasks" => {
                let request = pbconv::to_proto_list_tasks_request(&from_json(params));
                let answer = client.list_tasks(self.grpc_request(request)).await?;
                to_json(&pbconv::from_proto_list_tasks_response(answer.get_ref()))
            }
            "GetExtendedAgentCard" => {
                let request = self.grpc_request(proto::GetExtendedAgentCardRequest::default());
                let answer = client.get_extended_agent_card(request).await?;
                to_json(&pbconv::from_proto_agent_card(answer.get_ref()))
            }
            _ => panic!("no test calls {operation} over gRPC"),
        })
    }

    async fn grpc(&self) -> A2aServiceClient<Channel> {
        A2aServiceClient::connect(self.grpc.clone()).await.expect("the agent serves gRPC")
    }

    fn grpc_request<T>(&self, request: T) -> tonic::Request<T> {
        let mut request = tonic::Request::new(request);
        request.metadata_mut().insert("a2a-version", MetadataValue::from_static("1.0"));
        if let Some(token) = self.token {
            let value = format!("Bearer {token}").parse().expect("a token is ASCII");
            request.metadata_mut().insert("authorization", value);
        }
        request
    }

    pub fn post(&self, path: &str, body: Value) -> reqwest::RequestBuilder {
        self.with_headers(self.http.post(format!("{}{path}", self.url))).json(&body)
    }

    fn get(&self, path: &str) -> reqwest::RequestBuilder {
        self.with_headers(self.http.get(format!("{}{path}", self.url)))
    }

    fn with_headers(&self, request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        let request = request.header("A2A-Version", "1.0");
        match self.token {
            Some(token) => request.header("Authorization", format!("Bearer {token}")),
            None => request,
        }
    }

    async fn events(&self, path: &str, body: Value) -> Vec<Value> {
        let answer = self.post(path, body).send().await.expect("the agent answers");
        let text = answer.text().await.expect("the stream ends well");
        let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
        data.map(|data| serde_json::from_str(data).expect("an event is JSON")).collect()
    }
}

async fn json_of(request: reqwest::RequestBuilder) -> Result<Value, String> {
    let answer = request.send().await.expect("the agent answers");
    let status = answer.status();
    let text = answer.text().await.expect("the answer has a body");
    if !status.is_success() {
        return Err(format!("{} {text}", status.as_u16()));
    }
    Ok(serde_json::from_str(&text).expect("an answer is JSON"))
}

fn from_json<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("the test's params fit the operation")
}

fn to_json<T: serde::Serialize>(value: &T) -> Value {
    serde_json::to_value(value).expect("the SDK's types are JSON")
}

/// A state in short, as in `INPUT_REQUIRED`.
pub fn state(holder: &Value) -> &str {
    let state = holder["status"]["state"].as_str().unwrap_or_default();
    state.strip_prefix("TASK_STATE_").unwrap_or(state)
}

pub fn status_text(holder: &Value) -> String {
    text_of(&holder["status"]["message"])
}

/// All text parts of a message or an artifact.
pub fn text_of(holder: &Value) -> String {
    holder["parts"].as_array().into_iter().flatten().filter_map(|part| part["text"].as_str()).collect()
}

/// A stream in short: states, and the texts of artifacts in quotes.
pub fn said(events: &[Value]) -> Vec<String> {
    let short = events.iter().map(|event| match event.as_object().and_then(|members| members.iter().next()) {
        Some((kind, value)) if kind == "task" || kind == "statusUpdate" => state(value).to_owned(),
        Some((kind, value)) if kind == "artifactUpdate" => format!("'{}'", text_of(&value["artifact"])),
        Some((kind, _)) => kind.clone(),
        None => event.to_string(),
    });
    short.collect()
}
