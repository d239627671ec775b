import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../../src/sandbox/package-root.ts';
import { kubernetesMinor } from '../../support/control-plane.ts';
import { kubectlOutput } from '../../support/kubernetes.ts';

const crds = join(packageRoot(), 'crds');

it.each(readdirSync(crds).filter((file) => file.endsWith('.yaml')))('%s is served as it is written', async (file) => {
  const { metadata, spec } = parse(readFileSync(join(crds, file), 'utf8'));
  const stored = JSON.parse(await kubectlOutput(['get', 'crd', metadata.name, '-o', 'json']));
  // An apiserver that does not know a field leaves it out, and says nothing of it. Of 1.30, that is one and no more.
  const { selectableFields: _, ...known } = spec.versions[0];
  expect(stored.spec.versions).toEqual(kubernetesMinor() < 31 ? [known] : spec.versions);
  const conditions = stored.status.conditions.map((one: { type: string; status: string }) => [one.type, one.status]);
  expect(new Map(conditions)).toEqual(
    new Map([
      ['NamesAccepted', 'True'],
      ['Established', 'True'],
    ]),
  );
});
