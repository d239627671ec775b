import { type WaitingPlan, waitingPlan } from '../../cli/approve/waiting.ts';
import type { References } from '../../cli/explain/compare.ts';
import { type Explanation, explanationOf } from '../../cli/explain/report.ts';
import { kindOf } from '../../cli/kinds.ts';
import type { Presence } from '../../cli/presence.ts';
import { type Reported, standingOf } from '../../cli/standing.ts';
import type { AccountNow, PageSource, SessionNow } from '../../operator/page-source.ts';
import type { RecentChange } from '../../operator/recent-changes.ts';
import { keyOf } from '../../reconcile/reconciler.ts';
import type { Sight } from '../access/sight.ts';
import type { Query } from '../query.ts';
import { changesSeen, MOST_CHANGES } from './overview.ts';
import { memberOf } from './row.ts';

/** All that is known of one object. */
export interface ObjectView {
  readonly explanation: Explanation;
  readonly plan: WaitingPlan | undefined;
  /** What this process wrote for it, newest first. */
  readonly changes: readonly RecentChange[];
  readonly session: SessionNow | undefined;
  /** Of an account. */
  readonly account: AccountNow | undefined;
  /** The other installation that looks after it. */
  readonly rival: string | undefined;
}

const HERE: Presence = { state: 'Running', messages: [], unattended: [] };

/** Undefined: there is no such object, or it may not be seen. */
export function objectView(
  asked: NonNullable<Query['object']>,
  sight: Sight,
  source: PageSource,
): ObjectView | undefined {
  const { kind, namespace, name } = asked;
  if (!sight.sees(kind, namespace)) return undefined;
  const object: Reported | undefined = source.get(kind, namespace, name);
  if (!object) return undefined;
  const isOfIt = ({ line }: RecentChange) => line.uid === object.metadata.uid;
  return {
    explanation: explanationOf({
      kind,
      object,
      standing: standingOf(kindOf(kind), object),
      presence: HERE,
      references: referencesOf(object, sight, source),
      events: [],
    }),
    plan: waitingPlan(object),
    changes: changesSeen(source.changes(), sight).filter(isOfIt).slice(0, MOST_CHANGES),
    session: kind === 'Sim' ? source.session(object) : undefined,
    account: source.account(keyOf(kind, object.metadata)),
    rival: source.rivalOf(object),
  };
}

/** What the names in a spec stand for, of what may be seen. */
function referencesOf({ kind, spec, metadata }: Reported, sight: Sight, source: PageSource): References {
  const { namespace } = metadata;
  const idOf = (object: Reported | undefined) => {
    const id = object?.status?.['id'];
    return typeof id === 'string' ? id : undefined;
  };
  const gateway = memberOf(spec?.['gatewayRef'], 'name');
  if (kind === 'Sim' && typeof gateway === 'string' && sight.sees('MobileGateway', namespace)) {
    return { gatewayID: idOf(source.get('MobileGateway', namespace, gateway)) };
  }
  const routes = spec?.['simRoutes'];
  if (kind !== 'MobileGateway' || !Array.isArray(routes) || !sight.sees('Sim', namespace)) return {};
  const names = routes.map((route) => memberOf(memberOf(route, 'simRef'), 'name'));
  return {
    simIDs: new Map(
      names.flatMap((name) => {
        const id = typeof name === 'string' ? idOf(source.get('Sim', namespace, name)) : undefined;
        return typeof name === 'string' && id !== undefined ? [[name, id] satisfies [string, string]] : [];
      }),
    ),
  };
}
