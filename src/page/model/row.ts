import { waitingPlan } from '../../cli/approve/waiting.ts';
import { type KindName, kindOf } from '../../cli/kinds.ts';
import { type Reported, type Standing, type State, standingOf } from '../../cli/standing.ts';
import { states } from '../query.ts';

/** One object as lists show it. */
export interface Row {
  readonly standing: Standing;
  /** What it is at the service, in a few words: an address, a domain. */
  readonly details: string;
  /** When its certificate expires, epoch milliseconds; of SiteCertificates. */
  readonly expires: number | undefined;
  /** A plan waits for a person. */
  readonly isAsking: boolean;
  /** What differs at the service and stays so. */
  readonly drifts: number;
  /** Orders rows: what needs a person first. */
  readonly order: string;
  /** What a search looks through, in lower case. */
  readonly haystack: string;
}

const LONGEST_DETAIL = 120;
const LONGEST_SEARCHED = 300;

/** Pure. */
export function rowOf(kind: KindName, object: Reported): Row {
  const resource = kindOf(kind);
  const { singular } = resource;
  const standing = standingOf(resource, object);
  const details = detailsOf(kind, object).join(' · ');
  const { state, namespace = '', name, reason, message } = standing;
  const drift = object.status?.['drift'];
  return {
    standing,
    details,
    expires: kind === 'SiteCertificate' ? expiryOf(object) : undefined,
    isAsking: waitingPlan(object) !== undefined,
    drifts: Array.isArray(drift) ? drift.length : 0,
    order: `${rankOf(state)}${namespace}\u0000${singular}\u0000${name}`,
    haystack: [`${singular}/${name}`, namespace, state, reason, details, message.slice(0, LONGEST_SEARCHED)]
      .join(' ')
      .toLowerCase(),
  };
}

function rankOf(state: State): string {
  return String(states.indexOf(state));
}

function detailsOf(kind: KindName, { spec, status }: Reported): string[] {
  const text = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, LONGEST_DETAIL) : undefined;
  const of = (value: unknown, name: string) => text(memberOf(value, name));
  const found: Readonly<Record<KindName, readonly (string | undefined)[]>> = {
    CloudAccount: [of(spec, 'baseURL')],
    ClusterCloudAccount: [of(spec, 'baseURL')],
    Sim: [
      labelled('session', of(status, 'sessionStatus')),
      of(status, 'ip'),
      labelled('gateway', of(memberOf(spec, 'gatewayRef'), 'name')),
      labelled('ICCID', of(spec, 'iccid')),
    ],
    MobileGateway: [
      labelled('zone', of(spec, 'zone')),
      labelled('instance', of(status, 'instanceStatus')),
      labelled('SIMs up', of(memberOf(status, 'sims'), 'up')),
    ],
    WebAccelSite: [of(status, 'domain') ?? of(spec, 'domain'), labelled('status', of(status, 'status'))],
    SiteCertificate: [
      labelled('site', of(memberOf(spec, 'siteRef'), 'name') ?? of(spec, 'siteID')),
      labelled('not after', of(memberOf(status, 'current'), 'notAfter')),
    ],
  };
  return found[kind].filter((one) => one !== undefined);
}

function labelled(label: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${label} ${value}`;
}

function expiryOf({ status }: Reported): number | undefined {
  const notAfter = memberOf(memberOf(status, 'current'), 'notAfter');
  const at = typeof notAfter === 'string' ? Date.parse(notAfter) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** A member of what may be anything. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
