import { describe, expect, test } from 'vitest';
import { answerError, type CallSite } from '../../../../src/cloud/http/answer-errors.ts';

const site = (route: string, more: Partial<CallSite> = {}): CallSite => {
  const [method = ''] = route.split(' ');
  return {
    route,
    name: route.replace(':id', '1133'),
    ofResource: route.includes(':id'),
    write: method !== 'GET',
    idempotent: method !== 'POST',
    secrets: [],
    ...more,
  };
};
const read = site('GET /commonserviceitem/:id');
const list = site('GET /commonserviceitem');
const put = site('PUT /commonserviceitem/:id/sim/ip');
const post = site('POST /commonserviceitem');
const upload = site('PUT /site/:id/certificate', { idempotent: false });
const body = (error_code: string, error_msg = 'why') => ({
  is_fatal: true,
  serial: 'abc',
  status: 'x',
  error_code,
  error_msg,
});

describe('the class of an answer', () => {
  test.each<[number, unknown, CallSite, string]>([
    [400, body('bad_request'), put, 'Rejected'],
    [400, undefined, put, 'Rejected'],
    [401, body('unauthorized'), read, 'CredentialsRejected'],
    [403, body('forbidden'), read, 'Rejected'],
    [403, body('forbidden'), list, 'CredentialsRejected'],
    [404, body('not_found'), read, 'NotFound'],
    [404, body('not_found'), list, 'Rejected'],
    [404, undefined, read, 'UnexpectedResponse'],
    [404, {}, read, 'UnexpectedResponse'],
    [404, { message: 'no Route matched with those values', request_id: 'abc' }, read, 'UnexpectedResponse'],
    [404, { message: 'no Route matched with those values' }, list, 'UnexpectedResponse'],
    [404, { error_code: 'not_found' }, read, 'UnexpectedResponse'],
    [408, undefined, post, 'Retryable'],
    ...[
      'still_creating',
      'conflict',
      'original_hash_mismatch',
      'limit_count_in_account',
      'res_already_connected',
      'res_used_in_zone',
      'server_is_cleaning',
      'in_migration',
    ].map((code): [number, unknown, CallSite, string] => [409, body(code), put, 'Conflict']),
    [409, undefined, post, 'Conflict'],
    [423, body('locked'), put, 'Conflict'],
    [429, undefined, read, 'Throttled'],
    [503, body('too_many_request'), post, 'Throttled'],
    [503, body('busy'), post, 'Retryable'],
    [503, body('service_temporarily_unavailable'), post, 'Retryable'],
    [503, body('operation_timeout'), post, 'OutcomeUnknown'],
    [503, undefined, post, 'OutcomeUnknown'],
    [503, undefined, put, 'Retryable'],
    ...[500, 502, 504].flatMap((status): [number, unknown, CallSite, string][] => [
      [status, body('internal'), read, 'Retryable'],
      [status, body('internal'), put, 'Retryable'],
      [status, body('internal'), post, 'OutcomeUnknown'],
      [status, body('internal'), upload, 'OutcomeUnknown'],
    ]),
    [302, undefined, put, 'Rejected'],
    [418, undefined, put, 'Rejected'],
  ])('%i %j to %o is %s', (status, answer, at, expected) => {
    expect(answerError(at, { status, body: answer, retryAfterSeconds: undefined }).class).toBe(expected);
  });

  test.each([409, 423])('%i to a read tells nobody to change the spec, for which nothing was asked', (status) => {
    const answer = { status, body: body('conflict'), retryAfterSeconds: undefined };
    expect(answerError(read, answer).advice).toBe('Nothing to do if it passes: it is tried again.');
    expect(answerError(put, answer).advice).toContain('change the spec');
  });
});

test('an error says what happened, to what, and with which serial', () => {
  const error = answerError(put, {
    status: 400,
    body: body('bad_request', 'ip: not in the subnet'),
    retryAfterSeconds: 3,
  });
  expect(error).toMatchObject({
    message:
      'PUT /commonserviceitem/1133/sim/ip: the service answered 400 bad_request: ip: not in the subnet (serial abc)',
    code: 'Rejected',
    advice: expect.stringContaining('Correct'),
    route: 'PUT /commonserviceitem/:id/sim/ip',
    status: 400,
    errorCode: 'bad_request',
    serial: 'abc',
    retryAfterSeconds: 3,
  });
});

test("the service's text is printed on one line, cut, and without the secrets that were sent", () => {
  const at = site('POST /commonserviceitem', { secrets: ['hunter2', ''] });
  const text = `PassCode "hunter2" is\nwrong\u0007 ${'x'.repeat(1000)}`;
  const { message } = answerError(at, { status: 400, body: body('bad_request', text), retryAfterSeconds: undefined });
  expect(message).toContain('PassCode "[hidden]" is wrong xxx');
  expect(message).not.toContain('hunter2');
  expect(message.length).toBeLessThan(450);
});

test('members of other types are passed over', () => {
  const odd = { error_code: 5, error_msg: { a: 1 }, serial: null };
  expect(answerError(read, { status: 400, body: odd, retryAfterSeconds: undefined }).message).toBe(
    'GET /commonserviceitem/1133: the service answered 400',
  );
});
