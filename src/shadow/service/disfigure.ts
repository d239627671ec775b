import type { ServiceAnswer } from './types.ts';

const page =
  '<!DOCTYPE html>\n<html><head><title>Maintenance</title></head><body>We will be back soon.</body></html>\n';

/** What something between client and service answers in its stead: none of the service's members is in it. */
export function proxyAnswer({ status, isJSON }: { readonly status: number; readonly isJSON?: true }): ServiceAnswer {
  if (isJSON)
    return { status, headers: { 'content-type': 'application/json' }, body: '{"message":"no route matched"}' };
  return { status, headers: { 'content-type': 'text/html' }, body: `<html><body><h1>${status}</h1></body></html>\n` };
}

/** Nothing was done, and only the body says so. */
export function deniedAnswer(): ServiceAnswer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: '{"is_ok":false}' };
}

/** An answer that cannot be read as what it was meant to say. */
export function disfigured(
  answer: ServiceAnswer,
  how: 'garbage' | 'truncated' | 'html' | 'empty' | 'not ok',
  random: () => number,
): ServiceAnswer {
  const { body } = answer;
  switch (how) {
    case 'garbage':
      return { ...answer, body: `\u0000\u0001garbage${body.slice(0, 8)}` };
    case 'truncated':
      // What is cut off a JSON object is none any more, wherever it is cut.
      return { ...answer, body: body.slice(0, 1 + Math.floor(random() * Math.max(0, body.length - 1))) };
    case 'html':
      return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page };
    case 'empty':
      return { ...answer, body: '' };
    case 'not ok':
      return { ...answer, body: body.replace('"is_ok":true', '"is_ok":false') };
  }
}
