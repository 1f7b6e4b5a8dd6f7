package lab

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Bindings as cards name them.
const (
	JSONRPC  = "JSONRPC"
	HTTPJSON = "HTTP+JSON"
	GRPC     = "GRPC"
)

// Offer is what an SDK can serve.
type Offer struct {
	Name     string // of the SDK; the card's name where none is given
	Versions []string
	Bindings []string
}

// Flags are those of docs/lab-agents.md, section Start.
type Flags struct {
	Name         string
	Host         string
	HTTPPort     int
	GRPCPort     int
	Versions     []string
	Bindings     []string
	Bearer       bool
	ExtendedCard bool
	SignCard     bool
}

// Offers tells whether the server offers a binding.
func (flags Flags) Offers(binding string) bool { return slices.Contains(flags.Bindings, binding) }

// ReadFlags reads the arguments. Its error is one line; flag.ErrHelp where help was asked for and given.
func ReadFlags(arguments []string, offer Offer, help io.Writer) (Flags, error) {
	set := flag.NewFlagSet("lab-agent", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	read := Flags{Versions: offer.Versions[:1], Bindings: offer.Bindings}
	set.StringVar(&read.Name, "name", offer.Name, "the card's name")
	set.StringVar(&read.Host, "host", "127.0.0.1", "address to bind")
	set.Func("httpPort", "0 (the default) takes a free port", port(&read.HTTPPort))
	set.Func("grpcPort", "0 (the default) takes a free port", port(&read.GRPCPort))
	set.Func("protocol", "versions the server offers: "+strings.Join(protocols(offer), ", "), func(text string) error {
		if !slices.Contains(protocols(offer), text) {
			return fmt.Errorf("this SDK serves %s", strings.Join(protocols(offer), ", "))
		}
		if read.Versions = []string{text}; text == "both" {
			read.Versions = offer.Versions
		}
		return nil
	})
	set.Func("bindings", "bindings the server offers, with commas between: "+strings.Join(offer.Bindings, ","),
		func(text string) error {
			read.Bindings = nil
			for name := range strings.SplitSeq(text, ",") {
				name = strings.TrimSpace(name)
				if !slices.Contains(offer.Bindings, name) {
					return fmt.Errorf("this SDK serves %s, not %q", strings.Join(offer.Bindings, ", "), name)
				}
				if !slices.Contains(read.Bindings, name) {
					read.Bindings = append(read.Bindings, name)
				}
			}
			return nil
		})
	set.Func("auth", "bearer: calls need a token of LAB_AGENT_TOKENS", func(text string) error {
		if read.Bearer = text == "bearer"; !read.Bearer {
			return errors.New("only bearer is known")
		}
		return nil
	})
	set.BoolVar(&read.ExtendedCard, "extendedCard", false, "offer the extended card; needs --auth")
	set.BoolVar(&read.SignCard, "signCard", false, "sign the card with a new key; the public one is at "+KeysPath)
	set.Func("fault", "not available: only the bundled JS agent plays defects", func(string) error {
		return errors.New("this agent plays no defects; the bundled JS agent does")
	})
	switch err := set.Parse(arguments); {
	case errors.Is(err, flag.ErrHelp):
		set.SetOutput(help)
		set.PrintDefaults()
		return read, err
	case err != nil:
		return read, fmt.Errorf("%w (see --help)", err)
	case set.NArg() > 0:
		return read, fmt.Errorf("%q is no flag (see --help)", set.Arg(0))
	case read.ExtendedCard && !read.Bearer:
		return read, errors.New("--extendedCard needs --auth bearer (see --help)")
	}
	return read, nil
}

func protocols(offer Offer) []string {
	if len(offer.Versions) == 1 {
		return offer.Versions
	}
	return append(slices.Clone(offer.Versions), "both")
}

func port(target *int) func(string) error {
	return func(text string) error {
		number, err := strconv.ParseUint(text, 10, 16)
		if err != nil {
			return errors.New("no port (0 to 65535)")
		}
		*target = int(number)
		return nil
	}
}

// Principals maps names to bearer tokens.
type Principals map[string]string

// ReadPrincipals reads LAB_AGENT_TOKENS, `alice=TOKEN,bob=TOKEN`. Its error names no token.
func ReadPrincipals() (Principals, error) {
	read := Principals{}
	for entry := range strings.SplitSeq(os.Getenv("LAB_AGENT_TOKENS"), ",") {
		if strings.TrimSpace(entry) == "" {
			continue
		}
		name, token, found := strings.Cut(strings.TrimSpace(entry), "=")
		if !found || name == "" || token == "" {
			return nil, fmt.Errorf("LAB_AGENT_TOKENS: entry %d is not NAME=TOKEN", len(read)+1)
		}
		read[name] = token
	}
	return read, nil
}

// WhoHas tells whose the token in an Authorization header is.
func (principals Principals) WhoHas(authorization string) (string, bool) {
	scheme, given, _ := strings.Cut(authorization, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	for name, token := range principals {
		if token == given {
			return name, true
		}
	}
	return "", false
}
