//! A Plugfest lab agent on the official A2A SDK for Rust. Its contract is docs/lab-agents.md.

mod behaviours;
mod card;
mod drive;
mod executor;
mod failure;
mod flags;
mod itk;
mod itk_walk;
mod observed;
mod outlet;
mod parts;
mod peer;
mod principals;
mod request;
mod server;
mod signing;
mod start;

use std::process::exit;

use tracing_subscriber::EnvFilter;

use crate::flags::Asked;
use crate::principals::{TOKENS_VARIABLE, Tokens};

fn main() {
    let flags = match flags::read(std::env::args().skip(1)) {
        Ok(Asked::Serve(flags)) => flags,
        Ok(Asked::Help) => {
            println!("{}", flags::USAGE);
            return;
        }
        Err(problem) => refuse(&problem, 2),
    };
    let tokens = match Tokens::read(&std::env::var(TOKENS_VARIABLE).unwrap_or_default()) {
        Ok(tokens) => tokens,
        Err(problem) => refuse(&problem, 2),
    };
    // Lossy: an agent must go on also when nobody reads its stderr.
    let (stderr, _flushes_at_end) = tracing_appender::non_blocking(std::io::stderr());
    let filter = EnvFilter::try_from_env("LAB_AGENT_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr).with_ansi(false).init();

    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => refuse(&format!("cannot start: {error}"), 1),
    };
    if let Err(problem) = runtime.block_on(start::serve(flags, tokens)) {
        refuse(&problem, 1);
    }
    // Streams that are open and behaviours that sleep are not waited for.
    runtime.shutdown_background();
}

fn refuse(problem: &str, code: i32) -> ! {
    eprintln!("lab-agent: {problem}");
    exit(code)
}
