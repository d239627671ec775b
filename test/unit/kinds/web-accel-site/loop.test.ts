import { expect, it } from 'vitest';
import type { ObservedSite } from '../../../../src/kinds/web-accel-site/facts.ts';
import { loopWarnings } from '../../../../src/kinds/web-accel-site/loop.ts';

const site: ObservedSite = {
  id: '113300000301',
  name: 'www',
  domain: '例え.jp',
  asciiDomain: 'xn--r8jz45g.jp',
  subdomain: 'abc.cdn.example.jp',
  domainType: 'own_domain',
  status: 'enabled',
  listed: true,
};
const ofHost = (host: string) => loopWarnings({ origin: { webServer: { host } } }, site);

it.each(['例え.jp', 'xn--r8jz45g.jp', 'XN--R8JZ45G.JP.', 'abc.cdn.example.jp', 'xn--r8jz45g.jp:443', '例え.jp:80'])(
  'an origin %s, which is the site itself, is warned of',
  (host) => {
    expect(ofHost(host)).toEqual([
      `origin.webServer.host ${host} is the site's own domain: where that leads to the service, each request comes back to it without end. Name what the content comes from, such as origin.example.jp, and this domain in hostHeader.`,
    ]);
  },
);

it.each(['origin.example.jp', 'www.例え.jp', 'xn--r8jz45g.jp:8443', '192.0.2.1'])(
  'an origin %s is another host',
  (host) => {
    expect(ofHost(host)).toEqual([]);
  },
);

it('the endpoint of a bucket may be no site either', () => {
  const objectStorage = { bucket: 'www', region: 'jp-north-1', credentialsSecretRef: { name: 's3' } };
  const ofEndpoint = (endpoint: string) =>
    loopWarnings({ origin: { objectStorage: { ...objectStorage, endpoint } } }, site);
  expect(ofEndpoint('s3.example.jp')).toEqual([]);
  expect(ofEndpoint('xn--r8jz45g.jp')).toEqual([
    "origin.objectStorage.endpoint xn--r8jz45g.jp is the site's own domain: where that leads to the service, each request comes back to it without end. Name what the content comes from, such as origin.example.jp.",
  ]);
});

it('a site whose domains are not known, and one without origin in the spec, is not judged', () => {
  expect(loopWarnings({}, site)).toEqual([]);
  const unknown = { ...site, domain: '', asciiDomain: '', subdomain: '' };
  expect(loopWarnings({ origin: { webServer: { host: 'a.jp' } } }, unknown)).toEqual([]);
});
