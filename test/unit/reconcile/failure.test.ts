import { expect, it } from 'vitest';
import { CredentialsRejectedError, RetryableError, ThrottledError } from '../../../src/cloud/errors.ts';
import { answerError, type CallSite } from '../../../src/cloud/http/answer-errors.ts';
import { ServiceFailingError } from '../../../src/cloud/http/breaker.ts';
import { accountFailure } from '../../../src/kinds/cloud-account/trouble.ts';
import { failsByItself, failureOf, mayBeDone } from '../../../src/reconcile/failure.ts';
import { DecisionOutdatedError } from '../../../src/reconcile/guard.ts';

const route = '/commonserviceitem';
const write: CallSite = { route, name: route, ofResource: true, write: true, idempotent: true, secrets: [] };
const read: CallSite = { ...write, write: false };
const list: CallSite = { ...read, ofResource: false };
const body = { is_fatal: true, serial: 'abc', status: 'x', error_code: 'bad_request', error_msg: 'why' };
const refused = (site: CallSite, status: number) => answerError(site, { status, body, retryAfterSeconds: undefined });

it.each([
  ['a change', refused(write, 400), 'stall', 'Stalled'],
  ['one of what is another’s', refused(write, 403), 'stall', 'Stalled'],
  ['a look at one thing', refused(read, 400), 'backoff', 'Waiting'],
  ['one at what is another’s', refused(read, 403), 'backoff', 'Waiting'],
  ['a list', refused(list, 400), 'backoff', 'Waiting'],
  ['a list that is not there', refused(list, 404), 'backoff', 'Waiting'],
] as const)('of what the service refuses, %s (%o) leads to: %s', (_what, error, next, state) => {
  expect(failureOf(error)).toMatchObject({ next, hold: { state, reason: 'Rejected' } });
});

const ofOne = 'PUT /site/:id';
const put = { ...write, route: ofOne };
const get = { ...read, route: 'GET /site/:id' };
it.each([
  [409, refused(put, 409), true],
  [423, refused(put, 423), true],
  [404, refused(put, 404), true],
  [500, refused(put, 500), true],
  [503, refused(put, 503), true],
  ['a write that is not repeated', refused(put, 403), false],
  ['a read that is', refused(get, 403), true],
  ['a list', refused(list, 409), false],
  ['no answer', new RetryableError('cut', '', { route: ofOne }), false],
  ['not sent', new ServiceFailingError('not sent', '', { route: ofOne, status: 500 }), false],
  ['the account', new ThrottledError('429', '', { route: ofOne, status: 429 }), false],
  ['its credentials', new CredentialsRejectedError('401', '', { route: ofOne, status: 401 }), false],
  ['an error of the operator', new Error('no'), false],
] as const)('whether what failed with %s may fail again and again by itself: %o: %s', (_what, error, does) => {
  expect(failsByItself(error)).toBe(does);
});

it('an account whose list is refused needs a person, and is tried again all the same', () => {
  expect(accountFailure(refused(list, 400))).toMatchObject({
    next: 'backoff',
    hold: { state: 'Stalled', reason: 'Rejected' },
  });
});

it.each([
  ['sent once, unclear, and not again because the resource was paused', 1, true],
  ['sent twice before that', 2, true],
  ['not sent at all', 0, false],
] as const)('what was %s (%i times) may be done: %s', (_what, times, isMaybe) => {
  expect(mayBeDone(new DecisionOutdatedError('the resource was paused'), times)).toBe(isMaybe);
});

it.each([
  ['operation_timeout', true],
  ['busy', false],
  ['too_many_request', false],
  [undefined, false],
])('what a 503 with the code %s answers may be done: %s', (error_code, isMaybe) => {
  const error = answerError(write, { status: 503, body: { ...body, error_code }, retryAfterSeconds: undefined });
  expect(mayBeDone(error, 1)).toBe(isMaybe);
});

it.each([
  ['conflict', 'Conflict'],
  ['limit_count_in_account', 'AccountFull'],
  ['limit_count_in_zone', 'AccountFull'],
])('a conflict that the service calls %s is told as %s', (error_code, reason) => {
  const error = answerError(write, { status: 409, body: { ...body, error_code }, retryAfterSeconds: undefined });
  expect(failureOf(error)).toMatchObject({ next: 'backoff', hold: { state: 'Waiting', reason } });
});
