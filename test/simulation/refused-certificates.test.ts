import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { tlsSecret } from './certificates.ts';
import { createVirtualFleet } from './fleet.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const NAMESPACES = '/apis/edgeline.dev/v1alpha1/namespaces';
const idOf = ({ target }: Message) => /site\/(\d+)/.exec(target)?.[1] ?? '';
const isUpload = ({ to, route }: Message) => to === 'service' && /^(PUT|POST) .*\/certificate$/.test(route);

it.each([
  { others: 0, times: 4, isDeleted: false, within: 30 },
  { others: 1, times: 4, isDeleted: false, within: 30 },
  { others: 20, times: 4, isDeleted: false, within: 30 },
  { others: 20, times: 4, isDeleted: true, within: 30 },
  { others: 1, times: 7, isDeleted: false, within: 600 },
  { others: 20, times: 7, isDeleted: false, within: 600 },
])(
  'a renewed certificate that is refused $times times waits for none of $others other namespaces that have refused ones (deleted: $isDeleted)',
  async ({ others, times, isDeleted, within }) => {
    const tenants = Array.from({ length: others }, (_, index) => `t${index}`);
    const sites = ['a.example.jp', ...tenants.map((name) => `${name}.example.jp`)].map((domain, index) => {
      return { id: String(113_300_010_000 + index), name: `s${index}`, domain };
    });
    const own = sites[0]?.id ?? '';
    const seeds = { fleet: { sites }, ...Object.fromEntries(tenants.map((name) => [name, {}])) };
    const fleet = createVirtualFleet({ seeds, shared: 'fleet' });
    const { world } = fleet;
    const letPass = (milliseconds: number) => world.run(world.now() + milliseconds);
    const make = (namespace: string, siteID: string, certificate: string) => {
      fleet.create(`/api/v1/namespaces/${namespace}/secrets`, tlsSecret('www-tls', certificate));
      const spec = { siteID, secretRef: { name: 'www-tls' } };
      fleet.create(`${NAMESPACES}/${namespace}/sitecertificates`, {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'SiteCertificate',
        metadata: { name: 'www' },
        spec,
      });
    };
    world.start('operator');
    make('fleet', own, 'a-1');
    await letPass(HOUR / 4);
    const isOthers = (message: Message) => isUpload(message) && idOf(message) !== own;
    world.arm({ to: 'service', fits: isOthers, count: 1e9, fault: { service: 'conflict' } });
    tenants.forEach((name, index) => make(name, sites[index + 1]?.id ?? '', 'wildcard-1'));
    await letPass(2 * HOUR);
    for (const name of isDeleted ? tenants : []) {
      const path = `${NAMESPACES}/${name}/sitecertificates/www`;
      world.apiserver.handle({ method: 'DELETE', path, user: 'user' });
    }
    await letPass(60 * SECOND);
    const isOwn = (message: Message) => isUpload(message) && idOf(message) === own;
    world.arm({ to: 'service', fits: isOwn, count: times, fault: { service: 'conflict' } });
    fleet.patch('/api/v1/namespaces/fleet/secrets/www-tls', { data: tlsSecret('www-tls', 'a-2').data });
    await letPass(within * SECOND);
    expect([...fleet.waiting('fleet', 'sitecertificates')]).toEqual([]);
  },
);
