import { expect, test } from 'vitest';
import type { Gateway } from '../../../src/cloud/gateway/types.ts';
import type { SimItem } from '../../../src/cloud/sim/types.ts';
import type { Site } from '../../../src/cloud/site/types.ts';
import { holdOtherGateway, holdAnothers as holdOthersGateway } from '../../../src/kinds/mobile-gateway/find.ts';
import type { MobileGateway } from '../../../src/kinds/mobile-gateway/schema.ts';
import { findSim, holdOtherSim, holdAnothers as holdOthersSim } from '../../../src/kinds/sim/find.ts';
import type { Sim } from '../../../src/kinds/sim/schema.ts';
import { holdOtherSite as holdOtherSiteOfCertificate } from '../../../src/kinds/site-certificate/gather.ts';
import type { SiteCertificate } from '../../../src/kinds/site-certificate/schema.ts';
import { holdOtherSite } from '../../../src/kinds/web-accel-site/find.ts';
import type { WebAccelSite } from '../../../src/kinds/web-accel-site/schema.ts';
import { partial } from '../../support/partial.ts';

const id = '113300000101';
const shown = {
  id,
  name: 'of another tenant',
  iccid: '8981040000000000099',
  domain: 'another.example.jp',
  asciiDomain: 'another.example.jp',
  subdomain: 'xyz.user.webaccel.jp',
  createdAt: '2026-01-01T12:34:56+09:00',
};
const guessed = { id, createdAt: '2020-01-01T00:00:00Z' };
const proposal = { account: 'ClusterCloudAccount//shared', until: '2026-01-02T00:00:00Z' };
const metadata = { name: 'mine', namespace: 'evil', uid: 'u', resourceVersion: '1' };

const spec = { iccid: '8981040000000000001', zone: 'is1b' };
const sim = partial<Sim>({ metadata, spec, status: guessed });
const gateway = partial<MobileGateway>({ metadata, spec, status: guessed });
const item = partial<SimItem>(shown);
const site = partial<Site>(shown);
const siteOf = (spec: object, status: object) => partial<WebAccelSite>({ metadata, spec, status: { id, ...status } });
const named = findSim(partial<Sim>({ metadata, spec: { ...spec, resourceID: id } }), new Map([[id, item]]));

test.each([
  [
    'of a SIM of another ICCID',
    holdOtherSim(sim, item, proposal),
    'SIM 113300000101 is not what this resource has: its ICCID is not 8981040000000000001.',
  ],
  [
    'of a SIM made at another time',
    holdOtherSim(sim, { ...item, iccid: spec.iccid }, proposal),
    'SIM 113300000101 is not what this resource has: it was made at another time than 2020-01-01T00:00:00Z, which was recorded.',
  ],
  [
    'of a SIM that the status of another names',
    holdOthersSim(sim, item),
    'names SIM 113300000101, which has another ICCID;',
  ],
  [
    'of a SIM that the spec names',
    'hold' in named ? named.hold : undefined,
    'SIM 113300000101 has another ICCID than 8981040000000000001, which the spec says.',
  ],
  [
    'of a gateway made at another time',
    holdOtherGateway(gateway, partial<Gateway>(shown), proposal),
    'gateway 113300000101 is not what this resource has: it was made at another time than 2020-01-01T00:00:00Z, which was recorded.',
  ],
  [
    'of a gateway that the status of another names',
    holdOthersGateway(gateway, partial<Gateway>(shown)),
    'names gateway 113300000101, which is not called "mine".',
  ],
  [
    'of a site of another domain',
    holdOtherSite(siteOf({ domain: 'my.example.jp' }, {}), site, proposal),
    'site 113300000101 is not what this resource has: its domain is not my.example.jp, which the spec says.',
  ],
  [
    'of a site of another host name',
    holdOtherSite(siteOf({ siteID: id }, { subdomain: 'abc.user.webaccel.jp' }), site, proposal),
    'site 113300000101 is not what this resource has: its host name is not abc.user.webaccel.jp, which was recorded.',
  ],
  [
    'of a site made at another time',
    holdOtherSite(siteOf({ siteID: id }, guessed), site, proposal),
    'site 113300000101 is not what this resource has: it was made at another time than 2020-01-01T00:00:00Z, which was recorded.',
  ],
  [
    'of a certificate’s site made at another time',
    holdOtherSiteOfCertificate(partial<SiteCertificate>({ metadata, spec: {}, status: guessed }), site, proposal),
    'site 113300000101 is not what this resource has: it was made at another time than 2020-01-01T00:00:00Z, which was recorded.',
  ],
])('a message tells that it is not the one, and nothing %s that is not in the resource', (_, hold, said) => {
  const { message = '' } = hold ?? {};
  const { id: _id, ...secret } = shown;
  expect({
    said: message.includes(said),
    told: Object.values(secret).filter((value) => message.includes(value)),
  }).toEqual({
    said: true,
    told: [],
  });
});
