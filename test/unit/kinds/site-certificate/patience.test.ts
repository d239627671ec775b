import { expect, it } from 'vitest';
import { createPatience } from '../../../../src/kinds/site-certificate/patience.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const MINUTE = 60_000;

it('whoever may have a certificate is waited for once, for a quarter of an hour from the first question on', async () => {
  const clock = new ManualClock();
  const patience = createPatience(clock);
  await clock.advance(60 * MINUTE);
  const asked = [patience.isFor('one')];
  await clock.advance(14 * MINUTE);
  asked.push(patience.isFor('one'), patience.isFor('other'));
  await clock.advance(2 * MINUTE);
  asked.push(patience.isFor('one'), patience.isFor('other'));
  await clock.advance(60 * MINUTE);
  asked.push(patience.isFor('one'), patience.isFor('other'));
  expect(asked).toEqual([true, true, true, false, true, false, false]);
});
