import { expect, it } from 'vitest';
import { corsOf } from '../../../../src/kinds/web-accel-site/plan.ts';

it('origins in another order are the same', () => {
  const [one, other] = [
    ['https://b.example', 'https://a.example'],
    ['https://a.example', 'https://b.example'],
  ];
  expect(corsOf({ allowedOrigins: one })).toEqual(corsOf({ allowedOrigins: other }));
});
