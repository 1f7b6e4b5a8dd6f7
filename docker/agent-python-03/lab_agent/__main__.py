"""Starts the lab agent: `python -m lab_agent`."""

import sys

from lab_agent.main import main

if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
