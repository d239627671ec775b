import { expect, it } from 'vitest';
import type { CloudClient } from '../../../../src/cloud/client.ts';
import { ConflictError, OutcomeUnknownError } from '../../../../src/cloud/errors.ts';
import type { CallOptions } from '../../../../src/cloud/limiter/lanes.ts';
import { createDeletions } from '../../../../src/kinds/cloud-account/deletions.ts';

const details = { route: 'DELETE /commonserviceitem/:id' };
const lost = new OutcomeUnknownError('cut', 'look', details);
const refused = new ConflictError('still active', 'deactivate it', { ...details, status: 409 });

function sentAnd(error: Error) {
  return async ({ onSent }: CallOptions): Promise<void> => {
    onSent?.();
    throw error;
  };
}

it.each<[string, boolean, (o: CallOptions) => Promise<void>]>([
  ['was deleted', true, async ({ onSent }) => onSent?.()],
  ['may have been deleted, for no answer came', true, sentAnd(lost)],
  ['was not, for the service refused it', false, sentAnd(refused)],
  ['was not, for nothing was sent', false, () => Promise.reject(lost)],
])('what lists do not show any more is no surprise where it %s: %s', async (_, expected, call) => {
  const deletions = createDeletions(() => 0);
  const sims = { delete: (_id: string, o: CallOptions) => call(o) };
  const gateways = { delete: (_zone: string, _id: string, o: CallOptions) => call(o) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a client as is asked
  const client = deletions.noting({ sims, gateways, sites: sims } as unknown as CloudClient);
  const options: CallOptions = { lane: 'write' };
  await Promise.allSettled([
    client.sims.delete('sim', options),
    client.gateways.delete('is1a', 'gateway', options),
    client.sites.delete('site', options),
  ]);
  expect(['sim', 'gateway', 'site'].map(deletions.has)).toEqual([expected, expected, expected]);
});

it('what may have been deleted without an answer counts as that for minutes, and what was deleted for longer', async () => {
  let now = 0;
  const deletions = createDeletions(() => now);
  const sims = { delete: (id: string, o: CallOptions) => (id === 'lost' ? sentAnd(lost)(o) : Promise.resolve()) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a client as is asked
  const client = deletions.noting({ sims, gateways: {}, sites: {} } as unknown as CloudClient);
  await Promise.allSettled(['lost', 'answered'].map((id) => client.sims.delete(id, { lane: 'write' })));
  const known = () => ['lost', 'answered'].filter(deletions.has);
  expect(known()).toEqual(['lost', 'answered']);
  now += 5 * 60_000;
  expect(known()).toEqual(['answered']);
  now += 30 * 60_000;
  expect(known()).toEqual([]);
});

it('what is being deleted is no surprise before the answer either, and only until then where that is a refusal', async () => {
  const deletions = createDeletions(() => 0);
  const answer = Promise.withResolvers<void>();
  const sims = {
    async delete(_id: string, { onSent }: CallOptions) {
      onSent?.();
      return answer.promise;
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a client as is asked
  const client = deletions.noting({ sims, gateways: {}, sites: {} } as unknown as CloudClient);
  const deleting = client.sims.delete('sim', { lane: 'write' });
  expect(deletions.has('sim')).toBe(true);
  answer.reject(refused);
  await expect(deleting).rejects.toBe(refused);
  expect(deletions.has('sim')).toBe(false);
});
