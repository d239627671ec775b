import { expect, it } from 'vitest';
import type { Fault } from '../../src/shadow/service/faults.ts';
import type { Message } from '../../src/shadow/world/messages.ts';
import { tlsSecret } from './certificates.ts';
import { createVirtualFleet } from './fleet.ts';

/** What fails for minutes, beside what fails for hours in other namespaces that share the account. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const OTHERS = 12;

interface Case {
  readonly kind: 'WebAccelSite' | 'SiteCertificate';
  readonly fault: Fault;
  /** How many fail in each of the other namespaces, and how many here. */
  readonly each: number;
  readonly here: number;
  /** For so long fails what is here. Milliseconds. */
  readonly outage: number;
  readonly isRestarted: boolean;
  /** For three hours before its outage what is here is paused, or has been failing, and the process is killed in that. */
  readonly before?: 'paused' | 'failing';
  /** It is done within so many minutes. */
  readonly within?: number;
}

const cases: readonly Case[] = [
  { kind: 'WebAccelSite', fault: 'internal error', each: 5, here: 1, outage: 3 * SECOND, isRestarted: false },
  { kind: 'WebAccelSite', fault: 'internal error', each: 5, here: 20, outage: 4 * MINUTE, isRestarted: false },
  { kind: 'SiteCertificate', fault: 'conflict', each: 1, here: 5, outage: 4 * MINUTE, isRestarted: true },
  {
    kind: 'WebAccelSite',
    fault: 'internal error',
    each: 5,
    here: 20,
    outage: 4 * MINUTE,
    isRestarted: true,
    before: 'paused',
  },
  {
    kind: 'WebAccelSite',
    fault: 'internal error',
    each: 5,
    here: 20,
    outage: 4 * MINUTE,
    isRestarted: true,
    before: 'failing',
    within: 120,
  },
];

it.each(cases)(
  `what fails for $outage ms is done within ten minutes, while others fail for hours in ${OTHERS} namespaces: $here of kind $kind, $fault, restarted $isRestarted, before that $before, within $within minutes`,
  async ({ kind, fault, each, here, outage, isRestarted, before, within = 10 }) => {
    const others = Array.from({ length: OTHERS }, (_, index) => `other-${index}`);
    const all = [
      ...others.flatMap((namespace) => Array.from({ length: each }, () => namespace)),
      ...Array.from({ length: here }, () => 'here'),
    ].map((namespace, index) => {
      const name = `s${index}`;
      return { namespace, name, site: { id: String(113_300_010_000 + index), name, domain: `${name}.example.jp` } };
    });
    const sites = all.map(({ site }) => site);
    const seeds = { here: { sites }, ...Object.fromEntries(others.map((namespace) => [namespace, {}])) };
    const fleet = createVirtualFleet({ seeds, shared: 'here' });
    const { world } = fleet;
    const letPass = (milliseconds: number) => world.run(world.now() + milliseconds);
    const isSite = kind === 'WebAccelSite';
    const plural = isSite ? 'webaccelsites' : 'sitecertificates';
    const pathOf = (namespace: string) => `/apis/edgeline.dev/v1alpha1/namespaces/${namespace}/${plural}`;
    const secretsOf = (namespace: string) => `/api/v1/namespaces/${namespace}/secrets`;
    const change = ({ namespace, name }: (typeof all)[number]) =>
      isSite
        ? fleet.patch(`${pathOf(namespace)}/${name}`, { spec: { defaultCacheTTL: 60 } })
        : fleet.patch(`${secretsOf(namespace)}/${name}`, { data: tlsSecret('', 'wildcard-2').data });
    const operator = world.start('operator');
    for (const { namespace, name, site } of all) {
      if (!isSite) fleet.create(secretsOf(namespace), tlsSecret(name, 'wildcard-1'));
      const more = isSite ? { managementPolicy: 'Manage', defaultCacheTTL: 0 } : { secretRef: { name } };
      const made = {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind,
        metadata: { name },
        spec: { siteID: site.id, ...more },
      };
      fleet.create(pathOf(namespace), made);
    }
    await letPass(120 * MINUTE);
    const mine = new Set(all.flatMap(({ namespace, site }) => (namespace === 'here' ? [site.id] : [])));
    let isOut = false;
    const route = isSite ? 'PUT webaccel/site/:id' : 'PUT webaccel/site/:id/certificate';
    const fits = (message: Message) =>
      message.route === route && (isOut || !mine.has(/site\/(\d+)/.exec(message.target)?.[1] ?? ''));
    world.arm({ to: 'service', fits, count: 1e9, fault: { service: fault } });
    all.filter(({ namespace }) => namespace !== 'here').forEach(change);
    const ours = all.filter(({ namespace }) => namespace === 'here');
    const pause = (value: string | null) => {
      for (const { namespace, name } of ours) {
        fleet.patch(`${pathOf(namespace)}/${name}`, { metadata: { annotations: { 'edgeline.dev/paused': value } } });
      }
    };
    if (before === 'paused') pause('true');
    isOut = before === 'failing';
    if (isOut) ours.forEach(change);
    await letPass(180 * MINUTE);
    if (isRestarted && before === undefined) {
      operator.kill(5 * SECOND);
      // Nothing is uploaded before what was under way can arrive no more.
      await letPass(4 * MINUTE);
    }
    isOut = true;
    ours.forEach(change);
    if (before === 'paused') pause(null);
    const last = Math.min(outage, MINUTE);
    await letPass(outage - last);
    if (isRestarted && before !== undefined) operator.kill(5 * SECOND);
    await letPass(last);
    expect(fleet.waiting('here', plural).size).toBe(here);
    isOut = false;
    await letPass(within * MINUTE);
    expect([...fleet.waiting('here', plural).keys()]).toEqual([]);
  },
);

it.each([59, 150])(
  '%d minutes in which the service fails all changes of sites are over within ten minutes in all namespaces, though the operator is restarted a minute before their end',
  async (minutes) => {
    const namespaces = Array.from({ length: OTHERS }, (_, index) => `n${index}`);
    const sites = Array.from({ length: 4 * OTHERS }, (_, index) => ({
      id: String(113_300_010_000 + index),
      name: `s${index}`,
      domain: `s${index}.example.jp`,
    }));
    const fleet = createVirtualFleet({
      seeds: Object.fromEntries(namespaces.map((name, index) => [name, index === 0 ? { sites } : {}])),
      shared: 'n0',
    });
    const { world } = fleet;
    const pathOf = (index: number) =>
      `/apis/edgeline.dev/v1alpha1/namespaces/${namespaces[index % OTHERS]}/webaccelsites`;
    const letPass = (milliseconds: number) => world.run(world.now() + milliseconds);
    const waiting = () => namespaces.flatMap((name) => [...fleet.waiting(name, 'webaccelsites').keys()]);
    const operator = world.start('operator');
    for (const [index, { id, name }] of sites.entries()) {
      fleet.create(pathOf(index), {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'WebAccelSite',
        metadata: { name },
        spec: { siteID: id, managementPolicy: 'Manage', defaultCacheTTL: 0 },
      });
    }
    await letPass(120 * MINUTE);
    const fits = ({ route }: Message) => route === 'PUT webaccel/site/:id';
    world.arm({ to: 'service', fits, count: 1e9, fault: { service: 'internal error' } });
    for (const [index, { name }] of sites.entries())
      fleet.patch(`${pathOf(index)}/${name}`, { spec: { defaultCacheTTL: 60 } });
    await letPass(minutes * MINUTE);
    operator.kill(5 * SECOND);
    await letPass(MINUTE);
    expect(waiting()).toHaveLength(sites.length);
    world.calm();
    await letPass(10 * MINUTE);
    expect(waiting()).toEqual([]);
  },
);
