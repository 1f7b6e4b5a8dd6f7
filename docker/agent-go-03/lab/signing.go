package lab

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/go-jose/go-jose/v4"
	"github.com/gowebpki/jcs"
)

const (
	// KeysPath is where the public key of a signed card is.
	KeysPath = "/.well-known/jwks.json"

	keyID = "lab"
)

// Signer signs cards, which the SDK cannot do, with a key that lives as long as the process.
type Signer struct {
	signer jose.Signer
	keys   []byte
}

// Signature is a JWS over a card, without its payload.
type Signature struct {
	Protected string `json:"protected"`
	Signature string `json:"signature"`
}

// NewSigner makes the key. baseURL is where KeysPath will be served.
func NewSigner(baseURL string) (*Signer, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	key := jose.JSONWebKey{Key: private, KeyID: keyID, Algorithm: string(jose.ES256), Use: "sig"}
	header := new(jose.SignerOptions).WithType("JOSE").WithHeader("jku", baseURL+KeysPath)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, header)
	if err != nil {
		return nil, err
	}
	keys, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{key.Public()}})
	return &Signer{signer, keys}, err
}

// Sign signs a card that has no signatures yet, as the SDK's handler writes it.
func (signer *Signer) Sign(card http.Handler) (Signature, error) {
	served := httptest.NewRecorder()
	card.ServeHTTP(served, httptest.NewRequest(http.MethodGet, CardPath, http.NoBody))
	if served.Code != http.StatusOK {
		return Signature{}, fmt.Errorf("the card to be signed: HTTP %d", served.Code)
	}
	// A2A 1.0 section 8.4.1: RFC 8785. What the SDK leaves out of the card is not signed, either.
	payload, err := jcs.Transform(served.Body.Bytes())
	if err != nil {
		return Signature{}, err
	}
	signed, err := signer.signer.Sign(payload)
	if err != nil {
		return Signature{}, err
	}
	made := Signature{}
	return made, json.Unmarshal([]byte(signed.FullSerialize()), &made)
}

// ServeHTTP serves the public key.
func (signer *Signer) ServeHTTP(writer http.ResponseWriter, _ *http.Request) {
	writer.Header().Set("Content-Type", "application/json")
	_, _ = writer.Write(signer.keys) // a caller that is gone needs no key
}
