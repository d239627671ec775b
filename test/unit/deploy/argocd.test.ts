import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { kindDefinitions } from '../../../src/kinds/index.ts';

it('each kind has one wave in Argo CD', () => {
  const { patches } = z
    .object({ patches: z.array(z.object({ target: z.object({ kind: z.string() }) })) })
    .parse(parse(readFileSync('deploy/argocd/waves/kustomization.yaml', 'utf8')));
  const named = patches.flatMap(({ target }) => target.kind.split('|'));
  expect(named.toSorted()).toEqual(kindDefinitions.map(({ kind }) => kind).toSorted());
});
