import { expect, it } from 'vitest';
import { certificateNamed } from './certificates.ts';
import { createVirtualFleet, iccidOf } from './fleet.ts';

const SECOND = 1000;
const GROUP = '/apis/edgeline.dev/v1alpha1';
const SITE = { id: '113300900001', name: 'a', domain: 'a.example.jp', status: 'enabled' } as const;

const certificate = certificateNamed('a-2');
const base64 = (text: string) => Buffer.from(text).toString('base64');

const cases = [
  {
    kind: 'MobileGateway',
    plural: 'mobilegateways',
    victim: { zone: 'is1b', planID: 2, internetConnection: true },
    evil: { zone: 'is1b', planID: 2, internetConnection: false, displayName: 'taken', deletionPolicy: 'Delete' },
    // The process knows that it has none, and makes it one of its own.
    running: 'True Available',
  },
  {
    kind: 'Sim',
    plural: 'sims',
    victim: { iccid: iccidOf(1), passCodeSecretRef: { name: 'pass-codes', key: 'code' }, activated: true },
    evil: { iccid: iccidOf(1), displayName: 'taken', activated: false, deletionPolicy: 'Delete' },
  },
  {
    kind: 'WebAccelSite',
    plural: 'webaccelsites',
    victim: { domain: SITE.domain, enabled: true },
    evil: { domain: SITE.domain, enabled: false },
  },
  {
    kind: 'SiteCertificate',
    plural: 'sitecertificates',
    victim: { siteID: SITE.id, secretRef: { name: 'tls' } },
    evil: { siteID: SITE.id, secretRef: { name: 'none' } },
  },
];

it.each(
  cases.flatMap((one) => [
    { ...one, moment: 'while the operator runs' },
    { ...one, moment: 'before it starts again' },
  ]),
)('a tenant’s older $kind gets nothing by a patched status, $moment', async (one) => {
  const fleet = createVirtualFleet({ seeds: { edge: { sites: [SITE] }, victim: {}, evil: {} }, shared: 'edge' });
  const { world } = fleet;
  const pathOf = (namespace: string) => `${GROUP}/namespaces/${namespace}/${one.plural}`;
  const create = (namespace: string, spec: object, annotations: object = {}) =>
    fleet.create(pathOf(namespace), {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: one.kind,
      metadata: { name: 'one', annotations },
      spec,
    });
  fleet.create('/api/v1/namespaces/victim/secrets', {
    metadata: { name: 'tls' },
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': base64(certificate.chain), 'tls.key': base64(certificate.key) },
  });
  // Let go of, it is in nobody's way until the victim has its own.
  create('evil', one.evil, { 'edgeline.dev/abandon': 'true' });
  const first = world.start('first');
  await world.run(60 * SECOND);
  create('victim', one.victim);
  await world.run(world.now() + 600 * SECOND);
  expect([...fleet.waiting('victim', one.plural)]).toEqual([]);
  const { status } = fleet.read(`${pathOf('victim')}/one`);

  const isRestart = one.moment === 'before it starts again';
  if (isRestart) first.stop('never');
  await world.run(world.now() + 60 * SECOND);
  const { uid } = fleet.read(`${pathOf('evil')}/one`).metadata;
  const forged = { uid, id: status.id, createdAt: status.createdAt, ownership: 'Created', observedGeneration: 1 };
  fleet.patch(`${pathOf('evil')}/one/status`, { status: forged });
  fleet.patch(`${pathOf('evil')}/one`, { metadata: { annotations: { 'edgeline.dev/abandon': null } } });
  const written: string[] = [];
  world.service.onChange(({ route, ids }) => void (ids.includes(status.id ?? '') && written.push(route)));
  if (isRestart) world.start('second');
  await world.run(world.now() + 1200 * SECOND);

  const readyOf = (namespace: string) => {
    const { conditions } = fleet.read(`${pathOf(namespace)}/one`).status;
    const ready = conditions.find(({ type }) => type === 'Ready');
    return `${ready?.status} ${ready?.reason}`;
  };
  const told = { evil: readyOf('evil'), waiting: [...fleet.waiting('victim', one.plural)] };
  world.apiserver.handle({ method: 'DELETE', path: `${pathOf('evil')}/one`, user: 'user' });
  await world.run(world.now() + 600 * SECOND);
  expect({ ...told, written, is: fleet.read(`${pathOf('victim')}/one`).status.id }).toEqual({
    evil: (!isRestart && one.running) || 'False AlreadyManaged',
    waiting: [],
    written: [],
    is: status.id,
  });
});
