import { UnexpectedResponseError } from '../errors.ts';
import { type AnswerBound, DEEPEST_ANSWER } from './answer-bounds.ts';
import type { CallSite } from './answer-errors.ts';
import { unanswered } from './connection-errors.ts';
import { jsonCost } from './json-cost.ts';
import type { WireAnswer } from './transport.ts';

/**
 * The JSON of a body, parsed only when it holds no more than the bound allows.
 * @throws OutcomeUnknownError for a write, UnexpectedResponseError for a read
 */
export function parseJSON(site: CallSite, answer: WireAnswer, bound: AnswerBound): unknown {
  const cost = jsonCost(answer.body);
  if (cost.values > bound.values) {
    throw refused(
      site,
      answer,
      `the answer holds more than ${bound.values} values, which is the most that is read of this operation`,
    );
  }
  if (cost.depth > DEEPEST_ANSWER) {
    throw refused(site, answer, `the answer is nested more than ${DEEPEST_ANSWER} levels deep`);
  }
  try {
    return JSON.parse(answer.body.toString('utf8'));
  } catch {
    // Without the parser's own error as cause: its message quotes the body.
    throw refused(site, answer, `the service answered ${answer.status} with a body that is not JSON`);
  }
}

function refused(site: CallSite, answer: WireAnswer, what: string): Error {
  if (site.write) return unanswered(site, what, undefined);
  return new UnexpectedResponseError(
    `${site.name}: ${what}`,
    'Check baseURL, and what stands between this process and the service.',
    { route: site.route, status: answer.status, path: '(body)' },
  );
}
