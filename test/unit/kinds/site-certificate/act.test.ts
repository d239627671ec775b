import { expect, it } from 'vitest';
import { type CloudError, OutcomeUnknownError, RejectedError, RetryableError } from '../../../../src/cloud/errors.ts';
import type { CallOptions } from '../../../../src/cloud/limiter/lanes.ts';
import { actOnCertificate } from '../../../../src/kinds/site-certificate/act.ts';
import type { CertificateKnowledge } from '../../../../src/kinds/site-certificate/known.ts';
import type { SiteCertificate } from '../../../../src/kinds/site-certificate/schema.ts';
import type { CertificateStep } from '../../../../src/kinds/site-certificate/steps.ts';
import type { Pass } from '../../../../src/reconcile/kind.ts';
import { SecretValue } from '../../../../src/reconcile/secret-value.ts';
import { partial } from '../../../support/partial.ts';

const route = 'PUT webaccel/site/:id/certificate';
const step: CertificateStep = {
  do: 'upload',
  fields: ['certificate', 'chain'],
  pending: [],
  changes: [],
  from: 'a',
  to: 'b',
  chain: 'PEM',
  key: new SecretValue('canary'),
  notAfter: 0,
  readAt: 0,
};

const unclear = (status?: number) =>
  new OutcomeUnknownError('?', '', { route, ...(status !== undefined && { status }) });

/** How long an upload that ended so may still arrive; undefined: the site is as it was. */
async function arrivalAfter(error: CloudError, isSent = true): Promise<string | undefined> {
  let arrival: string | undefined;
  const knowledge = partial<CertificateKnowledge>({
    uploads: { watched: (...[, , , , call]: unknown[]) => call },
    forget: (...[, , , is]: unknown[]) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as it is declared
      arrival = is as string;
    },
  });
  const putCertificate = (_id: string, _upload: object, call: CallOptions) => {
    if (isSent) call.onSent?.();
    return Promise.reject(error);
  };
  const pass = partial<Pass<SiteCertificate>>({
    object: {},
    session: { client: { sites: { putCertificate } } },
    call: () => ({ lane: 'upload' }),
    now: 0,
  });
  await expect(actOnCertificate(step, '1', pass, knowledge)).rejects.toBe(error);
  return arrival;
}

it.each([
  ['late, where no answer came', unclear(), 'late'],
  ['late, where what stands before the service gave up on it', unclear(502), 'late'],
  ['late, where that waited too long for it', unclear(504), 'late'],
  ['soon, where the service failed', unclear(500), 'soon'],
  ['never, where the service was not reached', new RetryableError('?', '', { route }), 'never'],
  ['not at all, where it was refused', new RejectedError('no', '', { route, status: 400 }), undefined],
])('an upload arrives %s', async (_, error, arrival) => {
  await expect(arrivalAfter(error)).resolves.toBe(arrival);
});

it('an upload that was not sent leaves the site as it was read', async () => {
  await expect(arrivalAfter(unclear(), false)).resolves.toBeUndefined();
});
