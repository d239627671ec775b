import { describe, expect, it } from 'vitest';
import { kindDefinitions } from '../../../src/kinds/index.ts';
import { apiOf, kinds, lineOf } from '../../../src/operator/kinds.ts';
import { managedKindNames } from '../../../src/reconcile/kind-names.ts';

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

  it('are no others: an account has a line of its own, and waits for no limits', () => {
    expect([lineOf('CloudAccount').line, apiOf('CloudAccount')]).toEqual(['CloudAccount', undefined]);
  });
});
