import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/kubernetes.ts';
import { outcomeOf, ready } from './outcome.ts';
import { onScene } from './scene.ts';
import { interrupt } from './story.ts';

const passCodeSecretRef = { name: 'pass-codes', key: 'code' };

describe.concurrent('an operator killed at whatever call while it deletes a SIM', () => {
  test('ends, started again, with neither the SIM nor the resource', () =>
    onScene(async (scene) => {
      const created = ready({ activated: true }, 'Created', { displayName: 'truck', activated: true });
      const { calls } = await interrupt(scene, {
        async begin(subject) {
          await scene.createAccount(subject);
          await scene.createSim(subject, { displayName: 'truck', passCodeSecretRef, activated: true });
          await eventually(async () => expect(await outcomeOf(scene, subject)).toEqual(created), {
            timeoutSeconds: 90,
          });
        },
        act: (subject) => scene.deleteSim(subject),
        end: { atTheService: [] },
      });
      expect(calls.filter((call) => !call.startsWith('GET '))).toEqual([
        'PUT /commonserviceitem/:id/sim/deactivate',
        'DELETE /commonserviceitem/:id',
        'PATCH Sim',
      ]);
    }));

  test('takes a SIM off its gateway as often as it needs to', () =>
    onScene(async (scene) => {
      const { calls } = await interrupt(scene, {
        async begin(subject) {
          await scene.control.add('gateways', {
            account: subject,
            name: `gateway of ${subject}`,
            zone: 'is1b',
            privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
          });
          const gateway = `gateway of ${subject}`;
          await scene.addStored(subject, { name: 'truck', activated: true, gateway, ip: '10.0.0.17' });
          const [stored] = await scene.stored(subject);
          const adopted = ready(
            { activated: true, gatewayID: stored?.gatewayID ?? '', ip: '10.0.0.17' },
            'Adopted',
            undefined,
          );
          await scene.createAccount(subject);
          await scene.createSim(subject, { deletionPolicy: 'Delete' });
          await eventually(async () => expect(await outcomeOf(scene, subject)).toEqual(adopted), {
            timeoutSeconds: 90,
          });
        },
        act: (subject) => scene.deleteSim(subject),
        end: { atTheService: [] },
      });
      expect(calls.filter((call) => !call.startsWith('GET '))).toEqual([
        'DELETE /commonserviceitem/:id/sim/ip',
        'DELETE /applience/:id/mobilegateway/sims/:id',
        'PUT /commonserviceitem/:id/sim/deactivate',
        'DELETE /commonserviceitem/:id',
        'PATCH Sim',
      ]);
    }));
});
