import { expect, it } from 'vitest';
import { refuseOwned, writtenOf } from '../../../../../src/cli/ask/api/owners.ts';
import { parseApiPath } from '../../../../../src/cli/ask/api/path.ts';
import { writtenBy } from '../../../../../src/cli/ask/api/written.ts';
import { ClusterError } from '../../../../../src/cli/errors.ts';
import { commonSpec } from '../../../../../src/kinds/common/schema.ts';
import { gatewaySpec } from '../../../../../src/kinds/mobile-gateway/schema.ts';
import { simSpec } from '../../../../../src/kinds/sim/schema.ts';
import { certificateSpec } from '../../../../../src/kinds/site-certificate/schema.ts';
import { siteSpec } from '../../../../../src/kinds/web-accel-site/schema.ts';
import { type ManagedKindName, managedKindNames } from '../../../../../src/reconcile/kind-names.ts';
import { clientRoutes } from '../../../../support/client-routes.ts';

it('of each operation of the client that writes it is known which fields it writes', () => {
  expect(Object.keys(writtenBy).toSorted()).toEqual(clientRoutes().filter((route) => !route.startsWith('GET ')));
});

/** The spec of each kind, and of its fields what creation alone takes, what names the object, and what the operator alone does. */
const specs = {
  Sim: [simSpec, ['iccid', 'passCodeSecretRef', 'dataLimit', 'expectOnlineWithin']],
  MobileGateway: [gatewaySpec, ['zone', 'planID']],
  WebAccelSite: [siteSpec, ['siteID', 'domain']],
  SiteCertificate: [certificateSpec, ['siteID', 'siteRef', 'allowRollback', 'allowTemporary']],
} as const satisfies Record<ManagedKindName, unknown>;

it.each(managedKindNames)(
  'each field of a %s is written by an operation in src/cli/ask/api/written.ts, or by none',
  (kind) => {
    const [{ shape }, unwritten] = specs[kind];
    const written = Object.values(writtenBy).flatMap((by) => (by[kind] === 'all' ? [] : (by[kind] ?? [])));
    const common = Object.keys(commonSpec).filter((field) => field in shape);
    expect([...new Set([...written, ...unwritten, ...common])].toSorted()).toEqual(Object.keys(shape).toSorted());
  },
);

const all = Object.fromEntries(managedKindNames.map((kind) => [kind, 'all']));

it.each([
  ['PUT', '/commonserviceitem/113300000017/sim/ip', undefined, { Sim: ['ipAddress'] }],
  [
    'DELETE',
    '/applience/113300000101/mobilegateway/sims/113300000017',
    undefined,
    { Sim: ['gatewayRef', 'ipAddress'] },
  ],
  ['PUT', '/site/113300000201', { Site: { Name: 'www', VarySupport: 1 } }, { WebAccelSite: ['displayName', 'vary'] }],
  [
    'PUT',
    '/site/113300000201',
    { Site: { Name: 'www', Other: 1 } },
    { WebAccelSite: expect.arrayContaining(['origin', 'cors']) },
  ],
  ['PUT', '/site/113300000201', { Site: { toString: 1 } }, { WebAccelSite: expect.arrayContaining(['origin']) }],
  ['PUT', '/commonserviceitem/113300000017/sim/unheard-of', undefined, all],
  ['PUT', '/CommonServiceItem/113300000017/sim/ip', undefined, all],
  ['PUT', '/commonserviceitem/113300000017/sim/reconnect', undefined, {}],
])('%s %s writes', (method, path, body, written) => {
  expect(writtenOf({ method, path: parseApiPath(path, undefined), body })).toEqual(written);
});

it('whoever may not see all resources is told so, for one of them may look after it', async () => {
  const session = {
    list: () => Promise.reject(new ClusterError('you may not list sims in all namespaces', 'Ask.')),
  };
  const writing = {
    method: 'DELETE',
    path: parseApiPath('/commonserviceitem/113300000017', undefined),
    body: undefined,
  };
  await expect(refuseOwned(session, writing)).rejects.toThrow(
    "it can't be seen whether a Sim looks after this, whose operator would undo it: you may not list sims in all namespaces",
  );
});
