"""Starts an agent: `python -m travel_agent --role expense`."""

import sys

from travel_agent.main import main

if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
