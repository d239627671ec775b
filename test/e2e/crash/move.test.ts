import { describe, expect, test } from 'vitest';
import { gatewayResource } from '../../../src/kinds/mobile-gateway/schema.ts';
import { eventually } from '../../support/kubernetes.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { onScene, type Scene } from './scene.ts';
import { interrupt } from './story.ts';

const places = { north: 'is1b', south: 'tk1a' } as const;
const nameOf = (subject: string, place: string) => `${place}-of-${subject}`;

/** How a SIM stands, with the place it is at instead of its gateway's ID. */
async function outcomeOfMover(scene: Scene, subject: string): Promise<object> {
  const [{ atTheService, resource }, { gateways }]: [Outcome, Awaited<ReturnType<Scene['control']['state']>>] =
    await Promise.all([outcomeOf(scene, subject), scene.state()]);
  const at = atTheService.map(({ gatewayID, ip }) => ({ gateway: gateways[gatewayID ?? '']?.['name'] ?? null, ip }));
  return { at, pending: resource?.pending ?? [], conditions: resource?.conditions };
}

const standing = (place: keyof typeof places, ip: string) => ({
  at: [{ gateway: place, ip }],
  pending: [],
  conditions: ['Ready=True', 'Synced=True'],
});

/** Two gateways that were there, taken over, and a SIM on the northern one. */
async function settleInNorth(scene: Scene, subject: string): Promise<void> {
  await scene.createAccount(subject);
  for (const [place, zone] of Object.entries(places)) {
    const { id } = await scene.control.add('gateways', { account: subject, name: place, zone });
    await scene.kube.create(gatewayResource, scene.namespace, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'MobileGateway',
      metadata: { name: nameOf(subject, place) },
      spec: { accountRef: { kind: 'CloudAccount', name: subject }, zone, resourceID: id },
    });
  }
  await scene.addStored(subject, { name: 'truck' });
  await scene.createSim(subject, { gatewayRef: { name: nameOf(subject, 'north') }, ipAddress: '10.0.0.17' });
  await eventually(async () => expect(await outcomeOfMover(scene, subject)).toEqual(standing('north', '10.0.0.17')), {
    timeoutSeconds: 90,
  });
}

describe('an operator killed at whatever call while a SIM moves to another gateway', () => {
  test('has, started again, moved it, with its address', () =>
    onScene(async (scene) => {
      const { calls } = await interrupt(scene, {
        begin: (subject) => settleInNorth(scene, subject),
        act: (subject) =>
          scene.editSim(subject, { gatewayRef: { name: nameOf(subject, 'south') }, ipAddress: '10.0.0.18' }),
        look: (subject) => outcomeOfMover(scene, subject),
        isPoint: (route) => !route.startsWith('GET '),
        // A late write breaks what the next operator found in order: that is drift, found by a later poll.
        mayArriveLate: () => false,
        end: standing('south', '10.0.0.18'),
      });
      expect(calls.filter((call) => !call.startsWith('GET ') && !call.startsWith('PATCH '))).toEqual([
        'DELETE /commonserviceitem/:id/sim/ip',
        'DELETE /applience/:id/mobilegateway/sims/:id',
        'POST /applience/:id/mobilegateway/sims',
        'PUT /commonserviceitem/:id/sim/ip',
      ]);
    }));
});
