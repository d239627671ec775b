import { expect, it } from 'vitest';
import { NotFoundError } from '../../../src/cloud/errors.ts';
import { answerError, type CallSite } from '../../../src/cloud/http/answer-errors.ts';
import { failureOf } from '../../../src/reconcile/failure.ts';
import type { ManagedObject } from '../../../src/reconcile/managed-object.ts';
import { nameFields } from '../../../src/reconcile/name-fields.ts';

const route = 'PUT /commonserviceitem/:id';
const site: CallSite = { route, name: route, ofResource: true, write: true, idempotent: true, secrets: [] };
const body = { is_fatal: true, serial: 'abc', status: 'x', error_code: 'bad_request', error_msg: 'why' };
const answered = (status: number, more: Partial<CallSite> = {}) =>
  answerError({ ...site, ...more }, { status, body, retryAfterSeconds: undefined });

const object = (spec: object, isDeleted = false): ManagedObject => ({
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: {
    name: 'a',
    uid: 'b',
    resourceVersion: '1',
    ...(isDeleted && { deletionTimestamp: '2026-11-01T00:00:00Z' }),
  },
  spec,
});
const step = (...fields: string[]) => ({
  do: 'send',
  changes: fields.map((field) => ({ field, before: 'none', after: 'x' })),
});
const told = (error: unknown) => failureOf(error).hold.message;

it.each([
  ['one field', { carriers: [] }, ['carriers'], 'spec.carriers'],
  [
    'several, and what a Secret holds',
    { iccid: '1', displayName: 'a', passCodeSecretRef: { name: 's' } },
    ['displayName', 'iccid', 'passCodeSecretRef'],
    'spec.displayName, spec.iccid (for which this resource has to be deleted, and created anew) or the Secret that spec.passCodeSecretRef names',
  ],
  ['a member', { origin: { webServer: { host: 'a' } } }, ['origin.webServer.host'], 'spec.origin.webServer.host'],
  ['what is no longer in the spec', {}, ['carriers'], 'the spec or the Secret'],
  ['what is not of the spec', { planID: 2 }, ['instanceStatus'], 'the spec or the Secret'],
  [
    'many',
    { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 },
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    'spec.a, spec.b, spec.c, spec.d, spec.e, spec.f, …',
  ],
])('a refused request that carries %s names it', (_, spec, fields, where) => {
  expect(told(nameFields(answered(400), step(...fields), object(spec)))).toBe(
    `${route}: the service answered 400 bad_request: why (serial abc). Correct what the message names in ${where}; nothing is sent again until the spec or a Secret it names changes, or the operator starts anew.`,
  );
});

it('one that asks for what something else has names the field, and no Secret', () => {
  const spec = { iccid: '1', passCodeSecretRef: { name: 's' } };
  expect(told(nameFields(answered(409), step('iccid', 'passCodeSecretRef'), object(spec)))).toBe(
    `${route}: the service answered 409 bad_request: why (serial abc). It is tried again. If this persists, something else has what was asked for: change spec.iccid, or free it there.`,
  );
});

it('what it leads to is as before', () => {
  const error = answered(400);
  const named = nameFields(error, step('iccid'), object({ iccid: '1' }));
  const details = { class: 'Rejected', route, write: true, status: 400, errorCode: 'bad_request', serial: 'abc' };
  expect(named).toMatchObject(details);
  expect(failureOf(named).next).toBe(failureOf(error).next);
});

it.each([
  ['of something that is deleted', answered(400), true],
  ['of a redirect', answered(302), false],
  ['of something of another account', answered(403), false],
  ['of something that is gone', new NotFoundError('gone', '', { route }), false],
  ['of the operator itself', new TypeError('wrong'), false],
])('an error %s stays as it is', (_, error, isDeleted) => {
  expect(nameFields(error, step('iccid'), object({ iccid: '1' }, isDeleted))).toBe(error);
});
