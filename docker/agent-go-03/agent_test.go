package main

import (
	"testing"

	"plugfest/agent/lab/labtest"
	"plugfest/agent/sdk"
)

func TestMain(m *testing.M) { labtest.Main(m, main) }

func TestAgent(t *testing.T) {
	suite := labtest.Suite{Tell: "0.3", Protocol: "0.3", AuthRequiredEnds: true}
	for _, binding := range sdk.Offer.Bindings {
		suite.Dialects = append(suite.Dialects, labtest.Dialect{Binding: binding, Version: "0.3"})
	}
	labtest.Run(t, suite)
}
