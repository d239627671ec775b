import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld } from '../../support/world.ts';

const ICCID = '8981040000000000017';
let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

function resource(kind: string, spec: object): object {
  return { apiVersion: 'edgeline.dev/v1alpha1', kind, metadata: { name: 'one' }, spec };
}

it('a long value of reconcile-at is acted on once, and the status says so', async () => {
  const world = await createWorld({ seed: { sims: [{ iccid: ICCID, name: 'one' }] } });
  await world.apply(resource('Sim', { iccid: ICCID, activated: true, carriers: [{ name: 'KDDI', allow: true }] }));
  await world.ready('Sim', 'one');
  const marks: unknown[] = [];
  for (const value of [`${'a'.repeat(256)}1`, `${'a'.repeat(256)}2`]) {
    await world.annotate('Sim', 'one', { 'edgeline.dev/reconcile-at': value });
    marks.push(
      await eventually(async () => {
        const mark = (await world.get('Sim', 'one')).status?.['lastHandledReconcileAt'];
        expect(mark).toMatch(/^a{128}… sha256:[\w-]{43}$/);
        expect(marks).not.toContain(mark);
        return mark;
      }),
    );
  }
  await world.stop();
});

it('a gateway is made for a resource with a name of a hundred characters', async () => {
  const world = await createWorld();
  const name = 'g'.repeat(100);
  const gateway = resource('MobileGateway', { zone: 'is1a', planID: 2 });
  await world.apply({ ...gateway, metadata: { name } });
  expect((await world.ready('MobileGateway', name)).status).toMatchObject({ ownership: 'Created' });
  await world.stop();
});
