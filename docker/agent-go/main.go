// The lab agent on the official Go SDK, a2a-go 2: docs/lab-agents.md is its contract.
package main

import (
	"os"

	"plugfest/agent/lab"
	"plugfest/agent/sdk"
)

func main() {
	os.Exit(lab.Main(sdk.Offer, sdk.Build))
}
