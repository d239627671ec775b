import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Document, parseDocument } from 'yaml';
import type { Operator } from '../../src/operator/start.ts';
import { packageRoot } from '../../src/sandbox/package-root.ts';
import { freePort } from '../../src/sandbox/processes/free-port.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { apply, eventually } from '../support/kubernetes.ts';
import { startTestOperator } from '../support/operator.ts';
import { createWorld, resourceOf, type Seen } from '../support/world.ts';

const sim = (name: string, iccid: string) => ({
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: { name },
  spec: { iccid, passCodeSecretRef: { name: 'pass-codes', key: 'code' }, activated: true },
});

const schema = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties'];

/** The CRD as this version has it, but for what `change` does to it; applied. */
async function applyDefinition(plural: string, change: (crd: Document) => void = () => undefined): Promise<void> {
  const crd = parseDocument(await readFile(join(packageRoot(), 'crds', `${plural}.edgeline.dev.yaml`), 'utf8'));
  change(crd);
  await apply(crd.toString());
}

const without =
  (...path: string[]) =>
  (crd: Document) => {
    if (!crd.deleteIn([...schema, ...path.flatMap((name) => ['properties', name]).slice(1)]))
      throw new Error(`there is no ${path.join('.')}`);
  };

function withMore(crd: Document): void {
  for (const place of ['spec', 'status']) {
    crd.setIn([...schema, place, 'properties', 'later'], crd.createNode({ type: 'string', maxLength: 10 }));
  }
}

/** An operator that may not come up at once. */
function startOperator(): { lines: string[]; fatal: Promise<string>; health: Promise<string>; stop(): Promise<void> } {
  const lines: string[] = [];
  const fatal = Promise.withResolvers<string>();
  const health = freePort().then((port) => `127.0.0.1:${port}`);
  const starting: Promise<Operator> = health.then((healthListen) =>
    startTestOperator({
      healthListen,
      log: createLogger({ level: 'info', format: 'json', destination: { write: (line) => void lines.push(line) } }),
      onFatal: fatal.resolve,
    }),
  );
  return { lines, fatal: fatal.promise, health, stop: async () => (await starting).stop() };
}

describe('an operator with CRDs of another version in the cluster', () => {
  afterAll(async () => {
    await applyDefinition('cloudaccounts');
    await applyDefinition('sims');
  });

  it.each([
    [
      'the account’s reservation',
      'cloudaccounts',
      without('status', 'budget', 'reserved'),
      'status.budget.reserved of cloudaccounts',
    ],
    ['what was written', 'sims', without('status', 'applied'), 'status.applied of sims'],
    ['a field of the spec', 'sims', without('spec', 'deletionPolicy'), 'spec.deletionPolicy of sims'],
  ])(
    'writes nothing while they lack %s, says so, and goes on when they are upgraded',
    async (_what, plural, change, field) => {
      await applyDefinition(plural, change);
      const world = await createWorld({ seed: {} });
      const operator = startOperator();
      try {
        await world.apply(sim('truck', '8981040000000000017'));
        const said = await eventually(() => {
          const line = operator.lines.find((one) => one.includes('older than this operator'));
          if (line === undefined) throw new Error(`nothing of it in ${operator.lines.join('')}`);
          return line;
        });
        expect(said).toContain(field);
        expect(said).toContain('kubectl apply --server-side -f crds/');
        const ready = await fetch(`http://${await operator.health}/readyz`);
        expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('[-]crds failed')]);
        expect(await world.requests()).toEqual([]);
        const { metadata, status } = await world.get('Sim', 'truck');
        expect([metadata.finalizers, status]).toEqual([undefined, { observedGeneration: -1 }]);

        await applyDefinition(plural);
        await world.ready('Sim', 'truck');
      } finally {
        await applyDefinition(plural);
        await operator.stop();
        await world.stop();
      }
    },
  );

  it('ends when they are rolled back under it, so that it waits like one that starts', async () => {
    await applyDefinition('sims');
    const operator = startOperator();
    await eventually(() => expect(operator.lines.join('')).toContain('caches are synced'));
    await applyDefinition('sims', without('status', 'applied'));
    expect(await operator.fatal).toContain('status.applied of sims');
    await operator.stop();
    await applyDefinition('sims');
  });

  it('takes out of a status what only the version before showed there, which the CRDs still have for it', async () => {
    const world = await createWorld({ seed: {} });
    const operator = startOperator();
    await world.apply(sim('truck', '8981040000000000017'));
    await world.ready('Sim', 'truck');
    const traffic = { month: '2026-01', uplinkBytes: 1, downlinkBytes: 2, observedAt: '2026-01-15T00:00:00Z' };
    const resource = resourceOf('Sim');
    const patched = await world.client.mergePatch<Seen>(
      resource,
      world.namespace,
      'truck',
      { status: { traffic } },
      { subresource: 'status' },
    );
    expect(patched.status).toMatchObject({ traffic });
    await world.annotate('Sim', 'truck', { 'edgeline.dev/reconcile-at': '1' });
    await eventually(async () => expect((await world.get('Sim', 'truck')).status).not.toHaveProperty('traffic'));
    await operator.stop();
    await world.stop();
  });

  it('does not mind CRDs that have more', async () => {
    await applyDefinition('sims', withMore);
    await applyDefinition('cloudaccounts', withMore);
    const world = await createWorld({ seed: {} });
    const operator = startOperator();
    await world.apply(sim('truck', '8981040000000000017'));
    const { status } = await world.ready('Sim', 'truck');
    expect(status?.['ownership']).toBe('Created');
    await operator.stop();
    await world.stop();
  });
});
