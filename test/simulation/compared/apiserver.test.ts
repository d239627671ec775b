import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { systemClock } from '../../../src/clock.ts';
import { loadKubeconfig } from '../../../src/kubernetes/config.ts';
import { resourceOf, toCustomResourceDefinition } from '../../../src/kubernetes/crd.ts';
import { LEASES, NAMESPACES, pathOf, SECRETS } from '../../../src/kubernetes/resource.ts';
import { createApiserver } from '../../../src/shadow/apiserver/apiserver.ts';
import { findControlPlane, startWithCRDs } from '../../support/control-plane-start.ts';
import { allDefinitions } from '../../support/definitions.ts';
import { eventually } from '../../support/kubernetes.ts';
import { type Comparison, compare, type Difference } from './compare.ts';
import { ADMIN, NOBODY, type Place } from './parts.ts';
import { chances } from './random.ts';
import { memorySide, realSide } from './sides.ts';
import { type Step, sequenceOf, specsOf } from './steps.ts';
import { MERGE_PATCH } from './writes.ts';

/** EDGELINE_SEQUENCES is how many are played, beginning with the seed EDGELINE_SEED. */
const sequences = Number(process.env['EDGELINE_SEQUENCES'] ?? 200);
const firstSeed = Number(process.env['EDGELINE_SEED'] ?? 1);
const STEPS = 25;
const SPECS_OF_A_KIND = 75;
const AT_ONCE = 8;

const run = randomBytes(3).toString('hex');
const definitions = allDefinitions.map(toCustomResourceDefinition);
// Of its own: what the comparison leaves behind would keep the operators of other tests busy.
const { kubeconfig, stop } = await startWithCRDs(await findControlPlane());
const real = realSide(await loadKubeconfig({ kubeconfig, clock: systemClock, environment: {} }));
afterAll(async () => {
  await real.close();
  await stop();
});

function play(steps: readonly Step[], place: Place): Promise<Comparison> {
  const server = createApiserver({ now: Date.now, uid: randomUUID, definitions });
  server.setDenial(({ user }) => user === NOBODY);
  return compare({ memory: memorySide(server), real }, steps, place);
}

function placeOf(name: string): Place {
  const namespace = `as-${run}-${name}`;
  return { namespace, prefix: `${namespace}-` };
}

/** As a person reads it: what was asked, and the lines that only one of them answered. */
function shown(what: string, { where, request, memory, real: theirs }: Difference): string {
  const only = (text: string, other: string) => text.split('\n').filter((line) => !other.split('\n').includes(line));
  const lines = ['in memory:', ...only(memory, theirs), 'the real one:', ...only(theirs, memory)];
  return [`${what}, ${where}`, JSON.stringify(request), ...lines].join('\n');
}

/** Tells what was compared, and gives what differed. */
function summary(what: string, compared: ReadonlyMap<string, Comparison>): string[] {
  const counts = new Map<string, number>();
  let events = 0;
  for (const comparison of compared.values()) {
    events += comparison.events;
    for (const [key, count] of comparison.counts) counts.set(key, (counts.get(key) ?? 0) + count);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const table = [...counts.keys()].sort().map((key) => `${key}: ${counts.get(key)}`);
  process.stderr.write(`${what}: ${total} answers, ${events} events of watches compared (${table.join(', ')})\n`);
  return [...compared].flatMap(([name, { difference }]) => (difference ? [shown(name, difference)] : []));
}

/** What an answer is about, in a word or two. */
function answerShown(body: unknown): string {
  const {
    reason = '',
    details,
    metadata,
    status,
  } = z
    .object({
      reason: z.string().optional(),
      details: z.object({ causes: z.array(z.object({ reason: z.string() })).optional() }).optional(),
      metadata: z.object({ name: z.string().optional(), deletionTimestamp: z.string().optional() }).optional(),
      status: z.union([z.string(), z.object({ phase: z.string().optional() })]).optional(),
    })
    .parse(body);
  const phase = typeof status === 'object' ? (status.phase ?? '') : '';
  const causes = details?.causes?.map((cause) => cause.reason).join(' ') ?? '';
  const going = metadata?.deletionTimestamp === undefined ? '' : 'going';
  return [reason, causes, metadata?.name ?? '', phase, going].filter((part) => part !== '').join(' ');
}

/** The type of an event, and the name in it. */
function eventShown(event: unknown): string {
  const { type, object } = z
    .object({
      type: z.string(),
      object: z.object({
        metadata: z.object({ name: z.string() }),
      }),
    })
    .parse(event);
  return `${type} ${object.metadata.name}`;
}

/** The messages of all rules of the definitions. */
function rulesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'rule' in value && 'message' in value && typeof value.message === 'string' ? [value.message] : [];
  return [...own, ...Object.values(value).flatMap(rulesIn)];
}

describe('the apiserver in memory', () => {
  it('answers any sequence of requests as the real one does', { timeout: 600_000 }, async () => {
    const compared = new Map<string, Comparison>();
    const seeds = Array.from({ length: sequences }, (_, index) => firstSeed + index);
    const work = async () => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        const place = placeOf(String(seed));
        compared.set(`seed ${seed}`, await play(sequenceOf(chances(seed), place, STEPS), place));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const differences = summary(`${sequences} sequences`, compared);
    expect(differences.slice(0, 5)).toEqual([]);
  });

  it('begins watches as the real one does', async () => {
    const place = placeOf('watches');
    const server = createApiserver({ now: Date.now, uid: randomUUID, definitions });
    const path = pathOf(LEASES, place.namespace);
    const shown: unknown[] = [];
    for (const side of [memorySide(server), real]) {
      const ask = (method: 'POST' | 'DELETE', to: string, body?: object) =>
        side.ask({ method, path: to, user: ADMIN, ...(body && { body: JSON.stringify(body) }) });
      await ask('POST', pathOf(NAMESPACES), { metadata: { name: place.namespace } });
      for (const name of ['b', 'a']) await ask('POST', path, { metadata: { name }, spec: { holderIdentity: name } });
      const eventsOf = async (query: string, count: number) => {
        const watch = await side.watch({ method: 'GET', path: `${path}?watch=true${query}`, user: ADMIN });
        await eventually(() => expect(watch.events).toHaveLength(count));
        watch.stop();
        return watch.events.map(eventShown).sort();
      };
      shown.push({
        ofNow: await eventsOf('', 2),
        ofWhatIsThere: await eventsOf('&resourceVersion=0', 2),
        ofOne: await eventsOf('&fieldSelector=metadata.name%3Da', 1),
      });
    }
    expect(shown[0]).toEqual(shown[1]);
    expect(shown[0]).toMatchObject({
      ofNow: ['ADDED a', 'ADDED b'],
      ofOne: ['ADDED a'],
    });
  });

  it('lets a namespace go as the real one does, when the controllers have done their part', async () => {
    const place = placeOf('going');
    const server = createApiserver({ now: Date.now, uid: randomUUID, definitions });
    const [secrets, place1] = [pathOf(SECRETS, place.namespace), pathOf(NAMESPACES, undefined, place.namespace)];
    const shown: unknown[] = [];
    for (const side of [memorySide(server), real]) {
      const answers: string[] = [];
      const ask = async (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: object) => {
        const request = {
          method,
          path,
          user: ADMIN,
          contentType: method === 'PATCH' ? MERGE_PATCH : 'application/json',
        };
        const answer = await side.ask({ ...request, ...(body && { body: JSON.stringify(body) }) });
        answers.push(`${method} ${answer.status} ${answerShown(answer.body)}`);
        return answer.status;
      };
      await ask('POST', pathOf(NAMESPACES), { metadata: { name: place.namespace } });
      await ask('POST', secrets, { metadata: { name: 'kept', finalizers: ['edgeline.dev/kept'] } });
      await ask('DELETE', place1);
      await ask('POST', secrets, { metadata: { name: 'late' } });
      await ask('GET', place1);
      server.runControllers();
      const status = async () => (await side.ask({ method: 'GET', path: `${secrets}/kept`, user: ADMIN })).body;
      await eventually(async () => expect(answerShown(await status())).toContain('going'));
      await ask('PATCH', `${secrets}/kept`, { metadata: { finalizers: null } });
      server.runControllers();
      const isGone = async () => (await side.ask({ method: 'GET', path: place1, user: ADMIN })).status;
      await eventually(async () => expect(await isGone()).toBe(404));
      await ask('POST', secrets, { metadata: { name: 'too-late' } });
      await ask('DELETE', pathOf(NAMESPACES, undefined, 'default'));
      shown.push(answers);
    }
    expect(shown[0]).toEqual(shown[1]);
    expect(shown[0]).toContain('POST 403 Forbidden NamespaceTerminating');
  });

  it('takes and refuses the same specs, by the same rules', { timeout: 600_000 }, async () => {
    const compared = new Map<string, Comparison>();
    await Promise.all(
      allDefinitions.map(async (definition) => {
        const place = placeOf(definition.plural);
        const subject = { resource: resourceOf(definition), definition };
        const steps = specsOf(subject, chances(firstSeed), place, SPECS_OF_A_KIND);
        compared.set(definition.kind, await play(steps, place));
      }),
    );
    const differences = summary('specs', compared);
    const refusals = [...compared.values()].flatMap((comparison) => [...comparison.refusals]);
    const rules = [...new Set(rulesIn(definitions))];
    const silent = rules.filter((rule) => !refusals.some((refusal) => refusal.includes(rule)));
    expect(differences).toEqual([]);
    // What no request broke was not compared.
    expect(silent).toEqual([]);
  });
});
