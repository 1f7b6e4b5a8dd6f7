"""The log on stderr, which never holds the agent up."""

from __future__ import annotations

import logging
import logging.handlers
import queue
import sys
import time

_LIMIT_RECORDS = 10_000
_FLUSH_LIMIT_S = 0.2
_records: queue.Queue[logging.LogRecord] = queue.Queue(_LIMIT_RECORDS)


class _DroppingHandler(logging.handlers.QueueHandler):
    """Hands records to the writing thread; drops them when nobody reads stderr."""

    def enqueue(self, record: logging.LogRecord) -> None:
        try:
            self.queue.put_nowait(record)
        except queue.Full:
            pass


def start_log(level: str) -> None:
    """Sends every logger's records to stderr through a thread of its own.

    The SDK logs a stack trace for many a refused call. Written by the event loop, a pipe that the
    parent does not read would soon stop the agent, SIGTERM included.
    """
    # The records come formatted: the queue's handler does that where they are made.
    writer = logging.StreamHandler(sys.stderr)
    logging.handlers.QueueListener(_records, writer).start()
    logging.basicConfig(handlers=[_DroppingHandler(_records)], level=level)


def flush_log() -> None:
    """Gives the writing thread a moment to finish."""
    deadline = time.monotonic() + _FLUSH_LIMIT_S
    while not _records.empty() and time.monotonic() < deadline:
        time.sleep(0.005)
