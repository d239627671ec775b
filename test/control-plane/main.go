// control-plane is etcd, kube-apiserver and the controllers a client would miss, in one process.
// It is for tests and sandboxes: it has no nodes and no scheduler, and doesn't fsync unless told to.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"k8s.io/client-go/tools/clientcmd"
)

type options struct {
	dataDir, kubeconfig, logFile string
	port                         int
	durable, fakeKubelet         bool
	apiServerArgs                repeated
}

// repeated collects the values of a flag given more than once.
type repeated []string

func (r *repeated) String() string     { return strings.Join(*r, " ") }
func (r *repeated) Set(v string) error { *r = append(*r, v); return nil }

// ready is the one line printed when everything answers.
type ready struct {
	Ready      bool   `json:"ready"`
	Server     string `json:"server"`
	Kubeconfig string `json:"kubeconfig"`
	DataDir    string `json:"dataDir"`
	PID        int    `json:"pid"`
	ReadyzMs   int64  `json:"readyzMs"`
	TotalMs    int64  `json:"totalMs"`
}

// failed is the line printed instead of ready. Log is where to read on; empty when the failure came before any log.
type failed struct {
	Ready bool   `json:"ready"`
	Error string `json:"error"`
	Log   string `json:"log,omitempty"`
}

func main() {
	started := time.Now()
	var o options
	flag.StringVar(&o.dataDir, "data-dir", "", "state directory (default: a temporary one, removed on exit)")
	flag.IntVar(&o.port, "port", 0, "secure port on 127.0.0.1 (0 = pick a free one)")
	flag.StringVar(&o.kubeconfig, "kubeconfig", "", "where to write the admin kubeconfig (default DATA/kubeconfig)")
	flag.StringVar(&o.logFile, "log-file", "", "component log (default DATA/control-plane.log; - = stderr)")
	flag.BoolVar(&o.durable, "durable", false, "fsync etcd writes")
	flag.BoolVar(&o.fakeKubelet, "fake-kubelet", false, "bind every pod to a fake node and report it Running/Ready")
	flag.Var(&o.apiServerArgs, "apiserver-arg", "extra kube-apiserver flag, e.g. --apiserver-arg=--v=4 (repeatable)")
	exitOnEOF := flag.Bool("exit-on-eof", false, "exit when stdin closes (a test runner's child dies with it)")
	gogc := flag.Int("gogc", 50, "GC target percentage (lower = less RSS)")
	flag.Parse()
	debug.SetGCPercent(*gogc)

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // from then on a second signal kills at once
	if *exitOnEOF {
		go func() { _, _ = io.Copy(io.Discard, os.Stdin); stop() }()
	}
	if log, err := run(ctx, started, o); err != nil {
		printLine(failed{Error: err.Error(), Log: log})
		os.Exit(1)
	}
}

func printLine(v any) {
	line, _ := json.Marshal(v)
	fmt.Println(string(line))
}

// run prepares the data directory, serves, and cleans up; after a failure the log stays and its path is returned.
func run(ctx context.Context, started time.Time, o options) (string, error) {
	dir, temporary, err := prepareDataDir(o.dataDir)
	if err != nil {
		return "", err
	}
	if o.kubeconfig == "" {
		o.kubeconfig = filepath.Join(dir, "kubeconfig")
	}
	if o.logFile == "" {
		o.logFile = filepath.Join(dir, "control-plane.log")
	}
	if o.logFile != "-" {
		f, err := os.OpenFile(o.logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return "", err
		}
		os.Stderr = f // klog reads os.Stderr at each write; Go panics still reach the real stderr
	}
	if err := serve(ctx, started, dir, o); err != nil {
		return o.logFile, err
	}
	if temporary {
		return "", os.RemoveAll(dir)
	}
	return "", nil
}

// prepareDataDir returns an absolute, existing directory and whether it is ours to remove.
func prepareDataDir(dir string) (string, bool, error) {
	if dir == "" {
		dir, err := os.MkdirTemp("", "control-plane")
		return dir, true, err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", false, err
	}
	return dir, false, os.MkdirAll(dir, 0o700)
}

// serve starts everything with its state in dir, says so, and returns when ctx ends or the apiserver fails.
func serve(ctx context.Context, started time.Time, dir string, o options) error {
	pki := filepath.Join(dir, "pki")
	if err := ensurePKI(pki); err != nil {
		return fmt.Errorf("pki: %w", err)
	}

	etcdURL, stopEtcd, err := startEtcd(dir, o.durable)
	if err != nil {
		return fmt.Errorf("etcd: %w", err)
	}
	defer stopEtcd()

	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", o.port))
	if err != nil {
		return err
	}
	server := "https://" + listener.Addr().String()
	apiDone := make(chan error, 1)
	apiCtx, stopAPI := context.WithCancel(context.Background())
	defer stopAPI()
	go func() {
		apiDone <- runAPIServer(apiCtx, listener, append(apiServerArgs(etcdURL, pki), o.apiServerArgs...))
	}()

	if err := writeKubeconfig(o.kubeconfig, server, pki); err != nil {
		return err
	}
	cfg, err := clientcmd.BuildConfigFromFlags("", o.kubeconfig)
	if err != nil {
		return err
	}
	if err := waitReady(ctx, cfg, apiDone); err != nil {
		return err
	}
	readyz := time.Since(started)
	if err := startControllers(apiCtx, cfg, pki); err != nil {
		return fmt.Errorf("controllers: %w", err)
	}
	if o.fakeKubelet {
		if err := startFakeKubelet(apiCtx, cfg); err != nil {
			return fmt.Errorf("fake kubelet: %w", err)
		}
	}
	if err := waitDefaultServiceAccount(ctx, cfg); err != nil {
		return err
	}
	printLine(ready{
		Ready: true, Server: server, Kubeconfig: o.kubeconfig, DataDir: dir, PID: os.Getpid(),
		ReadyzMs: readyz.Milliseconds(), TotalMs: time.Since(started).Milliseconds(),
	})

	select {
	case <-ctx.Done():
	case err := <-apiDone:
		return fmt.Errorf("kube-apiserver exited: %w", err)
	}
	stopAPI()
	select {
	case <-apiDone:
	case <-time.After(3 * time.Second): // open watches would otherwise hold shutdown for up to a minute
	}
	return nil
}
