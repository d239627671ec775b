import { beforeAll, describe, expect, it } from 'vitest';
import { kindDefinitions } from '../../../src/kinds/index.ts';
import { kubernetesMinor } from '../../support/control-plane.ts';
import { apply, kubectlOutput, testNamespace } from '../../support/kubernetes.ts';

let namespace: string;

beforeAll(async () => {
  namespace = await testNamespace('selected');
  const sims = [
    { name: 'truck-1', gateway: 'depot', status: { id: '113300000001', sessionStatus: 'UP', activated: true } },
    { name: 'truck-2', gateway: 'depot', status: { id: '113300000002', sessionStatus: 'DOWN', activated: true } },
    { name: 'crane-3', gateway: 'harbour', status: { id: '113300000003', sessionStatus: 'DOWN', activated: false } },
  ];
  for (const { name, gateway, status } of sims) {
    const iccid = `898104000000000001${name.at(-1) ?? ''}`;
    const metadata = { name, namespace };
    const spec = { iccid, gatewayRef: { name: gateway } };
    await apply({ apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', metadata, spec });
    const patch = ['patch', 'sim', name, '-n', namespace, '--subresource=status', '--type=merge', '-p'];
    await kubectlOutput([...patch, JSON.stringify({ status })]);
  }
});

const selected = async (plural: string, selector: string) =>
  (await kubectlOutput(['get', plural, '-n', namespace, '--field-selector', selector, '-o', 'name']))
    .split('\n')
    .filter((line) => line !== '');

describe.runIf(kubernetesMinor() >= 31)('kubectl get --field-selector, of Kubernetes 1.31 and newer', () => {
  it.each([
    ['spec.iccid=8981040000000000012', ['truck-2']],
    ['spec.gatewayRef.name=depot', ['truck-1', 'truck-2']],
    ['status.sessionStatus=DOWN', ['crane-3', 'truck-2']],
    ['status.sessionStatus!=UP,status.activated=true', ['truck-2']],
    ['status.id=113300000003', ['crane-3']],
    ['spec.imeiLock=', ['crane-3', 'truck-1', 'truck-2']],
  ])('%s finds %j', async (selector, names) => {
    expect(await selected('sims', selector)).toEqual(names.map((name) => `sim.edgeline.dev/${name}`));
  });

  it('takes every field that a kind says it can be selected by', async () => {
    for (const { plural, scope, selectable = [] } of kindDefinitions) {
      expect(selectable.length).toBeGreaterThan(0);
      const place = scope === 'Namespaced' ? ['-n', namespace] : [];
      for (const path of selectable) {
        const args = [
          'get',
          `${plural}.edgeline.dev`,
          ...place,
          '--field-selector',
          `${path.slice(1)}=nothing-has-this`,
        ];
        expect(await kubectlOutput([...args, '-o', 'name'])).toBe('');
      }
    }
  });
});

it.each(['spec.displayName=truck', ...(kubernetesMinor() < 31 ? ['spec.iccid=8981040000000000012'] : [])])(
  'kubectl get --field-selector says of %s that it does not know the field',
  async (selector) => {
    await expect(selected('sims', selector)).rejects.toThrow(/field label not supported/);
  },
);
