import { describe, expect, test } from 'vitest';
import { gatewayResource, type MobileGateway } from '../../../src/kinds/mobile-gateway/schema.ts';
import { isNotFound } from '../../../src/kubernetes/errors.ts';
import { Annotation } from '../../../src/reconcile/annotations.ts';
import { eventually } from '../../support/kubernetes.ts';
import { onScene, type Scene } from './scene.ts';
import { interrupt } from './story.ts';

/** The control port shows more; this is what a spec can say. */
interface StoredGateway {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly pending: object | null;
  readonly applied: object | null;
  readonly dns: object | null;
  readonly trafficMonitoring: { readonly quotaMB: number } | null;
}

const privateInterface = { ipAddress: '10.0.0.1', networkMaskLength: 24 };
const staticRoutes = [{ prefix: '192.168.10.0/24', nextHop: '10.0.0.254' }];
const dns = { primary: '8.8.8.8', secondary: '8.8.4.4' };
const fields = { internetConnection: true, privateInterface, staticRoutes, dns };
const spec = { ...fields, planID: 2, displayName: 'depot', trafficMonitoring: { quotaMB: 500 } };
const settings = { internetConnection: true, interDeviceCommunication: false, privateInterface, staticRoutes };
const off = { internetConnection: false, interDeviceCommunication: false, privateInterface: null, staticRoutes: [] };

async function storedGateways(scene: Scene, subject: string): Promise<StoredGateway[]> {
  const { gateways } = await scene.state();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the control port is this repository's own
  const all = Object.values(gateways) as unknown as StoredGateway[];
  return all.filter((gateway) => gateway.account === subject);
}

/** How a gateway stands on both sides; what is undefined is left out. */
async function outcomeOfGateway(scene: Scene, subject: string): Promise<object> {
  return JSON.parse(JSON.stringify(await look(scene, subject)));
}

async function look(scene: Scene, subject: string): Promise<object> {
  const stored = await storedGateways(scene, subject);
  const atTheService = stored.map(({ name, pending, applied, dns, trafficMonitoring }) => ({
    name,
    pending,
    applied,
    dns,
    quotaMB: trafficMonitoring?.quotaMB,
  }));
  try {
    const { status } = await scene.kube.get<MobileGateway>(gatewayResource, scene.namespace, subject);
    const { ownership, pending, creation, configPending, conditions = [] } = status ?? {};
    const isRecorded = stored.some(({ id }) => id === status?.id);
    const shown = conditions.map(({ type, status }) => `${type}=${status}`);
    return { atTheService, resource: { isRecorded, ownership, pending, creation, configPending, conditions: shown } };
  } catch (error) {
    if (isNotFound(error)) return { atTheService };
    throw error;
  }
}

/** A gateway that is as its spec says. */
function ready(atTheService: object, ownership: 'Created' | 'Adopted' = 'Created'): object {
  const conditions = ['Ready=True', 'Synced=True'];
  return { atTheService: [{ name: 'depot', ...atTheService }], resource: { isRecorded: true, ownership, conditions } };
}

const asSpecified = ready({ pending: settings, applied: settings, dns, quotaMB: 500 });
const isPoint = (route: string) => !route.startsWith('GET ');
// What a late PUT breaks is drift, and found by a later poll than these tests wait for.
const mayArriveLate = (route: string) => route.startsWith('POST ');

function teller(scene: Scene) {
  const edit = (subject: string, change: object) =>
    scene.kube.mergePatch(gatewayResource, scene.namespace, subject, { spec: change });
  return {
    common: { look: (subject: string) => outcomeOfGateway(scene, subject), isPoint, mayArriveLate },
    async create(subject: string, more: object = spec): Promise<void> {
      await scene.createAccount(subject);
      await scene.kube.create(gatewayResource, scene.namespace, {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'MobileGateway',
        metadata: { name: subject },
        spec: { accountRef: { kind: 'CloudAccount', name: subject }, zone: 'is1b', ...more },
      });
    },
    async edit(subject: string, change: object): Promise<void> {
      await edit(subject, change);
    },
    delete: (subject: string): Promise<void> => scene.kube.delete(gatewayResource, scene.namespace, subject),
    comesTo: (subject: string, end: object) =>
      eventually(async () => expect(await outcomeOfGateway(scene, subject)).toEqual(end), { timeoutSeconds: 90 }),
  };
}

describe.concurrent('an operator killed at whatever call', () => {
  test('while it creates a gateway has, started again, exactly one, with all settings applied', () =>
    onScene(async (scene) => {
      const { common, create } = teller(scene);
      const { writes } = await interrupt(scene, { ...common, act: (subject) => create(subject), end: asSpecified });
      for (const [title, all] of writes) {
        const creations = all.filter((write) => write.startsWith('POST /appl'));
        expect({ title, creations }).toEqual({ title, creations: [expect.stringMatching(/^POST \/appl\w+$/)] });
      }
    }));

  test('while it creates a gateway leaves nothing behind when the resource is deleted before it is started again', () =>
    onScene(async (scene) => {
      const { common, create, delete: remove } = teller(scene);
      const { callsSince } = await interrupt(scene, {
        ...common,
        act: (subject) => create(subject),
        end: asSpecified,
        meanwhile: remove,
        endAfterAll: { atTheService: [] },
      });
      expect(callsSince.size).toBeGreaterThan(10);
    }));

  test('while it changes a gateway leaves no setting unapplied', () =>
    onScene(async (scene) => {
      const { common, create, edit, comesTo } = teller(scene);
      const plain = ready({ pending: null, applied: null, dns: null });
      const { calls } = await interrupt(scene, {
        ...common,
        async begin(subject) {
          await create(subject, { planID: 2, displayName: 'depot' });
          await comesTo(subject, plain);
        },
        act: (subject) => edit(subject, { ...fields, trafficMonitoring: { quotaMB: 500 } }),
        end: asSpecified,
      });
      expect(calls.filter((call) => call.endsWith('/config'))).toHaveLength(2);
    }));

  test('while it changes a gateway un-sets what the spec says no more', () =>
    onScene(async (scene) => {
      const { common, create, edit, comesTo } = teller(scene);
      const { callsSince } = await interrupt(scene, {
        ...common,
        async begin(subject) {
          await create(subject);
          await comesTo(subject, asSpecified);
        },
        act: (subject) =>
          edit(subject, {
            internetConnection: null,
            privateInterface: null,
            staticRoutes: null,
            trafficMonitoring: null,
          }),
        end: ready({ pending: off, applied: off, dns }),
      });
      expect(callsSince.size).toBeGreaterThan(6);
    }));

  test('while it deletes a gateway ends with neither the gateway nor the resource', () =>
    onScene(async (scene) => {
      const { common, create, comesTo } = teller(scene);
      const { calls } = await interrupt(scene, {
        ...common,
        async begin(subject) {
          await create(subject);
          await comesTo(subject, asSpecified);
          const [gateway] = await storedGateways(scene, subject);
          await scene.addStored(subject, { gateway: gateway?.id, ip: '10.0.0.17' });
          const annotations = { [Annotation.releaseSims]: 'true' };
          await scene.kube.mergePatch(gatewayResource, scene.namespace, subject, { metadata: { annotations } });
        },
        act: (subject) => teller(scene).delete(subject),
        end: { atTheService: [] },
      });
      // On a busy machine the status may say in between that it takes a while.
      expect(calls.filter((call) => isPoint(call) && !call.endsWith('/status'))).toHaveLength(4);
    }));
});
