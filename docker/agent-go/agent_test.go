package main

import (
	"testing"

	"plugfest/agent/lab"
	"plugfest/agent/lab/labtest"
	"plugfest/agent/sdk"
)

func TestMain(m *testing.M) { labtest.Main(m, main) }

func TestAgent(t *testing.T) {
	// What the SDK gets wrong is in docs/sdk-findings.md; a test that fails here may be news of a newer SDK.
	restOf03 := []labtest.Dialect{{Binding: lab.HTTPJSON, Version: "0.3"}}
	suite := labtest.Suite{
		Tell: "1.0", Protocol: "both", ListTasks: true, SubscriptionsShowTheTask: true, UnreadableErrors: restOf03, NoPushConfigs: restOf03,
	}
	for _, version := range sdk.Offer.Versions {
		for _, binding := range sdk.Offer.Bindings {
			suite.Dialects = append(suite.Dialects, labtest.Dialect{Binding: binding, Version: version})
		}
	}
	labtest.Run(t, suite)
}
