import type { JsonObject } from '../../json.ts';
import { type Draft, put } from '../draft.ts';
import { accountPlural, type DrawnAccount, type DrawnSetting } from '../setting.ts';
import { fields } from '../specs.ts';
import { manifest, ref } from '../vocabulary.ts';
import { appear, HOME, removeAt } from './parts.ts';
import { siteRoles } from './parts-sites.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/**
 * An hour with few requests is used up by changes: with slow answers, while processes die, by two accounts of one token
 * with different limits, or by an account that is deleted and made anew.
 */
export const spentHour: Story = {
  name: 'spent hour',
  wishes: () => ({
    namespaces: 1,
    hasClusterAccount: false,
    isTight: true,
    setting: { replicas: 1, leaderElect: false, trouble: 14 * MINUTE },
  }),
  cast: () => siteRoles(2),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const role of cast) appear(draft, role, {}, 500 + random.int(1000));
    const way = random.pick([slow, deaths, deaths, twoLimits, twoLimits, twoLimits, anew, anew, anew]);
    way(draft);
    for (let count = 0; count < 24; count++) changeSite(draft, 20_000 + count * 28_000 + random.int(10_000));
  },
};

/** Each costs at least one request; those that wait for the next hour are made then. */
function changeSite(draft: Draft, later: number): void {
  const { random, cast } = draft;
  const site = random.pick(cast.filter(({ plural }) => plural === 'webaccelsites'));
  const name = random.pick(['displayName', 'defaultCacheTTL', 'vary', 'requestProtocol', 'cors', 'accessControl']);
  const value = fields['webaccelsites']?.[name]?.(random, { gateways: [], sims: [] });
  if (value !== undefined) put(draft, { what: 'patch', ref: site.ref, patch: { spec: { [name]: value } } }, later);
}

/** No answer comes within seconds, and some never come. */
function slow({ random, ...draft }: Draft): void {
  const fault = random.pick(['slow', 'slow', 'stall'] as const);
  const milliseconds = 9000 + random.int(20_000);
  for (const route of [
    'PUT webaccel/site/:id',
    'GET webaccel/site/:id',
    'GET webaccel/site',
    'PUT webaccel/site/:id/acl',
  ]) {
    const all = { what: 'fault', to: 'service', route, fault, count: 10_000, skip: 0, milliseconds } as const;
    put({ ...draft, random }, { ...all, lasts: 3_600_000 }, 1);
  }
}

function deaths(draft: Draft): void {
  const { random } = draft;
  // By its own clock what is on record would be of an hour ago.
  if (random.chance(0.6)) put(draft, { what: 'step clock', process: 0, milliseconds: 3_600_000 }, 15_000);
  for (let count = 0; count < 6; count++) {
    const on = {
      moment: random.pick(['begun', 'written', 'answered'] as const),
      to: 'service' as const,
      route: random.pick(['PUT webaccel/site/:id', 'GET webaccel/site/:id']),
      nth: 1 + random.int(4),
    };
    put(draft, { what: 'kill', process: 0, on, restart: 500 }, 20_000 + count * 90_000);
  }
}

/** Another account has the token, and may send fewer, or more. */
function twoLimits(draft: Draft): void {
  const account = accountOf(draft.drawn);
  if (!account) return;
  const limits = { webAccelRequestsPerHour: draft.random.pick([5, 6, 8, 40, 60]) };
  const spec: JsonObject = { ...account.spec, limits };
  const other = ref('cloudaccounts', HOME, 'other');
  const made = manifest('cloudaccounts', other.namespace, other.name, spec);
  put(draft, { what: 'create', ref: other, manifest: made, patience: 0 }, draft.random.pick([100, 5000]));
}

/** Once the hour is used up, everything goes, and comes again. */
function anew(draft: Draft): void {
  const { random, cast } = draft;
  const account = accountOf(draft.drawn);
  if (!account) return;
  const at = 5 * MINUTE + random.int(2 * MINUTE);
  const isFirst = random.chance(0.5);
  const goes = () => put(draft, { what: 'delete', ref: account.ref }, at + random.int(2000));
  // What it has used can't be put on record for other processes: this one knows of it all the same.
  if (random.chance(0.6)) put(draft, { what: 'deny', verb: 'create', resource: 'leases', lasts: MINUTE }, at - 5000);
  if (isFirst) goes();
  for (const role of cast) removeAt(draft, role, at + random.int(4000));
  if (!isFirst) goes();
  const made = manifest(accountPlural(account.ref), account.ref.namespace, account.ref.name, account.spec);
  const back = at + 30_000 + random.int(MINUTE);
  put(draft, { what: 'create', ref: account.ref, manifest: made, patience: 10 * MINUTE }, back);
  for (const role of cast) appear(draft, role, {}, back + random.int(10_000));
}

function accountOf({ accounts }: DrawnSetting): DrawnAccount | undefined {
  return accounts.find(({ ref: { name } }) => name === 'default');
}
