//! The interop test kit's `Instruction`: its messages by their numbers on the wire, and where it hides in a message.

use a2a::{Part, PartContent};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use prost::Message as _;

pub const MEDIA_TYPE: &str = "application/x-protobuf";
const FILE_NAME: &str = "instruction.bin";

#[derive(Clone, PartialEq, prost::Message)]
pub struct Instruction {
    #[prost(oneof = "Step", tags = "1, 2, 3")]
    pub step: Option<Step>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Step {
    #[prost(message, tag = "1")]
    CallAgent(CallAgent),
    #[prost(message, tag = "2")]
    ReturnResponse(ReturnResponse),
    #[prost(message, tag = "3")]
    Steps(SeriesOfSteps),
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CallAgent {
    #[prost(string, tag = "1")]
    pub transport: String,
    #[prost(string, tag = "2")]
    pub agent_card_uri: String,
    #[prost(message, optional, boxed, tag = "3")]
    pub instruction: Option<Box<Instruction>>,
    #[prost(bool, tag = "4")]
    pub streaming: bool,
    #[prost(oneof = "Behavior", tags = "5, 6, 7")]
    pub behavior: Option<Behavior>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Behavior {
    #[prost(message, tag = "5")]
    SendMessage(SendMessageBehavior),
    #[prost(message, tag = "6")]
    PushNotification(PushNotificationBehavior),
    #[prost(message, tag = "7")]
    Resubscribe(ResubscribeBehavior),
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SendMessageBehavior {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct PushNotificationBehavior {
    #[prost(string, tag = "1")]
    pub url: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ResubscribeBehavior {}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ReturnResponse {
    #[prost(string, tag = "1")]
    pub response: String,
    #[prost(bool, tag = "2")]
    pub hold_task: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SeriesOfSteps {
    #[prost(message, repeated, tag = "1")]
    pub instructions: Vec<Instruction>,
    /// 0 unspecified, 1 concat; both join the outputs.
    #[prost(int32, tag = "2")]
    pub response_generator: i32,
}

/// The part that carries an instruction to another agent.
pub fn instruction_part(instruction: &Instruction) -> Part {
    Part::raw(instruction.encode_to_vec()).with_media_type(MEDIA_TYPE).with_filename(FILE_NAME)
}

/// The first instruction among the parts: raw bytes that say so, or base64 in a text. An error where bytes say so
/// and are none.
pub fn find(parts: &[Part]) -> Option<Result<Instruction, String>> {
    parts.iter().find_map(|part| match &part.content {
        PartContent::Raw(bytes) if says_so(part) => {
            Some(parse(bytes).ok_or_else(|| "the part is no itk.Instruction with a step".to_owned()))
        }
        PartContent::Text(text) => parse_base64(text).map(Ok),
        _ => None,
    })
}

fn says_so(part: &Part) -> bool {
    part.media_type.as_deref() == Some(MEDIA_TYPE) || part.filename.as_deref() == Some(FILE_NAME)
}

fn parse(bytes: &[u8]) -> Option<Instruction> {
    Instruction::decode(bytes).ok().filter(|instruction| instruction.step.is_some())
}

/// Plain words can be base64 too; only an exact image of the message counts.
fn parse_base64(text: &str) -> Option<Instruction> {
    let bytes = BASE64.decode(text.trim()).ok()?;
    parse(&bytes).filter(|instruction| instruction.encode_to_vec() == bytes)
}
