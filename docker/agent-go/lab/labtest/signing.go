package labtest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/gowebpki/jcs"

	"plugfest/agent/lab"
)

func (suite Suite) signing(t *testing.T) {
	t.Run("a signed card verifies by the key at its jku, and no longer once it was changed", func(t *testing.T) {
		agent := start(t, nil, "--signCard", "--protocol", suite.Protocol)
		card := agent.card(t)
		signatures, _ := card["signatures"].([]any)
		if len(signatures) != 1 {
			t.Fatalf("signatures: %v", card["signatures"])
		}
		signature, _ := signatures[0].(map[string]any)
		delete(card, "signatures")
		key := publicKey(t, agent)
		jws := signed(t, signature, card)
		equal(t, "jku", jws.Signatures[0].Protected.ExtraHeaders["jku"], agent.URL+lab.KeysPath)
		if _, err := jws.Verify(key); err != nil {
			t.Errorf("the signature: %v", err)
		}
		card["description"] = "another"
		if _, err := signed(t, signature, card).Verify(key); err == nil {
			t.Error("a changed card verifies")
		}
	})
	t.Run("without the flag there is neither signature nor key", func(t *testing.T) {
		agent := start(t, nil, "--protocol", suite.Protocol)
		if signatures, there := agent.card(t)["signatures"]; there {
			t.Errorf("signatures: %v", signatures)
		}
		status, _ := get(t, agent.URL+lab.KeysPath)
		equal(t, "status", status, http.StatusNotFound)
	})
}

// signed puts a signature and the card that it is said to be over together.
func signed(t *testing.T, signature, card map[string]any) *jose.JSONWebSignature {
	t.Helper()
	text, err := json.Marshal(card)
	if err != nil {
		t.Fatal(err)
	}
	payload, err := jcs.Transform(text)
	if err != nil {
		t.Fatal(err)
	}
	compact := fmt.Sprintf("%v.%s.%v", signature["protected"], base64.RawURLEncoding.EncodeToString(payload), signature["signature"])
	jws, err := jose.ParseSigned(compact, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		t.Fatal(err)
	}
	return jws
}

func publicKey(t *testing.T, agent *Agent) jose.JSONWebKey {
	t.Helper()
	_, body := get(t, agent.URL+lab.KeysPath)
	var set jose.JSONWebKeySet
	if err := json.Unmarshal(body, &set); err != nil {
		t.Fatal(err)
	}
	found := set.Key("lab")
	if len(found) != 1 || !found[0].IsPublic() {
		t.Fatalf("keys: %s", body)
	}
	return found[0]
}

func get(t *testing.T, url string) (status int, body []byte) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if body, err = io.ReadAll(response.Body); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, body
}
