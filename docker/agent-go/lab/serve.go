package lab

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc"
)

const (
	// CardPath is the well-known path of a card.
	CardPath = "/.well-known/agent-card.json"

	drain = time.Second
	// endLimit leaves some of the 2 s that the contract allows from SIGTERM to the end.
	endLimit = 1800 * time.Millisecond
)

// Addresses are those that a card names.
type Addresses struct {
	HTTP string // a URL without path
	GRPC string // host:port
}

// Build makes the server of an SDK: what it serves over HTTP, and what it registers for gRPC.
type Build func(flags Flags, principals Principals, at Addresses) (http.Handler, func(*grpc.Server), error)

// Main runs an agent until it is told to end. It returns the exit code.
func Main(offer Offer, build Build) int {
	flags, err := ReadFlags(os.Args[1:], offer, os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	principals := Principals(nil)
	if err == nil {
		principals, err = ReadPrincipals()
	}
	if err == nil {
		err = StartLog()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "lab-agent: %v\n", err)
		return 2
	}
	if err := serve(flags, principals, build); err != nil {
		fmt.Fprintf(os.Stderr, "lab-agent: %v\n", err)
		return 1
	}
	return 0
}

func serve(flags Flags, principals Principals, build Build) error {
	httpListener, at, err := listenOn(flags.Host, flags.HTTPPort)
	if err != nil {
		return err
	}
	addresses := Addresses{HTTP: "http://" + at}
	var grpcListener net.Listener
	if flags.Offers(GRPC) {
		if grpcListener, addresses.GRPC, err = listenOn(flags.Host, flags.GRPCPort); err != nil {
			return err
		}
	}
	handler, register, err := build(flags, principals, addresses)
	if err != nil {
		return err
	}
	httpServer := &http.Server{Handler: handler, ErrorLog: slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn)}
	grpcServer := grpc.NewServer()
	ends := make(chan error, 2)
	go func() { ends <- httpServer.Serve(httpListener) }()
	if grpcListener != nil {
		register(grpcServer)
		go func() { ends <- grpcServer.Serve(grpcListener) }()
	}
	slog.Info("serving", "http", addresses.HTTP, "grpc", addresses.GRPC, "versions", flags.Versions)
	toldToEnd := told() // before anybody can know of it
	if err := announce(flags.Name, addresses); err != nil {
		return err
	}
	select {
	case err := <-ends:
		return err
	case <-toldToEnd:
	}
	// A behaviour that refuses to end must not keep the process.
	time.AfterFunc(endLimit, func() { os.Exit(0) })
	stop(httpServer, grpcServer)
	return nil
}

func listenOn(host string, port int) (net.Listener, string, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return nil, "", err
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		// An agent that listens on all addresses is reached by its host name, as in a compose network.
		if host, err = os.Hostname(); err != nil {
			return nil, "", err
		}
	}
	_, bound, err := net.SplitHostPort(listener.Addr().String())
	return listener, net.JoinHostPort(host, bound), err
}

// announce prints the ready line. Whatever prints afterwards goes to stderr: stdout holds this line alone.
func announce(name string, at Addresses) error {
	line := struct {
		Ready   bool     `json:"ready"`
		Name    string   `json:"name"`
		Card    string   `json:"card"`
		Origins []string `json:"origins,omitempty"`
	}{Ready: true, Name: name, Card: at.HTTP + CardPath}
	if at.GRPC != "" {
		line.Origins = []string{"http://" + at.GRPC}
	}
	err := json.NewEncoder(os.Stdout).Encode(line)
	os.Stdout = os.Stderr
	return err
}

// told gives a signal on SIGTERM, SIGINT or, with PLUGFEST_PARENT=stdin, the end of stdin.
func told() <-chan os.Signal {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	if os.Getenv("PLUGFEST_PARENT") == "stdin" {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin) // a stdin that cannot be read has ended, too
			signals <- syscall.SIGTERM
		}()
	}
	return signals
}

func stop(httpServer *http.Server, grpcServer *grpc.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	var both sync.WaitGroup
	both.Go(func() {
		if httpServer.Shutdown(ctx) != nil {
			_ = httpServer.Close() // open streams are ended by it, and there is nobody to tell
		}
	})
	both.Go(func() {
		context.AfterFunc(ctx, grpcServer.Stop)
		grpcServer.GracefulStop()
	})
	both.Wait()
}
