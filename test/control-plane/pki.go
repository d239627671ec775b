package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// ensurePKI writes CA, serving, admin, front-proxy and service-account keys once per data directory.
func ensurePKI(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "done")); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	newKey := func(name string) (*ecdsa.PrivateKey, error) {
		k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return nil, err
		}
		der, err := x509.MarshalECPrivateKey(k)
		if err != nil {
			return nil, err
		}
		return k, writePEM(filepath.Join(dir, name+".key"), "EC PRIVATE KEY", der)
	}
	issue := func(name string, tmpl, parent *x509.Certificate, signer crypto.Signer) (*x509.Certificate, *ecdsa.PrivateKey, error) {
		k, err := newKey(name)
		if err != nil {
			return nil, nil, err
		}
		if signer == nil {
			parent, signer = tmpl, k
		}
		tmpl.SerialNumber, _ = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
		tmpl.NotBefore, tmpl.NotAfter = time.Now().Add(-time.Hour), time.Now().AddDate(1, 0, 0)
		tmpl.KeyUsage |= x509.KeyUsageDigitalSignature
		tmpl.BasicConstraintsValid = true
		der, err := x509.CreateCertificate(rand.Reader, tmpl, parent, k.Public(), signer)
		if err != nil {
			return nil, nil, err
		}
		c, err := x509.ParseCertificate(der)
		if err != nil {
			return nil, nil, err
		}
		return c, k, writePEM(filepath.Join(dir, name+".crt"), "CERTIFICATE", der)
	}
	ca := func(cn string) *x509.Certificate {
		return &x509.Certificate{Subject: pkix.Name{CommonName: cn}, IsCA: true, KeyUsage: x509.KeyUsageCertSign}
	}
	client := []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}

	caCert, caKey, err := issue("ca", ca("sandbox-ca"), nil, nil)
	if err != nil {
		return err
	}
	if _, _, err = issue("apiserver", &x509.Certificate{
		Subject:     pkix.Name{CommonName: "kube-apiserver"},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(10, 96, 0, 1)},
	}, caCert, caKey); err != nil {
		return err
	}
	if _, _, err = issue("admin", &x509.Certificate{
		Subject: pkix.Name{CommonName: "admin", Organization: []string{"system:masters"}}, ExtKeyUsage: client,
	}, caCert, caKey); err != nil {
		return err
	}
	frontCert, frontKey, err := issue("front-ca", ca("front-ca"), nil, nil)
	if err != nil {
		return err
	}
	if _, _, err = issue("front-proxy", &x509.Certificate{
		Subject: pkix.Name{CommonName: "front-proxy"}, ExtKeyUsage: client,
	}, frontCert, frontKey); err != nil {
		return err
	}
	sa, err := newKey("sa")
	if err != nil {
		return err
	}
	pub, err := x509.MarshalPKIXPublicKey(sa.Public())
	if err != nil {
		return err
	}
	if err := writePEM(filepath.Join(dir, "sa.pub"), "PUBLIC KEY", pub); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "done"), nil, 0o600)
}

func writePEM(path, typ string, der []byte) error {
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: typ, Bytes: der}), 0o600)
}
