import { expect, it } from 'vitest';
import type { Fault } from '../../src/shadow/service/faults.ts';
import type { Message } from '../../src/shadow/world/messages.ts';
import { tlsSecret } from './certificates.ts';
import { createSiteFleet, MINUTE, SECOND } from './site-fleet.ts';

/** What fails for minutes, beside what fails for hours in other namespaces that share the account. */

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

const twenty = { kind: 'WebAccelSite', fault: 'internal error', each: 5, here: 20, outage: 4 * MINUTE } as const;
const cases: readonly Case[] = [
  { ...twenty, here: 1, outage: 3 * SECOND, isRestarted: false },
  { ...twenty, isRestarted: false },
  { kind: 'SiteCertificate', fault: 'conflict', each: 1, here: 5, outage: 4 * MINUTE, isRestarted: true },
  { ...twenty, isRestarted: true, before: 'paused' },
  { ...twenty, isRestarted: true, before: 'failing', within: 120 },
];

it.each(cases)(
  `what fails for $outage ms is done within ten minutes, while others fail for hours in ${OTHERS} namespaces: $here of kind $kind, $fault, restarted $isRestarted, before that $before, within $within minutes`,
  async ({ kind, fault, each, here, outage, isRestarted, before, within = 10 }) => {
    const fleet = createSiteFleet([
      ...Array.from({ length: here }, () => 'here'),
      ...Array.from({ length: OTHERS * each }, (_, index) => `other-${Math.floor(index / each)}`),
    ]);
    const { world, all, letPass, pathOf } = fleet;
    const isSite = kind === 'WebAccelSite';
    const plural = isSite ? 'webaccelsites' : 'sitecertificates';
    const secretsOf = (namespace: string) => `/api/v1/namespaces/${namespace}/secrets`;
    const change = (one: (typeof all)[number]) =>
      isSite
        ? fleet.change(one, 60)
        : fleet.patch(`${secretsOf(one.namespace)}/${one.name}`, { data: tlsSecret('', 'wildcard-2').data });
    const operator = world.start('operator');
    if (isSite) fleet.createSites();
    for (const one of isSite ? [] : all) {
      fleet.create(secretsOf(one.namespace), tlsSecret(one.name, 'wildcard-1'));
      fleet.create(pathOf(one, plural), {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind,
        metadata: { name: one.name },
        spec: { siteID: one.site.id, secretRef: { name: one.name } },
      });
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
      for (const one of ours) {
        fleet.patch(`${pathOf(one)}/${one.name}`, { metadata: { annotations: { 'edgeline.dev/paused': value } } });
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

it.each([
  { minutes: 59, within: 10 },
  { minutes: 150, within: 30 },
])(
  '$minutes minutes in which the service fails all changes of sites are over within $within minutes in all namespaces, though the operator is restarted a minute before their end',
  async ({ minutes, within }) => {
    const namespaces = Array.from({ length: OTHERS }, (_, index) => `n${index}`);
    const { world, all, letPass, createSites, change, ...fleet } = createSiteFleet(
      Array.from({ length: 4 * OTHERS }, (_, index) => `n${index % OTHERS}`),
    );
    const waiting = () => namespaces.flatMap((name) => [...fleet.waiting(name, 'webaccelsites').keys()]);
    const operator = world.start('operator');
    createSites();
    await letPass(120 * MINUTE);
    const fits = ({ route }: Message) => route === 'PUT webaccel/site/:id';
    world.arm({ to: 'service', fits, count: 1e9, fault: { service: 'internal error' } });
    for (const one of all) change(one, 60);
    await letPass(minutes * MINUTE);
    operator.kill(5 * SECOND);
    await letPass(MINUTE);
    expect(waiting()).toHaveLength(all.length);
    world.calm();
    await letPass(within * MINUTE);
    expect(waiting()).toEqual([]);
  },
);
