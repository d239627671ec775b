import { expect, it } from 'vitest';
import type { Fault } from '../../src/shadow/service/faults.ts';
import type { Message } from '../../src/shadow/world/messages.ts';
import { tlsSecret } from './certificates.ts';
import { createVirtualFleet } from './fleet.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const NAMESPACES = '/apis/edgeline.dev/v1alpha1/namespaces';
const FAILING = 40;
const SOUND = 12;

const seeds = Array.from({ length: FAILING + SOUND }, (_, index) => ({
  id: String(113_300_010_000 + index),
  name: `s${index}`,
  domain: `s${index}.example.jp`,
}));
const failingIDs = new Set(seeds.slice(0, FAILING).map(({ id }) => id));

const cases: readonly { readonly route: string; readonly fault: Fault }[] = [
  { route: 'PUT webaccel/site/:id/certificate', fault: 'internal error' },
  { route: 'PUT webaccel/site/:id/certificate', fault: 'conflict' },
  { route: 'GET webaccel/site/:id/certificate', fault: 'internal error' },
  { route: 'GET webaccel/site/:id/certificate', fault: 'not found by a proxy, in JSON' },
];

/** Some are on their sites, and those of others fail for as long as the world is not calm. */
async function failingFleet({ route, fault }: (typeof cases)[number]) {
  const fleet = createVirtualFleet({ seeds: { fleet: { sites: seeds } } });
  const { world } = fleet;
  const letPass = (milliseconds: number) => world.run(world.now() + milliseconds);
  const renew = (index: number, name: string) =>
    fleet.patch(`/api/v1/namespaces/fleet/secrets/tls-${index}`, { data: tlsSecret('', name).data });
  const operator = world.start('operator');
  for (const [index, { id }] of seeds.entries()) {
    fleet.create('/api/v1/namespaces/fleet/secrets', tlsSecret(`tls-${index}`, 'wildcard-1'));
    fleet.create(`${NAMESPACES}/fleet/sitecertificates`, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'SiteCertificate',
      metadata: { name: `c${index}` },
      spec: { siteID: id, secretRef: { name: `tls-${index}` } },
    });
  }
  await letPass(90 * MINUTE);
  const isFailing = ({ target }: Message) => failingIDs.has(/site\/(\d+)/.exec(target)?.[1] ?? '');
  const fits = (message: Message) => message.to === 'service' && message.route === route && isFailing(message);
  world.arm({ to: 'service', fits, count: 1e9, fault: { service: fault } });
  for (let index = 0; index < FAILING; index++) renew(index, 'wildcard-2');
  return { fleet, operator, letPass, renew };
}

it.each(cases)(
  `so it is once nothing can arrive from before a restart, while those of ${FAILING} others have been answered with "$fault" ($route) for hours`,
  async (failing) => {
    const { fleet, operator, letPass, renew } = await failingFleet(failing);
    await letPass(180 * MINUTE);
    operator.kill(SECOND);
    await letPass(2 * MINUTE);
    renew(FAILING, 'wildcard-2');
    await letPass(90 * SECOND);
    expect(fleet.waiting('fleet', 'sitecertificates').has(`c${FAILING}`)).toBe(false);
  },
);

it.each(cases)(
  `a certificate that is renewed is on its site within seconds, while those of ${FAILING} others are answered with "$fault" ($route)`,
  async (failing) => {
    const { fleet, letPass, renew } = await failingFleet(failing);
    const late: string[] = [];
    for (let round = 0; round < SOUND; round++) {
      await letPass(7 * MINUTE + round * 13 * SECOND);
      const index = FAILING + round;
      renew(index, 'wildcard-2');
      await letPass(5 * SECOND);
      if (fleet.waiting('fleet', 'sitecertificates').has(`c${index}`)) late.push(`round ${round}`);
    }
    expect(late).toEqual([]);
  },
);
