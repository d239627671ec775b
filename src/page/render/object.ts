import { fieldShown } from '../../cli/explain/asked.ts';
import type { FieldComparison } from '../../cli/explain/compare.ts';
import { differences } from '../../cli/explain/render.ts';
import type { Explanation } from '../../cli/explain/report.ts';
import { kindOf } from '../../cli/kinds.ts';
import type { SessionNow } from '../../operator/page-source.ts';
import { type Html, html, shortened } from '../html.ts';
import type { ObjectView } from '../model/object.ts';
import { accountNow } from './account.ts';
import { changeTable, fieldsOf } from './changes.ts';
import { ageOf, type Column, commands, definitions, LONG_TEXT, moment, stateBadge, table } from './parts.ts';

const VALUE = 300;
const MOST_ROWS = 64;
const MOST_CALLS = 64;

/** All there is to say of one object. */
export function objectPage(view: ObjectView, now: number): Html {
  const { explanation, plan, changes, session, account, rival } = view;
  const { standing, facts, fields, drift, next } = explanation;
  const { singular } = kindOf(standing.kind);
  const where = standing.namespace === undefined ? '' : ` in namespace ${standing.namespace}`;
  return html`<h2>${singular}/${standing.name}${where}</h2>
${rival !== undefined && html`<p class="notice">${rival}, another installation of the operator, looks after it: what is shown is what that one wrote.</p>`}
<p>${stateBadge(standing.state)} <span class="dim">${ageOf(standing.since, now)}</span></p>
<p>${standing.reason !== '' && html`<strong>${standing.reason}</strong>: `}${shortened(standing.message, LONG_TEXT)}</p>
<h3>What to do</h3>
<ul>${next.map((line) => html`<li>${withCode(line)}</li>`)}</ul>
${commands(commandsFor(view, singular))}
${
  plan &&
  html`<h3>The plan that waits for approval</h3><p>Hash <code>${plan.hash}</code>${plan.continues && '; more will be asked for after it'}</p>
<ol>${plan.calls.slice(0, MOST_CALLS).map(({ step, fields: of }) => html`<li>${step}${fieldsOf(of)}</li>`)}</ol>`
}
${account && html`<h3>At this moment</h3>${accountNow(account, now)}`}
${session && sessionPart(session, now)}
${conditionTable(explanation, now)}
<h3>What it is</h3>
${definitions(facts.map(([name, value]) => [name, shortened(value, VALUE)] as const))}
${
  drift.length > 0 &&
  table(
    'What differs at the service',
    [
      { title: 'Field', cell: ({ field }) => field },
      { title: 'The spec', cell: ({ desired }) => shortened(desired, VALUE) },
      { title: 'The service', cell: ({ observed }) => shortened(observed, VALUE) },
    ],
    drift.slice(0, MOST_ROWS),
  )
}
${
  fields.length > 0 &&
  table(
    'What the spec asks, and what was written last',
    [
      { title: 'Field', cell: fieldShown },
      { title: 'The spec', cell: ({ spec }) => shortened(spec ?? '–', VALUE) },
      { title: 'Written last', cell: ({ applied }) => shortened(applied ?? '–', VALUE) },
      {
        title: 'State',
        cell: ({ difference, note }) =>
          html`${differences[difference]}${note !== undefined && html` <span class="small dim">${note}</span>`}`,
      },
    ] satisfies Column<FieldComparison>[],
    fields.slice(0, MOST_ROWS),
  )
}
<h3>Changes</h3>
${changes.length === 0 ? html`<p>This process has written nothing of it at the service.</p>` : changeTable('What this process wrote at the service, newest first', changes, now)}`;
}

function conditionTable({ conditions }: Explanation, now: number): Html | undefined {
  if (conditions.length === 0) return undefined;
  return table(
    'Conditions',
    [
      { title: 'Type', cell: ({ type }) => type },
      { title: 'Status', cell: ({ status }) => status },
      { title: 'Reason', cell: ({ reason }) => reason },
      { title: 'Since', cell: ({ since }) => ageOf(since, now) },
      { title: 'Message', cell: ({ message }) => shortened(message, LONG_TEXT) },
    ],
    conditions.slice(0, MOST_ROWS),
  );
}

function sessionPart({ takenAt, sim }: SessionNow, now: number): Html {
  const { sessionStatus, ip, imeiLock, imei, connectedIMEI, registeredAt, activatedAt, deactivatedAt, traffic } = sim;
  const yes = (value: boolean) => (value ? 'yes' : 'no');
  return html`<h3>Session</h3>
<p class="dim">As of the list of ${moment(takenAt, now)}</p>
${definitions([
  ['Session', sessionStatus ?? 'not known'],
  ['Address', ip ?? 'none'],
  ['Active', yes(sim.activated)],
  ['On a gateway', yes(sim.registered)],
  ['Device (IMEI)', connectedIMEI ?? 'none connected'],
  ['IMEI lock', imeiLock ? `to ${imei ?? 'a device'}` : 'none'],
  registeredAt !== undefined && ['Registered', registeredAt],
  activatedAt !== undefined && ['Activated', activatedAt],
  deactivatedAt !== undefined && ['Deactivated', deactivatedAt],
  traffic && ['Traffic of the month', `${bytes(traffic.uplinkBytes)} up, ${bytes(traffic.downlinkBytes)} down`],
])}`;
}

/** Advice has commands between backticks. */
function withCode(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
}

function bytes(count: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [value, unit] = [count, 0];
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

function commandsFor({ explanation: { standing }, plan }: ObjectView, singular: string): string[] {
  const { kind, namespace, name, state } = standing;
  const place = namespace === undefined ? '' : ` -n ${namespace}`;
  const target = `${singular}/${name}${place}`;
  const isAccount = kind === 'CloudAccount' || kind === 'ClusterCloudAccount';
  return [
    `kubectl edgeline explain ${target}`,
    ...(plan && /^[0-9a-f]+$/.test(plan.hash) ? [`kubectl edgeline approve ${target} --hash ${plan.hash}`] : []),
    ...(isAccount ? [] : [`kubectl edgeline changes ${target}`]),
    `kubectl describe ${target}`,
    ...(state === 'Ready' ? [] : [`kubectl edgeline status ${target} --watch`]),
  ];
}
