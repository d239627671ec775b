import { expect, test } from 'vitest';
import { KubeError } from '../../../src/kubernetes/errors.ts';
import { createForbiddenReporter } from '../../../src/operator/report-forbidden.ts';

test('each missing permission is logged once, and a new one also after very many', () => {
  const told: unknown[] = [];
  const report = createForbiddenReporter({
    error: (_: object, text?: string) => void told.push(text?.match(/in \S+/)?.[0]),
  });
  const miss = (namespace: string) =>
    report(
      new KubeError({
        status: 403,
        reason: 'Forbidden',
        message: `"a" is forbidden: User cannot patch in ${namespace} `,
      }),
    );
  const names = Array.from({ length: 201 }, (_, number) => `n${number}`);
  for (const name of [...names, ...names.slice(1)]) miss(name);
  expect(told).toEqual(names.map((name) => `in ${name}`));
});
