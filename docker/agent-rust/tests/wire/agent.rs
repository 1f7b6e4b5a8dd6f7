//! A lab agent in a process of its own.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

pub struct Agent {
    child: Child,
    pub stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    pub ready: Value,
    /// `http://host:port`.
    pub url: String,
}

fn command(flags: &[&str], environment: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab-agent"));
    command.args(flags).env_remove("PLUGFEST_PARENT").envs(environment.iter().copied());
    command
}

impl Agent {
    pub fn start(flags: &[&str]) -> Self {
        Self::start_with(flags, &[])
    }

    pub fn start_with(flags: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut child = command(flags, environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the agent starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("the agent prints a line");
        let ready: Value = serde_json::from_str(&line).expect("the ready line is JSON");
        let card = ready["card"].as_str().expect("the ready line names the card");
        let url = card.strip_suffix("/.well-known/agent-card.json").expect("the card has its usual path").to_owned();
        Self { stdin: child.stdin.take(), child, stdout, ready, url }
    }

    pub fn terminate(&self) {
        let killed = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().expect("kill runs");
        assert!(killed.success());
    }

    /// Waits for the end; returns the exit code and how long it took.
    pub fn ended(&mut self) -> (Option<i32>, Duration) {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the agent can be waited for") {
                return (status.code(), start.elapsed());
            }
            assert!(start.elapsed() < Duration::from_secs(10), "the agent does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// What it printed after the ready line. Only after its end.
    pub fn further_stdout(&mut self) -> String {
        let mut text = String::new();
        self.stdout.read_to_string(&mut text).expect("stdout is text");
        text
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the agent to its end, as with a flag that it refuses.
pub fn run(flags: &[&str], environment: &[(&str, &str)]) -> Output {
    command(flags, environment).output().expect("the agent starts")
}
