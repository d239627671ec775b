package main

import (
	"os"
	"path/filepath"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// writeKubeconfig writes a kubeconfig for the administrator with everything inside it, so that it can be copied.
func writeKubeconfig(path, server, pki string) error {
	pems := map[string][]byte{}
	for _, name := range []string{"ca.crt", "admin.crt", "admin.key"} {
		pem, err := os.ReadFile(filepath.Join(pki, name))
		if err != nil {
			return err
		}
		pems[name] = pem
	}
	c := clientcmdapi.NewConfig()
	c.Clusters["sandbox"] = &clientcmdapi.Cluster{Server: server, CertificateAuthorityData: pems["ca.crt"]}
	c.AuthInfos["admin"] = &clientcmdapi.AuthInfo{ClientCertificateData: pems["admin.crt"], ClientKeyData: pems["admin.key"]}
	c.Contexts["sandbox"] = &clientcmdapi.Context{Cluster: "sandbox", AuthInfo: "admin"}
	c.CurrentContext = "sandbox"
	return clientcmd.WriteToFile(*c, path)
}
