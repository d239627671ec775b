import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { createIntermediate, createRoot, type Issuer, issue, tlsSecret } from '../../support/certificates.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { DOMAIN, SITE_ID, siteWorld } from '../site/support.ts';

/** How long an upload of an earlier process may be under way. Seconds. */
const LATE = 30;

let operator: Operator;
let issuer: Issuer;
beforeAll(async () => {
  issuer = await createIntermediate(await createRoot());
  operator = await startTestOperator({ shownSeconds: LATE });
});
afterAll(() => operator.stop());

it('a certificate renewed after a restart says why it waits, and until when', async () => {
  const world = await siteWorld();
  await world.apply(tlsSecret('www-tls', await issue(issuer, [DOMAIN])));
  const certificate = (name: string) => ({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'SiteCertificate',
    metadata: { name },
    spec: { siteID: SITE_ID, secretRef: { name: 'www-tls' } },
  });
  await world.apply(certificate('www'));
  await world.ready('SiteCertificate', 'www');
  const before = await world.writes();

  await operator.stop();
  operator = await startTestOperator({ shownSeconds: LATE });
  await world.apply(tlsSecret('www-tls', await issue(issuer, [DOMAIN])));
  const conditions = async () =>
    Object.fromEntries(
      ((await world.get('SiteCertificate', 'www')).status?.conditions ?? []).map(
        ({ type, status, reason, message }) => [type, { status, reason, message }],
      ),
    );
  await eventually(async () =>
    expect(await conditions()).toEqual({
      Ready: {
        status: 'True',
        reason: 'Available',
        message: expect.stringMatching(/^www\.example\.jp serves the certificate [0-9a-f]{12}, valid until /),
      },
      Synced: waits('False'),
      Reconciling: waits('True'),
    }),
  );
  expect(await world.writes()).toEqual(before);
  await world.stop();
});

function waits(status: string): object {
  return {
    status,
    reason: 'OutcomeUnknown',
    message: expect.stringMatching(
      /^An upload that was sent earlier may still reach www\.example\.jp\. The certificates on it are looked at again at \d{4}-[\d:TZ-]+; only then/,
    ),
  };
}
