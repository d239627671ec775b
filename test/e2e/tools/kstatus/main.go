// kstatus prints what kstatus (as Flux, kubectl apply --prune's successors and cli-utils use it) makes of the objects on
// standard input: one JSON line for each document of YAML, in their order.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

type verdict struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	decoder := yaml.NewYAMLOrJSONDecoder(in, 4096)
	lines := json.NewEncoder(out)
	for {
		object := &unstructured.Unstructured{}
		if err := decoder.Decode(object); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		found, err := status.Compute(object)
		if err != nil {
			return fmt.Errorf("%s %s: %w", object.GetKind(), object.GetName(), err)
		}
		if err := lines.Encode(verdict{Status: found.Status.String(), Message: found.Message}); err != nil {
			return err
		}
	}
}
