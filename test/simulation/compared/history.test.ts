import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { simResource } from '../../../src/kinds/sim/schema.ts';
import { loadKubeconfig } from '../../../src/kubernetes/config.ts';
import { toCustomResourceDefinition } from '../../../src/kubernetes/crd.ts';
import { LEASES, SECRETS } from '../../../src/kubernetes/resource.ts';
import { createApiserver } from '../../../src/shadow/apiserver/apiserver.ts';
import { findControlPlane, startWithCRDs } from '../../support/control-plane-start.ts';
import { allDefinitions } from '../../support/definitions.ts';
import { textAt } from '../life/json.ts';
import { etcdIn } from './etcd.ts';
import { type Changing, forgottenOf, historyOf, type Kept } from './history.ts';
import { memorySide, realSide } from './sides.ts';

// A short path: sockets are in it.
const temporaryDir = mkdtempSync(join(tmpdir(), 'kh-'));
const found = await findControlPlane();
const { kubeconfig, stop } = await startWithCRDs({ ...found, bin: withoutCache(found.bin) }, { temporaryDir });
const real = realSide(await loadKubeconfig({ kubeconfig, clock: systemClock, environment: {} }));
afterAll(async () => {
  await real.close();
  await stop();
  rmSync(temporaryDir, { recursive: true, force: true, maxRetries: 3 });
});

/** Of Leases the real one has no cache: what etcd forgets, nobody remembers. Directories of programs are left as they are. */
function withoutCache(bin: string): string {
  if (statSync(bin).isDirectory()) return bin;
  const script = join(temporaryDir, 'start');
  const flag = '--apiserver-arg=--watch-cache-sizes=leases.coordination.k8s.io#0';
  writeFileSync(script, `#!/bin/sh\nexec '${bin}' "$@" '${flag}'\n`, { mode: 0o700 });
  return script;
}

const leases: Changing = {
  resource: LEASES,
  body: (name, value) => ({ metadata: { name }, spec: { holderIdentity: value } }),
  valueIn: (object) => textAt(object, 'spec', 'holderIdentity') ?? 'none',
};

const kinds: Readonly<Record<string, Changing>> = {
  'a built-in kind': {
    resource: SECRETS,
    body: (name, value) => ({ metadata: { name }, stringData: { value } }),
    valueIn: (object) => Buffer.from(textAt(object, 'data', 'value') ?? '', 'base64').toString(),
  },
  'one of ours': {
    resource: simResource,
    body: (name, value) => ({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'Sim',
      metadata: { name },
      spec: { iccid: `898104000000000000${'abcdef'.indexOf(name[0] ?? '') + 1}`, displayName: value },
    }),
    valueIn: (object) => textAt(object, 'spec', 'displayName') ?? 'none',
  },
};

const theirEtcd = etcdIn(temporaryDir);
const theirs: Kept = { ...real, compact: async () => theirEtcd?.compact(), bookmark() {} };

function ours(): Kept {
  const definitions = allDefinitions.map(toCustomResourceDefinition);
  const server = createApiserver({ now: Date.now, uid: randomUUID, definitions });
  return { ...memorySide(server), compact: async () => server.compact(), bookmark: () => server.bookmark() };
}

const anyNamespace = () => `as-${randomBytes(3).toString('hex')}`;

describe('the apiserver in memory', () => {
  it.each(Object.entries(kinds))(
    'knows what was as the real one does, of %s',
    { timeout: 120_000 },
    async (_, kind) => {
      const namespace = anyNamespace();
      expect(await historyOf(ours(), kind, namespace)).toEqual(await historyOf(theirs, kind, namespace));
    },
  );

  it.skipIf(theirEtcd === undefined)('forgets what etcd forgets as the real one does', async () => {
    const namespace = anyNamespace();
    const shown = await forgottenOf(theirs, leases, namespace);
    expect(await forgottenOf(ours(), leases, namespace)).toEqual(shown);
    expect(shown).toMatchObject({ 'the next page': { status: 410 }, 'events since the first': ['ERROR 410 Expired'] });
  });
});
