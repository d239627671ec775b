import { expect, it } from 'vitest';
import { adviceFacts } from '../../../src/cli/facts.ts';

it('who is sent to an account is told how to look at the one of the cluster, too', () => {
  const advice = Object.values(adviceFacts).flatMap((ofKind) => Object.values(ofKind));
  const sent = advice.filter((text) => /\bcloudaccounts?\b/.test(text));
  expect(sent).not.toEqual([]);
  expect(sent.filter((text) => !/\bclustercloudaccounts?\b/.test(text))).toEqual([]);
});
