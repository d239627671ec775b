package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"
)

// startEtcd starts etcd with its data under dir and returns the URL the apiserver dials. Without durable it
// doesn't fsync: a machine crash may lose data, a process crash doesn't.
func startEtcd(dir string, durable bool) (string, func(), error) {
	cfg := embed.NewConfig()
	cfg.Name, cfg.Dir = "default", filepath.Join(dir, "etcd")
	cfg.UnsafeNoFsync = !durable
	cfg.ZapLoggerBuilder = embed.NewZapLoggerBuilder(zap.NewNop())
	// A unix socket needs no port; sun_path is limited to 108 bytes, so it has a short directory of its own.
	sockDir, err := os.MkdirTemp("", "ke")
	if err != nil {
		return "", nil, err
	}
	unix := func(n string) url.URL { return url.URL{Scheme: "unix", Path: filepath.Join(sockDir, n)} }
	never := []url.URL{{Scheme: "http", Host: "localhost:1"}} // advertised (must be host:port) but never dialled
	cfg.ListenClientUrls, cfg.AdvertiseClientUrls = []url.URL{unix("c")}, never
	cfg.ListenPeerUrls, cfg.AdvertisePeerUrls = []url.URL{unix("p")}, never
	cfg.InitialCluster = cfg.Name + "=" + never[0].String()
	e, err := embed.StartEtcd(cfg)
	if err != nil {
		os.RemoveAll(sockDir)
		return "", nil, err
	}
	cleanup := func() { e.Close(); os.RemoveAll(sockDir) }
	select {
	case <-e.Server.ReadyNotify():
		return cfg.ListenClientUrls[0].String(), cleanup, nil
	case err := <-e.Err():
		cleanup()
		return "", nil, err
	case <-time.After(30 * time.Second):
		cleanup()
		return "", nil, fmt.Errorf("not ready after 30s")
	}
}
