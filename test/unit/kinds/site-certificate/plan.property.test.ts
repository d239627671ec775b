import { X509Certificate } from 'node:crypto';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkCertificate } from '../../../../src/kinds/site-certificate/checks.ts';
import type { CertificateFacts, ObservedCertificate } from '../../../../src/kinds/site-certificate/facts.ts';
import { planCertificate, planCertificateDeletion } from '../../../../src/kinds/site-certificate/plan.ts';
import type { CertificateStep } from '../../../../src/kinds/site-certificate/steps.ts';
import { SecretValue } from '../../../../src/reconcile/secret-value.ts';
import { createIntermediate, createRoot, type Issued, issue } from '../../../support/certificates.ts';

const DOMAIN = 'www.example.jp';
const DAY = 86_400_000;
const now = Date.now();

/** Days from now between which each certificate is valid; the key says what there is to know about it. */
const validity = {
  // Valid later than any other that can be used, and worth less.
  expired: [-1, -0.5],
  oldest: [-5, 5],
  older: [-4, 86],
  newer: [-3, 87],
  newest: [-2, 88],
  future: [1, 91],
} as const;
type Name = keyof typeof validity | 'another domain';

const usable = ['oldest', 'older', 'newer', 'newest'] as const;
const anyName = fc.constantFrom<Name>(...usable, 'expired', 'future', 'another domain');

const pool = new Map<Name, { readonly issued: Issued; readonly observed: ObservedCertificate }>();
beforeAll(async () => {
  const issuer = await createIntermediate(await createRoot());
  await add('another domain', 'www.example.com', [-1, 89]);
  for (const name of ['expired', 'oldest', 'older', 'newer', 'newest', 'future'] as const)
    await add(name, DOMAIN, validity[name]);

  async function add(name: Name, domain: string, [from, to]: readonly [number, number]): Promise<void> {
    const issued = await issue(issuer, [domain], { notBefore: now + from * DAY, notAfter: now + to * DAY });
    const { validFromDate, validToDate } = new X509Certificate(issued.leaf);
    const observed = {
      id: name,
      fingerprint: issued.fingerprint,
      notBefore: validFromDate.getTime(),
      notAfter: validToDate.getTime(),
      issuer: '',
      subject: '',
      dnsNames: [domain],
    };
    pool.set(name, { issued, observed });
  }
});

function certificate(name: Name) {
  const found = pool.get(name);
  if (!found) throw new Error(`there is no certificate ${name}`);
  return found;
}

/** A Secret: which certificate, whose key, and of which type. */
interface Secret {
  readonly certificate: Name | undefined;
  readonly key: Name | undefined;
  readonly type: 'kubernetes.io/tls' | 'example.com/other';
}

const goodSecret = (names: fc.Arbitrary<Name>): fc.Arbitrary<Secret> =>
  names.map((name) => ({ certificate: name, key: name, type: 'kubernetes.io/tls' }));
const anySecret: fc.Arbitrary<Secret | undefined> = fc.oneof(
  { weight: 4, arbitrary: goodSecret(anyName) },
  {
    weight: 1,
    arbitrary: fc.record({
      certificate: fc.option(anyName, { nil: undefined }),
      key: fc.option(anyName, { nil: undefined }),
      type: fc.constantFrom('kubernetes.io/tls' as const, 'example.com/other' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant(undefined) },
);

/** The service, as far as a site's certificates go, and every upload it took. */
interface Model {
  current: Name | undefined;
  previous: Name | undefined;
  /** Whether it shows from and to when a certificate is valid. */
  readonly isDated: boolean;
  readonly uploads: Name[];
}

const anyModel = fc.record({
  current: fc.option(anyName, { nil: undefined }),
  previous: fc.option(anyName, { nil: undefined }),
  isDated: fc.boolean(),
});
/** What the status recorded as last uploaded, whether or not it was. */
const anyRecorded = fc.option(anyName, { nil: undefined });

function factsOf(secret: Secret | undefined, recorded: Name | undefined, allowRollback: boolean, model: Model) {
  const observe = (name: Name | undefined): ObservedCertificate | undefined => {
    if (name === undefined) return undefined;
    const { observed } = certificate(name);
    return model.isDated ? observed : { ...observed, notBefore: undefined, notAfter: undefined };
  };
  const current = observe(model.current);
  const site = { domain: DOMAIN, served: [DOMAIN] };
  const checked = checkCertificate({
    namespace: 'web',
    secretName: 'www-tls',
    secret: secret && {
      name: 'www-tls',
      type: secret.type,
      certificate: secret.certificate && certificate(secret.certificate).issued.chain,
      key: secret.key && new SecretValue(certificate(secret.key).issued.key),
    },
    site,
    current,
    allowRollback,
    allowTemporary: false,
    now,
  });
  const applied: CertificateFacts['applied'] = recorded
    ? { certificate: certificate(recorded).issued.fingerprint }
    : {};
  return {
    siteID: '1',
    site,
    checked,
    current,
    previous: observe(model.previous),
    readAt: 0,
    mayHaveArrived: false,
    applied,
    now,
  };
}

/** What the service does with an upload (`api.md`, Web acceleration operations); refuses what must never be sent. */
function carryOut(model: Model, { checked }: CertificateFacts, step: CertificateStep): void {
  if (!('candidate' in checked)) throw new Error('a certificate that did not pass the checks');
  const [name] = [...pool].find(([, { issued }]) => issued.fingerprint === step.to) ?? [];
  if (name === undefined) throw new Error('a certificate nobody issued');
  const { issued } = certificate(name);
  const { chain, key } = checked.candidate;
  if (chain !== issued.chain || key.reveal() !== issued.key) throw new Error('another chain or key than it says');
  const before = model.current && certificate(model.current).issued.fingerprint;
  if (step.from !== before) throw new Error('POST where there is one, or PUT where there is none');
  if (issued.notAfter <= now) throw new Error('the certificate has expired');
  if (model.current === name) throw new Error('the certificate is on the site already');
  model.previous = model.current;
  model.current = name;
  model.uploads.push(name);
}

/** Plans and acts until the plan is empty, and says what was recorded at last. */
function settle(secret: Secret | undefined, recorded: Name | undefined, allowRollback: boolean, model: Model) {
  let facts = factsOf(secret, recorded, allowRollback, model);
  let plan = planCertificate(facts);
  for (let calls = 0; plan.steps.length > 0; calls++) {
    if (calls === 2) throw new Error('two calls have not been enough');
    for (const step of plan.steps) carryOut(model, facts, step);
    facts = { ...factsOf(secret, recorded, allowRollback, model), applied: plan.applied };
    plan = planCertificate(facts);
  }
  return plan;
}

const validFrom = (name: Name) => certificate(name).observed.notBefore ?? Number.NaN;
const hasExpired = (name: Name) => certificate(name).issued.notAfter <= now;

describe('the plan of a certificate', () => {
  it('is empty after at most one upload, from anywhere, and the one before is the previous one', () => {
    fc.assert(
      fc.property(anySecret, anyRecorded, fc.boolean(), anyModel, (secret, recorded, allowRollback, start) => {
        const model: Model = { ...start, uploads: [] };
        const { hold, drift, applied } = settle(secret, recorded, allowRollback, model);
        expect(model.uploads.length).toBeLessThanOrEqual(1);
        expect(drift).toEqual([]);
        const wanted = secret?.certificate;
        const generations = { current: model.current, previous: model.previous };
        if (hold) {
          // What can't go on the site changes nothing there, nor in what was recorded.
          expect(generations).toEqual({ current: start.current, previous: start.previous });
          expect(applied).toEqual(recorded ? { certificate: certificate(recorded).issued.fingerprint } : {});
          return;
        }
        const moved = { current: wanted, previous: start.current };
        expect(generations).toEqual(start.current === wanted ? { ...moved, previous: start.previous } : moved);
        expect(applied['certificate']).toBe(wanted && certificate(wanted).issued.fingerprint);
      }),
      { numRuns: 1000 },
    );
  });

  it('puts on the site whatever can go there', () => {
    fc.assert(
      fc.property(goodSecret(fc.constantFrom(...usable)), anyRecorded, anyModel, (secret, recorded, start) => {
        const model: Model = { ...start, uploads: [] };
        expect(settle(secret, recorded, true, model).hold).toBeUndefined();
        expect(model.current).toBe(secret.certificate);
      }),
    );
  });

  it('never puts an older one over a newer one that is still valid, unless that is allowed', () => {
    fc.assert(
      fc.property(anySecret, anyRecorded, fc.boolean(), anyModel, (secret, recorded, allowRollback, start) => {
        const model: Model = { ...start, isDated: true, uploads: [] };
        const { hold } = settle(secret, recorded, allowRollback, model);
        const { current } = start;
        const [uploaded] = model.uploads;
        const mayGo = allowRollback || current === undefined || hasExpired(current);
        if (mayGo) expect(hold?.reason).not.toBe('OlderThanCurrent');
        else if (uploaded !== undefined) expect(validFrom(uploaded)).toBeGreaterThan(validFrom(current));
      }),
      { numRuns: 1000 },
    );
  });

  it('sends each certificate once, however often Secrets change and whatever the status forgets', () => {
    const changes = fc.array(fc.tuple(anySecret, anyRecorded), { maxLength: 12 });
    fc.assert(
      fc.property(changes, fc.option(fc.constantFrom(...usable), { nil: undefined }), (changes, current) => {
        const model: Model = { current, previous: undefined, isDated: true, uploads: [] };
        for (const [secret, recorded] of changes) settle(secret, recorded, false, model);
        const generations = [...(current ? [current] : []), ...model.uploads];
        expect(generations).toEqual([...new Set(generations)].toSorted((a, b) => validFrom(a) - validFrom(b)));
        expect([model.previous, model.current]).toEqual([generations.at(-2), generations.at(-1)]);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['shown as it is', 'wanted', undefined, 0],
    ['not shown', undefined, undefined, 0],
    ['another', 'other', undefined, 1],
    ['another, and put there before in another form', 'other', 'before', 1],
    ['another, because the service keeps it otherwise than it was put there', 'other', 'wanted', 0],
  ] as const)('for a site that has the certificate with its chain %s', (_, shown, put, uploads) => {
    const secret: Secret = { certificate: 'newer', key: 'newer', type: 'kubernetes.io/tls' };
    const facts = factsOf(secret, 'newer', false, {
      current: 'newer',
      previous: undefined,
      isDated: true,
      uploads: [],
    });
    if (!('candidate' in facts.checked) || !facts.current) throw new Error('it may go on the site');
    const digests = { wanted: facts.checked.candidate.chainDigest, other: 'another', before: 'before' };
    const current = { ...facts.current, chain: shown && digests[shown] };
    const applied = { ...facts.applied, chain: put && digests[put] };
    expect(planCertificate({ ...facts, current, applied }).steps).toHaveLength(uploads);
  });

  it('of a resource that goes takes nothing off the site', () => {
    fc.assert(
      fc.property(anySecret, anyRecorded, anyModel, (secret, recorded, start) => {
        const facts = factsOf(secret, recorded, false, { ...start, uploads: [] });
        expect(planCertificateDeletion(facts)).toEqual({ steps: [], drift: [], applied: facts.applied });
      }),
    );
  });
});
