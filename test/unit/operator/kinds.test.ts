import { describe, expect, it } from 'vitest';
import { kindDefinitions } from '../../../src/kinds/index.ts';
import { apiOf, kinds, lineOf } from '../../../src/operator/kinds.ts';
import { managedKindNames } from '../../../src/reconcile/kind-names.ts';
import { annotationWarnings } from '../../../src/reconcile/warnings.ts';

describe('the managed kinds', () => {
  it('are those the CRDs define, beside the two of accounts, under the same names', () => {
    const defined = kindDefinitions.map(({ kind }) => kind);
    expect(defined).toEqual(['CloudAccount', 'ClusterCloudAccount', ...managedKindNames]);
    expect(Object.keys(kinds)).toEqual([...managedKindNames]);
  });

  it('wait in lines of the API whose limits their requests count for', () => {
    expect(managedKindNames.map((kind) => [kind, lineOf(kind).line, apiOf(kind)])).toEqual([
      ['Sim', 'mobile', 'cloud'],
      ['MobileGateway', 'mobile', 'cloud'],
      ['WebAccelSite', 'sites', 'webaccel'],
      ['SiteCertificate', 'certificates', 'webaccel'],
    ]);
  });

  it('have what the brakes hold of them let go by an annotation, and no other kind has', () => {
    const annotations = { 'edgeline.dev/release-deletions': '2026-01-01T00:00:00Z' };
    const metadata = { name: 'a', uid: 'u', resourceVersion: '1', annotations };
    const released = managedKindNames.filter((kind) => {
      const warnings = annotationWarnings({ apiVersion: 'edgeline.dev/v1alpha1', kind, metadata }, kind, 0);
      return !warnings.some((one) => one.includes(`does nothing on a ${kind}`));
    });
    expect(released).toEqual(managedKindNames.filter((kind) => 'braked' in kinds[kind]));
  });

  it('are no others: an account has a line of its own, and waits for no limits', () => {
    expect([lineOf('CloudAccount').line, apiOf('CloudAccount')]).toEqual(['CloudAccount', undefined]);
  });
});
