import { UnexpectedResponseError } from '../errors.ts';
import { type AnswerBound, DEEPEST_ANSWER } from './answer-bounds.ts';
import type { CallSite } from './answer-errors.ts';
import { unanswered } from './connection-errors.ts';
import { jsonCost } from './json-cost.ts';
import { type CutText, cutAtItems } from './json-items.ts';
import type { WireAnswer } from './transport.ts';

/**
 * The JSON of a body, parsed only when it holds no more than the bound allows.
 * @throws OutcomeUnknownError for a write, UnexpectedResponseError for a read
 */
export function parseJSON(site: CallSite, answer: WireAnswer, bound: AnswerBound): unknown {
  refuseCostly(site, answer, bound);
  return parseText(site, answer, answer.body.toString('utf8'));
}

/**
 * The JSON of a body that is a list as `member`, cut at its items when it holds no more than the bound allows; undefined where
 * it has to be parsed whole.
 * @throws UnexpectedResponseError
 */
export function cutJSON(site: CallSite, answer: WireAnswer, bound: AnswerBound, member: string): CutText | undefined {
  refuseCostly(site, answer, bound);
  return cutAtItems(answer.body, member);
}

/**
 * A body's JSON, or what was cut out of it.
 * @throws OutcomeUnknownError for a write, UnexpectedResponseError for a read
 */
export function parseText(site: CallSite, answer: WireAnswer, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Without the parser's own error as cause: its message quotes the body.
    throw refused(site, answer, `the service answered ${answer.status} with a body that is not JSON`);
  }
}

function refuseCostly(site: CallSite, answer: WireAnswer, bound: AnswerBound): void {
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
}

function refused(site: CallSite, answer: WireAnswer, what: string): Error {
  if (site.write) return unanswered(site, what, undefined);
  return new UnexpectedResponseError(
    `${site.name}: ${what}`,
    'Check baseURL, and what stands between this process and the service.',
    { route: site.route, status: answer.status, path: '(body)' },
  );
}
