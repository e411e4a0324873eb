"""`python -m ml_agent` is `ml-agent`."""

import sys

from ml_agent.cli import main

sys.exit(main())
