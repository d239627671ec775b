import { readFileSync } from 'node:fs';
import { demoNamespace, madeBySandbox } from '../names.ts';
import { simulatorCredentials } from '../processes/simulator-process.ts';
import type { Manifest } from './manifests.ts';

/** The account everything in the sandbox lives in, with its two Secrets: the access token and the simulator's CA. */
export function accountManifests(simulator: { readonly baseURL: string; readonly ca: string }): Manifest[] {
  const source = 'made by the sandbox';
  const metadata = (name: string) => ({ name, namespace: demoNamespace, labels: madeBySandbox });
  const secret = (name: string, stringData: Record<string, string>) => ({
    source,
    object: { apiVersion: 'v1', kind: 'Secret', metadata: metadata(name), type: 'Opaque', stringData },
  });
  return [
    secret('simulator-credentials', simulatorCredentials),
    secret('simulator-ca', { 'ca.crt': readFileSync(simulator.ca, 'utf8') }),
    {
      source,
      object: {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'CloudAccount',
        metadata: metadata('default'),
        spec: {
          baseURL: simulator.baseURL,
          credentialsSecretRef: { name: 'simulator-credentials' },
          caBundleSecretRef: { name: 'simulator-ca', key: 'ca.crt' },
        },
      },
    },
  ];
}
