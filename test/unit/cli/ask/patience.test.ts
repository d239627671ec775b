import { expect, it } from 'vitest';
import { withPatience } from '../../../../src/cli/ask/patience.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

it.each([
  [4900, []],
  [5100, ['There is no answer yet; still waiting.\n']],
])('of an answer after %d ms, a person is told %j before it comes', async (milliseconds, told) => {
  const clock = new ManualClock();
  const said: string[] = [];
  const answer = withPatience(
    clock,
    (text) => void said.push(text),
    () => clock.sleep(milliseconds).then(() => 'answer'),
  );
  await clock.advance(milliseconds);
  expect({ answer: await answer, said }).toEqual({ answer: 'answer', said: told });
});
