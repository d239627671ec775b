import type { CallOptions } from '../../cloud/limiter/lanes.ts';
import type { Certificate, DistinguishedName } from '../../cloud/site/types.ts';
import { timestamp } from '../../kubernetes/objects.ts';
import type { Answer, Item } from './answer.ts';
import type { Work } from './run.ts';
import type { Subject } from './subject.ts';

type SiteWork = Work & { readonly subject: Subject };

const READ: CallOptions = { lane: 'list' };

/** What a person asks of web acceleration (`api.md`, Web acceleration operations): a request of its hour each. All throw CloudError. */
export const siteOperations = {
  /** Of all sites of the account, or of one; `month`: six digits, undefined: the present one. */
  async usage({ access }: Work, siteID: string | undefined, month: string | undefined): Promise<Answer> {
    const usage = await access.client.sites.monthlyUsage({ target: month }, { lane: 'usage' });
    const of = `${siteID === undefined ? 'sites' : `site ${siteID}`} in ${usage.year}-${String(usage.month).padStart(2, '0')}`;
    const items = usage.usages.filter((one) => siteID === undefined || one.siteID === siteID);
    return {
      of,
      isList: siteID === undefined,
      items: items.map((item) => ({ ...item })),
      none: 'There is no usage.',
    };
  },

  async certificate({ access, subject }: SiteWork): Promise<Answer> {
    const { current, old } = await access.client.sites.certificate(subject.id, {}, READ);
    const items = [...(current ? [itemOf('current', current)] : []), ...old.map((one) => itemOf('previous', one))];
    return { of: subject.title, items, none: 'The site has no certificate.', isList: false };
  },

  async acl({ access, subject }: SiteWork): Promise<Answer> {
    const rules = await access.client.sites.acl(subject.id, READ);
    return {
      of: subject.title,
      items: rules.map((rule, index) => ({ line: index + 1, rule })),
      none: 'The site has no access control list.',
    };
  },
};

function itemOf(generation: string, certificate: Certificate): Item {
  const { serialNumber, notBefore, notAfter, issuer, subject, dnsNames, sha256Fingerprint } = certificate;
  return {
    generation,
    subject: nameOf(subject),
    dnsNames,
    issuer: nameOf(issuer),
    notBefore: notBefore === undefined ? undefined : timestamp(notBefore),
    notAfter: notAfter === undefined ? undefined : timestamp(notAfter),
    serialNumber,
    sha256Fingerprint,
  };
}

function nameOf({ commonName, organization }: DistinguishedName): string {
  return commonName ?? organization ?? '';
}
