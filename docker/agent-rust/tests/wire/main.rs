//! The agent in a process of its own, called over real sockets in each binding.

mod agent;
mod behaviours;
mod caller;
mod drive;
mod itk;
mod principals;
mod push;
mod start;
