import { type Api, apis, type Lane, lanes } from '../../cloud/limiter/lanes.ts';
import type { AccountNow } from '../../operator/page-source.ts';
import { type Content, type Html, html, shortened } from '../html.ts';
import type { AccountView } from '../model/overview.ts';
import { badge, clockTime, definitions, moment, objectLink, SHORT_TEXT, stateBadge } from './parts.ts';

const apiWords: Readonly<Record<Api, string>> = { cloud: 'SIMs and gateways', webaccel: 'web acceleration' };
const laneWords: Readonly<Record<Lane, string>> = {
  upload: 'certificate uploads',
  write: 'changes',
  verify: 'confirmations',
  list: 'lists',
  audit: 'details',
  usage: 'usage',
};

/** One account, as a card. */
export function accountCard({ row, now: live }: AccountView, now: number): Html {
  const { standing, details } = row;
  return html`<article class="card"><h3>${objectLink(standing)}</h3>
<p>${stateBadge(standing.state)} <span class="dim">${standing.namespace !== undefined && `in ${standing.namespace} · `}${shortened(details, SHORT_TEXT)}</span></p>
${standing.state !== 'Ready' && html`<p class="small"><strong>${standing.reason}</strong>: ${shortened(standing.message, SHORT_TEXT)}</p>`}
${live ? accountNow(live, now) : html`<p class="dim">The service has not taken its credentials: nothing is sent.</p>`}
</article>
`;
}

/** What an account is at the moment. */
export function accountNow({ budget, rate, waiting, refused, polls }: AccountNow, now: number): Html {
  const { used, limit, reads, resetsAt, closedUntil } = budget;
  const label = `${used} of ${limit} web acceleration requests of the hour used`;
  return html`<meter min="0" max="${limit}" value="${Math.min(used, limit)}" high="${reads}" optimum="0" aria-label="${label}">${label}</meter>
${definitions([
  ['Hour’s budget', html`${used} of ${limit} used${used >= reads && html` ${badge('changes only', 'warn')}`}`],
  resetsAt !== undefined && ['The oldest counts until', moment(resetsAt, now)],
  closedUntil !== undefined &&
    closedUntil > now && [
      'Throttled, web acceleration',
      html`${badge('throttled', 'bad')} the service takes none until ${clockTime(closedUntil)}`,
    ],
  rate.closedUntil !== undefined &&
    rate.closedUntil > now && [
      'Throttled, SIMs and gateways',
      html`${badge('throttled', 'bad')} the service takes none until ${clockTime(rate.closedUntil)}`,
    ],
  rate.allowed > 0 &&
    rate.allowed < rate.limit && [
      'Slowed down',
      html`${badge('slowed down', 'warn')} ${rate.allowed.toFixed(1)} of ${rate.limit} requests a second: the service had too much to do`,
    ],
  refused && ['Credentials', badge('refused', 'bad')],
  ...apis.map((api) => [`Waiting, ${apiWords[api]}`, waitingOf(waiting[api])] as const),
  ...polls.map(
    ({ of, takenAt, fails }) =>
      [
        `List of ${of}`,
        html`${takenAt === undefined ? 'not taken yet' : moment(takenAt, now)}${fails && html` ${badge('the last one failed', 'bad')}`}`,
      ] as const,
  ),
])}`;
}

function waitingOf(byLane: Readonly<Record<Lane, number>>): Content {
  const waiting = lanes.filter((lane) => byLane[lane] > 0);
  return waiting.length === 0 ? 'nothing' : waiting.map((lane) => `${laneWords[lane]} ${byLane[lane]}`).join(', ');
}
