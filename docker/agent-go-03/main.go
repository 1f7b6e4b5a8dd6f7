// The lab agent on the official Go SDK for A2A 0.3, a2a-go 0.3: docs/lab-agents.md is its contract.
package main

import (
	"os"

	"plugfest/agent/lab"
	"plugfest/agent/sdk"
)

func main() {
	os.Exit(lab.Main(sdk.Offer, sdk.Build))
}
