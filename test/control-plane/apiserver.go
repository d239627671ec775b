package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/rest"
	basecompat "k8s.io/component-base/compatibility"
	logsapi "k8s.io/component-base/logs/api/v1"
	kas "k8s.io/kubernetes/cmd/kube-apiserver/app"
	kasoptions "k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

// apiServerArgs are the flags of a kube-apiserver that listens on loopback only, authorizes by RBAC and signs
// service account tokens itself.
func apiServerArgs(etcdURL, pki string) []string {
	p := func(name string) string { return filepath.Join(pki, name) }
	return []string{
		"--etcd-servers=" + etcdURL,
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none",
		"--tls-cert-file=" + p("apiserver.crt"), "--tls-private-key-file=" + p("apiserver.key"),
		"--client-ca-file=" + p("ca.crt"),
		"--requestheader-client-ca-file=" + p("front-ca.crt"), "--requestheader-allowed-names=front-proxy",
		"--requestheader-username-headers=X-Remote-User", "--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--proxy-client-cert-file=" + p("front-proxy.crt"), "--proxy-client-key-file=" + p("front-proxy.key"),
		"--authorization-mode=RBAC", "--allow-privileged=true", "--profiling=false",
		"--service-account-issuer=https://kubernetes.default.svc.cluster.local",
		"--service-account-key-file=" + p("sa.pub"), "--service-account-signing-key-file=" + p("sa.key"),
		"--service-cluster-ip-range=10.96.0.0/16",
	}
}

// runAPIServer does what kube-apiserver's own command does, except that it serves on a listener it is given: a free
// port is chosen once, not guessed and lost. It returns when ctx ends and every request is done.
func runAPIServer(ctx context.Context, ln net.Listener, args []string) error {
	logsapi.ReapplyHandling = logsapi.ReapplyHandlingIgnoreUnchanged
	rest.SetDefaultWarningHandler(rest.NoWarnings{})
	s := kasoptions.NewServerRunOptions()
	fs := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	for _, f := range s.Flags().FlagSets {
		fs.AddFlagSet(f)
	}
	if err := fs.Parse(args); err != nil {
		return err
	}
	s.SecureServing.Listener = ln
	s.SecureServing.BindPort = ln.Addr().(*net.TCPAddr).Port
	reg := s.GenericServerRunOptions.ComponentGlobalsRegistry
	if err := reg.Set(); err != nil {
		return err
	}
	if err := logsapi.ValidateAndApply(s.Logs, reg.FeatureGateFor(basecompat.DefaultKubeComponent)); err != nil {
		return err
	}
	completed, err := s.Complete(ctx)
	if err != nil {
		return err
	}
	if errs := completed.Validate(); len(errs) > 0 {
		return utilerrors.NewAggregate(errs)
	}
	return kas.Run(ctx, completed)
}

// waitReady waits until /readyz says ok, or the apiserver has given up.
func waitReady(ctx context.Context, cfg *rest.Config, apiDone <-chan error) error {
	rt, err := rest.TransportFor(cfg)
	if err != nil {
		return err
	}
	c := &http.Client{Transport: rt, Timeout: 2 * time.Second}
	deadline := time.After(2 * time.Minute)
	for {
		if resp, err := c.Get(cfg.Host + "/readyz"); err == nil {
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-apiDone:
			return fmt.Errorf("kube-apiserver exited: %v", err)
		case <-deadline:
			return fmt.Errorf("kube-apiserver not ready after 2m")
		case <-time.After(50 * time.Millisecond):
		}
	}
}
