// argo-health prints what Argo CD makes of the objects on standard input, with the health checks of an argocd-cm
// ConfigMap: one JSON line for each document of YAML, in their order. Reading the ConfigMap, choosing the check, running its
// Lua and the rules around it (deletion) are Argo CD's own code.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/argoproj/argo-cd/v3/util/lua"
	"github.com/argoproj/argo-cd/v3/util/settings"
	"github.com/argoproj/gitops-engine/pkg/health"
	"github.com/sirupsen/logrus"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/fake"
)

const namespace = "argocd"

type verdict struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

func main() {
	config := flag.String("config", "", "a file with the ConfigMap argocd-cm")
	flag.Parse()
	logrus.SetOutput(io.Discard)
	if err := run(*config, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(config string, in io.Reader, out io.Writer) error {
	overrides, err := readOverrides(config)
	if err != nil {
		return err
	}
	decoder := yaml.NewYAMLOrJSONDecoder(in, 4096)
	lines := json.NewEncoder(out)
	for {
		object := &unstructured.Unstructured{}
		if err := decoder.Decode(object); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		found, err := health.GetResourceHealth(object, overrides)
		if err != nil {
			return err
		}
		line := verdict{Status: "-", Message: "no health check"}
		if found != nil {
			line = verdict{Status: string(found.Status), Message: found.Message}
		}
		if err := lines.Encode(line); err != nil {
			return err
		}
	}
}

// readOverrides has Argo CD read the ConfigMap from a cluster that holds nothing else.
func readOverrides(config string) (lua.ResourceHealthOverrides, error) {
	content, err := os.ReadFile(config)
	if err != nil {
		return nil, err
	}
	configMap := &corev1.ConfigMap{}
	if err := yaml.Unmarshal(content, configMap); err != nil {
		return nil, fmt.Errorf("%s: %w", config, err)
	}
	configMap.Namespace = namespace
	secret := &corev1.Secret{}
	secret.Name, secret.Namespace = "argocd-secret", namespace
	secret.Labels = map[string]string{"app.kubernetes.io/part-of": "argocd"}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	manager := settings.NewSettingsManager(ctx, fake.NewClientset(configMap, secret), namespace)
	overrides, err := manager.GetResourceOverrides()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", config, err)
	}
	return overrides, nil
}
