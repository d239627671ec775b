import { expect, test } from 'vitest';
import { findSubject } from '../../../../src/cli/ask/subject.ts';
import type { Session } from '../../../../src/cli/session.ts';
import { partial } from '../../../support/partial.ts';

function find(status: object) {
  const object = { metadata: { name: 'truck', namespace: 'fleet', uid: 'mine' }, spec: {}, status };
  const session = partial<Session>({ namespace: 'fleet', get: async () => object });
  return findSubject(session, 'Sim', 'truck', {});
}

test('a resource means the SIM that its status names', async () => {
  expect(await find({ uid: 'mine', id: '113300000017' })).toMatchObject({ id: '113300000017' });
});

test('a resource means no SIM that a status names which was written for another', async () => {
  await expect(find({ uid: 'another', id: '113300000017' })).rejects.toThrow(
    'the status of the Sim truck was written for another resource, as after a restore, and its SIM was not found since',
  );
});
