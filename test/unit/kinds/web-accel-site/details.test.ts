import { describe, expect, it } from 'vitest';
import { NotFoundError } from '../../../../src/cloud/errors.ts';
import type { CallOptions } from '../../../../src/cloud/limiter/lanes.ts';
import { createSiteDetails, type SiteDetails } from '../../../../src/kinds/web-accel-site/details.ts';
import type { WebAccelSite } from '../../../../src/kinds/web-accel-site/schema.ts';
import type { AccountSession } from '../../../../src/reconcile/session.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { partial } from '../../../support/partial.ts';

const ID = '113300000301';
const site: WebAccelSite = {
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'WebAccelSite',
  metadata: { name: 'www', namespace: 'fleet', uid: 'uid', resourceVersion: '1' },
  spec: { domain: 'www.example.jp' },
};
const identity = {
  id: ID,
  name: 'www',
  domain: 'www.example.jp',
  asciiDomain: 'www.example.jp',
  subdomain: 'x.user.webaccel.example.jp',
  domainType: 'own_domain',
  status: 'enabled',
};
const whole: SiteDetails = { identity, accessControl: ['deny 192.0.2.0/24'], answers: {} };

describe('what is known of a site that another resource has', () => {
  it('is which one it is, and nothing that the other may change', () => {
    const details = createSiteDetails(new ManualClock());
    details.answered(site, ID, whole);
    details.left(site, ID);
    expect(details.known(site, ID)?.value).toEqual({ identity });
  });

  it('is nothing where nothing was known', () => {
    const details = createSiteDetails(new ManualClock());
    details.left(site, ID);
    expect(details.known(site, ID)).toBeUndefined();
  });
});

it('is read as the work of the namespace that has it read', async () => {
  const details = createSiteDetails(new ManualClock());
  const asked: CallOptions[] = [];
  const refuse = (_id: string, call: CallOptions) => {
    asked.push(call);
    return Promise.reject(new NotFoundError('no such site', '', { route: 'GET /site/:id' }));
  };
  const session = partial<AccountSession>({ client: { sites: { read: refuse, acl: refuse } } });
  const call = { lane: 'list', party: 'fleet', turn: { urgency: 'creation', began: 1 } } as const;
  await details.read(site, session, ID, { call, settings: true, accessControl: true });
  expect(asked).toEqual([call]);
});

it('is read anew where the account is another by now, whoever still reads through the one of before', async () => {
  const details = createSiteDetails(new ManualClock());
  const asked: string[] = [];
  const sessionOf = (name: string) => {
    const refuse = () => {
      asked.push(name);
      return Promise.reject(new NotFoundError('no such site', '', { route: 'GET /site/:id' }));
    };
    return partial<AccountSession>({ client: { sites: { read: refuse, acl: refuse } } });
  };
  const [before, now] = [sessionOf('before'), sessionOf('now')];
  const what = { call: { lane: 'list' }, settings: true, accessControl: false } as const;
  await Promise.all([before, before, now].map((session) => details.read(site, session, ID, what)));
  expect(asked).toEqual(['before', 'now']);
});
