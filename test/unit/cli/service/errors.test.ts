import { expect, it } from 'vitest';
import { adviceAtTerminal, HourRefused } from '../../../../src/cli/service/errors.ts';
import { NotFoundError } from '../../../../src/cloud/errors.ts';
import { answerError } from '../../../../src/cloud/http/answer-errors.ts';

const site = { route: 'x', name: 'GET /x', ofResource: true, idempotent: false, secrets: [] };
const answered = (status: number, write: boolean, code?: string) =>
  answerError({ ...site, write }, { status, body: { error_code: code }, retryAfterSeconds: undefined });
const missing = (route: string) =>
  new NotFoundError('it does not exist', 'Check the ID; the resource may have been deleted.', { route });

it.each([
  ['503', answered(503, false), /^Run it again in a while\. If this persists, check baseURL/],
  ['429', answered(429, true), /^Run it again in a minute/],
  ['500 of a write', answered(500, true), /^It may have been done: look before you run it again\.$/],
  ['423', answered(423, true), /^See what the message says of its state\. If it is busy, run it again/],
  ['400 of a write', answered(400, true), /^Correct what the message names\.$/],
  ['400', answered(400, false), /^Correct what the message names\. If nothing of it was typed, check baseURL/],
  ['405', answered(405, false), /^If this persists, check baseURL/],
  ['404', missing('GET /site/:id'), /^Check the ID; the resource may have been deleted\.$/],
  ['404 of what is in a zone', missing('GET /server/:id'), /^Check the ID and the zone/],
  ['401', answered(401, false), /^Check accessToken/],
  ['403', answered(403, false), /^Check the ID/],
  ['302', answered(302, false), /^Check baseURL/],
  ['no room in the hour', new HourRefused('there is no room', 'Try later.'), /^Try later\.$/],
])('after %s, nothing is said to be tried again by itself', (_what, error, advice) => {
  expect(adviceAtTerminal(error)).toMatch(advice);
});
